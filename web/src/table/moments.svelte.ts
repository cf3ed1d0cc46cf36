// What is seen when: one moment after another, each once and for as long as it is worth a look.
import type { Moment, Move, Playable } from "@/games/contract";

/** Who has missed more than this sees the last ones only. */
const LONG = 3;

interface Due {
  v: number;
  moment: Moment;
}

export class Moments {
  now: Due | null = $state.raw(null);
  /** The version up to which everything has been seen, and so may be told. */
  seen = $state(0);
  #last: number | null = null;
  #queue: Due[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** The moves that stand; `still` is for people who want nothing to move: there is nothing to wait for. */
  push(moves: readonly Move[], of: Playable["moment"], still: boolean): void {
    const last = moves.at(-1)?.v ?? 0;
    const known = this.#last;
    this.#last = last;
    if (known === null || last < known || !of || document.hidden) return this.#cut(last);
    moves.forEach((move, k) => {
      const moment = move.v > known ? of(move, moves[k - 1] ?? null) : null;
      if (moment) this.#queue.push({ v: move.v, moment });
    });
    this.#queue = this.#queue.slice(-LONG);
    if (!this.now) this.#next();
    if (still) this.seen = last;
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #cut(last: number): void {
    clearTimeout(this.#timer);
    this.#queue = [];
    this.now = null;
    this.seen = last;
  }

  #next(): void {
    this.now = this.#queue.shift() ?? null;
    if (this.now) this.#timer = setTimeout(() => this.#next(), this.now.moment.lasts);
    // What goes before the one that is seen now has been seen.
    this.seen = Math.max(this.seen, this.now ? this.now.v - 1 : this.#last!);
  }
}
