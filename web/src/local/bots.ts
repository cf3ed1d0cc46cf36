// This device's bots, as a table asks them: one worker thinks for all, one question after another.
import type { Translated } from "./engine.ts";
import { loaded } from "./files.ts";
import type { FromThinker, ToThinker } from "./post.ts";

let worker: Worker | null = null;
let last = 0;
const waiting = new Map<number, (choice: unknown) => void>();

function started(): Worker {
  if (worker) return worker;
  worker = new Worker(new URL("./thinker.ts", import.meta.url), { type: "module" });
  worker.addEventListener("message", ({ data }: MessageEvent<FromThinker>) => {
    waiting.get(data.id)?.(data.choice);
    waiting.delete(data.id);
  });
  worker.addEventListener("error", () => {
    // A bot that cannot think any more moves somehow; the next one is asked in a new worker.
    worker = null;
    for (const answer of waiting.values()) answer(null);
    waiting.clear();
  });
  return worker;
}

/** What a bot chooses; null if it cannot. */
export function asked(game: string, question: unknown): Promise<unknown> {
  const id = ++last;
  return new Promise((answer) => {
    waiting.set(id, answer);
    started().postMessage({ id, game, question } satisfies ToThinker);
  });
}

/** What an adviser thinks, as Python has it again: a worker posts fields without their classes. */
export async function advised(game: string, question: unknown): Promise<unknown> {
  const thought = (await asked(game, question)) as Translated;
  if (!thought) return null;
  const { Thought, Opinion } = await loaded(game);
  const ranking = (thought.ranking as object[]).map((one) => Object.assign(Object.create(Opinion.prototype), one));
  return Object.assign(Object.create(Thought.prototype), thought, { ranking });
}

/** Load a game's engine in the bots' worker, too, before the first question. */
export function prepare(game: string): void {
  void loaded(game).then(() => started());
}
