// A worker that checks parts of Stonehenge's certificate, or finds out who wins a position.
import type { Translated } from "../local/engine.ts";
import { fetched, list, loaded } from "../local/files.ts";
import { fromPlain, plain, sentenceOf } from "../local/python.ts";
import { isTried, keepPart, keepTried } from "./kept.ts";
import type { FromProver, ToProver } from "./posts.ts";

const post = (said: FromProver): void => postMessage(said);
let check: Translated = null;

addEventListener("message", ({ data }: MessageEvent<ToProver>) => void answer(data));

async function answer(asked: ToProver): Promise<void> {
  try {
    if (asked.kind === "check") await checked(asked.part, asked.quick);
    else await solved(asked.moves);
  } catch (error) {
    if (!(error instanceof Error) || !("args" in error)) throw error;
    const told = sentenceOf(error.message);
    const gaps = told ? (plain(told.gaps) as Record<string, string | string[]>) : undefined;
    post({ kind: "refused", reason: error.message, ...(told && { words: told.words, gaps }) });
  }
}

async function checker(quick: boolean): Promise<Translated> {
  if (check) return check;
  const { Check } = await loaded("stonehenge");
  const { certificate = "" } = (await list()).files.stonehenge!;
  check = new Check(fromPlain(await (await fetched(certificate)).json()), quick);
  post({ kind: "parts", parts: check.parts() as number });
  return check;
}

async function checked(part: number, quick: boolean): Promise<void> {
  const made = await checker(quick);
  const names = made.part(part) as string[];
  await keepPart(quick, part, { names, done: false });
  post({ kind: "followed", part, names });
  for (const name of names) {
    if (!(await isTried(quick, name))) {
      made.try_out(name);
      await keepTried(quick, name);
    }
    post({ kind: "tried", name });
  }
  await keepPart(quick, part, { names, done: true });
  post({ kind: "done", part });
}

async function solved(moves: string): Promise<void> {
  const { Task } = await loaded("stonehenge");
  const task = new Task!(moves) as Translated;
  let nodes = 0;
  for (const step of task.steps()) {
    nodes = step.nodes as number;
    post({ kind: "progress", nodes, share: step.share as number });
  }
  post({ kind: "solved", winner: task.winner() as number, move: task.move() as string | null, nodes });
}
