// The first steps: positions of a real game, and what each says.
import * as m from "@/words/messages";
import type { Lesson, LessonStep } from "../contract";
import made from "./lesson.json";

export const steps = made as unknown as LessonStep[];

export const words: Lesson["words"] = {
  goal: m.lesson_kahuna_goal,
  build: m.lesson_kahuna_build,
  build_then: m.lesson_kahuna_build_then,
  draw: m.lesson_kahuna_draw,
  watch: m.lesson_kahuna_watch,
  hold: m.lesson_kahuna_hold,
  hold_then: m.lesson_kahuna_hold_then,
  strip: m.lesson_kahuna_strip,
  cut: m.lesson_kahuna_cut,
  cut_then: m.lesson_kahuna_cut_then,
  end: m.lesson_kahuna_end,
  done: m.lesson_kahuna_done,
};
