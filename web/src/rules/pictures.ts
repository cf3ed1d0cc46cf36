// The positions that the rules pages show, loaded with the board that draws them.
import type { Action, AnyView } from "@/games/contract";
import type { Playable } from "@/games/contract";
import { playable } from "@/games/registry";

export interface Shown {
  anchor: string;
  view: AnyView;
  before: AnyView | null;
  recent: Action[];
  words: Record<"en" | "fr", string>;
}

const FILES = import.meta.glob<Shown[]>("../games/*/pictures.json", { import: "default" });

/** A game's board, and its pictures; nothing if there are none. */
export async function pictures(game: string): Promise<{ game: Playable; shown: Shown[] } | null> {
  const load = FILES[`../games/${game}/pictures.json`];
  if (!load) return null;
  const [board, shown] = await Promise.all([playable(game), load()]);
  return { game: board, shown };
}
