// What is shown when: one position after another, each once the throw that led to it has been seen.
import type { AtTable, Legal } from "../../contract";
import type { KrakatoaView } from "../view";
import { bytes, decode, type Trajectory } from "./trajectory";

export interface Shot {
  view: KrakatoaView;
  legal: Legal[];
  at: AtTable | undefined;
}

/** How long somebody else's aim is shown before their dice fly, and how they lie before the next do (milliseconds). */
const AIMED = 750;
const LANDED = 1000;
/** Who has missed more than this sees the last ones only. */
const LONG = 6;

export class Screening {
  shown: Shot = $state.raw() as unknown as Shot;
  film: Trajectory | null = $state.raw(null);
  #queue: Shot[] = [];
  #next: Shot | null = null;
  #version: number;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    first: Shot,
    readonly still: () => boolean,
  ) {
    this.shown = first;
    this.#version = first.at?.moves.at(-1)?.v ?? 0;
  }

  push(shot: Shot): void {
    if (this.still()) return this.#cut(shot);
    this.#queue.push(shot);
    if (this.#queue.length > LONG) this.#queue.splice(0, this.#queue.length - 2);
    this.#go();
  }

  /** The film is over, or nobody wants to see the rest of it. */
  filmed(): void {
    if (!this.film) return;
    this.film = null;
    this.#show(this.#next!);
    this.#next = null;
    this.#wait(this.#queue.length > 0 ? LANDED : 0);
  }

  /** Show this throw once more, unless something is being shown. */
  again(way: string): void {
    if (!this.film && !this.#next && this.#queue.length === 0) void this.#play(this.shown, way);
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #cut(shot: Shot): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#queue = [];
    this.film = this.#next = null;
    this.#show(shot);
  }

  #show(shot: Shot): void {
    this.shown = shot;
    this.#version = Math.max(this.#version, shot.at?.moves.at(-1)?.v ?? 0);
  }

  #wait(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#go();
    }, milliseconds);
  }

  #go(): void {
    if (this.#timer !== undefined || this.#next) return;
    const shot = this.#queue.shift();
    if (!shot) return;
    const way = this.#fresh(shot);
    if (way) return void this.#play(shot, way);
    this.#show(shot);
    this.#wait(this.#isForeign(shot) ? AIMED : 0);
  }

  /** Somebody else has just aimed: that is worth a look. */
  #isForeign({ view, at }: Shot): boolean {
    const last = at?.moves.at(-1);
    return last?.aim != null && last.seat !== view.seat;
  }

  /** The trajectory of a throw that has not been seen. */
  #fresh(shot: Shot): string | null {
    const last = shot.at?.moves.at(-1);
    return last && last.v > this.#version ? (last.fall?.trajectory ?? null) : null;
  }

  async #play(shot: Shot, way: string): Promise<void> {
    this.#next = shot;
    try {
      const film = await decode(bytes(way));
      if (this.#next === shot) this.film = film;
    } catch {
      if (this.#next === shot) this.#cut(shot);
    }
  }
}
