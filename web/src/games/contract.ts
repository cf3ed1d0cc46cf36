// What a game brings to the page, and what every board is given.
import type { Component } from "svelte";
import type { Aim, Dice, Fall } from "@/table/protocol";
import type { Sound } from "@/table/sounds";

/** A message of the catalogue: spoken in the language of the page. */
export type Words = () => string;

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

/** A player as the boards show them. */
export interface Player {
  name: string;
  bot?: boolean;
  away?: boolean;
  /** This is the reader: sentences say "you". */
  you?: boolean;
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
  /** What it brought about, as the game's `written` tells it. */
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

/** Something that is seen over the board for a while, before it is told. What it holds is its game's own. */
export interface Moment {
  /** Milliseconds. */
  lasts: number;
  kind: string;
}

export interface MomentProps<Of extends Moment, View extends AnyView> {
  moment: Of;
  view: View;
  players: Player[];
  /** The part of the page that holds the board: things are found in it by what they are. */
  board: HTMLElement;
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
  /** An action to point out on the board: a hint, or what a lesson asks for. */
  pointed?: Action | null;
  /** With an aim, where dice are thrown. */
  onchoose: (action: Action, aim?: Aim) => void;
  /** A board that shows films tells up to which version it has shown what happened. */
  onshown?: (v: number) => void;
}

/** What a board says to those who do not see it: headings, and a sentence for each thing. */
export interface Section {
  title: string;
  lines: string[];
}

/** What is needed to play: loaded with the game's first table. */
export interface Playable {
  Board: Component<BoardProps<AnyView>>;
  /** An action as an offer: "Build ALOA–BARI with ALOA". The view is that in which it may be done. */
  say: (action: Action, view: AnyView | null, notation: string) => string;
  /** What happened, in sentences: "Sailor built ALOA–BARI." `by` is whose turn it was when chance acted. */
  narrate: (move: Move, players: Player[], previous: Move | null, by: number | null) => string[];
  /** What wins, and how far each player is. */
  goal: (view: AnyView) => string;
  describe: (view: AnyView, players: Player[]) => Section[];
  /** What is heard when it happens. */
  sound?: (move: Move) => Sound | null;
  /** What the table waits for when somebody has to type what no list can offer, and what was typed as an action. */
  asks?: (view: AnyView) => string;
  reads?: (typed: string, view: AnyView) => Action | null;
  /** The board shows films, and tells by `onshown` how far it is. */
  films?: boolean;
  /** What the game's puzzles ask, and what a choice is worth in words. */
  puzzle?: PuzzleWords;
  /** What of a move is seen before it is told, and the drawing of it. */
  moment?: (move: Move, previous: Move | null) => Moment | null;
  Moments?: Component<MomentProps<Moment, AnyView>>;
}

export interface PuzzleWords {
  /** What is asked, from the position and the one that solves it. */
  ask: (view: AnyView, solved: AnyView) => string;
  /** The value of a choice, where that is a number. */
  worth?: (value: number) => string;
}

/** One step of a lesson: what is seen, and the action that is asked for. */
export interface LessonStep {
  words: string;
  view: AnyView;
  legal: Legal[];
  recent: Action[];
  wanted: Action | null;
  /** Where to look, if nothing is asked for: a selector in the board. */
  spot?: string;
  /** Found once the first half of it is done, as a card that was chosen: then the words named `…_then` are said. */
  picked?: string;
  /** Where dice are thrown: what happened since the step before, how they lie, and the aim that is asked for. */
  moves?: Move[];
  dice?: Dice;
  aim?: Aim;
}

/** What a lesson lights on a board, by selectors: what to touch has a ring, the rest is only not dimmed. */
export interface Lit {
  rings: string;
  rest?: string;
}

export interface Lesson {
  steps: LessonStep[];
  words: Record<string, Words>;
  /** What to change about an aim; nothing if it is near enough to the one that is asked for. */
  misses?: (aim: Aim, wanted: Aim) => Words | null;
  /** Where to touch, if the board does not point it out by itself; `half` of it may be done. */
  touch?: (step: LessonStep, half: boolean) => Lit | null;
}

/** The texts of an option, or of one of its values: its name, and why one would choose it. */
export type Texts = readonly [name: Words, why?: Words];

export interface OptionFormProps {
  players: number;
  onchange: (value: Record<string, unknown> | null) => void;
}

/** What the lobby shows of a game before anything else is loaded. Each game's folder exports one. */
export interface Manifest {
  /** Its place in the lobby. */
  order: number;
  title: Words;
  about: Words;
  /** How long a game takes, and how much there is to think about, from 1 to 3. */
  minutes: number;
  weight: 1 | 2 | 3;
  art: () => Promise<{ default: Component }>;
  options?: Record<string, Texts>;
  /** The values of its options that have names, as JSON; a function for those that are composed. */
  values?: Record<string, Texts>;
  valueName?: (value: unknown) => string | null;
  /** A form of its own for an option that no list can offer; it tells the value with every change. */
  form?: { option: string; load: () => Promise<{ default: Component<OptionFormProps> }> };
  /** Nobody chooses who starts: the game decides. */
  drawsStart?: boolean;
  /** Nothing is left to chance: there are no draws to verify. */
  noChance?: boolean;
  /** A page about this game alone, which the lobby names. */
  also?: { path: string; words: Words };
  /** What is needed to play, a `Playable`. Each game has a view of its own; the table hands it on as it came. */
  load: () => Promise<unknown>;
  lesson: () => Promise<Lesson>;
}

export const OVER = -2;

/** What may be done with this verb. */
export function does(legal: Legal[], verb: string): Legal[] {
  return legal.filter(({ action }) => action.do === verb);
}

/** Do two actions say the same? */
export function same(a: Action | null | undefined, b: Action | null | undefined): boolean {
  if (!a || !b) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => String(a[key]) === String(b[key]));
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
