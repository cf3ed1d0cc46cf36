// What Krakatoa's puzzles ask, and what a throw brings.
import * as m from "@/words/messages";
import { language } from "@/app/language.svelte";
import type { PuzzleWords } from "../contract";

export const puzzle: PuzzleWords = {
  ask: m.puzzle_ask_krakatoa,
  worth: (value) =>
    m.puzzle_worth_points({ n: new Intl.NumberFormat(language.now, { maximumFractionDigits: 2 }).format(value) }),
};
