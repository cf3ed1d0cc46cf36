// @vitest-environment jsdom
// Nothing is told before it has been seen: moments come one after another, and what waits too long is let go.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Moment, Move } from "@/games/contract";
import { moment as ofKahuna } from "@/games/kahuna/moments";
import { moment as ofKula } from "@/games/kula_kula/moments";
import { moment as ofStonehenge } from "@/games/stonehenge/moments";
import { Moments } from "@/table/moments.svelte";

const move = (v: number, verb = "place"): Move => ({ v, seat: 0, action: { do: verb }, notation: "" });
const each = (one: Move): Moment | null => (one.action.do === "pass" ? null : { kind: "place", lasts: 100 });

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe("moments", () => {
  test("of a game that one comes to are over", () => {
    const moments = new Moments();
    moments.push([move(1), move(2)], each, false);
    expect([moments.now, moments.seen]).toEqual([null, 2]);
  });

  test("hold back what they show until they have ended", () => {
    const moments = new Moments();
    moments.push([move(1)], each, false);
    moments.push([move(1), move(2), move(3)], each, false);
    expect([moments.now?.v, moments.seen]).toEqual([2, 1]);
    vi.advanceTimersByTime(100);
    expect([moments.now?.v, moments.seen]).toEqual([3, 2]);
    vi.advanceTimersByTime(100);
    expect([moments.now, moments.seen]).toEqual([null, 3]);
  });

  test("without anything to see are told at once", () => {
    const moments = new Moments();
    moments.push([move(1)], each, false);
    moments.push([move(1), move(2, "pass")], each, false);
    expect([moments.now, moments.seen]).toEqual([null, 2]);
  });

  test("hold nothing back where nothing shall move, and are seen all the same", () => {
    const moments = new Moments();
    moments.push([move(1)], each, true);
    moments.push([move(1), move(2)], each, true);
    expect([moments.now?.v, moments.seen]).toEqual([2, 2]);
  });

  test("of a burst are the last three", () => {
    const moments = new Moments();
    moments.push([move(1)], each, false);
    moments.push(
      [1, 2, 3, 4, 5, 6, 7].map((v) => move(v)),
      each,
      false,
    );
    expect([moments.now?.v, moments.seen]).toEqual([5, 4]);
  });

  test("of what was taken back are gone", () => {
    const moments = new Moments();
    moments.push([move(1)], each, false);
    moments.push([move(1), move(2)], each, false);
    moments.push([move(1)], each, false);
    expect([moments.now, moments.seen]).toEqual([null, 1]);
  });
});

describe("what is seen", () => {
  const kula = (action: Move["action"], wrote: object = {}): Move => ({ v: 1, seat: 1, action, notation: "", wrote });

  test("at Kula Kula: the card, the idol with what it costs, the trade and the toll", () => {
    expect(ofKula(kula({ do: "card", card: "fish" }))).toMatchObject({ kind: "card", card: "fish" });
    expect(ofKula(kula({ do: "card", card: "idol" }, { lost: ["boat", "fish"] }))).toMatchObject({
      kind: "idol",
      lost: ["boat", "fish"],
    });
    expect(ofKula(kula({ do: "trade" }, { at: "ROSSEL" }))).toMatchObject({ kind: "trade", seat: 1, island: "ROSSEL" });
    expect(ofKula(kula({ do: "sail" }, { at: 4, toll: [0] }))).toMatchObject({ kind: "toll", seat: 1, to: [0] });
  });

  test("at Kahuna: the card from its pile, what is won and stripped, the count of a round", () => {
    const draw: Move = { v: 1, seat: 0, action: { do: "draw", from: "deck" }, notation: "" };
    const deal: Move = { v: 2, seat: null, action: { do: "deal", card: "ALOA" }, notation: "" };
    expect(ofKahuna(deal, draw)).toMatchObject({ kind: "draw", seat: 0, from: "deck", card: "ALOA" });
    expect(ofKahuna({ ...draw, action: { do: "draw", from: "BARI" } }, null)).toMatchObject({
      from: "row",
      card: "BARI",
    });
    const bridge = { ...draw, action: { do: "bridge", line: "ALOA-BARI" } };
    expect(ofKahuna({ ...bridge, wrote: { won: ["ALOA"], stripped: ["ALOA-DUDA"] } }, null)).toMatchObject({
      kind: "won",
      won: ["ALOA"],
      stripped: ["ALOA-DUDA"],
    });
    const scoring = { round: 1, islands: [5, 3], points: [1, 0] };
    expect(ofKahuna({ ...bridge, wrote: scoring }, null)).toMatchObject({ kind: "round", ...scoring });
  });

  test("at Stonehenge: a claimed line takes longer than a druid", () => {
    const placed: Move = { v: 1, seat: 0, action: { do: "place", cell: "A", druid: 3 }, notation: "" };
    const plain = ofStonehenge(placed)!.lasts;
    expect(ofStonehenge({ ...placed, wrote: { claimed: [["AB", 0]] } })!.lasts).toBeGreaterThan(plain);
  });
});
