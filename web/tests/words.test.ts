// Both languages say the same things, by the glossary, and as they are printed.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { own } from "@/games/registry";
import { differences, readLanguages } from "../scripts/words.ts";
import { misprints } from "./typography";

const languages = readLanguages(join(import.meta.dirname, "../messages"));

/** Every form of every message, without its gaps. */
function texts(language: string): [key: string, text: string][] {
  return Object.entries(languages[language]!).flatMap(([key, message]) => {
    const forms = typeof message === "string" ? [message] : Object.values((message as Plural)[0].match);
    return forms.map((text): [string, string] => [key, text]);
  });
}
type Plural = [{ match: Record<string, string> }];

const GAMES = join(import.meta.dirname, "../../src/archipel/games");

/** What else people read: the rules without their notation, captions, and why something is refused. */
function pages(language: string): [place: string, text: string][] {
  const json = (path: string): unknown => JSON.parse(readFileSync(path, "utf8"));
  const found = own.flatMap((game): [string, string][] => {
    const rules = readFileSync(join(GAMES, game, `rules.${language}.md`), "utf8");
    const pictures = json(join(import.meta.dirname, `../src/games/${game}/pictures.json`)) as Caption[];
    return [
      ...prose(rules).map(([line, text]): [string, string] => [`${game}, rules, line ${line}`, text]),
      ...pictures.map(({ anchor, words }): [string, string] => [`${game}, picture of ${anchor}`, words[language]!]),
    ];
  });
  const refused = ["core", "table", ...own.map((game) => `games/${game}`)].flatMap((folder) =>
    Object.values(json(join(GAMES, "..", folder, "refusals.fr.json")) as Record<string, string>).map(
      (text): [string, string] => [`${folder}, refusals`, text],
    ),
  );
  return language === "fr" ? [...found, ...refused] : found;
}
interface Caption {
  anchor: string;
  words: Record<string, string>;
}

/** The lines of a page that are sentences: no drawings, no code, no anchors. */
function prose(page: string): [line: number, text: string][] {
  let drawing = false;
  return page.split("\n").flatMap((line, k): [number, string][] => {
    if (line.startsWith("```")) drawing = !drawing;
    const text = line
      .replaceAll(/`[^`]*`|\]\([^)]*\)|\{#[^}]*\}|^\|?[\s:|-]+\|$/g, (code) => (code.startsWith("`") ? "–" : ""))
      .trim();
    return drawing || line.startsWith("```") || !text ? [] : [[k + 1, text]];
  });
}

/** The words that the glossary does not use. */
function unused(): string[] {
  const page = readFileSync(join(import.meta.dirname, "../../docs/glossary.md"), "utf8");
  const rows = page.split("\n").filter((line) => line.startsWith("|") && !/^\|(---|\s*English)/.test(line));
  return rows
    .flatMap((row) =>
      row
        .split("|")[3]!
        .split(",")
        .map((word) => word.trim()),
    )
    .filter(Boolean);
}

test("English and French have the same words with the same gaps", () => {
  expect(Object.keys(languages)).toEqual(["en", "fr"]);
  expect(differences(languages)).toEqual([]);
});

test("a missing word and a missing gap are found", () => {
  expect(differences({ en: { a: "one {n}", b: "two" }, fr: { a: "un" } })).toEqual([
    'fr has other gaps in "a".',
    'fr has no words for "b".',
  ]);
});

test.each(["en", "fr"])("%s is printed as the language is", (language) => {
  const wrong = [...texts(language), ...pages(language)].flatMap(([key, text]) =>
    misprints(text, language).map((what) => `${key}: ${what}`),
  );
  expect(wrong).toEqual([]);
});

test("misprints are found", () => {
  expect(misprints("it's", "en")).toEqual(["a straight apostrophe"]);
  expect(misprints("57 % of", "en")).toEqual(["a space before a sign"]);
  expect(misprints("Quoi ?", "fr")).toContain("a space that may break");
  expect(misprints("Quoi?", "fr")).toEqual(["no space before ; ! or ?"]);
  expect(misprints("Défausse: 0", "fr")).toEqual(["no space before :"]);
  expect(misprints("l'île", "fr")).toEqual(["a straight apostrophe"]);
  expect(misprints("Quoi\u202f? Défausse\u00a0: l’île, 57\u202f%", "fr")).toEqual([]);
});

test("nothing goes by a name that the glossary does not know", () => {
  const known = unused();
  expect(known).toContain("foe");
  const word = (text: string) => new RegExp(`(?<!\\p{L})${text.replace(/[.?+*]/g, "\\$&")}(?!\\p{L})`, "iu");
  const found = ["en", "fr"].flatMap((language) =>
    [...texts(language), ...pages(language)].flatMap(([key, text]) =>
      known.filter((one) => word(one).test(text.replaceAll(/[\u00a0\u202f]/g, " "))).map((one) => `${key}: ${one}`),
    ),
  );
  expect(found).toEqual([]);
});

test("every message is said somewhere", () => {
  const files = import.meta.glob<string>(["../src/**/*.ts", "../src/**/*.svelte", "!../src/words/**"], {
    query: "?raw",
    import: "default",
    eager: true,
  });
  const source = Object.values(files).join("\n");
  const said = new Set([...source.matchAll(/\bm\.(\w+)/g)].map(([, key]) => key));
  expect(Object.keys(languages.en!).filter((key) => !said.has(key))).toEqual([]);
});
