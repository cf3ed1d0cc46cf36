// What happens in a game of Kula Kula, in sentences.
import * as m from "@/words/messages";
import type { Move, Player } from "../contract";
import type { Sound } from "@/table/sounds";
import { listed, who, whom } from "../sentences";
import { boardOf, cardName, facts, goalOf, type Kind, type KulaView } from "./view";

/** What an action brought about, as the game's `written` tells it. */
interface Brought {
  at?: string | number;
  toll?: number[];
  pukas?: number;
  lies?: number;
  lost?: Kind[];
  left?: number;
  limit?: boolean;
}

export function narrate(move: Move, players: Player[], _: Move | null, by: number | null): string[] {
  const brought = (move.wrote ?? {}) as Brought;
  const subject = who(players, move.seat ?? by);
  return [...deed(move, subject, brought), ...landed(subject, players, brought)];
}

function deed({ action }: Move, subject: string, { at, lies, lost = [] }: Brought): string[] {
  const said = { who: subject };
  switch (action.do) {
    case "sail":
    case "go":
      return [m.kula_told_sail({ ...said, place: place(at) })];
    case "oracle":
      return [m.kula_told_oracle(said)];
    case "dolphin":
      return [dolphin(action.number as number, lies ?? 0)];
    case "card":
      return [card(action.card as Kind, subject, lost.length)];
    case "trade":
      return [m.kula_told_trade({ ...said, island: place(at) })];
    default:
      return [];
  }
}

function place(at: string | number | undefined): string {
  return typeof at === "number" ? m.kula_told_space({ number: at }) : (at ?? "");
}

function dolphin(number: number, lies: number): string {
  return lies > 0 ? m.kula_told_dolphin({ number, n: lies }) : m.kula_told_dolphin_full({ number });
}

function card(kind: Kind, subject: string, lost: number): string {
  if (kind !== "idol") return m.kula_told_card({ who: subject, card: cardName(kind), n: facts.steps[kind] });
  return lost > 0 ? m.kula_told_idol_cards({ who: subject, n: lost }) : m.kula_told_idol({ who: subject });
}

function landed(subject: string, players: Player[], { toll = [], pukas = 0, limit }: Brought): string[] {
  const names = listed(toll.map((seat) => whom(players, seat)));
  return [
    ...(toll.length > 0 ? [m.kula_told_toll({ n: toll.length, who: subject, names })] : []),
    ...(pukas > 0 ? [m.kula_told_pukas({ n: pukas, who: subject })] : []),
    ...(limit ? [m.kula_told_limit()] : []),
  ];
}

export function goal(view: KulaView): string {
  const said = { goal: goalOf(view), price: boardOf(view).price };
  return view.options.return_home ? m.kula_goal_home(said) : m.kula_goal(said);
}

/** Water under a boat, cards, shells, and the idol's drum. */
export function sound({ action }: Move): Sound | null {
  const heard: Record<string, Sound> = { sail: "water", go: "water", trade: "shell", dolphin: "shell" };
  if (action.do === "card") return action.card === "idol" ? "idol" : "card";
  return heard[action.do] ?? null;
}
