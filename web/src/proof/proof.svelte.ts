// The check of Stonehenge's certificate on all cores, and a search for the winner of a position.
import { parts as keptParts, tried as keptTried, type Part } from "./kept";
import type { FromProver, ToProver } from "./posts";

type Refused = Extract<FromProver, { kind: "refused" }>;

function worker(hear: (said: FromProver) => void, broken: () => void): Worker {
  const made = new Worker(new URL("./prover.ts", import.meta.url), { type: "module" });
  made.addEventListener("message", ({ data }: MessageEvent<FromProver>) => hear(data));
  made.addEventListener("error", broken);
  return made;
}

const say = (to: Worker, said: ToProver): void => to.postMessage(said);

/** The check of the certificate. */
export class Checking {
  quick = $state(false);
  running = $state(false);
  /** The number of parts; 0 until it is known. */
  parts = $state(0);
  refused: Refused | null = $state.raw(null);
  failed = $state(false);
  /** How many positions are known that must be tried, how many of them have been, and how many parts are done. */
  known = $state(0);
  tried = $state(0);
  finished = $state(0);
  #parts = new Map<number, Part>();
  #known = new Set<string>();
  #tried = new Set<string>();
  #taken = new Set<number>();
  #workers: Worker[] = [];

  async load(): Promise<void> {
    this.stop();
    this.#parts = await keptParts(this.quick);
    this.#known = new Set([...this.#parts.values()].flatMap(({ names }) => names));
    this.#tried = await keptTried(this.quick);
    this.#count();
  }

  #count(): void {
    this.known = this.#known.size;
    this.tried = this.#tried.size;
    this.finished = [...this.#parts.values()].filter(({ done }) => done).length;
  }

  start(cores: number): void {
    [this.running, this.refused, this.failed] = [true, null, false];
    this.#taken.clear();
    for (let n = 0; n < cores; n++) {
      const made = worker(
        (said) => this.#hear(made, said),
        () => this.#break(),
      );
      this.#workers.push(made);
      this.#next(made);
    }
  }

  stop(): void {
    for (const one of this.#workers.splice(0)) one.terminate();
    this.running = false;
  }

  #break(): void {
    this.stop();
    this.failed = true;
  }

  /** Give a worker the next part that nobody has. */
  #next(to: Worker): void {
    for (let part = 0; part < (this.parts || 1); part++) {
      if (this.#taken.has(part) || this.#parts.get(part)?.done) continue;
      this.#taken.add(part);
      return say(to, { kind: "check", part, quick: this.quick });
    }
    // Others wait for the first to say how many parts there are.
    if (this.parts) this.#workers = this.#workers.filter((one) => one !== to || one.terminate());
    if (this.#workers.length === 0) this.running = false;
  }

  #hear(from: Worker, said: FromProver): void {
    if (said.kind === "parts" && !this.parts) {
      this.parts = said.parts;
      for (const other of this.#workers) if (other !== from) this.#next(other);
    } else if (said.kind === "followed") {
      this.#parts.set(said.part, { names: said.names, done: false });
      for (const name of said.names) this.#known.add(name);
    } else if (said.kind === "tried") this.#tried.add(said.name);
    else if (said.kind === "done") {
      this.#parts.get(said.part)!.done = true;
      this.#next(from);
    } else if (said.kind === "refused") {
      this.stop();
      this.refused = said;
    }
    this.#count();
  }
}

/** The search for the winner of a position. */
export class Solving {
  running = $state(false);
  nodes = $state(0);
  share = $state(0);
  answer: Extract<FromProver, { kind: "solved" }> | null = $state.raw(null);
  refused: Refused | null = $state.raw(null);
  failed = $state(false);
  #worker: Worker | null = null;

  start(moves: string): void {
    this.stop();
    [this.running, this.nodes, this.share, this.answer, this.refused, this.failed] = [true, 0, 0, null, null, false];
    this.#worker = worker(
      (said) => this.#hear(said),
      () => {
        this.stop();
        this.failed = true;
      },
    );
    say(this.#worker, { kind: "solve", moves });
  }

  stop(): void {
    this.#worker?.terminate();
    this.#worker = null;
    this.running = false;
  }

  #hear(said: FromProver): void {
    if (said.kind === "progress") return void ([this.nodes, this.share] = [said.nodes, said.share]);
    if (said.kind === "solved") this.answer = said;
    else if (said.kind === "refused") this.refused = said;
    this.stop();
  }
}
