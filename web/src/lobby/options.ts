// The options of each game in the player's language; an option that nobody has translated speaks as the server does.
import * as words from "@/words/messages";
import type { OptionInfo } from "@/table/protocol";

const all = words as unknown as Record<string, (() => string) | undefined>;

export function optionName(game: string, option: OptionInfo): string {
  return all[`option_${game}_${option.name}`]?.() ?? option.name;
}

export function optionWhy(game: string, option: OptionInfo): string {
  return all[`option_${game}_${option.name}_why`]?.() ?? option.about;
}

export function valueName(value: unknown): string {
  if (typeof value === "boolean") return value ? words.setup_yes() : words.setup_no();
  if (Array.isArray(value)) return value.join(" : ");
  return String(value);
}
