// @vitest-environment jsdom
// The text view: everything in sentences, everything by typing.
import { cleanup, fireEvent, render, screen } from "@testing-library/svelte";
import "./browser";
import { afterEach, expect, test, vi } from "vitest";
import { language } from "@/app/language.svelte";
import { playable } from "@/games/registry";
import TextView from "@/table/TextView.svelte";
import { PLAYERS, positions, type Position } from "./positions";

afterEach(() => {
  cleanup();
  language.speak("en");
});

async function read({ game, view, legal }: Position) {
  const heard = { onchoose: vi.fn(), onundo: vi.fn(), onsay: vi.fn() };
  const players = PLAYERS.slice(0, view.scores.length);
  const page = render(TextView, { game: await playable(game), view, legal, players, told: [], ...heard });
  const type = async (text: string) => {
    const line = screen.getByRole("textbox");
    await fireEvent.input(line, { target: { value: text } });
    await fireEvent.submit(line.closest("form")!);
  };
  return { page, type, ...heard };
}

test.each(positions)("$game, $name: every action has a button", async (position) => {
  const { page, onchoose } = await read(position);
  const buttons = page.container.querySelectorAll(".actions button");
  expect(buttons.length).toBe(position.legal.length);
  if (buttons[0]) await fireEvent.click(buttons[0]);
  expect(onchoose.mock.calls).toEqual(position.legal.slice(0, 1).map(({ action }) => [action]));
});

test.each(positions)("$game, $name: both languages tell as much", async (position) => {
  const { describe } = await playable(position.game);
  const told = (["en", "fr"] as const).map((locale) => {
    language.speak(locale);
    return describe(position.view as never, PLAYERS).map(({ title, lines }) => [title, ...lines]);
  });
  expect(told[0]!.map((lines) => lines.length)).toEqual(told[1]!.map((lines) => lines.length));
  expect(told.flat(2).join(" ")).not.toMatch(/undefined|null|NaN|\{/);
});

const opening = positions.find(({ game, name }) => game === "kahuna" && name === "opening")!;

test("a number does that action", async () => {
  const { type, onchoose } = await read(opening);
  await type("2");
  expect(onchoose).toHaveBeenCalledExactlyOnceWith(opening.legal[1]!.action);
});

test("a number too high does nothing, and says so", async () => {
  const { type, onchoose } = await read(opening);
  await type("999");
  expect(onchoose).not.toHaveBeenCalled();
  expect(screen.getByText("There is no action 999.")).toBeTruthy();
});

test("anything else is notation, for the table to read", async () => {
  const { type, onchoose } = await read(opening);
  await type("ALOA>BARI");
  expect(onchoose).toHaveBeenCalledExactlyOnceWith("ALOA>BARI");
});

test("undo, say and help are commands, in both languages", async () => {
  const { type, onchoose, onundo, onsay } = await read(opening);
  for (const word of ["undo", "annuler"]) await type(word);
  await type("dire bonjour à tous");
  await type("help");
  expect(onundo).toHaveBeenCalledTimes(2);
  expect(onsay).toHaveBeenCalledExactlyOnceWith("bonjour à tous");
  expect(onchoose).not.toHaveBeenCalled();
});
