// The first steps: positions of a real game, and what each says.
import * as m from "@/words/messages";
import type { LessonStep, Words } from "../contract";
import made from "./lesson.json";

export const steps = made as unknown as LessonStep[];

export const words: Record<string, Words> = {
  sail: m.lesson_kula_kula_sail,
  others: m.lesson_kula_kula_others,
  oracle: m.lesson_kula_kula_oracle,
  push: m.lesson_kula_kula_push,
  go: m.lesson_kula_kula_go,
  done: m.lesson_kula_kula_done,
};
