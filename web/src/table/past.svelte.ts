// A game that is over, step by step through any eyes: fetched page by page, and thought about on request.
import { api } from "./api";
import type { Chair, Hint, Over, Replay, Step } from "./protocol";

export type Eye = number | "referee" | null;

/** Where in a game one looks, as an address tells it. */
export interface Spot {
  game: number | null;
  eye: Eye;
  step: number;
}

/** An action that gave so much away. */
export interface Slip {
  step: number;
  seat: number;
  played: string;
  best: string;
  /** Of a whole win, in percent. */
  lost: number;
}

const AHEAD = 12;
/** What an action must give away to be marked. */
const MUCH = 15;

/** A bot's value as a chance to win, in percent: the more play, the less a loss costs each. */
export function percent(value: number, seats: number): number {
  const loss = -1 / Math.max(1, seats - 1);
  return Math.round((100 * (value - loss)) / (1 - loss));
}

export class Past {
  game: number | null = $state(null);
  moves = $state(0);
  scores: number[][] = $state.raw([]);
  movers: number[] = $state.raw([]);
  chairs: Chair[] = $state.raw([]);
  over: Over | null = $state.raw(null);
  eye: Eye = $state(null);
  at = $state(0);
  thoughts: Map<number, Hint> = $state.raw(new Map());
  /** The step that is being thought about; all that are to come if the whole game is. */
  asking: number[] = $state.raw([]);
  failed = $state(false);

  #steps: Map<string, Step> = $state.raw(new Map());
  #wanted = new Set<string>();

  readonly step = $derived(this.#steps.get(key(this.eye, this.at)) ?? null);
  readonly before = $derived(this.#steps.get(key(this.eye, this.at - 1)) ?? null);
  readonly slips = $derived(
    [...this.thoughts.values()].map((hint) => this.#slip(hint)).filter((slip) => slip !== null),
  );

  constructor(
    readonly table: string,
    readonly link: string | null,
    spot: Spot,
  ) {
    this.game = spot.game;
    this.eye = spot.eye;
    this.at = spot.step;
  }

  get spot(): Spot {
    return { game: this.game, eye: this.eye, step: this.at };
  }

  /** Fetch what is shown now, and what will be shown next. */
  async load(): Promise<void> {
    await this.#fetch(this.at);
    await this.#fetch(Math.min(this.moves, this.at + AHEAD));
  }

  go(step: number): void {
    this.at = Math.max(0, Math.min(this.moves, step));
    void this.load();
  }

  look(eye: Eye): void {
    this.eye = eye;
    void this.load();
  }

  async #fetch(step: number): Promise<void> {
    const since = Math.max(0, step - 2);
    const [eye, wanted] = [this.eye, key(this.eye, step)];
    if (this.#steps.has(wanted) || this.#wanted.has(wanted)) return;
    this.#wanted.add(wanted);
    try {
      this.#take(await api.replay(this.table, { game: this.game, eye, since }, this.link));
      this.failed = false;
    } catch {
      this.failed = true;
    } finally {
      this.#wanted.delete(wanted);
    }
  }

  #take(page: Replay): void {
    ({ game: this.game, moves: this.moves, scores: this.scores, movers: this.movers } = page);
    ({ chairs: this.chairs, over: this.over } = page);
    this.#steps = new Map([
      ...this.#steps,
      ...page.steps.map((step, k) => [key(page.eye, page.since + k), step] as const),
    ]);
    this.at = Math.min(this.at, page.moves);
  }

  // Thinking.

  /** The steps in which a seat decided something. */
  decisions(): number[] {
    return this.movers.flatMap((mover, step) => (mover >= 0 && step < this.moves ? [step] : []));
  }

  note(hint: Hint): void {
    if (!this.asking.includes(hint.moves)) return;
    this.thoughts = new Map(this.thoughts).set(hint.moves, hint);
    this.asking = this.asking.filter((step) => step !== hint.moves);
  }

  #slip(hint: Hint): Slip | null {
    const best = hint.ranking[0];
    const played = hint.ranking.find(({ notation }) => notation === hint.played);
    if (!best || !played) return null;
    const [most, had] = [best.value, played.value].map((value) => percent(value, this.chairs.length));
    const lost = most! - had!;
    if (lost < MUCH) return null;
    return { step: hint.moves, seat: hint.seat, played: played.notation, best: best.notation, lost };
  }
}

function key(eye: Eye, step: number): string {
  return `${eye}/${step}`;
}
