// What Kula Kula's puzzles ask, and what a choice brings.
import * as m from "@/words/messages";
import { language } from "@/app/language.svelte";
import type { PuzzleWords } from "../contract";

export const puzzle: PuzzleWords = {
  ask: m.puzzle_ask_kula_kula,
  worth: (value) =>
    m.puzzle_worth_pukas({ n: new Intl.NumberFormat(language.now, { maximumFractionDigits: 2 }).format(value) }),
};
