// The first steps: positions of a real game, and what each says.
import * as m from "@/words/messages";
import type { LessonStep, Words } from "../contract";
import made from "./lesson.json";

export const steps = made as unknown as LessonStep[];

export const words: Record<string, Words> = {
  keep: m.lesson_krakatoa_keep,
  any: m.lesson_krakatoa_any,
  steam: m.lesson_krakatoa_steam,
  scratch: m.lesson_krakatoa_scratch,
  done: m.lesson_krakatoa_done,
};
