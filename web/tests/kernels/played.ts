// Random games and searches in WebAssembly, summed up in digests: as `tests/kernels/played.py`, which says the same.
import type { Kernels } from "../../src/kernels/kernels.ts";
import type { Game, Settings } from "../../src/kernels/signatures.ts";
import type { Place } from "../../src/kernels/memory.ts";

export interface Task {
  game: Game;
  games: number;
  facts: string;
  seats: number;
  warmUp: number;
  nodes: number;
  searches: Record<string, { lore: string; settings: Settings }>;
}

const CHANCE = -1;
const OVER = -2;

function bytes(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

/** Numbers of 32 bits, easily made in any language. */
class Luck {
  #last = 7;
  next(): number {
    this.#last = (Math.imul(this.#last, 1664525) + 1013904223) >>> 0;
    return this.#last;
  }
  below(n: number): number {
    return Math.floor((this.next() * n) / 2 ** 32);
  }
}

/** Plays in one module's memory. */
class Player {
  readonly kernels: Kernels<Game>;
  readonly facts: Place<"facts">;
  readonly raw: Place<"u1">;
  readonly out: Place<"i8">;

  constructor(kernels: Kernels<Game>, task: Task) {
    const { memory, sizes } = kernels;
    this.kernels = kernels;
    this.facts = memory.array("facts", 1, sizes.facts);
    this.raw = memory.array("u1", sizes.state);
    this.out = memory.array("i8", sizes.outcomes);
    this.facts.view().set(bytes(task.facts));
  }

  /** Play a random game, telling the mover after every step; until it is told to stop. */
  game(luck: Luck, told: (mover: number) => boolean): void {
    const { call } = this.kernels;
    this.raw.view().fill(0);
    let mover = call.new(this.facts, this.raw);
    while (told(mover) && mover !== OVER) {
      const action =
        mover === CHANCE
          ? call.sample(this.facts, this.raw, luck.next())
          : Number(this.out.view()[luck.below(call.actions(this.facts, this.raw, this.out))]);
      mover = call.step(this.facts, this.raw, action);
    }
  }
}

export type Digest = (parts: Iterable<Uint8Array>) => Promise<string>;

/** All digests of a task; `digest` makes one of what it is given, part by part. */
export async function results(kernels: Kernels<Game>, task: Task, digest: Digest): Promise<Record<string, string>> {
  const player = new Player(kernels, task);
  const found: Record<string, string> = { played: await digest(states(player, task.games)) };
  for (const name of Object.keys(task.searches)) found[name] = await digest(searched(player, task, name));
  return found;
}

function* states(player: Player, games: number): Generator<Uint8Array> {
  const luck = new Luck();
  for (let game = 0; game < games; game++) {
    const seen: Uint8Array[] = [];
    player.game(luck, () => seen.push(player.raw.view().slice()) > 0);
    yield* seen;
  }
}

function searched(player: Player, task: Task, name: string): Uint8Array[] {
  const { memory, sizes, call } = player.kernels;
  let steps = 0;
  player.game(new Luck(), (mover) => steps++ < task.warmUp || mover < 0);
  const { lore, settings } = task.searches[name]!;
  const numbers = bytes(lore);
  const known = memory.array("lore", 1, numbers.length);
  known.view().set(numbers);
  const tree = memory.array("node", task.nodes, sizes.node);
  const used = memory.array("i8", 1);
  const rng = memory.array("u8", 1);
  used.view()[0] = 1n;
  rng.view()[0] = 99n;
  const scratch = {
    raw: memory.array("u1", sizes.state),
    actions: memory.array("i8", sizes.labels),
    nodes: memory.array("i8", sizes.labels),
    weights: memory.array("f8", sizes.labels),
    where: memory.array("i4", sizes.labels),
    path: memory.array("i8", sizes.depth),
    mover: memory.array("i8", sizes.depth),
    worth: memory.array("f8", task.seats),
  };
  scratch.weights.view().fill(1);
  scratch.where.view().fill(-1);
  const simulate = name === "plain" && "simulatePlain" in call ? call.simulatePlain : call.simulate;
  simulate(known, player.facts, player.raw, tree, used, rng, settings, scratch);
  return [tree.view(), used, rng].map((part) => {
    const view = part instanceof Uint8Array ? part : part.view();
    return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  });
}
