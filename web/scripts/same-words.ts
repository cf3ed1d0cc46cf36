// Every language has the same words with the same gaps, or the build fails.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

type Words = Record<string, unknown>;

/** The gaps of a message: `{name}` in `Hello {name}`, in all its forms together. */
function gaps(message: unknown): string {
  const found = JSON.stringify(message).match(/\{(\w+)\}/g) ?? [];
  return [...new Set(found)].sort().join(" ");
}

/** What is wrong between languages, a sentence each. */
export function differences(languages: Record<string, Words>): string[] {
  const keys = new Set(Object.values(languages).flatMap((words) => Object.keys(words)));
  const [first = {}] = Object.values(languages);
  return [...keys].flatMap((key) =>
    Object.entries(languages).flatMap(([language, words]) => {
      if (!(key in words)) return [`${language} has no words for "${key}".`];
      if (key in first && gaps(words[key]) !== gaps(first[key])) return [`${language} has other gaps in "${key}".`];
      return [];
    }),
  );
}

export function readLanguages(folder: string): Record<string, Words> {
  const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return Object.fromEntries(
    files.sort().map((name) => [name.slice(0, -5), JSON.parse(readFileSync(join(folder, name), "utf8")) as Words]),
  );
}

export function sameWords(folder: string): Plugin {
  return {
    name: "same-words",
    buildStart() {
      const wrong = differences(readLanguages(folder));
      if (wrong.length > 0) throw new Error(wrong.join("\n"));
    },
  };
}
