// What Stonehenge's puzzles ask.
import * as m from "@/words/messages";
import type { PuzzleWords } from "../contract";

export const puzzle: PuzzleWords = { ask: m.puzzle_ask_stonehenge };
