// The worker that keeps this device's tables: it answers what a server answers, and speaks the table's own protocol.
import type { Created, Problem, Session, Summary, Tables } from "../table/protocol.ts";
import { asked as thought, prepare } from "./bots.ts";
import { Desk } from "./desk.ts";
import type { Translated } from "./engine.ts";
import { list, loaded } from "./files.ts";
import { fromPlain, plain, sentenceOf } from "./python.ts";
import type { FromHouse, ToHouse } from "./post.ts";
import { NotKept, store, type Kept } from "./store.ts";

type Json = Record<string, unknown>;

/** A request that is refused: a rule and a sentence. */
class Refused extends Error {
  constructor(
    readonly rule: string,
    reason = "",
  ) {
    super(reason);
  }
}

const post = (said: FromHouse): void => postMessage(said);

addEventListener("message", ({ data }: MessageEvent<ToHouse>) => {
  if (data.kind === "ask") void answer(data.id, data.path, data.body);
  else if (data.kind === "open") void open(data.socket, data.table);
  else if (data.kind === "say") desks.get(data.socket)?.hear(JSON.parse(data.said) as Json);
  else close(data.socket);
});

// Requests.

async function answer(id: number, path: string, body: unknown): Promise<void> {
  try {
    post({ kind: "answer", id, answer: await asked(path, body) });
  } catch (error) {
    post({ kind: "problem", id, problem: problem(error) });
  }
}

function problem(error: unknown): Problem {
  if (error instanceof NotKept) return { rule: error.rule, reason: "" };
  if (error instanceof Refused) return { rule: error.rule, reason: error.message };
  if (!(error instanceof Error) || !("args" in error)) return { rule: "client.local", reason: "" };
  const { rule = "table.options", message } = error as Error & { rule?: string };
  const told = sentenceOf(message);
  return { rule, reason: message, ...(told && { words: told.words, gaps: plain(told.gaps) as Problem["gaps"] }) };
}

async function asked(path: string, body: unknown): Promise<unknown> {
  const { pathname, searchParams } = new URL(path, location.origin);
  const [, , what = "", id = "", part = ""] = pathname.split("/").map(decodeURIComponent);
  const given = (body ?? {}) as Json;
  if (what === "games") return list();
  if (what === "session") return body === undefined ? session() : introduced(String(given.name));
  if (what === "verify") return verified(given);
  if (what === "bots") return recomputed(given);
  if (what === "records") return imported(given);
  if (what === "tables" && id === "running") return { tables: (await tables()).filter(goesOn) };
  if (what === "tables" && id === "")
    return body === undefined ? ({ yours: await tables(), public: [] } satisfies Tables) : created(given);
  if (what === "tables") return atTable(id, part, searchParams, given);
  throw new Refused("table.not-here", "That cannot be done at a table without a server.");
}

async function session(): Promise<Session & { lasting: boolean }> {
  const { lasting } = await store;
  return { name: await (await store).name(), lasting };
}

async function introduced(name: string): Promise<Session> {
  await (await store).rename(name);
  return { name };
}

async function tables(): Promise<Summary[]> {
  const kept = await (await store).tables();
  return kept.map(({ summary }) => summary as unknown as Summary);
}

function goesOn({ status }: Summary): boolean {
  return status === "playing" || status === "waiting";
}

/** The module of a game that somebody names; a Refused if there is none. */
async function engineOf(game: unknown): Promise<Record<string, Translated>> {
  const { games } = await list();
  if (!games.some(({ name }) => name === game)) throw new Refused("table.local-damaged");
  return loaded(String(game));
}

/** Keep what was made of a request: a setup, and the first entries. */
async function keep(made: Translated, LocalTable: Translated): Promise<Created> {
  const setup = plain(made.setup) as Json;
  const entries = made.entries as string[];
  const summary = JSON.parse(new LocalTable(made.setup, entries).summary()) as Json;
  await (await store).create({ id: String(setup.id), form: 1, setup, summary }, entries);
  return { id: String(setup.id) };
}

