// @vitest-environment jsdom
// Every board, on positions of real games: by clicks one reaches all that the table offers, and nothing else.
import { cleanup, fireEvent, render } from "@testing-library/svelte";
import "./browser";
import { afterEach, describe, expect, test, vi } from "vitest";
import "@/app/language.svelte";
import type { Action } from "@/games/contract";
import { playable } from "@/games/registry";
import { PLAYERS, positions, type Position } from "./positions";

afterEach(cleanup);

async function seated({ game, view, before, legal, recent }: Position) {
  const { Board } = await playable(game);
  const onchoose = vi.fn<(action: Action) => void>();
  const players = PLAYERS.slice(0, view.scores.length);
  const page = render(Board, { view, before, legal, recent, players, onchoose });
  return { page, onchoose };
}

/** Everything that can be pressed, by its place on the page. */
function pressable(container: Element): Element[] {
  return [...container.querySelectorAll('button:not(:disabled), [role="button"]')].filter(
    (thing) => thing.getAttribute("aria-disabled") !== "true",
  );
}

/** All actions that one, two or three presses lead to. */
async function reached(position: Position): Promise<Set<string>> {
  const found = new Set<string>();
  const paths: number[][] = [[]];
  const tried = new Set<string>();
  while (paths.length > 0) {
    const path = paths.pop()!;
    const { page, onchoose } = await seated(position);
    for (const step of path) await fireEvent.click(pressable(document.body)[step]!);
    const chosen = onchoose.mock.lastCall;
    if (chosen) found.add(JSON.stringify(chosen[0]));
    else {
      const state = document.body.innerHTML.replaceAll(/id="[^"]*"/g, "");
      if (!tried.has(state) && path.length < 3) {
        tried.add(state);
        pressable(document.body).forEach((_, k) => paths.push([...path, k]));
      }
    }
    page.unmount();
    cleanup();
  }
  return found;
}

describe.each(positions)("$game, $name", (position) => {
  test("is drawn, and says what it shows", async () => {
    const { page } = await seated(position);
    expect(page.container.querySelector("svg")).not.toBeNull();
    for (const thing of page.container.querySelectorAll('[role="button"], [data-rove]')) {
      expect(thing.getAttribute("aria-label") ?? thing.textContent).toMatch(/\S/);
    }
  });

  test("has one stop of the Tab key for each group", async () => {
    const { page } = await seated(position);
    for (const group of page.container.querySelectorAll('[role="group"]')) {
      const stops = group.querySelectorAll('[data-rove][tabindex="0"]');
      expect(stops.length).toBe(group.querySelector("[data-rove]") ? 1 : 0);
    }
  });
});

const FEW = positions.filter(({ legal }) => legal.length > 0 && legal.length <= 12);

test.each(FEW)("$game, $name: clicks reach what is offered, and nothing else", async (position) => {
  const offered = new Set(position.legal.map(({ action }) => JSON.stringify(action)));
  expect([...(await reached(position))].sort()).toEqual([...offered].sort());
});

test.each(["kahuna", "stonehenge"])("%s: Escape puts down what was chosen", async (game) => {
  const { page } = await seated(positions.find((one) => one.game === game && one.name === "opening")!);
  const chosen = () => page.container.querySelectorAll(".hand [aria-pressed=true]").length;
  await fireEvent.click(page.container.querySelector(".hand button")!);
  expect(chosen()).toBe(1);
  await fireEvent.keyDown(window, { key: "Escape" });
  expect(chosen()).toBe(0);
});

test.each([true, false])("kahuna: of two equal cards the one that is pressed goes (hidden: %s)", async (hidden) => {
  const position = positions.find(({ game, name }) => game === "kahuna" && name === "copies")!;
  const wanted = position.legal.filter(({ action }) => action.hidden && ["bridge", "discard"].includes(action.do));
  expect(wanted.length).toBeGreaterThan(1);
  for (const { action } of wanted) {
    const { page, onchoose } = await seated(position);
    const { container } = page;
    const label = hidden ? (action.card as string) : `${action.card as string} (face up)`;
    await fireEvent.click(container.querySelector(`.hand [aria-label="${label}"]`)!);
    if (action.do === "bridge")
      await fireEvent.click(container.querySelector(`[data-line="${action.line as string}"]`)!);
    else await fireEvent.click([...container.querySelectorAll(".deeds button")].at(-1)!);
    const { hidden: _, ...plain } = action;
    expect(onchoose.mock.lastCall?.[0]).toEqual(hidden ? action : plain);
    cleanup();
  }
});

test("kahuna: an island clicked first shows its lines and the cards that serve there", async () => {
  const position = positions.find(({ game, name }) => game === "kahuna" && name === "opening")!;
  const { page, onchoose } = await seated(position);
  const { container } = page;
  const lit = () => [...container.querySelectorAll(".handle:not(.idle)")].map((one) => one.getAttribute("data-line")!);
  const serving = () => [...container.querySelectorAll(".hand .serves")].map((one) => one.getAttribute("aria-label")!);
  const builds = position.legal.flatMap(({ action }) =>
    action.do === "bridge" ? [{ line: action.line as string, card: action.card as string }] : [],
  );
  const island = builds[0]!.card;
  const here = builds.filter(({ line }) => line.split("-").includes(island));
  expect(lit()).toEqual([]);
  await fireEvent.click(container.querySelector(`[data-island=${island}]`)!);
  expect(new Set(lit())).toEqual(new Set(here.map(({ line }) => line)));
  expect(new Set(serving())).toEqual(new Set(here.map(({ card }) => card)));
  await fireEvent.keyDown(window, { key: "Escape" });
  expect(lit()).toEqual([]);
  await fireEvent.click(container.querySelector(`[data-island=${island}]`)!);
  const sole = here.find(({ line }) => here.filter((one) => one.line === line).length === 1)!;
  await fireEvent.click(container.querySelector(`[data-line="${sole.line}"]`)!);
  expect(onchoose.mock.lastCall?.[0]).toEqual({ do: "bridge", ...sole });
});
