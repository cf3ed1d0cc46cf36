// What a seat sees of a Kula Kula game, and the words for it.
import * as m from "@/words/messages";
import type { Action, AnyView } from "../contract";
import facts from "./facts.json";

export { facts };
export type Kind = "boat" | "fish" | "idol";
export const KINDS: Kind[] = ["boat", "fish", "idol"];

export interface KulaView extends AnyView {
  phase: string;
  boats: number[];
  pukas: (number | null)[];
  kauris: number[];
  sea: Record<string, number>;
  islands: Record<string, number>;
  deck: Record<Kind, number>;
  discard: Record<Kind, number>;
  drawn: Kind[];
  supply: number;
  turn: number;
}

/** A space of the ring: an island with its name (on some boards with a number too), or a sea space with its number. */
export interface Space {
  island?: string;
  number?: number;
}

interface Board {
  ring: Space[];
  goal_kauri: Record<string, number>;
  starts: Record<string, string[]>;
  price: number;
}

/** The board of this game: as printed, but for the parts that the options bring. */
export function boardOf(view: KulaView): Board {
  return { ...(facts as Board), ...((view.options.board as Partial<Board> | null) ?? {}) };
}

export function goalOf(view: KulaView): number {
  return boardOf(view).goal_kauri[String(view.boats.length)]!;
}

/** The seats whose start island this is, where they must come home. */
export function homesAt(view: KulaView, island: string): number[] {
  if (!view.options.return_home) return [];
  const starts = boardOf(view).starts[String(view.boats.length)]!;
  return starts.flatMap((name, seat) => (name === island ? [seat] : []));
}

export function boatsAt(view: KulaView, space: number): number[] {
  return view.boats.flatMap((boat, seat) => (boat === space ? [seat] : []));
}

/** How far the cards drawn so far lead. */
export function stepsOf(view: KulaView): number {
  const steps: Record<string, number> = facts.steps;
  return view.drawn.reduce((sum, card) => sum + (steps[card] ?? 0), 0);
}

export function total(cards: Record<Kind, number>): number {
  return KINDS.reduce((sum, kind) => sum + cards[kind], 0);
}

/** The cards that an idol has cost somebody lately, the idol last; they stay in sight until the next are drawn. */
export function lostTo(recent: Action[]): Kind[] {
  const idol = recent.findLastIndex(({ card }) => card === "idol");
  const asked = recent.slice(0, Math.max(0, idol)).findLastIndex((action) => action.do === "oracle");
  return recent.slice(asked + 1, idol + 1).flatMap((action) => (action.do === "card" ? [action.card as Kind] : []));
}

export function cardName(kind: Kind): string {
  return { boat: m.kula_card_boat, fish: m.kula_card_fish, idol: m.kula_card_idol }[kind]();
}

/** An action in the player's language; the view is that in which it may be done, null for one of the past. */
export function say(action: Action, view: KulaView | null): string {
  switch (action.do) {
    case "sail":
      return m.kula_do_sail();
    case "oracle":
      return m.kula_do_oracle();
    case "draw":
      return m.kula_do_draw();
    case "go":
      return view ? m.kula_do_go({ n: stepsOf(view) }) : m.kula_do_go_on();
    case "trade":
      return m.kula_do_trade({ price: view ? boardOf(view).price : facts.price });
    case "dolphin":
      return m.kula_do_dolphin({ number: action.number as number });
    case "card":
      return m.kula_do_card({ card: cardName(action.card as Kind) });
    default:
      return m.kula_do_stop();
  }
}

/** Where an action would bring the seat's boat, to show it on the chart. */
export function landing(action: Action, view: KulaView): number | null {
  const far = action.do === "sail" ? 1 : action.do === "go" ? stepsOf(view) : 0;
  if (far === 0 || view.seat === null) return null;
  return (view.boats[view.seat]! + far) % boardOf(view).ring.length;
}
