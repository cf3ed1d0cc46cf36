// What a page and its workers post to each other: requests as a server gets them, and the sockets of tables.
import type { Problem } from "../table/protocol.ts";

/** To the worker that keeps this device's tables. */
export type ToHouse =
  | { kind: "ask"; id: number; path: string; body: unknown }
  | { kind: "open"; socket: number; table: string }
  | { kind: "say"; socket: number; said: string }
  | { kind: "close"; socket: number };

/** From it. */
export type FromHouse =
  | { kind: "answer"; id: number; answer: unknown }
  | { kind: "problem"; id: number; problem: Problem }
  | { kind: "open"; socket: number }
  | { kind: "told"; socket: number; told: string }
  | { kind: "closed"; socket: number };

/** To the worker in which bots think: it gets a game's name and a question, which holds a view, and nothing else. */
export interface ToThinker {
  id: number;
  game: string;
  question: unknown;
}

export interface FromThinker {
  id: number;
  choice: unknown;
}
