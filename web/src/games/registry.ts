// The games of the house: every folder here with an index.ts is one. What the server knows beyond them is played on
// the generic board.
import { served } from "./served.svelte";
import type { Manifest, Playable } from "./contract";

const FOUND = import.meta.glob<Manifest>("./*/index.ts", { eager: true, import: "default" });
const GAMES = new Map(
  Object.entries(FOUND)
    .map(([path, manifest]) => [path.split("/")[1]!, manifest] as const)
    .sort(([, a], [, b]) => a.order - b.order),
);

/** The games that bring a board of their own, in the lobby's order. */
export const own: readonly string[] = [...GAMES.keys()];

/** What a game's folder says of it; nothing if it has none. */
export function manifest(game: string): Manifest | null {
  return GAMES.get(game) ?? null;
}

export async function playable(game: string): Promise<Playable> {
  return ((await manifest(game)?.load()) ?? (await import("@/generic/play"))) as Playable;
}

export function title(game: string): string {
  return manifest(game)?.title() ?? served.info(game)?.title ?? game;
}
