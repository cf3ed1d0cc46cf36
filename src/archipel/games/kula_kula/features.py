"""A view of Kula Kula as a row of numbers."""

from archipel.core import encoding as told
from archipel.core.compiled import compiled
from archipel.core.encoding import RowOut
from archipel.core.features import Part, by_name, by_seat, mover, number, one_of, pile, row, seat

from .board import KINDS
from .game import KulaKula
from .rules import IDOL, PHASES, Position, Setup, pukas_at


def layout(game: KulaKula) -> Part:
    """Space by space, on any board; the others' Pukas too, if they could be counted."""
    seats, board = game.seats, game.board
    cards = by_name(KINDS, number(max(board.oracle)))
    kauri = by_seat(seats, number(game.all_kauri))
    return row(
        seat=one_of(*range(seats)),
        mover=mover(seats),
        phase=one_of(*PHASES),
        boats=by_seat(seats, one_of(*range(len(board.ring)))),
        pukas=by_seat(seats, number(board.supply)),
        kauris=kauri,
        scores=kauri,
        sea=by_name(map(str, board.numbers), number(board.limit)),
        islands=by_name(board.kauri, number(max(board.kauri.values()))),
        deck=cards,
        discard=cards,
        drawn=pile(KINDS, max(board.oracle), sum(board.oracle)),
        supply=number(board.supply),
        turn=number(game.turns),
        winner=seat(seats),
    )


@compiled
def observe(facts: Setup, s: Position, seat: int, out: RowOut) -> None:
    """The same from the state itself."""
    seats, spaces = int(facts.players), int(facts.spaces)
    viewer = max(seat, 0)
    cards, most, kauri = 0, 0, 0
    for kind in range(len(KINDS)):
        cards += int(facts.cards[kind])
        most = max(most, int(facts.cards[kind]))
    for space in range(spaces):
        kauri += int(facts.island[space]) * int(facts.shells[space])
    at = told.one_of(out, 0, seat, seats)
    at = told.mover(out, at, s.mover, viewer, seats)
    at = told.one_of(out, at, s.phase, len(PHASES))
    for k in range(seats):
        at = told.one_of(out, at, s.boats[(viewer + k) % seats], spaces)
    for k in range(seats):
        if s.counted or (k == 0 and seat >= 0):
            told.number(out, at + k, s.pukas[(viewer + k) % seats], facts.supply)
    at += seats
    for _ in range(2):
        for k in range(seats):
            at = told.number(out, at, s.kauris[(viewer + k) % seats], kauri)
    for k in range(facts.numbered):
        at = told.number(out, at, pukas_at(facts, s, facts.sea[k]), facts.limit)
    for space in range(spaces):
        if facts.island[space]:
            at = told.number(out, at, s.shells[space], highest(facts))
    for kind in range(len(KINDS)):
        at = told.number(out, at, s.deck[kind], most)
    for kind in range(len(KINDS)):
        at = told.number(out, at, s.discard[kind], most)
    for k in range(s.drawn):
        out[at + (int(s.fish[k >> 3]) >> (k & 7) & 1)] += 1 / most
    out[at + IDOL] += s.idol / most
    at = told.number(out, at + len(KINDS), s.drawn + s.idol, cards)
    at = told.number(out, at, s.supply, facts.supply)
    at = told.number(out, at, s.turn, facts.turns)
    told.winners(out, at, s.winners, viewer, seats)


@compiled
def highest(facts: Setup) -> int:
    """The highest number of Kauri on an island at the start."""
    most = 0
    for space in range(facts.spaces):
        if facts.island[space]:
            most = max(most, int(facts.shells[space]))
    return most