async function created(wanted: Json): Promise<Created> {
  const { opened, LocalTable } = await engineOf(wanted.game);
  const me = (wanted.chairs as Json[]).find(({ kind }) => kind === "me");
  const made = opened!(fromPlain(wanted), String(me?.name ?? ""), Date.now());
  prepare(String(wanted.game));
  return keep(made, LocalTable);
}

async function verified(record: Json): Promise<unknown> {
  const made = await engineOf(record.game);
  return JSON.parse(made.verified!(fromPlain(record)) as string);
}

/** Ask the bots of a record again what they play; a Refused names the first move that is another. */
async function recomputed(record: Json): Promise<unknown> {
  const made = await engineOf(record.game);
  const claims = made.claims!(fromPlain(record)) as Translated[];
  const choices: unknown[] = [];
  for (const { question } of claims) choices.push(question && (await thought(String(record.game), question)));
  return JSON.parse(made.judged!(claims, choices) as string);
}

async function imported(given: Json): Promise<Created> {
  const made = await engineOf(given.game);
  return keep(made.imported!(fromPlain(given), Date.now()), made.LocalTable);
}

async function revived(id: string): Promise<{ kept: Kept; table: Translated; made: Record<string, Translated> }> {
  const kept = await (await store).table(id);
  if (!kept) throw new Refused("table.no-such-table");
  const made = await loaded(String(kept.setup.game));
  return { kept, made, table: new made.LocalTable!(fromPlain(kept.setup), await (await store).log(id)) };
}

async function atTable(id: string, part: string, asked: URLSearchParams, given: Json): Promise<unknown> {
  if (part === "delete") return (await store).remove(id);
  const { table, made } = await revived(id);
  const number = (name: string) => (asked.has(name) ? Number(asked.get(name)) : null);
  if (part === "record") return JSON.parse(table.record(number("game")));
  if (part === "branch") return keep(table.branch(fromPlain(given), Date.now()), made.LocalTable);
  if (part !== "replay") throw new Refused("table.not-here", "That cannot be done at a table without a server.");
  const eye = asked.get("eye") === "referee" ? "referee" : number("eye");
  return JSON.parse(table.replay(number("game"), eye, number("since") ?? 0));
}

// Sockets.

const desks = new Map<number, Desk>();
const locks = new Map<number, () => void>();
/** Sockets that are being opened; one that is closed meanwhile is no longer among them. */
const opening = new Set<number>();
/** What is being closed: opening the same table again waits for it. */
let closing: Promise<unknown> = Promise.resolve();

async function open(socket: number, id: string): Promise<void> {
  const trouble = (rule: string): void => {
    post({ kind: "told", socket, told: JSON.stringify({ type: "trouble", rule, reason: rule }) });
    post({ kind: "closed", socket });
  };
  opening.add(socket);
  await closing;
  if (!(await locked(socket, id))) return trouble("table.local-elsewhere");
  try {
    const desk = await Desk.open(id, (told) => post({ kind: "told", socket, told }));
    if (!desk) return trouble("table.no-such-table");
    if (!opening.has(socket)) return void desk.close();
    desks.set(socket, desk);
    post({ kind: "open", socket });
  } catch {
    trouble("table.local-older");
  } finally {
    if (!desks.has(socket)) unlock(socket);
  }
}

function close(socket: number): void {
  const desk = desks.get(socket);
  desks.delete(socket);
  opening.delete(socket);
  closing = closing.then(() => desk?.close()).then(() => desk && unlock(socket));
  post({ kind: "closed", socket });
}

/** A table is open in one window at a time, where the browser can tell. */
function locked(socket: number, id: string): Promise<boolean> {
  if (!navigator.locks) return Promise.resolve(true);
  return new Promise((answer) => {
    void navigator.locks.request(`archipel ${id}`, { ifAvailable: true }, (lock) => {
      answer(lock !== null);
      return lock && new Promise<void>((release) => locks.set(socket, release));
    });
  });
}

function unlock(socket: number): void {
  locks.get(socket)?.();
  locks.delete(socket);
}
