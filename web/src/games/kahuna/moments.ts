// What is seen of a move before it is told: a card that is drawn, islands won and bridges stripped, a round that is scored.
import type { Moment, Move } from "../contract";
import type { Island, Line } from "./view";

/** How long one island after another is counted (milliseconds). */
export const COUNT = 260;

export type KahunaMoment = Moment &
  (
    | { kind: "draw"; seat: number; from: string; card: Island | null }
    | { kind: "won"; seat: number; won: Island[]; lost: Island[]; stripped: Line[] }
    | { kind: "round"; round: number; islands: [number, number]; points: [number, number] }
    | { kind: "build" }
  );

interface Brought {
  won?: Island[];
  lost?: Island[];
  stripped?: Line[];
  round?: number;
  islands?: [number, number];
  points?: [number, number];
}

export function moment({ seat, action, wrote }: Move, previous: Move | null): KahunaMoment | null {
  const { won = [], lost = [], stripped = [], round, islands, points } = (wrote ?? {}) as Brought;
  if (round && islands && points)
    return { kind: "round", round, islands, points, lasts: 2600 + COUNT * Math.max(...islands) };
  if (seat !== null && won.length + lost.length + stripped.length > 0)
    return { kind: "won", seat, won, lost, stripped, lasts: 1700 };
  if (action.do === "draw" && action.from !== "deck")
    return { kind: "draw", seat: seat!, from: "row", card: action.from as Island, lasts: 800 };
  if (action.do === "deal" && previous?.action.do === "draw" && previous.action.from === "deck")
    return { kind: "draw", seat: previous.seat!, from: "deck", card: action.card as Island | null, lasts: 800 };
  return ["bridge", "cut", "refill"].includes(action.do) ? { kind: "build", lasts: 450 } : null;
}
