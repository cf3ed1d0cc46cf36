// Kahuna in sentences.
import * as m from "@/words/messages";
import type { Player, Section } from "../contract";
import { degree, ends, facts, islands, lines, ownerOf, size, type Island, type KahunaView } from "./view";

const some = (cards: string[]) => cards.join(" ") || m.kahuna_none();

function island(view: KahunaView, players: Player[], name: Island): string {
  const far = (owner: number | null) =>
    lines
      .filter((line) => ends(line).includes(name) && ownerOf(view.bridges, line) === owner)
      .map((line) => ends(line).find((end) => end !== name)!)
      .join(" ");
  const list = [
    ...[0, 1]
      .filter((seat) => far(seat))
      .map((seat) => m.kahuna_text_to({ name: players[seat]!.name, islands: far(seat) })),
    ...(far(null) ? [m.kahuna_text_free({ islands: far(null) })] : []),
  ].join("; ");
  const owner = ownerOf(view.stones, name);
  const holder = owner === null ? m.kahuna_text_held_none() : m.kahuna_text_held({ name: players[owner]!.name });
  return m.kahuna_text_island({ island: name, lines: m.kahuna_lines({ n: degree[name]! }), list, holder });
}

function seat(view: KahunaView, players: Player[], which: number): string {
  return m.kahuna_text_seat({
    name: players[which]!.name,
    points: m.count_points({ n: view.scores[which]! }),
    stones: m.kahuna_stones({ n: view.stones[which]!.length }),
    bridges: m.kahuna_bridges({ n: view.bridges[which]!.length }),
    cards: m.kahuna_hand_size({ n: size(view.hands[which]!) }),
  });
}

export function describe(view: KahunaView, players: Player[]): Section[] {
  const hand = view.seat === null ? 0 : view.hands[view.seat]!;
  const round = m.kahuna_round({ round: view.round, rounds: facts.rounds });
  const down = size(view.hidden_discard[0]) + size(view.hidden_discard[1]);
  return [
    {
      title: m.text_standing(),
      lines: [
        view.last_turns ? `${round}, ${m.kahuna_last_turn()}.` : `${round}.`,
        ...[0, 1].map((which) => seat(view, players, which)),
      ],
    },
    {
      title: m.kahuna_text_cards(),
      lines: [
        ...(typeof hand === "number" ? [] : [m.kahuna_text_hand({ cards: some(hand) })]),
        m.kahuna_text_open({ cards: some(view.open) }),
        m.kahuna_text_deck({ cards: m.kahuna_hand_size({ n: size(view.deck) }) }),
        m.kahuna_text_discard({ cards: some(view.discard) + (down ? `, ${m.kahuna_discard_down({ n: down })}` : "") }),
        ...[0, 1]
          .filter((which) => which !== view.seat && view.known[which]!.length > 0)
          .map((which) => m.kahuna_text_known({ name: players[which]!.name, cards: some(view.known[which]!) })),
      ],
    },
    { title: m.kahuna_text_islands(), lines: islands.map((name) => island(view, players, name)) },
  ];
}
