// Krakatoa in sentences.
import * as m from "@/words/messages";
import type { Player, Section } from "../contract";
import { colour, facts, fall, lying, seatsOf, setName, SETS } from "./view";
import type { KrakatoaView, Letter, Set_ } from "./view";

function set(view: KrakatoaView, which: Set_): string {
  const letters = lying(view, which);
  if (!letters) return m.krakatoa_text_set_gone({ set: setName(which) });
  const colours = [...letters].map((letter) => colour(letter as Letter)).join(", ");
  const { name, points } = fall(letters);
  return m.krakatoa_text_set({ set: setName(which), letters: colours, name, points: m.count_points({ n: points }) });
}

function side(view: KrakatoaView, players: Player[], which: number): string {
  const [soon, later] = view.marks[which]!.map((mark) => mark || m.krakatoa_mark_none()) as [string, string];
  return m.krakatoa_text_side({
    names: seatsOf(view, which)
      .map((seat) => players[seat]!.name)
      .join(" + "),
    points: m.count_points({ n: view.totals[which]! }),
    marks: m.krakatoa_marks({ soon, later }),
  });
}

export function describe(view: KrakatoaView, players: Player[]): Section[] {
  const round = m.krakatoa_round({ round: view.round, rounds: facts.rounds });
  return [
    {
      title: m.text_standing(),
      lines: [
        view.round ? m.krakatoa_text_throw({ round, n: view.throw }) : m.krakatoa_throwoff(),
        ...view.totals.map((_, which) => side(view, players, which)),
        ...(view.options.game === "advanced" ? [m.krakatoa_boxes({ n: view.boxes_left })] : []),
      ],
    },
    { title: m.krakatoa_text_dice(), lines: SETS.map((which) => set(view, which)) },
  ];
}

/** What is to be typed where real dice are rolled at home. */
export function asks(view: KrakatoaView): string {
  if (view.phase === "throwoff") return m.krakatoa_ask_three();
  return view.aim ? m.krakatoa_ask_aimed({ set: setName(view.aim.set) }) : m.krakatoa_ask_nine();
}
