// The words of messages/*.json as TypeScript: a module for each message, so that a page loads only those that it says.
// `node scripts/words.ts` writes them into src/words; so does every build. All languages must have the same words with
// the same gaps.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Plugin } from "vite";

const BASE = "en";

/** A text with `{gaps}`; or several, of which a number chooses: "1 card", "2 cards". */
type Message = string | [{ declarations: string[]; selectors: [string]; match: Record<string, string> }];
type Words = Record<string, Message>;
export type Languages = Record<string, Words>;

/** The gaps of a message: `name` in `Hello {name}`, in all its forms together. */
function gaps(message: Message): string[] {
  const found = [...JSON.stringify(message).matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  return [...new Set([...found, ...counted(message)])].sort();
}

/** The gap whose number chooses the form of a message, if it has forms. */
function counted(message: Message): string[] {
  if (typeof message === "string") return [];
  const [{ declarations, selectors }] = message;
  const local = declarations.map((line) => /^local (\w+) = (\w+): plural$/.exec(line));
  const found = local.find((match) => match?.[1] === selectors[0])?.[2];
  if (!found || selectors.length !== 1) throw new Error(`These forms are not chosen by one number: ${selectors}.`);
  return [found];
}

/** What is wrong between languages, a sentence each. */
export function differences(languages: Languages): string[] {
  const keys = new Set(Object.values(languages).flatMap((words) => Object.keys(words)));
  const [first = {}] = Object.values(languages);
  return [...keys].flatMap((key) =>
    Object.entries(languages).flatMap(([language, words]) => {
      if (!(key in words)) return [`${language} has no words for "${key}".`];
      if (key in first && String(gaps(words[key]!)) !== String(gaps(first[key]!))) {
        return [`${language} has other gaps in "${key}".`];
      }
      return [];
    }),
  );
}

export function readLanguages(folder: string): Languages {
  const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return Object.fromEntries(
    files.sort().map((name) => [name.slice(0, -5), JSON.parse(readFileSync(join(folder, name), "utf8")) as Words]),
  );
}

/** A text as a template of TypeScript. */
function template(text: string): string {
  const quoted = text.replace(/[\\`]|\$(?=\{)/g, "\\$&").replace(/\{(\w+)\}/g, "${i.$1}");
  return `\`${quoted}\``;
}

function expression(message: Message): string {
  if (typeof message === "string") return template(message);
  const [{ selectors, match }] = message;
  const forms = Object.entries(match).map(([when, text]) => {
    const [selector, form = ""] = when.split("=");
    if (selector !== selectors[0]) throw new Error(`There is no selector ${selector}.`);
    return `${form === "*" ? "other" : form}: ${template(text)}`;
  });
  return `form(i.${counted(message)[0]}, { ${forms.join(", ")} })`;
}

/** The module of one message. */
export function compiled(key: string, languages: Languages): string {
  const names = gaps(languages[BASE]![key]!);
  const input = names.length > 0 ? `i: { ${names.map((name) => `${name}: Gap`).join("; ")} }` : "";
  const others = Object.keys(languages).filter((language) => language !== BASE);
  const choice = others.map(
    (language) => `getLocale() === "${language}" ? ${expression(languages[language]![key]!)} : `,
  );
  const code = `${choice.join("")}${expression(languages[BASE]![key]!)}`;
  const used = ["getLocale", ...(code.includes("form(i.") ? ["form"] : []), ...(input ? ["type Gap"] : [])];
  return `import { ${used.join(", ")} } from "../runtime";\nexport const ${key} = (${input}): string =>\n  ${code};\n`;
}

/** The module that all messages use. */
function runtime(names: string[]): string {
  return `export const locales = ${JSON.stringify(names)} as const;
export type Locale = (typeof locales)[number];
export const baseLocale: Locale = "${BASE}";
/** What may stand in a gap. */
export type Gap = NonNullable<unknown>;
export const isLocale = (name: unknown): name is Locale => locales.includes(name as Locale);
export let getLocale = (): Locale => baseLocale;
export function overwriteGetLocale(get: () => Locale): void {
  getLocale = get;
}
/** The form that a number takes in this language. */
export function form(n: Gap, forms: Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }): string {
  return forms[new Intl.PluralRules(getLocale()).select(Number(n))] ?? forms.other;
}
`;
}

/** Write a folder's files, and only what has changed of them. */
function write(folder: string, files: Record<string, string>): void {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) if (!(name in files)) rmSync(join(folder, name), { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    let before = "";
    try {
      before = readFileSync(path, "utf8");
    } catch {
      // it is new
    }
    if (before !== text) writeFileSync(path, text);
  }
}

/** Compile all words of a folder into another. */
export function compile(from: string, into: string): void {
  const languages = readLanguages(from);
  const wrong = differences(languages);
  if (wrong.length > 0) throw new Error(wrong.join("\n"));
  const keys = Object.keys(languages[BASE]!);
  write(join(into, "messages"), Object.fromEntries(keys.map((key) => [`${key}.ts`, compiled(key, languages)])));
  for (const [name, text] of Object.entries({
    "messages.ts": keys.map((key) => `export { ${key} } from "./messages/${key}";\n`).join(""),
    "runtime.ts": runtime(Object.keys(languages)),
  })) {
    writeFileSync(join(into, name), text);
  }
}

/** Compile the words before every build, and again whenever they change. */
export function words(from: string, into: string): Plugin {
  return {
    name: "words",
    buildStart() {
      compile(from, into);
      for (const name of readdirSync(from)) this.addWatchFile(join(from, name));
    },
    watchChange(id) {
      if (resolve(id).startsWith(from)) compile(from, into);
    },
  };
}

if (import.meta.main)
  compile(resolve(import.meta.dirname, "../messages"), resolve(import.meta.dirname, "../src/words"));
