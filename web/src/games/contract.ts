// What every board is given, whatever the game: a view, what may be done, and where to say what was chosen.
import type { Aim, Dice, Fall } from "@/table/protocol";

/** An action as the rules name it: a verb and its parts. */
export interface Action {
  do: string;
  [part: string]: unknown;
}

/** An action that the table offers, and how a player writes it. */
export interface Legal {
  action: Action;
  notation: string;
}

/** What every view holds. */
export interface AnyView {
  game: string;
  options: Record<string, unknown>;
  seat: number | null;
  mover: number;
  scores: number[];
  winner: number | number[] | null;
}

/** Who sits at a seat. */
export interface Player {
  name: string;
  bot?: boolean;
  away?: boolean;
  /** Seconds left, if there is a clock. */
  clock?: number | null;
}

/** An action of the game as the table tells it; `seat` null is chance. */
export interface Move {
  v: number;
  seat: number | null;
  action: Action;
  notation: string;
  /** How simulated dice were thrown, and how they fell. */
  aim?: Aim | null;
  fall?: Fall | null;
  /** What the players write on their sheet by it, where a game has one. */
  wrote?: object | null;
}

/** What a real table adds, and a lesson has not. */
export interface AtTable {
  /** The actions that stand. */
  moves: readonly Move[];
  /** How dice fall here, and how they lie; null at other games. */
  thrower: "physics" | "odds" | "pad" | null;
  dice: Dice | null;
  /** The trajectory of the throw that the entry of that version tells of, in base64; null if there is none. */
  ask: (v: number) => Promise<string | null>;
}

export interface BoardProps<View extends AnyView> {
  view: View;
  /** What this seat saw when it last acted: what is new since then is marked. */
  before: View | null;
  legal: Legal[];
  /** What was done since this seat last acted, oldest first. */
  recent: Action[];
  players: Player[];
  at?: AtTable;
  /** With an aim, where dice are thrown. */
  onchoose: (action: Action, aim?: Aim) => void;
}

export const OVER = -2;

/** What may be done with this verb. */
export function does(legal: Legal[], verb: string): Legal[] {
  return legal.filter(({ action }) => action.do === verb);
}

/** Is everything of the one among the other, as often? */
export function within(part: readonly string[], whole: readonly string[]): boolean {
  const rest = [...whole];
  return part.every((item) => {
    const at = rest.indexOf(item);
    if (at < 0) return false;
    rest.splice(at, 1);
    return true;
  });
}
