// The tray in numbers: what the table sends is read as the table means it, and a finger aims as the table understands.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  along,
  BACK,
  hand,
  hasRoom,
  nearest,
  NARROWEST,
  pulled,
  pullOf,
  reach,
  SLACK,
  STRONGEST,
  strengthOf,
  USUAL,
  WEAKEST,
  withRoom,
  wrapped,
  type Aim,
} from "@/games/krakatoa/dice/aim";
import { dieBody } from "@/games/krakatoa/dice/body";
import { around, between, stand } from "@/games/krakatoa/dice/framing";
import { COLOURS, INRADIUS, lying, NORMALS, OUTLINES, RADIUS, top, toTheRim } from "@/games/krakatoa/dice/shape";
import { BadTrajectory, bytes, decode, pose, seconds } from "@/games/krakatoa/dice/trajectory";
import { read } from "@/games/krakatoa/pad";
import { tidings } from "@/games/krakatoa/tidings";

interface Throws {
  throw: {
    trajectory: string;
    dice: string[];
    frames: number;
    poses: Record<string, number[][]>;
    before: Record<string, [number, number, number, number]>;
    after: Record<string, [number, number, number, number]>;
  };
  aims: { aim: Aim; hand: [number, number][] | null }[];
  lies: [number, number, number[]][];
}
const thrown = JSON.parse(readFileSync(join(import.meta.dirname, "throws.json"), "utf8")) as Throws;
const AIM: Aim = { x: 1, y: 2, direction: 90, strength: USUAL, spread: NARROWEST };

describe("a trajectory", () => {
  test("is read as it was written", async () => {
    const seen = await decode(bytes(thrown.throw.trajectory));
    expect(seen.dice).toEqual(thrown.throw.dice);
    expect(seen.frames).toBe(thrown.throw.frames);
    for (const [frame, dice] of Object.entries(thrown.throw.poses))
      dice.forEach((numbers, k) => {
        const { at, turn } = pose(seen, k, Number(frame) / seen.rate);
        at.forEach((n, i) => expect(n).toBeCloseTo(numbers[i]!, 3));
        turn.forEach((n, i) => expect(n).toBeCloseTo(numbers[3 + i]!, 3));
      });
  });

  test("ends where the table says that the dice lie, showing what it says", async () => {
    const seen = await decode(bytes(thrown.throw.trajectory));
    seen.dice.forEach((die, k) => {
      const { at, turn } = pose(seen, k, Infinity);
      const [x, y, face] = thrown.throw.after[die]!;
      expect(Math.hypot(at[0] - x, at[1] - y)).toBeLessThan(0.02);
      expect(top(turn)).toBe(face);
    });
  });

  test("goes on smoothly between its frames", async () => {
    const seen = await decode(bytes(thrown.throw.trajectory));
    const [a, b] = [pose(seen, 0, 0.1).at, pose(seen, 0, 0.1 + 1 / seen.rate).at];
    const middle = pose(seen, 0, 0.1 + 0.5 / seen.rate).at;
    middle.forEach((n, i) => expect(n).toBeCloseTo((a[i]! + b[i]!) / 2, 4));
    expect(Math.hypot(...pose(seen, 3, 0.123).turn)).toBeCloseTo(1, 6);
    expect(pose(seen, 0, -1)).toEqual(pose(seen, 0, 0));
    expect(seconds(seen)).toBeCloseTo((thrown.throw.frames - 1) / 60);
  });

  test.each([
    ["nothing", new Uint8Array()],
    ["something else", bytes(btoa("not a throw at all"))],
    ["one that is cut short", bytes(thrown.throw.trajectory).slice(0, 200)],
    ["one of another version", bytes(thrown.throw.trajectory).map((byte, k) => (k === 2 ? 9 : byte))],
  ])("is not %s", async (_, data) => {
    await expect(decode(data as Uint8Array<ArrayBuffer>)).rejects.toThrow(BadTrajectory);
  });
});

