// @vitest-environment jsdom
// Krakatoa at a table whose dice fall, or are rolled at home: what can be pressed sends what the table understands.
import { cleanup, fireEvent, render } from "@testing-library/svelte";
import "./browser";
import { afterEach, describe, expect, test, vi } from "vitest";
import "@/app/language.svelte";
import type { Action, AtTable } from "@/games/contract";
import { playable } from "@/games/registry";
import type { Aim, Dice } from "@/table/protocol";
import { PLAYERS, positions } from "./positions";

afterEach(cleanup);

const NAMES = ["steam", "ash", "lava"].flatMap((set) => [1, 2, 3].map((n) => `${set}${n}`));
const LIES = Object.fromEntries(
  NAMES.map((die, k) => [die, { x: ((k % 3) - 1) * 4, y: (1 - Math.floor(k / 3)) * 4, face: k, turn: 0.5, q: [] }]),
);

async function at(name: string, thrower: AtTable["thrower"], dice: Dice, moves: AtTable["moves"] = []) {
  const { view, before, legal, recent } = positions.find((one) => one.game === "krakatoa" && one.name === name)!;
  const { Board } = await playable("krakatoa");
  const onchoose = vi.fn<(action: Action, aim?: Aim) => void>();
  const players = PLAYERS.slice(0, view.scores.length);
  const page = render(Board, {
    view,
    before,
    legal,
    recent,
    players,
    at: { thrower, dice, moves, ask: () => Promise.resolve(null) },
    onchoose,
  });
  return { page: page.container, onchoose };
}

describe("the felt", () => {
  test("takes an aim at the die that was chosen, and throws", async () => {
    const { page, onchoose } = await at("steam", "physics", { lies: LIES });
    expect(page.querySelectorAll("button.die").length).toBe(6);
    await fireEvent.click(page.querySelector('button[data-die="lava3"]')!);
    expect(page.querySelector('button[data-die="lava3"]')!.getAttribute("aria-pressed")).toBe("true");
    await fireEvent.submit(page.querySelector("form.aiming")!);
    const [action, aim] = onchoose.mock.lastCall!;
    expect(action).toEqual({ do: "throw", set: "steam", at: "lava3" });
    expect(aim).toEqual({ x: 4, y: -4, direction: 90, strength: 120, spread: 2.5 });
  });

  test("is aimed with keys: direction, strength, spread", async () => {
    const { page, onchoose } = await at("steam", "physics", { lies: LIES });
    const [direction, strength, spread] = [...page.querySelectorAll<HTMLInputElement>("input[type=range]")];
    await fireEvent.input(direction!, { target: { value: "45" } });
    await fireEvent.input(strength!, { target: { value: "180" } });
    await fireEvent.input(spread!, { target: { value: "4" } });
    await fireEvent.submit(page.querySelector("form.aiming")!);
    expect(onchoose.mock.lastCall![1]).toMatchObject({ direction: 45, strength: 180, spread: 4 });
  });

  test("says when the hand has no room, and throws nothing", async () => {
    const lies = { ...LIES, lava1: { ...LIES.lava1!, x: 18.5, y: 0 } };
    const { page, onchoose } = await at("steam", "physics", { lies });
    await fireEvent.click(page.querySelector('button[data-die="lava1"]')!);
    const direction = page.querySelector<HTMLInputElement>("input[type=range]")!;
    await fireEvent.input(direction, { target: { value: "-90" } });
    expect(page.querySelector("form.aiming [role=alert]")!.textContent).toMatch(/outside the tray/);
    await fireEvent.submit(page.querySelector("form.aiming")!);
    expect(onchoose).not.toHaveBeenCalled();
  });

  test("waits until a set is chosen where there is a choice", async () => {
    const { page, onchoose } = await at("any", "physics", { lies: LIES });
    expect(page.querySelector("form.aiming")).toBeNull();
    await fireEvent.click(page.querySelector("button[data-set=ash]")!);
    await fireEvent.submit(page.querySelector("form.aiming")!);
    expect(onchoose.mock.lastCall![0]).toMatchObject({ do: "throw", set: "ash" });
  });

  test("calls out what a throw brought, and writes it on the sheet", async () => {
    const wrote = { side: 0, seat: 0, round: 1, throw: 1, mark: "xx", points: 12, total: 12, touched: true };
    const landed = { v: 9, seat: null, action: { do: "land" }, notation: "", fall: { hand: [], cocked: 2 } };
    const moves = [{ ...landed, wrote: { ...wrote, quake: "", rumble: "x", eruption: "" } }];
    const { page } = await at("steam", "physics", { lies: LIES }, moves);
    expect(page.querySelector(".cry")!.textContent).toBe("Rumble!");
    expect(page.querySelector("table td.new")!.textContent).toMatch(/total 12, 12 more, marked xx/);
  });
});

describe("the score pad", () => {
  test("asks for the dice that were thrown, and sends all nine", async () => {
    const { page, onchoose } = await at("land", "pad", { land: true, hand: ["steam1", "steam2", "steam3"] });
    await vi.waitFor(() => expect(page.querySelector("form.pad")).not.toBeNull());
    const write = page.querySelector<HTMLButtonElement>("form.pad button.land")!;
    const view = positions.find((one) => one.game === "krakatoa" && one.name === "land")!.view as never as {
      aim: { set: string };
      dice: string;
    };
    const letters = page.querySelectorAll(".colour");
    for (const die of [1, 2, 3]) {
      await fireEvent.click(page.querySelector(`.slot[data-die=${view.aim.set}${die}]`)!);
      await fireEvent.click(letters[0]!);
    }
    for (const slot of page.querySelectorAll<HTMLElement>(".slot"))
      if (slot.getAttribute("aria-label")!.includes("not yet")) {
        await fireEvent.click(slot);
        await fireEvent.keyDown(slot, { key: "b" });
      }
    expect(write.disabled).toBe(false);
    await fireEvent.click(
      page.querySelector("input[type=radio][value=false]") ?? page.querySelectorAll("input[type=radio]")[1]!,
    );
    await fireEvent.submit(page.querySelector("form.pad")!);
    expect(onchoose.mock.lastCall![0]).toMatchObject({ do: "land", touched: false });
    expect(onchoose.mock.lastCall![0].faces).toMatch(/^[YRB]{3} [YRB]{3} [YRB]{3}$/);
  });

  test("takes what is typed", async () => {
    const { page, onchoose } = await at("throwoff", "pad", { land: true, hand: ["steam1", "steam2", "steam3"] });
    await vi.waitFor(() => expect(page.querySelector("form.pad")).not.toBeNull());
    await fireEvent.input(page.querySelector("form.pad .typed input")!, { target: { value: "y r b" } });
    await fireEvent.submit(page.querySelector("form.pad")!);
    expect(onchoose.mock.lastCall![0]).toEqual({ do: "land", faces: "YRB" });
  });
});
