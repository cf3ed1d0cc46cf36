// A game that is over, step by step through any eyes: fetched page by page, and thought about on request.
import type { Action } from "@/games/contract";
import { api } from "./api";
import { counted, type Move } from "./log";
import type { Chair, Hint, Opinion, Over, Replay, Step } from "./protocol";

export type Eye = number | "referee" | null;

/** Where in a game one looks, as an address tells it. */
export interface Spot {
  game: number | null;
  eye: Eye;
  step: number;
}

/** A turn that gave much away: its worst action, and what would have been better. */
export interface Slip {
  step: number;
  seat: number;
  played: Opinion;
  best: Opinion;
  /** In the whole turn, of a whole win, in percent. */
  lost: number;
}

const AHEAD = 12;
/** What a turn must give away to be a mistake. */
const MUCH = 15;
/** How many mistakes of each player are shown. */
const WORST = 3;

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
  /** Where people decide, and the end: deals are not moves. */
  readonly stops = $derived([...this.decisions(), this.moves]);
  /** How many moves people made before this step, and in all. */
  readonly count = $derived(counted(this.movers, this.at));
  readonly total = $derived(counted(this.movers, this.moves));
  /** The moves that are known without a gap from the beginning, as these eyes saw them. */
  readonly deeds = $derived.by(() => {
    const found: Move[] = [];
    for (let step = 1; step <= this.moves; step++) {
      const deed = this.#steps.get(key(this.eye, step))?.deed;
      if (!deed) break;
      found.push({ ...deed, v: step, action: deed.action as Action });
    }
    return found;
  });
  /** The worst turns of each player, worst first. */
  readonly slips = $derived(this.#slips());
  /** The win chance of the player who decides, at the first decision of each turn that was thought about. */
  readonly chances = $derived(
    this.#turns().flatMap(({ seat, steps }) => {
      const best = this.thoughts.get(steps[0]!)?.ranking[0];
      return best ? [{ step: steps[0]!, seat, percent: percent(best.value, this.chairs.length) }] : [];
    }),
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
    this.at = Math.max(this.stops[0]!, Math.min(this.moves, step));
    void this.load();
  }

  /** To the next place where somebody decides, or the one before. */
  turn(by: number): void {
    const here = this.stops.findLastIndex((step) => step <= this.at);
    const next = by < 0 && (this.stops[here] ?? 0) < this.at ? here : here + by;
    this.go(this.stops[Math.max(0, Math.min(this.stops.length - 1, next))] ?? 0);
  }

  /** To what came of that move. */
  goTo(move: number): void {
    this.go(this.stops.find((step) => counted(this.movers, step) >= move) ?? this.moves);
  }

  /** Fetch the whole game, page by page, for those who read it. */
  async loadAll(): Promise<void> {
    await this.#fetch(0);
    for (let step = 0; step <= this.moves && !this.failed; step = Math.max(step + 1, this.#known(step)))
      await this.#fetch(step);
  }

  /** The first step from there on that is not known. */
  #known(step: number): number {
    while (this.#steps.has(key(this.eye, step))) step += 1;
    return step;
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
    // The deals before the first move are nothing to look at.
    this.at = Math.min(Math.max(this.at, this.stops[0]!), page.moves);
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

  /** What one player decided without another between: one turn. */
  #turns(): { seat: number; steps: number[] }[] {
    const turns: { seat: number; steps: number[] }[] = [];
    for (const step of this.decisions()) {
      const seat = this.movers[step]!;
      const last = turns.at(-1);
      if (last?.seat === seat) last.steps.push(step);
      else turns.push({ seat, steps: [step] });
    }
    return turns;
  }

  #slips(): Slip[] {
    const all = this.#turns()
      .map(({ steps }) => this.#slip(steps))
      .filter((slip) => slip !== null)
      .sort((a, b) => b.lost - a.lost);
    return this.chairs.flatMap((_, seat) => all.filter((slip) => slip.seat === seat).slice(0, WORST));
  }

  /** What a turn gave away in all, told by the worst of its actions. */
  #slip(steps: number[]): Slip | null {
    const lost = steps.map((step) => this.#lost(step)).filter((one) => one !== null);
    const worst = lost.reduce<Slip | null>((a, b) => (a && a.lost >= b.lost ? a : b), null);
    const sum = lost.reduce((total, one) => total + one.lost, 0);
    return worst && sum >= MUCH ? { ...worst, lost: Math.min(100, sum) } : null;
  }

  #lost(step: number): Slip | null {
    const hint = this.thoughts.get(step);
    const best = hint?.ranking[0];
    const played = hint?.ranking.find(({ notation }) => notation === hint.played);
    if (!hint || !best || !played) return null;
    const [most, had] = [best.value, played.value].map((value) => percent(value, this.chairs.length));
    return { step, seat: hint.seat, played, best, lost: Math.max(0, most! - had!) };
  }
}

function key(eye: Eye, step: number): string {
  return `${eye}/${step}`;
}
