// @vitest-environment jsdom
// A game that is over: fetched as it is looked at, and thought about.
import { afterEach, expect, test, vi } from "vitest";
import { Past, percent } from "@/table/past.svelte";
import type { Hint, Replay } from "@/table/protocol";

const MOVES = 120;
const PAGE = 48;
const asked: string[] = [];

vi.stubGlobal("fetch", async (address: string, init: RequestInit) => {
  asked.push(address);
  const query = new URL(address, "http://here").searchParams;
  const since = Number(query.get("since"));
  const eye = query.get("eye");
  const steps = Array.from({ length: Math.min(PAGE, MOVES + 1 - since) }, (_, k) => ({
    view: { step: since + k, eye, link: new Headers(init.headers).get("archipel-link") },
    mover: 0,
  }));
  const page = {
    game: 1,
    moves: MOVES,
    eye: eye === null || eye === "referee" ? eye : Number(eye),
    since,
    steps,
    scores: Array.from({ length: MOVES + 1 }, () => [0, 0]),
    movers: Array.from({ length: MOVES + 1 }, (_, k) => (k === MOVES ? -2 : k % 3 === 2 ? -1 : 0)),
    chairs: [{ kind: "person" }, { kind: "bot" }],
    over: { by: "rules", winner: 0 },
  } as unknown as Replay;
  return new Response(JSON.stringify(page));
});

afterEach(() => void asked.splice(0));

function seen(past: Past): unknown {
  return (past.step?.view as { step: number } | undefined)?.step;
}

test("steps come page by page, and none twice", async () => {
  const past = new Past("t", "secret", { game: null, eye: 0, step: 0 });
  await past.load();
  expect([seen(past), past.moves, past.game]).toEqual([0, MOVES, 1]);
  expect((past.step!.view as { link: string }).link).toBe("secret");
  for (let step = 1; step <= MOVES; step += 1) {
    past.go(step);
    await past.load();
    expect(seen(past)).toBe(step);
  }
  expect(asked.length).toBeLessThan(10);
  past.go(MOVES + 5);
  expect(past.at).toBe(MOVES);
});

test("other eyes see their own steps", async () => {
  const past = new Past("t", null, { game: 1, eye: null, step: 100 });
  await past.load();
  past.look("referee");
  expect(past.step).toBeNull();
  await vi.waitFor(() => expect((past.step?.view as { eye: string } | undefined)?.eye).toBe("referee"));
});

test("what gave much away is found, and what was not asked for is passed over", async () => {
  const past = new Past("t", null, { game: 1, eye: 0, step: 0 });
  await past.load();
  const hint = (moves: number, value: number): Hint => ({
    type: "hint",
    n: 1,
    moves,
    seat: 0,
    ranking: [
      { action: {}, notation: "best", share: 0.9, value: 0.5 },
      { action: {}, notation: "done", share: 0.1, value },
    ],
    line: [],
    played: "done",
  });
  past.asking = [3, 4];
  past.note(hint(3, -0.5));
  past.note(hint(4, 0.4));
  past.note(hint(6, -1));
  // Steps 3 and 4 are one turn: what it gave away is told by its worst action.
  expect(past.slips.map(({ played, best, ...slip }) => [played.notation, best.notation, slip])).toEqual([
    ["done", "best", { step: 3, seat: 0, lost: 55 }],
  ]);
  expect(past.asking).toEqual([]);
  expect(past.decisions().slice(0, 4)).toEqual([0, 1, 3, 4]);
});

test("a value is a chance to win, however many play", () => {
  expect([percent(1, 2), percent(0, 2), percent(-1, 2)]).toEqual([100, 50, 0]);
  expect([percent(1, 3), percent(0, 3), percent(-0.5, 3)]).toEqual([100, 33, 0]);
});
