// What happens in a game of Stonehenge, in sentences.
import * as m from "@/words/messages";
import type { Move, Player } from "../contract";
import type { Sound } from "@/table/sounds";
import { listed, who } from "../sentences";
import { facts, type Cell, type Line, type StonehengeView } from "./view";

/** What an action brought about, as the game's `written` tells it. */
interface Brought {
  claimed?: [line: Line, seat: number][];
  revealed?: [cell: Cell, seat: number, value: number][];
}

export function narrate({ seat, action, wrote }: Move, players: Player[]): string[] {
  const { claimed = [], revealed = [] } = (wrote ?? {}) as Brought;
  return [...placed(action, who(players, seat)), ...turned(revealed), ...megaliths(claimed, players)];
}

function placed(action: Move["action"], subject: string): string[] {
  if (action.do !== "place") return [];
  const said = { who: subject, cell: action.cell as string };
  return [
    action.druid === null
      ? m.stonehenge_told_hidden(said)
      : m.stonehenge_told_place({ ...said, druid: action.druid as number }),
  ];
}

function turned(revealed: NonNullable<Brought["revealed"]>): string[] {
  if (revealed.length === 0) return [];
  return [m.stonehenge_told_revealed({ list: listed(revealed.map(([cell, , value]) => `${value} (${cell})`)) })];
}

function megaliths(claimed: NonNullable<Brought["claimed"]>, players: Player[]): string[] {
  return players.flatMap((_, seat) => {
    const lines = claimed.filter(([, owner]) => owner === seat).map(([line]) => line);
    if (lines.length === 0) return [];
    return [m.stonehenge_told_claimed({ n: lines.length, who: who(players, seat), lines: listed(lines) })];
  });
}

export function goal(view: StonehengeView): string {
  const [a, b] = view.scores as [number, number];
  return m.stonehenge_goal({ n: facts.megaliths, a, b });
}

export const sound = (): Sound => "stone";
