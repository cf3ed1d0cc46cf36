// How a game ended, in a sentence.
import * as m from "@/words/messages";
import type { AnyView, Player } from "@/games/contract";
import { listed } from "@/games/sentences";

export function result(view: Pick<AnyView, "winner" | "scores">, players: Player[]): string {
  const { winner } = view;
  if (winner === null) return "";
  if (!Array.isArray(winner) && players[winner]?.you) return m.result_won_you();
  if (!Array.isArray(winner)) return m.over_won({ name: players[winner]!.name });
  if (winner.length === players.length) return m.over_draw();
  return m.over_shared({ names: listed(winner.map((seat) => players[seat]!.name)) });
}
