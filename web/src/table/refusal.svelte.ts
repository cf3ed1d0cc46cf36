// Why something was refused, in the player's language, and the rule to read.
import { language } from "@/app/language.svelte";
import * as m from "@/words/messages";

const SAID: Record<string, () => string> = {
  "table.stale": m.refused_stale,
  "table.not-your-turn": m.refused_not_your_turn,
  "table.seat-taken": m.refused_seat_taken,
  "table.link-needed": m.refused_link_needed,
  "table.name-needed": m.refused_name_needed,
  "table.over": m.refused_over,
  "table.not-begun": m.refused_not_begun,
  "table.known": m.refused_known,
  "table.not-yours": m.refused_not_yours,
  "table.no-hints": m.refused_no_hints,
  "table.busy": m.refused_busy,
  "table.still-here": m.refused_still_here,
  "table.no-such-table": m.error_no_table,
  "table.link": m.error_dead_link,
  "table.full-house": m.error_full_house,
  "table.other-rules": m.error_other_rules,
  "table.too-fast": m.refused_too_fast,
  "table.not-kept": m.refused_not_kept,
  "table.link-revoked": m.error_dead_link,
  "table.removed": m.refused_removed,
  "table.session-ended": m.refused_session_ended,
  "http.404": m.error_no_table,
  "client.offline": m.error_offline,
  "client.local": m.local_failed,
  "table.local-full": m.local_full,
  "table.local-elsewhere": m.local_elsewhere,
  "table.local-older": m.local_older,
  "table.local-damaged": m.local_damaged,
};

/** The game and the anchor of its rules page, if a game's own rule stands behind it. */
export function ruleOf(rule: string): { game: string; anchor: string } | null {
  const [game = "", anchor = ""] = rule.split(".");
  return ["table", "http", "client"].includes(game) ? null : { game, anchor };
}

/** What the server says of a refusal: the rule, the sentence in English, and how it was put together. */
export interface Told {
  rule: string;
  reason: string;
  words?: string;
  gaps?: Record<string, string | string[]>;
}

/** Translations of the server's sentences, from the Python package; loaded with the language. */
const FILES = import.meta.glob<Record<string, string>>(
  ["../../../src/archipel/*/refusals.*.json", "../../../src/archipel/games/*/refusals.*.json"],
  { import: "default" },
);
let sentences: Record<string, string> = $state.raw({});

/** Have the sentences of this language at hand. */
export async function learn(locale: string): Promise<void> {
  const files = Object.entries(FILES).filter(([path]) => path.endsWith(`.${locale}.json`));
  sentences = Object.assign({}, ...(await Promise.all(files.map(([, load]) => load()))));
}

$effect.root(() => {
  $effect(() => void learn(language.now).catch(() => undefined));
});

/** What fills a gap: a word that has a name in this language, or a choice of several. */
function gap(part: string | string[]): string {
  if (typeof part === "string") return sentences[part] ?? part;
  return new Intl.ListFormat(language.now, { type: "disjunction" }).format(part);
}

/** A sentence of the server in the language of the page, if it is known there. */
export function translated({ reason, words, gaps }: Omit<Told, "rule">): string | null {
  if (language.now === "en") return reason || null;
  const known = sentences[words || reason];
  return known?.replace(/\{(\w+)\}/g, (_, name: string) => gap(gaps?.[name] ?? "")) ?? null;
}

/** Why a table cannot be sat down at, and what to do next. */
export function closed(told: Told): string {
  return told.rule === "table.link-needed" ? m.error_link_needed() : refusal(told);
}

/** The sentence to show. */
export function refusal(told: Told): string {
  const known = SAID[told.rule]?.() ?? translated(told);
  if (known) return known;
  if (told.rule === "table.options") return m.refused_options({ reason: told.reason });
  return ruleOf(told.rule) ? m.refused_rule() : m.error_unknown({ reason: told.reason });
}
