// Stonehenge in sentences.
import * as m from "@/words/messages";
import type { Player, Section } from "../contract";
import { cells, explain, facts, lines, type Cell, type StonehengeView } from "./view";

function cell(view: StonehengeView, players: Player[], which: Cell): string {
  const druid = view.cells[which];
  if (!druid) return m.stonehenge_cell_free({ cell: which });
  const name = players[druid[0]]!.name;
  if (druid[1] === null) return m.stonehenge_cell_hidden({ cell: which, name });
  return m.stonehenge_cell_druid({ cell: which, value: druid[1], name });
}

function hand(view: StonehengeView, players: Player[], seat: number): string {
  const held = view.hands[seat]!;
  const druids =
    typeof held === "number" ? m.stonehenge_unseen({ n: held }) : held.join(" ") || m.stonehenge_no_druids();
  return m.stonehenge_text_hand({ name: players[seat]!.name, druids });
}

export function describe(view: StonehengeView, players: Player[]): Section[] {
  const rows = Map.groupBy(cells, (which) => (facts.xy as unknown as Record<Cell, [number, number]>)[which]![1]);
  return [
    {
      title: m.text_standing(),
      lines: [0, 1].flatMap((seat) => [
        m.stonehenge_text_seat({
          name: players[seat]!.name,
          stones: m.stonehenge_megaliths({ n: view.scores[seat]! }),
        }),
        hand(view, players, seat),
      ]),
    },
    {
      title: m.stonehenge_text_rows(),
      lines: [...rows.values()].map((row) => row.map((which) => cell(view, players, which)).join("; ")),
    },
    { title: m.stonehenge_lines(), lines: lines.map((line) => explain(view, line, players)) },
  ];
}
