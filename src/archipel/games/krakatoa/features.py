"""A view of Krakatoa as a row of numbers."""

from archipel.core import encoding as told
from archipel.core.compiled import compiled
from archipel.core.encoding import RowOut
from archipel.core.features import Part, by_seat, each, flag, letters, mover, number, one_of, row, seat

from .board import BEST_THROW, BOXES, DICE, LETTER, LETTERS, ROUNDS, SETS, THROWS
from .game import Krakatoa
from .rules import MARKS, PHASES, TARGETS, Position, Setup, side_of

HIGHEST = BEST_THROW * 2 ** (len(MARKS) - 1) * (ROUNDS * THROWS + BOXES)


def layout(game: Krakatoa) -> Part:
    """Die by die; totals as a fraction of the highest possible."""
    seats, sides = game.seats, game.sides
    points = number(HIGHEST)
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


@compiled
def observe(facts: Setup, s: Position, seat: int, out: RowOut) -> None:
    """The same from the state itself."""
    seats, sides = int(facts.seats), int(facts.sides)
    viewer = max(seat, 0)
    at = told.one_of(out, 0, seat, seats)
    at = told.mover(out, at, s.mover, viewer, seats)
    at = told.one_of(out, at, s.phase, len(PHASES))
    at = told.one_of(out, at, s.round_no, ROUNDS + 1)
    at = told.one_of(out, at, s.throw_no, THROWS + BOXES + 1)
    for k in range(seats):
        at = told.seat(out, at, s.order[k] if k < s.throwers else -1, viewer, seats)
    at = told.seat(out, at, s.order[s.turn], viewer, seats)
    out[at] = s.rerolled
    at = aim_of(out, at + 1, s.aim)
    for k in range(3):
        at = set_of(out, at, s.dice[k])
    for k in range(sides):
        at = set_of(out, at, s.throwoff[(viewer + k) % sides])
    for k in range(sides):
        at = told.number(out, at, s.totals[(viewer + k) % sides], HIGHEST)
    for k in range(seats):
        at = told.number(out, at, s.totals[side_of(facts, (viewer + k) % seats)], HIGHEST)
    for k in range(sides):
        for coming in range(2):
            at = told.one_of(out, at, s.marks[(viewer + k) % sides, coming], len(MARKS))
    at = told.number(out, at, s.boxes, BOXES)
    told.winners(out, at, s.winners, viewer, seats)


@compiled
def set_of(out: RowOut, at: int, fall: int) -> int:
    """The letters of three dice; zeros if they are in the hand."""
    for die in range(3):
        at = told.one_of(out, at, LETTER[fall, die] if fall >= 0 else -1, len(LETTERS))
    return at


@compiled
def aim_of(out: RowOut, at: int, aim: int) -> int:
    """The set that is thrown, and the die of another set at which it is aimed."""
    thrown, target = aim // TARGETS, aim % TARGETS
    at = told.one_of(out, at, thrown if aim >= 0 else -1, len(SETS))
    return told.one_of(out, at, target + 3 * int(target >= 3 * thrown) if aim >= 0 else -1, len(DICE))
