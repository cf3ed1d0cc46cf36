// The games of the house, each loaded when it is needed.
import type { Component } from "svelte";
import type { AnyView, BoardProps } from "./contract";

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type AnyBoard = Component<BoardProps<any>>;

export const GAMES = ["kahuna", "stonehenge", "kula_kula", "krakatoa"] as const;
export type GameName = (typeof GAMES)[number];

const BOARDS: Record<GameName, () => Promise<{ default: AnyBoard }>> = {
  kahuna: () => import("./kahuna/Board.svelte"),
  stonehenge: () => import("./stonehenge/Board.svelte"),
  kula_kula: () => import("./kula_kula/Board.svelte"),
  krakatoa: () => import("./krakatoa/Board.svelte"),
};

export async function board(game: GameName): Promise<Component<BoardProps<AnyView>>> {
  return (await BOARDS[game]()).default;
}
