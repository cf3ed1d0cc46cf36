// The rules pages, in both languages, loaded when somebody reads them. Those of our own games come with the client; the
// server has those of the others.
import { api } from "@/table/api";

const PAGES = import.meta.glob<string>("../../../src/archipel/games/*/rules.*.md", {
  query: "?raw",
  import: "default",
});

export function rulesPage(game: string, locale: string): Promise<string> {
  const own = PAGES[`../../../src/archipel/games/${game}/rules.${locale}.md`];
  return own ? own() : api.rules(game, locale).then(({ text }) => text);
}

/** The first paragraph of a rules page: what the game is about. */
export async function introduction(game: string, locale: string): Promise<string> {
  const paragraphs = (await rulesPage(game, locale)).split(/\n{2,}/);
  return paragraphs.find((text) => !text.startsWith("#"))?.replaceAll("\n", " ") ?? "";
}
