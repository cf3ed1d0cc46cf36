// The games of the house, each loaded when it is needed.
import type { Component } from "svelte";
import type { AnyView, BoardProps } from "./contract";

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type AnyBoard = Component<BoardProps<any>>;

export const GAMES = ["kahuna", "stonehenge", "kula_kula", "krakatoa"] as const;
export type GameName = (typeof GAMES)[number];

const BOARDS: Record<GameName, () => Promise<{ default: AnyBoard }>> = {
  kahuna: () => import("./kahuna/Board.svelte"),
  stonehenge: () => import("./kahuna/Board.svelte"),
  kula_kula: () => import("./kahuna/Board.svelte"),
  krakatoa: () => import("./kahuna/Board.svelte"),
};

export async function board(game: GameName): Promise<Component<BoardProps<AnyView>>> {
  return (await BOARDS[game]()).default;
}
