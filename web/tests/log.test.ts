// What the log comes to.
import { expect, test } from "vitest";
import { heard, joined, since, standing, type Entry } from "@/table/log";
import type { Update } from "@/table/protocol";

const acted = (v: number, seat: number): Entry => ({
  kind: "acted",
  v,
  at: 0,
  seat,
  action: { do: "pass" },
  notation: `${v}`,
});
const dealt = (v: number): Entry => ({ kind: "happened", v, at: 0, action: { do: "deal" }, notation: `${v}`, draw: v });
const back = (v: number, moves: number): Entry => ({ kind: "back", v, at: 0, seat: 0, moves, agreed: false });
const update = (from: number, entries: Entry[], whole = false): Update => ({
  type: "update",
  since: from,
  version: from + entries.length,
  entries,
  whole,
});

test("what was taken back does not stand", () => {
  const moves = standing([dealt(1), acted(2, 0), acted(3, 0), back(4, 2), acted(5, 1)]);
  expect(moves.map(({ v }) => v)).toEqual([1, 2, 5]);
});

test("what is new is what came after one's own last action", () => {
  const moves = standing([acted(1, 0), dealt(2), acted(3, 1)]);
  expect(since(moves, 0).map(({ v }) => v)).toEqual([2, 3]);
  expect(since(moves, null).map(({ v }) => v)).toEqual([3]);
});

test("entries are joined without gaps and without doubles", () => {
  const known = [acted(1, 0), acted(2, 1)];
  expect(joined(known, 2, update(2, [acted(3, 0)]))?.map(({ v }) => v)).toEqual([1, 2, 3]);
  expect(joined(known, 2, update(1, [acted(2, 1), acted(3, 0)]))?.map(({ v }) => v)).toEqual([1, 2, 3]);
  expect(joined(known, 2, update(4, [acted(5, 0)]))).toBeNull();
  expect(joined(known, 2, update(0, [acted(9, 0)], true))?.map(({ v }) => v)).toEqual([9]);
});

test("what was said is heard once, in order, and not for ever", () => {
  const said = (number: number) => ({ number, at: 0, name: "Ada", text: `${number}` });
  const known = heard([], [said(3), said(4)]);
  expect(heard(known, [said(3), said(4), said(6)]).map(({ number }) => number)).toEqual([3, 4, 6]);
  expect(
    heard(
      [],
      Array.from({ length: 600 }, (_, n) => said(n + 1)),
    ).length,
  ).toBe(500);
});
