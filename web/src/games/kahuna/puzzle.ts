// What Kahuna's puzzles ask.
import * as m from "@/words/messages";
import type { AnyView, PuzzleWords } from "../contract";
import type { KahunaView } from "./view";

const held = (view: AnyView) => (view as KahunaView).stones[view.seat ?? 0]!.length;

export const puzzle: PuzzleWords = {
  ask: (view, solved) => m.puzzle_ask_kahuna({ n: held(solved) - held(view) }),
};
