// The options of each game in the player's language; an option that nobody has translated speaks as the server does.
import * as m from "@/words/messages";
import type { OptionInfo } from "@/table/protocol";

type Words = () => string;

/** Name and explanation, by game and option. */
const OPTIONS: Record<string, [name: Words, why: Words]> = {
  "kahuna.edition": [m.option_kahuna_edition, m.option_kahuna_edition_why],
  "kahuna.guarded": [m.option_kahuna_guarded, m.option_kahuna_guarded_why],
  "kahuna.open_cards": [m.option_kahuna_open_cards, m.option_kahuna_open_cards_why],
  "kahuna.handicap": [m.option_kahuna_handicap, m.option_kahuna_handicap_why],
  "stonehenge.hidden": [m.option_stonehenge_hidden, m.option_stonehenge_hidden_why],
  "stonehenge.claims": [m.option_stonehenge_claims, m.option_stonehenge_claims_why],
  "kula_kula.players": [m.option_kula_kula_players, m.option_kula_kula_players_why],
  "kula_kula.return_home": [m.option_kula_kula_return_home, m.option_kula_kula_return_home_why],
  "kula_kula.turn_limit": [m.option_kula_kula_turn_limit, m.option_kula_kula_turn_limit_why],
  "krakatoa.players": [m.option_krakatoa_players, m.option_krakatoa_players_why],
  "krakatoa.teams": [m.option_krakatoa_teams, m.option_krakatoa_teams_why],
  "krakatoa.game": [m.option_krakatoa_game, m.option_krakatoa_game_why],
};

/** How dice may fall: name and explanation. */
const DICE: Record<string, [name: Words, why: Words]> = {
  physics: [m.dice_physics, m.dice_physics_why],
  odds: [m.dice_odds, m.dice_odds_why],
  pad: [m.dice_pad, m.dice_pad_why],
};

const VALUES: Record<string, Words> = {
  iello: m.value_iello,
  tilsit: m.value_tilsit,
  auto: m.value_auto,
  manual: m.value_manual,
  advanced: m.value_advanced,
  basic: m.value_basic,
};

export function optionName(game: string, option: OptionInfo): string {
  return OPTIONS[`${game}.${option.name}`]?.[0]() ?? option.name;
}

export function optionWhy(game: string, option: OptionInfo): string {
  return OPTIONS[`${game}.${option.name}`]?.[1]() ?? option.about;
}

export function diceName(way: string): string {
  return DICE[way]?.[0]() ?? way;
}

export function diceWhy(way: string): string {
  return DICE[way]?.[1]() ?? "";
}

/** A handicap is a number for each seat, at most one above 0. */
function handicap(numbers: number[]): string {
  const seat = numbers.findIndex((n) => n > 0);
  return seat < 0 ? m.value_handicap_none() : m.value_handicap({ n: numbers[seat]!, seat: seat + 1 });
}

export function valueName(value: unknown): string {
  if (Array.isArray(value)) return handicap(value as number[]);
  return VALUES[String(value)]?.() ?? String(value);
}
