// One socket to a table that mends itself: it comes back after a cut, says what it saw last, and sends again what was
// never answered. A command sent twice has one number and happens once.
import type { ClientMessage, Hello, ServerMessage } from "./protocol";

/** A message that the table answers by number. */
export type Command = Extract<ClientMessage, { n: number }>;
type Unnumbered<T> = T extends unknown ? Omit<T, "n"> : never;
export type Wish = Unnumbered<Command>;

export type Standing = "connecting" | "open" | "lost" | "closed";

export interface Wire {
  /** What to say first, each time. */
  hello: () => Omit<Hello, "type" | "client">;
  heard: (message: ServerMessage) => void;
  changed: (standing: Standing) => void;
}

const FIRST_WAIT = 300;
const LONGEST_WAIT = 5_000;
const QUIET = 15_000;
const DEAD = 25_000;
/** After so long without an answer a command is sent again: something on the way may have lost it. */
const AGAIN = 4_000;
/** How many times as long we wait before the later tries, at most. */
const MOST_PATIENCE = 8;
/** Commands after which everything is as it was. */
const IDLE = new Set(["ask-hint", "ask-analysis", "chat"]);

function drawn(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_");
}

/** What a connection needs of a socket: a WebSocket has it, and so has a table of this device. */
export type Socket = Pick<WebSocket, "readyState" | "close"> & {
  send: (text: string) => void;
  onopen: (() => void) | null;
  onmessage: ((event: { data: string }) => void) | null;
  onclose: (() => void) | null;
};

export class Connection {
  readonly client = drawn();
  standing: Standing = "connecting";
  #socket: Socket | null = null;
  #unanswered = new Map<number, { command: Command; sent: number; patience: number }>();
  #last = 0;
  #wait = FIRST_WAIT;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #beat: ReturnType<typeof setInterval> | undefined;
  #heardAt = 0;

  constructor(
    readonly reach: () => Socket,
    readonly wire: Wire,
  ) {
    this.#open();
    addEventListener("online", this.#hurry);
    document.addEventListener("visibilitychange", this.#hurry);
  }

  /** How many commands that may change the game the table has not answered yet: questions and chat change nothing. */
  get unanswered(): number {
    return [...this.#unanswered.values()].filter(({ command }) => !IDLE.has(command.type)).length;
  }

  /** Send a command; it is kept until the table has answered it. */
  command(wish: Wish): number {
    const n = ++this.#last;
    const command = { ...wish, n } as Command;
    this.#unanswered.set(n, { command, sent: Date.now(), patience: 1 });
    this.#send(command);
    return n;
  }

  /** Send what needs no answer. */
  tell(message: ClientMessage): void {
    this.#send(message);
  }

  /** Start anew: the table and we have lost each other's thread. */
  resync(): void {
    this.#socket?.close();
  }

  close(): void {
    this.#become("closed");
    clearTimeout(this.#retry);
    clearInterval(this.#beat);
    removeEventListener("online", this.#hurry);
    document.removeEventListener("visibilitychange", this.#hurry);
    this.#socket?.close();
  }

  #open(): void {
    const socket = this.reach();
    this.#socket = socket;
    socket.onopen = () => this.#greet(socket);
    socket.onmessage = ({ data }) => this.#hear(JSON.parse(data) as ServerMessage);
    socket.onclose = () => socket === this.#socket && this.#lose();
  }

  #greet(socket: Socket): void {
    this.#heardAt = Date.now();
    socket.send(JSON.stringify({ type: "hello", client: this.client, ...this.wire.hello() }));
    clearInterval(this.#beat);
    this.#beat = setInterval(() => this.#listen(), AGAIN / 2);
  }

  #hear(message: ServerMessage): void {
    this.#heardAt = Date.now();
    if (message.type === "welcome") {
      this.#wait = FIRST_WAIT;
      this.#become("open");
      this.#sendAgain(0);
    }
    // The table sends everything anew when it has lost something: perhaps also our commands, or its answers.
    if (message.type === "update" && message.whole) this.#sendAgain(AGAIN / 4);
    if (message.type === "ack" || message.type === "refused" || message.type === "hint")
      this.#unanswered.delete(message.n);
    if (message.type === "goodbye") this.#wait = Math.max(FIRST_WAIT, message.after);
    this.wire.heard(message);
  }

  /**
   * Send again, in order, what has had no answer for so long; the table knows it again by its number. We wait longer
   * each time, so that a table that is slow is not sent more than it can answer.
   */
  #sendAgain(after: number): void {
    const now = Date.now();
    for (const waiting of this.#unanswered.values())
      if (now - waiting.sent >= after * waiting.patience) {
        waiting.sent = now;
        waiting.patience = after ? Math.min(MOST_PATIENCE, 2 * waiting.patience) : 1;
        this.#send(waiting.command);
      }
  }

  /** A wire that says nothing for long is cut, though nobody has told us. */
  #listen(): void {
    this.#sendAgain(AGAIN);
    const quiet = Date.now() - this.#heardAt;
    if (quiet > DEAD) this.#socket?.close();
    else if (quiet > QUIET) this.#send({ type: "ping", sent: Date.now() });
  }

  #lose(): void {
    if (this.standing === "closed") return;
    clearInterval(this.#beat);
    this.#become("lost");
    this.#retry = setTimeout(() => this.#open(), this.#wait * (0.7 + 0.6 * Math.random()));
    this.#wait = Math.min(LONGEST_WAIT, this.#wait * 2);
  }

  #hurry = (): void => {
    if (this.standing !== "lost" || document.visibilityState === "hidden") return;
    clearTimeout(this.#retry);
    this.#wait = FIRST_WAIT;
    this.#open();
  };

  #send(message: ClientMessage): void {
    if (this.standing === "open" && this.#socket?.readyState === WebSocket.OPEN)
      this.#socket.send(JSON.stringify(message));
  }

  #become(standing: Standing): void {
    this.standing = standing;
    this.wire.changed(standing);
  }
}
