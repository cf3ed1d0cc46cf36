// What the entries of a table's log come to: the actions that stand, what is new to a seat, and the story they tell.
import type { Action, Move, Playable, Player } from "@/games/contract";
import type { Acted, Happened, Remark, Update } from "./protocol";

export type Entry = Update["entries"][number];

export type { Move };

/** A move in sentences; `n` counts what people do: deals are not moves. */
export interface Told {
  v: number;
  seat: number | null;
  /** Whose turn it was. */
  by: number | null;
  n: number;
  words: string[];
}

function move(entry: Acted | Happened): Move {
  const told = { v: entry.v, action: entry.action as Action, notation: entry.notation, wrote: entry.wrote };
  return entry.kind === "acted"
    ? { ...told, seat: entry.seat, aim: entry.aim }
    : { ...told, seat: null, fall: entry.fall };
}

/** The actions that stand: those taken back are gone, and an earlier game's are another story. */
export function standing(entries: readonly Entry[]): Move[] {
  let moves: Move[] = [];
  for (const entry of entries) {
    if (entry.kind === "acted" || entry.kind === "happened") moves.push(move(entry));
    else if (entry.kind === "back") moves = moves.slice(0, entry.moves);
    else if (entry.kind === "started") moves = [];
  }
  return moves;
}

/** What was done since a seat last acted. */
export function since(moves: readonly Move[], seat: number | null): Move[] {
  const last = moves.findLastIndex((one) => one.seat === seat);
  return moves.slice(last + 1);
}

/** How many remarks a page keeps. */
const KEPT = 500;

/** What was said, in order, each remark once. */
export function heard(known: readonly Remark[], said: readonly Remark[]): Remark[] {
  const last = known.at(-1)?.number ?? 0;
  return [...known, ...said.filter(({ number }) => number > last)].slice(-KEPT);
}

/** The moves as a story. */
export function story(moves: readonly Move[], players: Player[], narrate: Playable["narrate"]): Told[] {
  let by: number | null = null;
  let n = 0;
  return moves.map((one, k) => {
    const words = narrate(one, players, moves[k - 1] ?? null, one.seat ?? by);
    if (one.seat !== null) [by, n] = [one.seat, n + 1];
    return { v: one.v, seat: one.seat, by, n, words };
  });
}

/** The sentences that a seat has not read yet: what came after its own last action. A spectator reads the last turn. */
export function news(told: readonly Told[], seat: number | null): string[] {
  const by = told.at(-1)?.by;
  const last = told.findLastIndex((one) => (seat === null ? one.by !== by : one.seat === seat));
  return told.slice(last + 1).flatMap(({ words }) => words);
}

/** How many of what the log holds people did. */
export function counted(movers: readonly number[], step: number): number {
  return movers.slice(0, step).filter((mover) => mover >= 0).length;
}

/** Entries that follow what is known; null if some are missing between. */
export function joined(known: readonly Entry[], version: number, update: Update): Entry[] | null {
  if (update.whole) return update.entries;
  if (update.since > version) return null;
  return [...known, ...update.entries.filter((entry) => entry.v > version)];
}
