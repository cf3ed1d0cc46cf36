// The first steps: positions of a real game, and what each says.
import * as m from "@/words/messages";
import type { Lesson, LessonStep } from "../contract";
import { wrapped } from "./dice/aim";
import made from "./lesson.json";

export const steps = made as unknown as LessonStep[];

export const words: Lesson["words"] = {
  goal: m.lesson_krakatoa_goal,
  keep: m.lesson_krakatoa_keep,
  set: m.lesson_krakatoa_set,
  set_then: m.lesson_krakatoa_set_then,
  soft: m.lesson_krakatoa_soft,
  hard: m.lesson_krakatoa_hard,
  done: m.lesson_krakatoa_done,
};

export const filming: Lesson["filming"] = m.krakatoa_say_rolls;

/** How far a learner may be from the throw that was recorded: degrees, and centimetres a second. */
const ASIDE = 35;
const [SOFT, HARD] = [75, 110];

/** What to change about an aim; nothing if it is near enough. */
export const misses: Lesson["misses"] = ({ direction, strength = 0 }, wanted) => {
  if (Math.abs(wrapped(direction - wanted.direction)) > ASIDE) return m.lesson_krakatoa_straight;
  const soft = (wanted.strength ?? 0) < SOFT;
  if (soft) return strength > SOFT ? m.lesson_krakatoa_softer : null;
  return strength < Math.min(HARD, wanted.strength ?? 0) - 20 ? m.lesson_krakatoa_harder : null;
};

/** Where to touch: the set, and once it is in the hand, the die to aim at. */
export const touch: Lesson["touch"] = ({ wanted, picked }, half) => {
  if (wanted?.do !== "throw") return null;
  return picked && !half
    ? { rings: ".set.hinted" }
    : { rings: `[data-die=${wanted.at as string}]`, rest: "div.felt, .aiming" };
};
