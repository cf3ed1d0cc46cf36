// This device as a transport: it takes a server's requests and a table's socket to the worker that keeps its tables.
import type { Problem } from "@/table/protocol";
import type { FromHouse, ToHouse } from "./post";

let worker: Worker | null = null;
let last = 0;
const answers = new Map<number, { good: (answer: unknown) => void; bad: (problem: Problem) => void }>();
const sockets = new Map<number, LocalSocket>();

function post(said: ToHouse): void {
  worker ??= started();
  worker.postMessage(said);
}

function started(): Worker {
  const made = new Worker(new URL("./house.ts", import.meta.url), { type: "module" });
  made.addEventListener("message", ({ data }: MessageEvent<FromHouse>) => hear(data));
  made.addEventListener("error", () => {
    // What it cannot say any more: questions fail, sockets close and open again in a new worker.
    worker = null;
    for (const { bad } of answers.values()) bad({ rule: "client.local", reason: "" });
    answers.clear();
    for (const socket of [...sockets.values()]) socket.closed();
  });
  return made;
}

function hear(said: FromHouse): void {
  if (said.kind === "answer") answers.get(said.id)?.good(said.answer);
  else if (said.kind === "problem") answers.get(said.id)?.bad(said.problem);
  else if (said.kind === "open") sockets.get(said.socket)?.opened();
  else if (said.kind === "told") sockets.get(said.socket)?.onmessage({ data: said.told });
  else sockets.get(said.socket)?.closed();
  if (said.kind === "answer" || said.kind === "problem") answers.delete(said.id);
}

/** What a server would answer to this; rejects with the problem. */
export function ask(path: string, body?: unknown): Promise<unknown> {
  const id = ++last;
  return new Promise((good, bad) => {
    answers.set(id, { good, bad });
    post({ kind: "ask", id, path, body });
  });
}

/** A socket to a table of this device. */
export class LocalSocket {
  readyState: WebSocket["readyState"] = WebSocket.CONNECTING;
  onopen: () => void = () => undefined;
  onmessage: (event: { data: string }) => void = () => undefined;
  onclose: () => void = () => undefined;
  readonly #number = ++last;

  constructor(table: string) {
    sockets.set(this.#number, this);
    post({ kind: "open", socket: this.#number, table });
  }

  opened(): void {
    this.readyState = WebSocket.OPEN;
    this.onopen();
  }

  send(said: string): void {
    post({ kind: "say", socket: this.#number, said });
  }

  close(): void {
    post({ kind: "close", socket: this.#number });
  }

  closed(): void {
    if (!sockets.delete(this.#number)) return;
    this.readyState = WebSocket.CLOSED;
    this.onclose();
  }
}
