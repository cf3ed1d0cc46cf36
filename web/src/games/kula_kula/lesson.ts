// The first steps: positions of a real game, and what each says.
import * as m from "@/words/messages";
import type { Lesson, LessonStep } from "../contract";
import made from "./lesson.json";

export const steps = made as unknown as LessonStep[];

export const words: Lesson["words"] = {
  goal: m.lesson_kula_kula_goal,
  sail: m.lesson_kula_kula_sail,
  others: m.lesson_kula_kula_others,
  oracle: m.lesson_kula_kula_oracle,
  push: m.lesson_kula_kula_push,
  go: m.lesson_kula_kula_go,
  pukas: m.lesson_kula_kula_pukas,
  island: m.lesson_kula_kula_island,
  trade: m.lesson_kula_kula_trade,
  done: m.lesson_kula_kula_done,
};
