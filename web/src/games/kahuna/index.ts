// Kahuna's manifest: what the lobby and the table need to know of it.
import * as m from "@/words/messages";
import type { Manifest } from "../contract";

/** A handicap is a number for each player, at most one above 0. */
function handicap(value: unknown): string | null {
  if (!Array.isArray(value)) return null;
  const seat = (value as number[]).findIndex((n) => n > 0);
  if (seat < 0) return m.value_handicap_none();
  const n = value[seat] as number;
  return seat === 0 ? m.value_handicap_first({ n }) : m.value_handicap_second({ n });
}

export default {
  order: 1,
  title: m.game_kahuna,
  about: m.lobby_about_kahuna,
  minutes: 25,
  weight: 2,
  art: () => import("./Art.svelte"),
  options: {
    edition: [m.option_kahuna_edition, m.option_kahuna_edition_why],
    guarded: [m.option_kahuna_guarded, m.option_kahuna_guarded_why],
    open_cards: [m.option_kahuna_open_cards, m.option_kahuna_open_cards_why],
    handicap: [m.option_kahuna_handicap, m.option_kahuna_handicap_why],
    sudden_end: [m.option_kahuna_sudden_end, m.option_kahuna_sudden_end_why],
    open_copy: [m.option_kahuna_open_copy, m.option_kahuna_open_copy_why],
    memory_aid: [m.option_memory_aid, m.option_kahuna_memory_aid_why],
  },
  values: {
    iello: [m.value_iello],
    tilsit: [m.value_tilsit],
    act: [m.value_act],
    state: [m.value_state],
    shown: [m.value_shown],
    choose: [m.value_choose],
  },
  valueName: handicap,
  load: () => import("./play"),
  lesson: () => import("./lesson"),
} satisfies Manifest;