describe("a die", () => {
  test("lies as the table turns it", () => {
    for (const [face, turn, expected] of thrown.lies) {
      const found = lying(face, turn);
      found.forEach((n, i) => expect(n).toBeCloseTo(expected[i]!, 4));
      expect(top(found)).toBe(face);
    }
  });

  test("has twelve faces of five corners, three yellow, four red, five blue", () => {
    expect(OUTLINES.map((outline) => outline.length)).toEqual(NORMALS.map(() => 5));
    expect(new Set(OUTLINES.flat().map((corner) => corner.map((n) => n.toFixed(3)).join())).size).toBe(20);
    expect([..."YRB"].map((letter) => [...COLOURS].filter((one) => one === letter).length)).toEqual([3, 4, 5]);
  });

  test("is closed: all its triangles look outwards", () => {
    const white = { fill: [1, 1, 1], line: [0, 0, 0] } as const;
    const spots = Object.fromEntries([..."YRB"].map((letter) => [letter, white])) as never;
    const { positions, normals, colours } = dieBody({ body: [1, 1, 1], spots });
    expect(normals.length).toBe(positions.length);
    expect(colours.length).toBe(positions.length);
    for (let k = 0; k < positions.length; k += 9) {
      const [a, b, c] = [0, 3, 6].map((n) => positions.slice(k + n, k + n + 3)) as [number[], number[], number[]];
      const u = a.map((n, i) => b[i]! - n);
      const v = a.map((n, i) => c[i]! - n);
      const out = [u[1]! * v[2]! - u[2]! * v[1]!, u[2]! * v[0]! - u[0]! * v[2]!, u[0]! * v[1]! - u[1]! * v[0]!];
      expect(out.reduce((sum, n, i) => sum + n * (a[i]! + b[i]! + c[i]!), 0)).toBeGreaterThan(0);
    }
  });
});

describe("an aim", () => {
  test.each(thrown.aims)("has its hand where the table has it: $aim", ({ aim, hand: expected }) => {
    expect(hasRoom(aim)).toBe(expected !== null);
    const rows = hand(aim);
    expected?.forEach(([x, y], k) => {
      expect(rows[k]!.x).toBeCloseTo(x, 3);
      expect(rows[k]!.y).toBeCloseTo(y, 3);
    });
  });

  test("is turned until the hand has room", () => {
    const cornered = { ...AIM, x: 0, y: -19 };
    expect(hasRoom(cornered)).toBe(false);
    expect(hasRoom(withRoom(cornered))).toBe(true);
    expect(withRoom(AIM)).toEqual(AIM);
  });

  test("is pulled back like a sling", () => {
    expect(pulled({ x: 0, y: 0 }, { x: 0, y: -SLACK / 2 }, 3)).toBeNull();
    const aim = pulled({ x: 3, y: 1 }, { x: 3, y: -4 }, 3)!;
    expect(aim).toMatchObject({ x: 3, y: 1, direction: 90, spread: 3 });
    expect(aim.strength).toBe(strengthOf(5));
    expect(pulled({ x: 0, y: 0 }, { x: 5, y: 0 }, 3)!.direction).toBe(-180);
  });

  test("is stronger the further it is pulled, within the table's limits", () => {
    expect([0, 1, 100].map(strengthOf)).toEqual([WEAKEST, WEAKEST, STRONGEST]);
    for (const strength of [WEAKEST, USUAL, STRONGEST]) expect(strengthOf(pullOf(strength))).toBe(strength);
  });

  test("means the nearest die", () => {
    const lies = { ash1: { x: 0, y: 0 }, ash2: { x: 4, y: 0 } };
    expect(nearest(lies, { x: 1.9, y: 0 })).toBe("ash1");
    expect(nearest(lies, { x: 2.1, y: 3 })).toBe("ash2");
    expect(nearest({}, { x: 0, y: 0 })).toBeNull();
  });

  test("is drawn from the hand on, and not over the rim", () => {
    expect(along(AIM, -BACK).x).toBeCloseTo(1);
    expect(along(AIM, -BACK).y).toBeCloseTo(2 - BACK);
    const far = { ...AIM, x: 0, y: 17, strength: STRONGEST };
    const { x, y } = along(far, reach(far));
    expect(toTheRim(x, y)).toBeGreaterThan(0);
    expect([190, -190, 360].map(wrapped)).toEqual([-170, 170, 0]);
  });
});

