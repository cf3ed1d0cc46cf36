// Words become functions: gaps are filled, numbers choose their form, and the language is the one of the page.
import { afterEach, expect, test } from "vitest";
import * as m from "@/words/messages";
import { baseLocale, overwriteGetLocale } from "@/words/runtime";
import { compiled, differences } from "../scripts/words.ts";

afterEach(() => overwriteGetLocale(() => baseLocale));

test("a message follows the language, and a number its plural", () => {
  expect(m.preparing_game({ game: "Kahuna", percent: 7 })).toBe("Kahuna: 7%");
  expect([0, 1, 2].map((n) => m.count_points({ n }))).toEqual(["0 points", "1 point", "2 points"]);
  overwriteGetLocale(() => "fr");
  expect(m.preparing_game({ game: "Kahuna", percent: 7 })).toMatch(/^Kahuna\s: 7\s%$/);
  expect([0, 1, 2].map((n) => m.count_points({ n }))).toEqual(["0 point", "1 point", "2 points"]);
});

test("what a template would read as code stays text", () => {
  const code = compiled("odd", { en: { odd: "a `b` ${c} \\n {gap}" } });
  expect(code).toContain("`a \\`b\\` \\$${i.c} \\\\n ${i.gap}`");
});

test("other words or gaps in another language are told", () => {
  const languages = { en: { a: "Hello {name}", b: "Bye" }, fr: { a: "Bonjour {nom}" } };
  expect(differences(languages)).toEqual(['fr has other gaps in "a".', 'fr has no words for "b".']);
});

test("forms that no number chooses are refused", () => {
  const forms = [{ declarations: ["input n"], selectors: ["n"], match: { "n=1": "one" } }] as const;
  expect(() => compiled("odd", { en: { odd: forms as never } })).toThrow("not chosen by one number");
});
