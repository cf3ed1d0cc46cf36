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
  "table.too-fast": m.refused_too_fast,
  "table.not-kept": m.refused_not_kept,
  "table.link-revoked": m.error_dead_link,
  "http.404": m.error_no_table,
  "client.offline": m.error_offline,
};

/** What a game's own rules say where the server's sentence is not the player's language. */
const RULES: Record<string, () => string> = {
  "krakatoa.aim": m.refused_krakatoa_aim,
  "krakatoa.scratch": m.refused_krakatoa_scratch,
  "krakatoa.actions": m.refused_krakatoa_actions,
};

/** The game and the anchor of its rules page, if a game's own rule stands behind it. */
export function ruleOf(rule: string): { game: string; anchor: string } | null {
  const [game = "", anchor = ""] = rule.split(".");
  return ["table", "http", "client"].includes(game) ? null : { game, anchor };
}

/** The sentence to show. The server's own is English: elsewhere the rule itself, beside it, says more. */
export function refusal({ rule, reason }: { rule: string; reason: string }): string {
  const known = SAID[rule];
  if (known) return known();
  if (rule === "table.options") return m.refused_options({ reason });
  if (language.now === "en" && reason) return reason;
  const own = RULES[rule];
  if (own) return own();
  const behind = ruleOf(rule);
  if (behind) return behind.anchor === "actions" ? m.refused_not_action() : m.refused_rule();
  return m.error_unknown({ reason });
}
