// What a seat sees of a Kahuna game, and the words for it.
import * as m from "@/words/messages";
import type { Action, AnyView, Legal } from "../contract";
import facts from "./facts.json";

export type Island = string;
export type Line = string;

export interface KahunaView extends AnyView {
  round: number;
  bridges: [Line[], Line[]];
  stones: [Island[], Island[]];
  hands: [Island[] | number, Island[] | number];
  shown: [Island[], Island[]];
  known: [Island[], Island[]];
  open: Island[];
  deck: number | Island[];
  discard: Island[];
  hidden_discard: [Island[] | number, Island[] | number];
  last_turns: number | null;
  phase: string;
  turn: number | null;
  refill: Line | null;
}

export { facts };
export const islands: Island[] = facts.islands;
export const lines: Line[] = facts.lines;
export const degree: Record<Island, number> = facts.degree;

/** The two islands of a line. */
export function ends(line: Line): [Island, Island] {
  return line.split("-") as [Island, Island];
}

/** A line as people read it. */
export function named(line: Line): string {
  return line.replace("-", "–");
}

export function size(pile: readonly unknown[] | number): number {
  return typeof pile === "number" ? pile : pile.length;
}

/** Who has this in the pair of lists, if anybody. */
export function ownerOf(pair: readonly string[][], thing: string): number | null {
  const seat = pair.findIndex((things) => things.includes(thing));
  return seat < 0 ? null : seat;
}

/** The cards that an action takes from the hand. */
export function uses(action: Action): Island[] {
  if (action.do === "cut") return action.cards as Island[];
  return action.do === "bridge" && action.card ? [action.card as Island] : [];
}

/** The line that an action is about; `refill` names none, the view does. */
export function lineOf(action: Action, view: KahunaView | null): Line | null {
  return action.do === "refill" ? (view?.refill ?? null) : ((action.line as Line | undefined) ?? null);
}

/** An action in the player's language; the view is that in which it may be done, null for one of the past. */
export function say(action: Action, view: KahunaView | null): string {
  const line = named(lineOf(action, view) ?? "");
  switch (action.do) {
    case "bridge":
      return action.card ? m.kahuna_do_build({ line, card: action.card as string }) : m.kahuna_do_free({ line });
    case "cut":
      return m.kahuna_do_cut({ line, cards: (action.cards as string[]).join(" + ") });
    case "refill":
      return m.kahuna_do_refill({ line });
    case "discard":
      return m.kahuna_do_discard({ card: action.card as string });
    case "draw":
      return action.from === "deck" ? m.kahuna_do_draw_deck() : m.kahuna_do_draw({ card: action.from as string });
    case "deal":
      return m.kahuna_do_deal({ card: (action.card as string | null) ?? m.kahuna_face_down() });
    default:
      return m.kahuna_do_pass();
  }
}

/** What has come and gone on the lines since an earlier view. */
export function changes(view: KahunaView, before: KahunaView | null): { come: Set<Line>; gone: Map<Line, number> } {
  const come = new Set<Line>();
  const gone = new Map<Line, number>();
  if (before) {
    for (const line of lines) {
      const was = ownerOf(before.bridges, line);
      const is = ownerOf(view.bridges, line);
      if (is !== null && is !== was) come.add(line);
      if (was !== null && is !== was) gone.set(line, was);
    }
  }
  return { come, gone };
}

/** The actions that begin with the cards chosen so far. */
export function fitting(legal: Legal[], chosen: Island[], fits: (part: string[], whole: string[]) => boolean): Legal[] {
  return legal.filter(({ action }) => ["bridge", "cut", "refill"].includes(action.do) && fits(chosen, uses(action)));
}
