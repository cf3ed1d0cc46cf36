// @vitest-environment jsdom
// Puzzles in the page: the puzzle of a day, what a try leads to, ratings, streaks, and cards that give nothing away.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Action, AnyView } from "@/games/contract";
import { card } from "@/puzzles/card";
import { another } from "@/puzzles/choice";
import { daily, gradeOf, patched, Puzzle, today } from "@/puzzles/data";
import { progress } from "@/puzzles/progress.svelte";
import { margin, rated, UNKNOWN } from "@/puzzles/rating";

const about = { first: "2026-01-01", grades: [1000, 1300, 1600, 1900], chunk: 10, games: { stonehenge: 300 } };
const name = (notation: string) => [{ do: "place", cell: notation }, notation] as [Action, string];
const made = () =>
  new Puzzle(
    {
      rating: 1000,
      depth: 3,
      view: { game: "stonehenge", options: {}, seat: 0, mover: 0, scores: [0, 0], winner: null, cells: {} } as AnyView,
      recent: [],
      answers: [
        [1, 2],
        [2, 1],
      ],
      line: [4],
      values: [],
      positions: [
        { view: {}, to: { 1: 1, 2: 2, 3: 3 } },
        { view: { cells: { a: 1 } }, to: { 2: 4 } },
        { view: { cells: { b: 1 } }, to: { 1: 4 } },
        { view: { mover: 1 }, to: { 5: 0 } },
        { view: { mover: 1, cells: { a: 1, b: 1 } }, to: { 4: 0 } },
      ],
    },
    { 1: name("a"), 2: name("b"), 3: name("c"), 4: name("d"), 5: name("e") },
  );

beforeEach(() => {
  vi.stubGlobal("fetch", (path: string) =>
    Promise.resolve(
      new Response(JSON.stringify(path.endsWith("index.json") ? about : [700, 1100, 1150, 1200, 1700, 2000])),
    ),
  );
});
afterEach(() => vi.unstubAllGlobals());

test("a day has one puzzle everywhere, and after the last comes the first", () => {
  expect(daily(about, "stonehenge", "2026-01-01")).toBe(1);
  expect(daily(about, "stonehenge", "2026-10-27")).toBe(300);
  expect(daily(about, "stonehenge", "2026-10-28")).toBe(1);
  expect(daily(about, "stonehenge", "2025-12-31")).toBe(300);
  expect(today(new Date("2026-11-18T23:59:59Z"))).toBe("2026-11-18");
  expect([999, 1000, 1900].map((rating) => gradeOf(rating, about.grades))).toEqual([1, 2, 5]);
});

test("patches merge objects, and replace where they say so", () => {
  const base = { a: 1, b: { c: 2, d: [1] }, e: { f: 1 } };
  expect(patched(base, { b: { d: [2] }, e: { "=": { g: 2 } }, a: null })).toEqual({
    a: null,
    b: { c: 2, d: [2] },
    e: { g: 2 },
  });
  expect(base.b.d).toEqual([1]);
});

test("a turn is right in any order that the answers have, and wrong at once in any other", () => {
  const puzzle = made();
  expect([[1], [1, 2], [2, 1], [3], [1, 1]].map((done) => puzzle.judge(done))).toEqual([
    "right",
    "solved",
    "solved",
    "wrong",
    "wrong",
  ]);
  expect(puzzle.next([2])).toBe(1);
  expect(puzzle.reply(3)).toBe(5);
  expect(puzzle.reply(0)).toBeNull();
  expect(puzzle.walk([2, 1])).toEqual({ positions: [0, 2, 4, 0], actions: [2, 1, 4] });
  expect(puzzle.view(4)).toMatchObject({ mover: 1, cells: { a: 1, b: 1 } });
});

test("a rating follows Glicko, and says how unsure it is", () => {
  // Glickman's own example: a player of 1500 (deviation 200) beats one of 1400 (30).
  const better = rated({ rating: 1500, deviation: 200 }, 1400, true, 30);
  expect(better.rating).toBeCloseTo(1563.5, 0);
  expect(better.deviation).toBeCloseTo(175.2, 0);
  expect(margin(UNKNOWN)).toBe(686);
  let now = UNKNOWN;
  for (let k = 0; k < 200; k++) now = rated(now, 1500, k % 2 === 0);
  expect(Math.abs(now.rating - 1500)).toBeLessThan(40);
  expect(now.deviation).toBe(60);
});

test("only the first try counts for the rating, and a day's marks end with its solution", () => {
  const day = "2026-11-18";
  progress.note("kahuna", 7, 1500, "wrong", day);
  const after = progress.rating("kahuna");
  expect(after.rating).toBeLessThan(UNKNOWN.rating);
  progress.note("kahuna", 7, 1500, "solved", day);
  progress.note("kahuna", 7, 1500, "wrong", day);
  expect(progress.rating("kahuna")).toEqual(after);
  expect(progress.count("kahuna")).toBe(1);
  expect(progress.daily(day, "kahuna")).toEqual(["wrong", "solved"]);
  expect(localStorage.getItem("archipel-puzzles")).toContain("solved");
});

test("a streak lasts while no day is left out, and today may still come", () => {
  for (const day of ["2027-02-27", "2027-02-28", "2027-03-01"]) progress.note("krakatoa", 1, 1000, "solved", day);
  progress.note("krakatoa", 1, 1000, "shown", "2027-03-03");
  expect(progress.streak("2027-03-01")).toBe(3);
  expect(progress.streak("2027-03-02")).toBe(3);
  expect(progress.streak("2027-03-03")).toBe(0);
});

test("practice takes a puzzle of the grade, or one that suits, and none twice before all were tried", async () => {
  expect(await another("stonehenge", 5)).toBe(6);
  expect([2, 3, 4]).toContain(await another("stonehenge", "suited"));
  for (const number of [2, 3]) progress.note("stonehenge", number, 1200, "solved", null);
  expect(await another("stonehenge", 2)).toBe(4);
  expect(await another("stonehenge", 2, 4)).not.toBe(4);
});

test("a card tells how it went and gives nothing away", () => {
  const result = { game: "stonehenge", number: 12, grade: 3, marks: ["wrong", "hint", "solved"] as const, streak: 4 };
  expect(card({ ...result, day: "18 November 2026" }, "https://x.example/puzzles/stonehenge/12")).toBe(
    "Archipel · Stonehenge, 18 November 2026 (grade 3 of 5)\n🟥🟨🟩 4 days in a row\nhttps://x.example/puzzles/stonehenge/12",
  );
  expect(card({ ...result, day: null }, "u")).toBe("Archipel · Stonehenge puzzle 12 (grade 3 of 5)\n🟥🟨🟩\nu");
});
