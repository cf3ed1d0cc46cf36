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

/** For each place in a hand: is its card face up? Of two equal cards, the first is. */
export function faceUp(hand: Island[], shown: Island[]): boolean[] {
  const left = [...shown];
  return hand.map((card) => {
    const place = left.indexOf(card);
    if (place >= 0) left.splice(place, 1);
    return place >= 0;
  });
}

/** The cards that the mover holds twice, once face up and once not, where the rules let the player choose. */
export function choices(view: KahunaView): Set<Island> {
  const hand = view.mover >= 0 ? view.hands[view.mover]! : 0;
  if (view.options.open_copy !== "choose" || typeof hand === "number") return new Set();
  const copies = (pile: Island[], card: Island) => pile.filter((one) => one === card).length;
  return new Set(hand.filter((card) => copies(hand, card) === 2 && copies(view.shown[view.mover]!, card) === 1));
}

/** An action's cards, with a word for which of two copies goes. */
export function withCopy(action: Action, cards: Island[], view: KahunaView | null): string {
  const card = cards.join(" + ");
  if (action.hidden) return m.kahuna_card_hidden({ card });
  const open = view && new Set(cards).size === cards.length && cards.some((one) => choices(view).has(one));
  return open ? m.kahuna_card_open({ card }) : card;
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
      return action.card
        ? m.kahuna_do_build({ line, card: withCopy(action, uses(action), view) })
        : m.kahuna_do_free({ line });
    case "cut":
      return m.kahuna_do_cut({ line, cards: withCopy(action, uses(action), view) });
    case "refill":
      return m.kahuna_do_refill({ line });
    case "discard":
      return m.kahuna_do_discard({ card: withCopy(action, [action.card as Island], view) });
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
