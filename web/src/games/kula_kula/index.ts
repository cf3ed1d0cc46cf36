// Kula Kula's manifest: what the lobby and the table need to know of it.
import * as m from "@/words/messages";
import type { Manifest } from "../contract";

export default {
  order: 3,
  title: m.game_kula_kula,
  about: m.lobby_about_kula_kula,
  minutes: 30,
  weight: 1,
  art: () => import("./Art.svelte"),
  options: {
    players: [m.option_kula_kula_players, m.option_kula_kula_players_why],
    return_home: [m.option_kula_kula_return_home, m.option_kula_kula_return_home_why],
    turn_limit: [m.option_kula_kula_turn_limit, m.option_kula_kula_turn_limit_why],
    toll: [m.option_kula_kula_toll, m.option_kula_kula_toll_why],
    dolphin: [m.option_kula_kula_dolphin, m.option_kula_kula_dolphin_why],
    memory_aid: [m.option_memory_aid, m.option_kula_kula_memory_aid_why],
  },
  form: { option: "board", load: () => import("./BoardForm.svelte") },
  values: { before: [m.value_before], after: [m.value_after] },
  load: () => import("./play"),
  lesson: () => import("./lesson"),
} satisfies Manifest;
