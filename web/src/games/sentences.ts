// How sentences speak of people: "You drew …" or "Sailor drew …", "your bridge" or "Sailor’s bridge".
import * as m from "@/words/messages";
import type { Player } from "./contract";

/** The subject of a sentence in the past tense; in French with its auxiliary. */
export function who(players: Player[], seat: number | null): string {
  const player = seat === null ? undefined : players[seat];
  if (!player) return m.who_other({ name: m.chance_name() });
  return player.you ? m.who_you() : m.who_other({ name: player.name });
}

/** A player within a sentence: "to you", "to Sailor". */
export function whom(players: Player[], seat: number): string {
  return players[seat]?.you ? m.whom_you() : (players[seat]?.name ?? "");
}

/** Names as one says them: "Anna, Ben and Chloé". */
export function listed(names: string[]): string {
  return new Intl.ListFormat(document.documentElement.lang || "en").format(names);
}
