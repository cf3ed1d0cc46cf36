// What happens in a game of Krakatoa, in sentences.
import * as m from "@/words/messages";
import type { Move, Player } from "../contract";
import type { Sound } from "@/table/sounds";
import { listed, who } from "../sentences";
import { tidings } from "./tidings";
import { dieName, facts, fall, setName, SETS, type Box, type KrakatoaView } from "./view";

export function narrate(
  { seat, action, wrote, fall: fell }: Move,
  players: Player[],
  previous: Move | null = null,
): string[] {
  const subject = who(players, seat);
  const box = (wrote ?? null) as Box | null;
  const told = tidings(box, fell ?? null, box ? (players[box.seat]?.name ?? "") : "");
  const brought = [...(box && box.throw > facts.throws ? [m.krakatoa_told_bonus()] : []), ...(told?.words ?? [])];
  switch (action.do) {
    case "keep":
      return [m.krakatoa_told_keep({ who: subject }), ...brought];
    case "reroll":
      return [m.krakatoa_told_reroll({ who: subject })];
    case "throw":
      return [
        m.krakatoa_told_throw({
          who: subject,
          set: setName(action.set as string),
          die: dieName(action.at as string),
        }),
      ];
    default:
      return box ? brought : [shown(action.faces as string, previous?.action.do === "reroll"), ...brought];
  }
}

/** What dice show that nobody has scored yet: one set of the opening roll, or all nine. */
function shown(faces: string, again: boolean): string {
  const sets = faces.split(" ");
  if (sets.length === 1) return m.krakatoa_told_opening({ fall: fall(faces).name });
  const told = again ? m.krakatoa_told_nine : m.krakatoa_told_nine_new;
  return told({
    falls: listed(sets.map((letters, k) => `${setName(SETS[k]!)} ${fall(letters).name}`)),
  });
}

export function goal(view: KrakatoaView): string {
  return m.krakatoa_goal({ rounds: facts.rounds, totals: view.totals.join("–") });
}

/** Dice are heard when they fall. */
export const sound = ({ action }: Move): Sound | null => (action.do === "land" ? "dice" : null);
