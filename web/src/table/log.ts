// What the entries of a table's log come to: the actions that stand, and what is new to a seat.
import type { Action, Move } from "@/games/contract";
import type { Acted, Happened, Update } from "./protocol";

export type Entry = Update["entries"][number];

export type { Move };

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

/** Entries that follow what is known; null if some are missing between. */
export function joined(known: readonly Entry[], version: number, update: Update): Entry[] | null {
  if (update.whole) return update.entries;
  if (update.since > version) return null;
  return [...known, ...update.entries.filter((entry) => entry.v > version)];
}
