// The first steps: positions of a real game, and what each says.
import * as m from "@/words/messages";
import type { LessonStep, Words } from "../contract";
import made from "./lesson.json";

export const steps = made as unknown as LessonStep[];

export const words: Record<string, Words> = {
  build: m.lesson_kahuna_build,
  again: m.lesson_kahuna_again,
  draw: m.lesson_kahuna_draw,
  cut: m.lesson_kahuna_cut,
  answer: m.lesson_kahuna_answer,
  done: m.lesson_kahuna_done,
};
