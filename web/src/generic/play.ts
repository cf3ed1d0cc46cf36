// What the table needs of a game that brings no board of its own: pictures by the server, actions by their notation.
import * as m from "@/words/messages";
import type { Action, AnyView, Move, Player, Section } from "@/games/contract";
import { who } from "@/games/sentences";
export { default as Board } from "./Board.svelte";

export function say(_: Action, __: AnyView | null, notation: string): string {
  return notation;
}

/** What chance did and this player did not see is not told. */
export function narrate(move: Move, players: Player[]): string[] {
  if (move.seat === null && move.notation.includes("?")) return [];
  const said = { action: move.notation };
  return [move.seat === null ? m.generic_happened(said) : m.generic_did({ who: who(players, move.seat), ...said })];
}

export function goal(): string {
  return "";
}

/** Every part of the view that can be said in a line. */
export function describe(view: AnyView, players: Player[]): Section[] {
  const known = new Set(["game", "options", "seat", "mover", "scores", "winner"]);
  const parts = Object.entries(view as unknown as Record<string, unknown>).filter(([key]) => !known.has(key));
  return [
    {
      title: m.over_scores(),
      lines: view.scores.map((n, seat) => m.generic_score({ name: players[seat]?.name ?? "", n })),
    },
    { title: m.text_standing(), lines: parts.map(([key, value]) => m.generic_part({ key, value: said(value) })) },
  ];
}

function said(value: unknown): string {
  if (Array.isArray(value)) return value.map(said).join(", ") || "–";
  if (value === null || value === undefined) return "–";
  if (typeof value !== "object") return String(value);
  return (
    Object.entries(value)
      .map(([key, part]) => `${key} ${said(part)}`)
      .join(", ") || "–"
  );
}