describe("the camera", () => {
  const lens = { steep: 1.13, tall: 0.23, aspect: 1.4 };

  test.each([0.6, 1, 1.8])("sees the whole of what matters, %f times as wide as high", (aspect) => {
    const box = around(
      [
        { x: -15, y: 3 },
        { x: 12, y: 17 },
      ],
      2,
      17,
    );
    const { at, distance } = stand(box, { ...lens, aspect });
    for (const x of [box.left, box.right])
      for (const y of [box.near, box.far]) {
        const away = distance + (y - at[1]) * Math.cos(lens.steep);
        expect(Math.abs(x - at[0]) / away).toBeLessThanOrEqual(lens.tall * aspect + 1e-9);
        expect(Math.abs((y - at[1]) * Math.sin(lens.steep)) / away).toBeLessThanOrEqual(lens.tall + 1e-9);
      }
  });

  test("does not come too near to a single die", () => {
    const box = around([{ x: 3, y: 3 }], 2, 17);
    expect(box.right - box.left).toBe(17);
    expect(between(box, { left: -RADIUS, right: RADIUS, near: -RADIUS, far: RADIUS }, 1).left).toBe(-RADIUS);
    expect(INRADIUS).toBeLessThan(1);
  });
});

describe("a score pad", () => {
  test.each([
    ["YYB YRR RRR touched", true, { do: "land", faces: "YYB YRR RRR", touched: true }],
    ["jjb jrr rrr raté", true, { do: "land", faces: "YYB YRR RRR", touched: false }],
    ["yybyrrrrr scratch", true, { do: "land", faces: "YYB YRR RRR", touched: false }],
    ["YYB YRR RRR", true, { do: "land", faces: "YYB YRR RRR", touched: true }],
    ["yrb", false, { do: "land", faces: "YRB" }],
    ["YYB YRR", true, { do: "land", faces: "YYB YRR", touched: true }],
  ])("reads %s", (typed, aimed, expected) => {
    expect(read(typed, aimed)).toEqual(expected);
  });
});

describe("tidings", () => {
  const box = { side: 0, seat: 0, round: 1, throw: 3, mark: "", points: 8, total: 160, touched: true };
  const none = { quake: "", rumble: "", eruption: "" };

  test("of a plain throw are its points", () => {
    const told = tidings({ ...box, ...none }, null, "Anna");
    expect(told).toEqual({ cry: "", words: ["Anna: 8 points, total 160."], kind: "plain" });
  });

  test("call out what was earned, and by how much it counts", () => {
    const told = tidings({ ...box, ...none, mark: "x", quake: "xx", rumble: "x" }, null, "Anna")!;
    expect(told.cry).toBe("Quake and rumble!");
    expect(told.words).toEqual([
      "Anna: 4 × 2 = 8 points, total 160.",
      "Quake! The total is 160: next throw ×4.",
      "Rumble! Only two colours: next throw ×2.",
    ]);
  });

  test("of a scratch and of a die that leaned", () => {
    const told = tidings({ ...box, ...none, points: 0, touched: false }, { hand: [], cocked: 1 }, "Anna")!;
    expect(told.kind).toBe("scratch");
    expect(told.words.at(-1)).toBe("1 cocked die was tapped flat.");
    expect(tidings(null, { hand: [] }, "")).toBeNull();
  });
});
