// What happens in a game of Kahuna, in sentences.
import * as m from "@/words/messages";
import type { Move, Player } from "../contract";
import type { Sound } from "@/table/sounds";
import { listed, who, whom } from "../sentences";
import { facts, named, uses, withCopy, type Island, type KahunaView, type Line } from "./view";

/** What an action brought about, as the game's `written` tells it. */
interface Brought {
  won?: Island[];
  lost?: Island[];
  stripped?: Line[];
  sudden?: boolean;
  bare?: boolean;
  last_turns?: boolean;
  round?: number;
  islands?: [number, number];
  points?: [number, number];
}

export function narrate(move: Move, players: Player[], previous: Move | null): string[] {
  return [...deed(move, players, previous), ...followed(move, players, previous)];
}

function deed({ seat, action }: Move, players: Player[], previous: Move | null): string[] {
  const said = { who: who(players, seat), line: named((action.line as Line | undefined) ?? "") };
  switch (action.do) {
    case "bridge":
      return [
        action.card
          ? m.kahuna_told_build({ ...said, card: withCopy(action, uses(action), null) })
          : m.kahuna_told_free(said),
      ];
    case "cut":
      return [m.kahuna_told_cut({ ...said, cards: withCopy(action, uses(action), null) })];
    case "refill":
      return [m.kahuna_told_refill(said)];
    case "discard":
      return [
        action.card
          ? m.kahuna_told_discard({ ...said, card: withCopy(action, [action.card as Island], null) })
          : m.kahuna_told_discard_down(said),
      ];
    case "draw":
      return [
        action.from === "deck" ? m.kahuna_told_deck(said) : m.kahuna_told_row({ ...said, card: action.from as string }),
      ];
    case "deal":
      return dealt(action.card as string | null, players, previous);
    default:
      return [m.kahuna_told_pass(said)];
  }
}

/** The first deals of a round go without a word; later a card comes to the player who drew, or to the open row. */
function dealt(card: string | null, players: Player[], previous: Move | null): string[] {
  if (card === null || previous?.action.do !== "draw") return [];
  if (previous.action.from !== "deck") return [m.kahuna_told_opened({ card })];
  return [m.kahuna_told_drew({ who: who(players, previous.seat), card })];
}

function followed({ seat, wrote }: Move, players: Player[], previous: Move | null): string[] {
  const { won, lost, stripped, sudden, bare, last_turns, ...scoring } = (wrote ?? {}) as Brought;
  /** A turn that ends with a draw ends when the card is dealt. */
  const turn = seat ?? previous?.seat ?? null;
  const other = seat === null ? null : 1 - seat;
  return [
    ...(won ? [m.kahuna_told_won({ who: who(players, seat), islands: listed(won) })] : []),
    ...(stripped ? [m.kahuna_told_stripped({ n: stripped.length, lines: listed(stripped.map(named)) })] : []),
    ...(lost ? [m.kahuna_told_lost({ who: who(players, other), islands: listed(lost) })] : []),
    ...(sudden ? [m.kahuna_told_sudden({ who: who(players, seat) })] : []),
    ...(bare ? [m.kahuna_told_bare({ who: who(players, turn) })] : []),
    ...scored(scoring, players),
    ...(last_turns ? [m.kahuna_told_last_turns()] : []),
  ];
}

function scored({ round, islands, points }: Brought, players: Player[]): string[] {
  if (!round || !islands || !points) return [];
  const [a, b] = islands;
  const names = { one: players[0]!.name, other: players[1]!.name };
  const best = points.findIndex((n) => n > 0);
  return [
    m.kahuna_told_round({ round, a, b, ...names }),
    best < 0
      ? m.kahuna_told_tied()
      : m.kahuna_told_points({ points: m.count_points({ n: points[best]! }), whom: whom(players, best) }),
  ];
}

export function goal(view: KahunaView): string {
  const [a, b] = view.stones.map((stones) => stones.length) as [number, number];
  return m.kahuna_goal({ round: view.round, rounds: facts.rounds, a, b });
}

/** Cards rustle, bridges are wood, islands stone. */
export function sound({ action, wrote }: Move): Sound {
  if ((wrote as Brought | null)?.won) return "stone";
  return ["bridge", "cut", "refill"].includes(action.do) ? "wood" : "card";
}
