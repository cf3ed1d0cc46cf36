"""A view of Kula Kula as a row of numbers."""

from archipel.core.features import Part, by_name, by_seat, mover, number, one_of, pile, row, seat

from .board import KINDS
from .game import PHASES, KulaKula


def layout(game: KulaKula) -> Part:
    """Space by space, on whatever board; the others' Pukas are not told."""
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
