// Stonehenge's manifest: what the lobby and the table need to know of it.
import * as m from "@/words/messages";
import type { Manifest } from "../contract";

export default {
  order: 2,
  title: m.game_stonehenge,
  about: m.lobby_about_stonehenge,
  minutes: 10,
  weight: 2,
  art: () => import("./Art.svelte"),
  options: {
    hidden: [m.option_stonehenge_hidden, m.option_stonehenge_hidden_why],
    claims: [m.option_stonehenge_claims, m.option_stonehenge_claims_why],
  },
  values: { auto: [m.value_auto], manual: [m.value_manual] },
  noChance: true,
  also: { path: "/proof", words: m.proof_link },
  load: () => import("./play"),
  lesson: () => import("./lesson"),
} satisfies Manifest;
