// What a seat sees of a Krakatoa game, and the words for it.
import * as m from "@/words/messages";
import type { Action, AnyView } from "../contract";
import facts from "./facts.json";

export type Set_ = "steam" | "ash" | "lava";
export type Letter = "Y" | "R" | "B";

export interface KrakatoaView extends AnyView {
  phase: "throwoff" | "decide" | "throw" | "land" | "over";
  round: number;
  throw: number;
  order: number[];
  thrower: number;
  rerolled: boolean;
  aim: { set: Set_; at: string } | null;
  dice: string | null;
  throwoff: (string | null)[];
  totals: number[];
  marks: [string, string][];
  boxes_left: number;
}

/** A box of the score sheet, as the table tells what was written. */
export interface Box {
  side: number;
  seat: number;
  round: number;
  throw: number;
  /** The mark that stood in it: nothing, x or xx. */
  mark: string;
  points: number;
  total: number;
  touched: boolean;
  /** What it earned for the throws to come. */
  quake: string;
  rumble: string;
  eruption: string;
}

export { facts };
export const SETS = facts.sets as Set_[];

export function setName(which: string): string {
  return { steam: m.krakatoa_set_steam, ash: m.krakatoa_set_ash, lava: m.krakatoa_set_lava }[which as Set_]();
}

/** A die in words: `lava2` is lava 2. */
export function dieName(die: string): string {
  return m.krakatoa_die_name({ set: setName(die.slice(0, -1)), number: die.slice(-1) });
}

export function colour(letter: Letter): string {
  return { Y: m.krakatoa_yellow, R: m.krakatoa_red, B: m.krakatoa_blue }[letter]();
}

/** The letter on a die as its colour begins in the player's language: yellow is J in French. */
export function initial(letter: Letter): string {
  return colour(letter)[0]!.toUpperCase();
}

/** Faces such as `YYB YRR RRR`, in the player's letters. */
export function lettered(faces: string): string {
  return faces.replace(/[YRB]/g, (letter) => initial(letter as Letter));
}

/** What the players call three letters, and what they are worth. */
export function fall(letters: string): { name: string; points: number } {
  const { name, points } = (facts.falls as Record<string, { name: string; points: number }>)[letters]!;
  const words: Record<string, () => string> = {
    fiasco: m.krakatoa_fall_fiasco,
    Ace: m.krakatoa_fall_ace,
    Deuce: m.krakatoa_fall_deuce,
    Vesuvius: m.krakatoa_fall_vesuvius,
  };
  return { name: words[name]?.() ?? name, points };
}

/** The letters of a set on the table; none while it is in the hand. */
export function lying(view: KrakatoaView, which: Set_): string | null {
  return view.dice === null || view.aim?.set === which ? null : view.dice.split(" ")[SETS.indexOf(which)]!;
}

/** The seats of a side: one, or two partners. */
export function seatsOf(view: KrakatoaView, side: number): number[] {
  return view.scores.map((_, seat) => seat).filter((seat) => seat % view.totals.length === side);
}

/** An action in the player's language. */
export function say(action: Action): string {
  switch (action.do) {
    case "keep":
      return m.krakatoa_do_keep();
    case "reroll":
      return m.krakatoa_do_reroll();
    case "throw":
      return m.krakatoa_do_throw({ set: setName(action.set as string), die: dieName(action.at as string) });
    default: {
      const faces = { faces: lettered(action.faces as string) };
      if (action.touched === undefined) return m.krakatoa_do_land(faces);
      return action.touched ? m.krakatoa_do_touched(faces) : m.krakatoa_do_scratch(faces);
    }
  }
}
