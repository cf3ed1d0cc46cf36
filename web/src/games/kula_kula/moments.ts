// What is seen of a move before it is told: a card that is drawn, the idol and what it costs, a trade, a toll.
import type { Moment, Move } from "../contract";
import type { Kind } from "./view";

export type KulaMoment = Moment &
  (
    | { kind: "card"; card: Kind }
    | { kind: "idol"; lost: Kind[] }
    | { kind: "trade"; seat: number; island: string }
    | { kind: "toll"; seat: number; to: number[] }
    | { kind: "sail" }
  );

interface Brought {
  at?: string | number;
  toll?: number[];
  lost?: Kind[];
}

export function moment({ seat, action, wrote }: Move): KulaMoment | null {
  const { at, toll = [], lost = [] } = (wrote ?? {}) as Brought;
  switch (action.do) {
    case "card":
      if (action.card === "idol") return { kind: "idol", lost, lasts: 2200 + 250 * lost.length };
      return { kind: "card", card: action.card as Kind, lasts: 750 };
    case "trade":
      return { kind: "trade", seat: seat!, island: String(at), lasts: 1700 };
    case "sail":
    case "go":
      return toll.length > 0 ? { kind: "toll", seat: seat!, to: toll, lasts: 1300 } : { kind: "sail", lasts: 700 };
    default:
      return null;
  }
}
