// The rules pages, as the panel shows them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { own } from "@/games/registry";
import { inline, sections } from "@/rules/markdown";

const page = (game: string, language: string) =>
  readFileSync(join(import.meta.dirname, `../../src/archipel/games/${game}/rules.${language}.md`), "utf8");

test.each(own)("%s: both languages have the same anchors, and every section says something", (game) => {
  const [en, fr] = ["en", "fr"].map((language) => sections(page(game, language)));
  expect(fr!.map(({ anchor }) => anchor)).toEqual(en!.map(({ anchor }) => anchor));
  for (const section of [...en!, ...fr!]) expect(section.blocks.length).toBeGreaterThan(0);
});

test("words within a line", () => {
  expect(inline("play **two** of `ALOA>BARI` *now*")).toEqual([
    { kind: "text", text: "play " },
    { kind: "strong", text: "two" },
    { kind: "text", text: " of " },
    { kind: "code", text: "ALOA>BARI" },
    { kind: "text", text: " " },
    { kind: "em", text: "now" },
  ]);
});

test("lists, tables and drawings are blocks of their own", () => {
  const [section] = sections(
    "# A {#a}\n\n- one\n  more\n- two\n\n| x | y |\n|---|---|\n| 1 | 2 |\n\n```\n - - \n```\n",
  );
  expect(section!.blocks.map(({ kind }) => kind)).toEqual(["ul", "table", "pre"]);
});
