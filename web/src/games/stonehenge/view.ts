// What a seat sees of a Stonehenge game, and the words for it.
import * as m from "@/words/messages";
import type { Action, AnyView, Player } from "../contract";
import facts from "./facts.json";

export type Cell = string;
export type Line = string;

export interface StonehengeView extends AnyView {
  cells: Record<Cell, [seat: number, value: number | null]>;
  hands: (number[] | number)[];
  megaliths: Record<Line, number>;
  revealed?: Cell[];
}

export { facts };
export const cells: Cell[] = facts.cells;
export const lines: Line[] = facts.lines;

/** An action in the player's language. */
export function say(action: Action): string {
  if (action.do === "claim") return m.stonehenge_do_claim({ line: action.line as string });
  if (action.do === "done") return m.stonehenge_do_done();
  const cell = action.cell as string;
  if (action.druid === null) return m.stonehenge_do_place_hidden({ cell });
  return m.stonehenge_do_place({ druid: action.druid as number, cell });
}

/** A player's druids by value, with the number still in hand: 0 keeps the place of those that all stand on the board. */
export function counted(view: StonehengeView, seat: number): [value: number, count: number][] {
  const hand = view.hands[seat] as number[];
  const placed = Object.values(view.cells).flatMap(([owner, value]) => (owner === seat && value !== null ? value : []));
  const values = [...new Set([...hand, ...placed])].sort((a, b) => a - b);
  return values.map((value) => [value, hand.filter((one) => one === value).length]);
}

function seatSum(view: StonehengeView, line: Line, seat: number): number {
  return [...line].reduce((sum, cell) => sum + (view.cells[cell]?.[0] === seat ? (view.cells[cell][1] ?? 0) : 0), 0);
}

/** Who leads a line, counted from what is in sight; nobody where both have the same. */
export function leaderOf(view: StonehengeView, line: Line): number | null {
  const ahead = seatSum(view, line, 0) - seatSum(view, line, 1);
  return ahead === 0 ? null : ahead > 0 ? 0 : 1;
}

/** What stands on a line, who leads it, and what could still turn it: counted from what is in sight. */
export function explain(view: StonehengeView, line: Line, players: Player[]): string {
  const name = (seat: number) => players[seat]!.name;
  const sum = [0, 1].map((seat) => seatSum(view, line, seat)) as [number, number];
  const sums = `${name(0)} ${sum[0]}, ${name(1)} ${sum[1]}`;
  const owner = view.megaliths[line];
  if (owner !== undefined) return m.stonehenge_line_owned({ name: name(owner), line, sums });
  const free = [...line].filter((cell) => !view.cells[cell]).length;
  const unknown = [...line].some((cell) => view.cells[cell]?.[1] === null);
  const leader = leaderOf(view, line);
  return [
    m.stonehenge_line_sums({ line, sums }),
    leader === null ? m.stonehenge_line_level() : m.stonehenge_line_leads({ name: name(leader) }),
    m.stonehenge_line_free({ n: free }),
    ...[0, 1].filter((seat) => seat !== leader && free > 0).map((seat) => canAdd(view.hands[seat]!, free, name(seat))),
    unknown ? m.stonehenge_line_unknown() : "",
  ]
    .filter(Boolean)
    .join(" ");
}

function canAdd(hand: number[] | number, free: number, name: string): string {
  if (typeof hand === "number") return "";
  const best = [...hand].sort((a, b) => b - a).slice(0, free);
  return m.stonehenge_line_can_add({ name, best: best.reduce((sum, value) => sum + value, 0) });
}
