// Random games and simulations a second in WebAssembly, in any engine.
import { load } from "../../../web/src/kernels/kernels.ts";
import type { Game, Settings } from "../../../web/src/kernels/signatures.ts";

export interface Task {
  game: Game;
  seconds: number;
  seats: number;
  facts: string;
  first: string;
  start: string;
  lore: string;
  settings: Settings;
}

const NODES = 2_000_000;

function bytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

/** The seconds that this program has computed; in a page, which cannot know, those that have passed. */
function clock(): number {
  const used = (globalThis as { process?: { cpuUsage(): { user: number; system: number } } }).process?.cpuUsage();
  return used ? (used.user + used.system) / 1e6 : performance.now() / 1000;
}

/** How often something can be done in a second; what it did first, while the engine still compiles, is not counted. */
function rate(seconds: number, run: (count: number) => void): number {
  run(1000);
  for (let count = 100; ; count *= 4) {
    const start = clock();
    run(count);
    const taken = clock() - start;
    if (taken > seconds / 2) return count / taken;
  }
}

export async function measure(task: Task, read: (file: string) => Promise<BufferSource>) {
  const { memory, sizes, call } = await load(task.game, read);
  const put = (item: string, text: string, size: number) => {
    const place = memory.array(item, 1, size);
    (place.view() as Uint8Array).set(bytes(text));
    return place;
  };
  const facts = put("facts", task.facts, sizes.facts) as never;
  const first = memory.array("u1", sizes.state);
  first.view().set(bytes(task.first));
  const start = memory.array("u1", sizes.state);
  start.view().set(bytes(task.start));
  const worth = memory.array("f8", task.seats);
  const numbers = bytes(task.lore);
  const lore = put("lore", task.lore, numbers.length) as never;
  const tree = memory.array("node", NODES, sizes.node);
  const used = memory.array("i8", 1);
  const rng = memory.array("u8", 1);
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
  return {
    "random games": rate(task.seconds, (games) => call.judge(facts, first, games, 1, worth)),
    simulations: rate(task.seconds, (simulations) => {
      tree.view().fill(0, 0, sizes.node);
      used.view()[0] = 1n;
      rng.view()[0] = 1n;
      call.simulate(lore, facts, start, tree, used, rng, { ...task.settings, simulations }, scratch);
    }),
  };
}
