// What the first steps of each game say.
import * as m from "@/words/messages";

export const LESSON: Record<string, Record<string, () => string>> = {
  kahuna: {
    build: m.lesson_kahuna_build,
    again: m.lesson_kahuna_again,
    draw: m.lesson_kahuna_draw,
    cut: m.lesson_kahuna_cut,
    answer: m.lesson_kahuna_answer,
    done: m.lesson_kahuna_done,
  },
  stonehenge: {
    place: m.lesson_stonehenge_place,
    watch: m.lesson_stonehenge_watch,
    long: m.lesson_stonehenge_long,
    ahead: m.lesson_stonehenge_ahead,
    done: m.lesson_stonehenge_done,
  },
  kula_kula: {
    sail: m.lesson_kula_kula_sail,
    others: m.lesson_kula_kula_others,
    oracle: m.lesson_kula_kula_oracle,
    push: m.lesson_kula_kula_push,
    go: m.lesson_kula_kula_go,
    done: m.lesson_kula_kula_done,
  },
  krakatoa: {
    keep: m.lesson_krakatoa_keep,
    any: m.lesson_krakatoa_any,
    steam: m.lesson_krakatoa_steam,
    scratch: m.lesson_krakatoa_scratch,
    done: m.lesson_krakatoa_done,
  },
};
