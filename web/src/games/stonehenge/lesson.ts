// The first steps: positions of a real game, and what each says.
import * as m from "@/words/messages";
import type { Lesson, LessonStep } from "../contract";
import made from "./lesson.json";

export const steps = made as unknown as LessonStep[];

export const words: Lesson["words"] = {
  goal: m.lesson_stonehenge_goal,
  place: m.lesson_stonehenge_place,
  place_then: m.lesson_stonehenge_place_then,
  watch: m.lesson_stonehenge_watch,
  long: m.lesson_stonehenge_long,
  long_then: m.lesson_stonehenge_long_then,
  answer: m.lesson_stonehenge_answer,
  ahead: m.lesson_stonehenge_ahead,
  ahead_then: m.lesson_stonehenge_ahead_then,
  done: m.lesson_stonehenge_done,
};
