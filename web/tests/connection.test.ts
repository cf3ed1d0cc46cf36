// @vitest-environment jsdom
// The connection: it comes back, says what it saw, and sends again what was never answered.
import "./browser";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Connection, type Socket, type Standing } from "@/table/connection";
import type { ServerMessage } from "@/table/protocol";

class Wire {
  static OPEN = 1;
  static made: Wire[] = [];
  readyState = 1;
  sent: { type: string; n?: number }[] = [];
  onopen: () => void = () => undefined;
  onmessage: (event: { data: string }) => void = () => undefined;
  onclose: () => void = () => undefined;
  constructor(readonly address: string) {
    Wire.made.push(this);
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text) as { type: string });
  }
  close(): void {
    this.readyState = 3;
    this.onclose();
  }
  says(message: Partial<ServerMessage>): void {
    this.onmessage({ data: JSON.stringify(message) });
  }
  welcome(): void {
    this.onopen();
    this.says({ type: "welcome", protocol: 1 });
  }
}

let standings: Standing[] = [];
let connection: Connection;
const wire = () => Wire.made.at(-1)!;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", Wire);
  Wire.made = [];
  standings = [];
  connection = new Connection(() => new WebSocket("ws://table") as Socket, {
    hello: () => ({ since: 7, hash: "h" }),
    heard: () => undefined,
    changed: (now) => standings.push(now),
  });
});
afterEach(() => {
  connection.close();
  vi.useRealTimers();
});

test("it says hello with what it saw last", () => {
  wire().welcome();
  expect(wire().sent).toMatchObject([{ type: "hello", since: 7, hash: "h" }]);
  expect(standings).toEqual(["open"]);
});

test("a command without an answer is sent again after a cut, with the same number", () => {
  wire().welcome();
  connection.command({ type: "undo" });
  wire().close();
  vi.advanceTimersByTime(1000);
  wire().welcome();
  expect(Wire.made.length).toBe(2);
  expect(wire().sent.slice(1)).toEqual([{ type: "undo", n: 1 }]);
});

test("a command without an answer is sent again after some seconds, with the same number", () => {
  wire().welcome();
  connection.command({ type: "undo" });
  vi.advanceTimersByTime(3_000);
  expect(wire().sent.length).toBe(2);
  vi.advanceTimersByTime(3_000);
  expect(wire().sent.slice(1)).toEqual([
    { type: "undo", n: 1 },
    { type: "undo", n: 1 },
  ]);
  wire().says({ type: "ack", n: 1, version: 8 });
  vi.advanceTimersByTime(10_000);
  expect(wire().sent.filter(({ type }) => type === "undo").length).toBe(2);
});

test("a command that is not answered for long is sent again more and more seldom", () => {
  wire().welcome();
  connection.command({ type: "undo" });
  const sent = () => wire().sent.filter(({ type }) => type === "undo").length;
  for (const [seconds, times] of [
    [5, 2],
    [8, 3],
    [16, 4],
    [32, 5],
    [32, 6],
  ] as const) {
    for (let second = 0; second < seconds; second++) {
      vi.advanceTimersByTime(1_000);
      wire().says({ type: "pong" });
    }
    expect(sent()).toBe(times);
  }
  wire().close();
  vi.advanceTimersByTime(1_000);
  wire().welcome();
  expect(sent()).toBe(1);
  vi.advanceTimersByTime(5_000);
  expect(sent()).toBe(2);
});

test("a whole view asks for what was not answered", () => {
  wire().welcome();
  wire().says({ type: "update", whole: true });
  connection.command({ type: "undo" });
  connection.command({ type: "rematch" });
  vi.advanceTimersByTime(1_500);
  wire().says({ type: "update", whole: false });
  expect(wire().sent.length).toBe(3);
  wire().says({ type: "update", whole: true });
  expect(wire().sent.slice(3)).toEqual([
    { type: "undo", n: 1 },
    { type: "rematch", n: 2 },
  ]);
});

test("an answered command is not sent again", () => {
  wire().welcome();
  connection.command({ type: "undo" });
  wire().says({ type: "ack", n: 1, version: 8 });
  expect(connection.unanswered).toBe(0);
  wire().close();
  vi.advanceTimersByTime(1000);
  wire().welcome();
  expect(wire().sent.length).toBe(1);
});

test("a command given while away waits for the welcome", () => {
  connection.command({ type: "undo" });
  expect(wire().sent).toEqual([]);
  wire().welcome();
  expect(wire().sent.map(({ type }) => type)).toEqual(["hello", "undo"]);
});

test("a wire that says nothing for long is given up", () => {
  wire().welcome();
  vi.advanceTimersByTime(20_000);
  expect(wire().sent.at(-1)?.type).toBe("ping");
  vi.advanceTimersByTime(10_000);
  expect(standings).toEqual(["open", "lost"]);
});

test("it waits longer each time, but not for ever", () => {
  for (let k = 0; k < 12; k++) {
    wire().close();
    vi.advanceTimersByTime(7_000);
  }
  expect(Wire.made.length).toBe(13);
});

test("closed is closed", () => {
  wire().welcome();
  connection.close();
  vi.advanceTimersByTime(60_000);
  expect(Wire.made.length).toBe(1);
});
