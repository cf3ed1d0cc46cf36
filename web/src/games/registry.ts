// The games of the house, each loaded when it is needed. A fifth game is a folder and two lines here.
import type { Component } from "svelte";
import * as m from "@/words/messages";
import type { Action, AnyView, BoardProps, Move, Player } from "./contract";
import type { Describe } from "./describe";

export const GAMES = ["kahuna", "stonehenge", "kula_kula", "krakatoa"] as const;
export type GameName = (typeof GAMES)[number];

/** What the table needs of a game. Each game has a view of its own; the table hands it on as it came. */
export interface Playable {
  Board: Component<BoardProps<AnyView>>;
  say: (action: Action, view: AnyView | null) => string;
  describe: Describe<AnyView>;
  /** An action and what it brought, in words, where that is more than what was done. */
  tell?: (move: Move, players: Player[]) => string;
  /** What the table waits for when somebody has to type what no list can offer. */
  asks?: (view: AnyView) => string;
}

const LOAD: Record<GameName, () => Promise<unknown>> = {
  kahuna: () => import("./kahuna"),
  stonehenge: () => import("./stonehenge"),
  kula_kula: () => import("./kula_kula"),
  krakatoa: () => import("./krakatoa"),
};

export function isGame(name: string): name is GameName {
  return (GAMES as readonly string[]).includes(name);
}

export async function playable(game: GameName): Promise<Playable> {
  return (await LOAD[game]()) as Playable;
}

export function title(game: string): string {
  const names: Record<string, () => string> = {
    kahuna: m.game_kahuna,
    stonehenge: m.game_stonehenge,
    kula_kula: m.game_kula_kula,
    krakatoa: m.game_krakatoa,
  };
  return names[game]?.() ?? game;
}
