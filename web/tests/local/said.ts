// What a page says about positions, for `tests/local/test_engine.py`: node said.ts TASK KERNELS MODULE.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { engine, type Make, type Translated } from "../../src/local/engine.ts";
import { fromPlain, plain, sentenceOf } from "../../src/local/python.ts";
import type { Game } from "../../src/kernels/signatures.ts";

interface Task {
  game: Game;
  plays: { options: Record<string, unknown>; actions: number[]; tried: number[][] }[];
  texts: string[];
  whole: boolean;
}

const [task, kernels, module] = process.argv.slice(2) as [string, string, string];
const { game: name, plays, texts, whole } = JSON.parse(readFileSync(task, "utf8")) as Task;
const { default: make } = (await import(pathToFileURL(module).href)) as { default: Make };
const made = await engine(name, make, (file) => Promise.resolve(readFileSync(`${kernels}/${file}`)));

/** JSON in which objects are lists of pairs, in order. */
function canonical(value: unknown): string {
  return JSON.stringify(pairs(value));
}

function pairs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pairs);
  if (value === null || typeof value !== "object") return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => [key, pairs(item)]);
}

/** What came of it, or why nothing did. */
function outcome(attempt: () => unknown): unknown {
  try {
    return plain(attempt());
  } catch (error) {
    if (!(error instanceof Error) || !("args" in error)) throw error;
    const told = sentenceOf(error.message);
    return {
      error: error.message,
      rule: (error as Translated).rule ?? null,
      words: told?.words ?? null,
      gaps: told ? plain(told.gaps) : null,
    };
  }
}

function said(state: Translated, tried: number[]): unknown {
  const seats: (number | null)[] = [null, ...Array.from({ length: state.game.seats }, (_, seat) => seat)];
  const actions = outcome(() => state.actions());
  const legal = Array.isArray(actions) ? (actions as number[]) : [];
  return {
    snapshot: plain(state.snapshot()),
    views: seats.map((seat) => plain(state.view(seat))),
    shown: seats.map((seat) => plain(state.game.unaided(state.view(seat)))),
    actions,
    chances: outcome(() => state.chances()),
    words: legal.map((action) => [
      plain(state.decode(action)),
      state.notation(action),
      seats.map((seat) => state.notation_for(action, seat)),
    ]),
    unseen: legal.map((action) => seats.map((seat) => plain(state.game.unseen(state, action, seat)))),
    written: legal.map((action) => plain(state.game.written(state, action, state.after(action)))),
    back: legal.map((action) => [
      state.encode(state.decode(action)),
      outcome(() => state.parse(state.notation(action))),
    ]),
    tried: tried.map((action) => outcome(() => [state.after(action).snapshot(), state.notation(action)])),
    texts: texts.map((text) => outcome(() => state.parse(text))),
    scores: [plain(state.scores), plain(state.winner), plain(state.returns())],
  };
}

for (const { options, actions, tried } of plays) {
  let state = new made.game(fromPlain(options)).new();
  const found: string[] = [];
  for (let at = 0; at <= actions.length; at++) {
    const told = canonical(said(state, tried[at]!));
    found.push(whole ? told : createHash("sha256").update(told).digest("hex").slice(0, 16));
    if (at < actions.length) state = state.after(actions[at]);
  }
  process.stdout.write(`${JSON.stringify(found)}\n`);
}
