"""A view of Krakatoa as a row of numbers."""

from archipel.core.features import Part, by_seat, each, flag, letters, mover, number, one_of, row, seat

from .board import BOXES, DICE, LETTERS, ROUNDS, SETS, THROWS
from .game import BEST_THROW, Krakatoa
from .rules import PHASES
from .sheet import MARKS


def layout(game: Krakatoa) -> Part:
    """Die by die; totals as a part of the highest that can be thrown."""
    seats, sides = game.seats, game.sides
    points = number(BEST_THROW * 2 ** (len(MARKS) - 1) * (ROUNDS * THROWS + BOXES))
    return row(
        seat=one_of(*range(seats)),
        mover=mover(seats),
        phase=one_of(*PHASES),
        round=one_of(*range(ROUNDS + 1)),
        throw=one_of(*range(THROWS + BOXES + 1)),
        order=each(*[seat(seats)] * seats),
        thrower=seat(seats),
        rerolled=flag(),
        aim=row(set=one_of(*SETS), at=one_of(*DICE)),
        dice=letters(LETTERS, len(DICE)),
        throwoff=by_seat(sides, letters(LETTERS, len(DICE) // len(SETS))),
        totals=by_seat(sides, points),
        scores=by_seat(seats, points),
        marks=by_seat(sides, each(one_of(*MARKS), one_of(*MARKS))),
        boxes_left=number(BOXES),
        winner=seat(seats),
    )
