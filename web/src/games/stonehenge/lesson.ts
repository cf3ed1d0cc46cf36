// The first steps: positions of a real game, and what each says.
import * as m from "@/words/messages";
import type { LessonStep, Words } from "../contract";
import made from "./lesson.json";

export const steps = made as unknown as LessonStep[];

export const words: Record<string, Words> = {
  place: m.lesson_stonehenge_place,
  watch: m.lesson_stonehenge_watch,
  long: m.lesson_stonehenge_long,
  ahead: m.lesson_stonehenge_ahead,
  done: m.lesson_stonehenge_done,
};
