// @vitest-environment jsdom
// The way from one running game to the next, and moments as people say them.
import { expect, test } from "vitest";
import { beside } from "@/history/next";
import { ago, until } from "@/history/when";
import type { Summary } from "@/table/protocol";

const table = (id: string, your_turn = false) => ({ id, your_turn }) as Summary;

test("the games that wait for you come one after the other, and round again", () => {
  const tables = [table("a", true), table("b", true), table("c")];
  expect(beside(tables, "a", 1)).toBe("b");
  expect(beside(tables, "b", 1)).toBe("a");
  expect(beside(tables, "a", -1)).toBe("b");
  expect(beside(tables, "c", 1)).toBe("a");
  expect(beside(tables, "", -1)).toBe("b");
});

test("where none waits all are turned through, and a single one stays", () => {
  expect(beside([table("a"), table("b")], "a", 1)).toBe("b");
  expect(beside([table("a", true)], "a", 1)).toBeNull();
  expect(beside([], "a", 1)).toBeNull();
});

test("moments are told in the largest unit that fits", () => {
  const now = 1_700_000_000_000;
  expect(ago(now - 3 * 3_600_000, now)).toBe("3 hours ago");
  expect(until(now + 2 * 86_400_000, now)).toBe("in 2 days");
  expect(ago(now + 5_000, now)).toBe("just now");
});
