// What the client asks the server over HTTP. Every refusal comes as a sentence and the rule behind it.
import { house, isLocal } from "@/app/house.svelte";
import { shell } from "@/app/shell.svelte";
import { ask as askDevice, LocalSocket } from "@/local/device";
import type { Socket } from "./connection";
import type {
  Arriving,
  Created,
  Devices,
  Figures,
  Games,
  History,
  Link,
  Links,
  LinkTarget,
  NewBranch,
  NewChannel,
  NewLink,
  NewTable,
  NoticeChannel,
  Notices,
  NoticeWishes,
  OperatorReport,
  Phrase,
  Picture,
  Problem,
  Replay,
  RulesPage,
  Running,
  Session,
  Tables,
  Verdict,
} from "./protocol";

type Eye = number | "referee" | null;

/** A request that the server refused, or that never reached it (rule `client.offline`). */
export class Refusal extends Error {
  constructor(
    readonly rule: string,
    readonly reason: string,
    readonly words?: string,
    readonly gaps?: Problem["gaps"],
  ) {
    super(reason);
  }
}

/** This device answers for its own tables, and for everything where there is no server. */
async function ask<Answer>(path: string, body?: unknown, link: string | null = null, token = ""): Promise<Answer> {
  if (house.here || isLocal(path.split("/")[3] ?? "")) return onDevice(path, body);
  return atServer(path, body, link, token);
}

async function onDevice<Answer>(path: string, body?: unknown): Promise<Answer> {
  try {
    return (await askDevice(path, body)) as Answer;
  } catch (told) {
    const { rule, reason, words, gaps } = told as Problem;
    throw new Refusal(rule, reason, words, gaps);
  }
}

/** A socket to a table: a server's, or of this device. */
export function socketTo(table: string): Socket {
  if (isLocal(table)) return new LocalSocket(table);
  return new WebSocket(`${location.origin.replace(/^http/, "ws")}/ws/${encodeURIComponent(table)}`) as Socket;
}

async function atServer<Answer>(path: string, body: unknown, link: string | null, token: string): Promise<Answer> {
  const method = body === undefined ? "GET" : "POST";
  const secrets = { ...(link && { "archipel-link": link }), ...(token && { "archipel-operator": token }) };
  const init: RequestInit = { method, headers: { accept: "application/json", ...secrets } };
  if (body !== undefined) {
    init.body = JSON.stringify(body);
    init.headers = { ...init.headers, "content-type": "application/json" };
  }
  const answer = await fetch(path, init).catch(() => {
    throw new Refusal("client.offline", "");
  });
  if (!answer.ok) throw await problem(answer);
  return (answer.status === 204 ? undefined : await answer.json()) as Answer;
}

async function problem(answer: Response): Promise<Refusal> {
  const { rule, reason, words, gaps } = (await answer.json().catch(() => ({}))) as Partial<Problem>;
  if (rule === "table.password-needed") shell.locked = true;
  return new Refusal(rule ?? `http.${answer.status}`, reason ?? "", words, gaps);
}

function at(table: string, part: string): string {
  return `/api/tables/${encodeURIComponent(table)}/${part}`;
}

/** What came of asking a bot of a record again: how many of its moves are the same here. */
export interface Recomputed {
  level: string;
  version: number | null;
  moves: number;
  found: Record<string, number>;
}

/** What this device answers, whether or not there is a server. */
export const device = {
  games: () => onDevice<Games>("/api/games"),
  session: () => onDevice<Session & { lasting: boolean }>("/api/session"),
  tables: () => onDevice<Tables>("/api/tables"),
  bring: (record: unknown) => onDevice<Created>("/api/records", record),
  remove: (table: string) => onDevice<void>(at(table, "delete"), {}),
  verify: (record: unknown) => onDevice<Verdict>("/api/verify", record),
  bots: (record: unknown) => onDevice<Recomputed[]>("/api/bots", record),
};

export const api = {
  games: () => ask<Games>("/api/games"),
  rules: (game: string, language: string) => ask<RulesPage>(`/api/rules?${new URLSearchParams({ game, language })}`),
  session: () => ask<Session>("/api/session"),
  introduce: (name: string) => ask<Session>("/api/session", { name }),
  carry: () => ask<Link>("/api/session/links", {}),
  arriving: (token: string) => ask<Arriving>("/api/session/arriving", { token }),
  arrive: (token: string, replace: boolean) => ask<Session>("/api/session/arrive", { token, replace }),
  phrase: () => ask<Phrase>("/api/session/phrase", {}),
  recover: (phrase: string, replace: boolean) => ask<Session>("/api/session/recover", { phrase, replace }),
  history: (wanted: Record<string, string>) =>
    ask<History>(`/api/history?${new URLSearchParams(Object.entries(wanted).filter(([, value]) => value !== ""))}`),
  figures: () => ask<Figures>("/api/history/figures"),
  forget: () => ask<void>("/api/history/delete", {}),
  running: () => ask<Running>("/api/tables/running"),
  notices: () => ask<Notices>("/api/notices"),
  wish: (wishes: NoticeWishes) => ask<void>("/api/notices/wishes", wishes),
  notifyAt: (channel: NewChannel) => ask<NoticeChannel>("/api/notices/channels", channel),
  notifyConfirm: (id: string, code: string) => ask<void>("/api/notices/confirm", { id, code }),
  notifyNot: (id: string) => ask<void>("/api/notices/remove", { id }),
  notifyTest: (id: string) => ask<void>("/api/notices/test", { id }),
  notifyStop: (token: string) => ask<void>("/api/notices/stop", { token }),
  devices: () => ask<Devices>("/api/session/devices"),
  end: (device: string | null) => ask<void>("/api/session/end", { device }),
  unlock: (password: string) => ask<void>("/api/password", { password }),
  operator: (token: string) => ask<OperatorReport>("/api/operator", undefined, null, token),
  operatorEnd: (id: string, token: string) => ask<void>("/api/operator/end", { id }, null, token),
  operatorClose: (id: string, token: string) => ask<void>("/api/operator/close", { id }, null, token),
  tables: () => ask<Tables>("/api/tables"),
  open: (table: NewTable) => ask<Created>("/api/tables", table),
  invite: (table: string, link: NewLink) => ask<Link>(at(table, "links"), link),
  links: (table: string) => ask<Links>(at(table, "links")),
  revoke: (id: string) => ask<void>("/api/links/revoke", { id }),
  replay: (table: string, of: { game: number | null; eye: Eye; since: number }, link: string | null) => {
    const asked = Object.entries(of).filter(([, value]) => value !== null);
    const query = new URLSearchParams(asked.map(([name, value]) => [name, String(value)]));
    return ask<Replay>(`${at(table, "replay")}?${query}`, undefined, link);
  },
  branch: (table: string, branch: NewBranch, link: string | null) => ask<Created>(at(table, "branch"), branch, link),
  record: (table: string, game: number | null, link: string | null) =>
    ask<Record<string, unknown>>(`${at(table, "record")}${game === null ? "" : `?game=${game}`}`, undefined, link),
  follow: (token: string) => ask<LinkTarget>("/api/links", { token }),
  picture: (view: unknown) => ask<Picture>("/api/picture", view),
  verify: (record: unknown) => ask<Verdict>("/api/verify", record),
};
