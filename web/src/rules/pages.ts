// The rules pages, in both languages, loaded when somebody reads them.
const PAGES = import.meta.glob<string>("../../../src/archipel/games/*/rules.*.md", {
  query: "?raw",
  import: "default",
});

const path = (game: string, locale: string) => `../../../src/archipel/games/${game}/rules.${locale}.md`;

export function hasRules(game: string): boolean {
  return path(game, "en") in PAGES;
}

export function rulesPage(game: string, locale: string): Promise<string> | undefined {
  return PAGES[path(game, locale)]?.();
}
