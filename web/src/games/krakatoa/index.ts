// Krakatoa's manifest: what the lobby and the table need to know of it.
import * as m from "@/words/messages";
import type { Manifest } from "../contract";

export default {
  order: 4,
  title: m.game_krakatoa,
  about: m.lobby_about_krakatoa,
  minutes: 20,
  weight: 1,
  art: () => import("./Art.svelte"),
  options: {
    dice: [m.option_dice],
    players: [m.option_krakatoa_players, m.option_krakatoa_players_why],
    teams: [m.option_krakatoa_teams, m.option_krakatoa_teams_why],
    game: [m.option_krakatoa_game, m.option_krakatoa_game_why],
  },
  values: {
    advanced: [m.value_advanced],
    basic: [m.value_basic],
    physics: [m.dice_physics, m.dice_physics_why],
    odds: [m.dice_odds, m.dice_odds_why],
    pad: [m.dice_pad, m.dice_pad_why],
  },
  drawsStart: true,
  load: () => import("./play"),
  lesson: () => import("./lesson"),
} satisfies Manifest;
