// @vitest-environment jsdom
// The rules pages, as the panel shows them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { cleanup, render } from "@testing-library/svelte";
import { afterEach, expect, test, vi } from "vitest";
import "./browser";
import { language } from "@/app/language.svelte";
import { own } from "@/games/registry";
import { inline, sections } from "@/rules/markdown";
import Rules from "@/rules/Rules.svelte";

afterEach(cleanup);

const page = (game: string, language: string) =>
  readFileSync(join(import.meta.dirname, `../../src/archipel/games/${game}/rules.${language}.md`), "utf8");

test.each(own)("%s: both languages have the same anchors, and every section says something", (game) => {
  const [en, fr] = ["en", "fr"].map((language) => sections(page(game, language)));
  expect(fr!.map(({ anchor }) => anchor)).toEqual(en!.map(({ anchor }) => anchor));
  for (const section of [...en!, ...fr!]) expect(section.blocks.length).toBeGreaterThan(0);
});

/** What the panel of a game shows, as it stands there. */
async function shown(game: string, locale: "en" | "fr"): Promise<string> {
  language.speak(locale);
  const { container } = render(Rules, { game });
  await vi.waitFor(() => expect(container.querySelector("section")).not.toBeNull());
  const text = container.textContent;
  cleanup();
  language.speak("en");
  return text;
}

test.each(own.flatMap((game) => [[game, "en"] as const, [game, "fr"] as const]))(
  "%s, %s: what players read has no notation of programs, and our rulings are marked",
  async (game, locale) => {
    const text = await shown(game, locale);
    expect(text).not.toMatch(/[{}]|"do"|\bseat \d|siège \d|\]\(|JSON|\b[a-z]+_[a-z]+\b|[A-Z]{4}>|\d@[A-R]/);
    expect(text).toMatch(locale === "en" ? /Our ruling/ : /Notre décision/);
  },
);

test("a link leads to another rule", async () => {
  const { container } = render(Rules, { game: "kula_kula" });
  const link = await vi.waitFor(() => {
    const found = [...container.querySelectorAll("button")].find(({ textContent }) => textContent === "dolphin");
    expect(found).toBeDefined();
    return found!;
  });
  const target = container.querySelector<HTMLElement>("#rule-dolphin")!;
  target.scrollIntoView = vi.fn();
  link.click();
  await vi.waitFor(() => expect(document.activeElement).toBe(target));
});

test("words within a line", () => {
  expect(inline("the [toll](#toll)")).toEqual([
    { kind: "text", text: "the " },
    { kind: "link", text: "toll", anchor: "toll" },
  ]);
  expect(inline("play **two** of `ALOA>BARI` *now*")).toEqual([
    { kind: "text", text: "play " },
    { kind: "strong", text: "two" },
    { kind: "text", text: " of " },
    { kind: "code", text: "ALOA>BARI" },
    { kind: "text", text: " " },
    { kind: "em", text: "now" },
  ]);
});

test("lists, tables, remarks and drawings are blocks of their own", () => {
  const [section] = sections(
    "# A {#a}\n\n- one\n  more\n- two\n\n| x | y |\n|---|---|\n| 1 | 2 |\n\n> ours\n> alone\n\n```\n - - \n```\n",
  );
  expect(section!.blocks.map(({ kind }) => kind)).toEqual(["ul", "table", "blockquote", "pre"]);
});
