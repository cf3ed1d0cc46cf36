// What the client asks the server over HTTP. Every refusal comes as a sentence and the rule behind it.
import type {
  Created,
  Games,
  Link,
  LinkTarget,
  NewLink,
  NewTable,
  Problem,
  Session,
  Tables,
  Verdict,
} from "./protocol";

/** A request that the server refused, or that never reached it (rule `client.offline`). */
export class Refusal extends Error {
  constructor(
    readonly rule: string,
    reason: string,
  ) {
    super(reason);
  }
}

async function ask<Answer>(
  path: string,
  body?: unknown,
  method = body === undefined ? "GET" : "POST",
): Promise<Answer> {
  const init: RequestInit = { method, headers: { accept: "application/json" } };
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
  const { rule, reason } = (await answer.json().catch(() => ({}))) as Partial<Problem>;
  return new Refusal(rule ?? `http.${answer.status}`, reason ?? "");
}

export const api = {
  games: () => ask<Games>("/api/games"),
  session: () => ask<Session>("/api/session"),
  introduce: (name: string) => ask<Session>("/api/session", { name }),
  carry: () => ask<Link>("/api/session/links", {}),
  arrive: (token: string) => ask<Session>("/api/session/arrive", { token }),
  tables: () => ask<Tables>("/api/tables"),
  open: (table: NewTable) => ask<Created>("/api/tables", table),
  invite: (table: string, link: NewLink) => ask<Link>(`/api/tables/${encodeURIComponent(table)}/links`, link),
  follow: (token: string) => ask<LinkTarget>("/api/links", { token }),
  verify: (record: unknown) => ask<Verdict>("/api/verify", record),
};
