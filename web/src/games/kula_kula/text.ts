// Kula Kula in sentences.
import * as m from "@/words/messages";
import type { Player, Section } from "../contract";
import { boardOf, boatsAt, cardName, goalOf, homesAt, KINDS, total, type Kind, type KulaView } from "./view";

/** A space with its shells, the boats there, and those who are at home there. */
export function spaceWords(view: KulaView, players: Player[], space: number): string {
  const place = boardOf(view).ring[space]!;
  const names = (seats: number[]) => seats.map((seat) => players[seat]!.name).join(", ");
  const boats = boatsAt(view, space);
  const homes = place.island ? homesAt(view, place.island) : [];
  return [
    place.island ? m.kula_island({ name: place.island, kauri: view.islands[place.island]! }) : "",
    place.number === undefined ? "" : m.kula_sea({ number: place.number, pukas: view.sea[String(place.number)]! }),
    ...(boats.length > 0 ? [m.kula_boats_here({ names: names(boats) })] : []),
    ...(homes.length > 0 ? [m.kula_home_of({ names: names(homes) })] : []),
  ]
    .filter(Boolean)
    .join(", ");
}

function seat(view: KulaView, players: Player[], which: number): string {
  const place = boardOf(view).ring[view.boats[which]!]!;
  const pukas = view.pukas[which] ?? null;
  return m.kula_text_seat({
    name: players[which]!.name,
    kauri: m.kula_kauri_of({ n: view.kauris[which]!, goal: goalOf(view) }),
    pukas: pukas === null ? m.kula_pukas_hidden() : m.kula_pukas({ n: pukas }),
    place: place.island ?? String(place.number),
  });
}

function pile(name: string, cards: Record<Kind, number>): string {
  return m.kula_text_pile({ pile: name, cards: KINDS.map((kind) => `${cards[kind]} ${cardName(kind)}`).join(", ") });
}

export function describe(view: KulaView, players: Player[]): Section[] {
  return [
    { title: m.text_seats(), lines: view.boats.map((_, which) => seat(view, players, which)) },
    {
      title: m.kula_text_oracle(),
      lines: [
        pile(m.kula_deck({ n: total(view.deck) }), view.deck),
        pile(m.kula_discard({ n: total(view.discard) }), view.discard),
        ...(view.drawn.length > 0 ? [m.kula_drawn({ cards: view.drawn.map(cardName).join(", ") })] : []),
        m.kula_supply({ n: view.supply }),
      ],
    },
    { title: m.kula_text_ring(), lines: boardOf(view).ring.map((_, space) => spaceWords(view, players, space)) },
  ];
}
