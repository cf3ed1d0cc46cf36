// Kula Kula's manifest: what the lobby and the table need to know of it.
import * as m from "@/words/messages";
import type { Manifest } from "../contract";
import Art from "./Art.svelte";

export default {
  order: 3,
  title: m.game_kula_kula,
  about: m.lobby_about_kula_kula,
  minutes: 30,
  weight: 1,
  Art,
  options: {
    players: [m.option_kula_kula_players, m.option_kula_kula_players_why],
    return_home: [m.option_kula_kula_return_home, m.option_kula_kula_return_home_why],
    turn_limit: [m.option_kula_kula_turn_limit, m.option_kula_kula_turn_limit_why],
  },
  load: () => import("./play"),
  lesson: () => import("./lesson"),
} satisfies Manifest;
