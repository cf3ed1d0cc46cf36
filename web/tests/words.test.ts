// Both languages say the same things.
import { join } from "node:path";
import { expect, test } from "vitest";
import { differences, readLanguages } from "../scripts/same-words.ts";

test("English and French have the same words with the same gaps", () => {
  const languages = readLanguages(join(import.meta.dirname, "../messages"));
  expect(Object.keys(languages)).toEqual(["en", "fr"]);
  expect(differences(languages)).toEqual([]);
});

test("a missing word and a missing gap are found", () => {
  expect(differences({ en: { a: "one {n}", b: "two" }, fr: { a: "un" } })).toEqual([
    'fr has other gaps in "a".',
    'fr has no words for "b".',
  ]);
});
