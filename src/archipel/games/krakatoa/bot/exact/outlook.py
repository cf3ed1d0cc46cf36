"""The value of the end of a turn: the win chance, treating all later turns as independent."""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from archipel.games.krakatoa.board import ROUNDS
from archipel.games.krakatoa.rules import Position, Setup, side_of, thrower

from .faces import Chances, marked
from .sheet import SPAN, Sheet, exactly

PRIDE = 1e-6
"""The value of a point besides the win chance, so that decided games are played well too."""


def win_chances(sheet: Sheet, facts: Setup, s: Position) -> Chances:
    """The thrower's win chance at the end of the turn, by marks and by the points that the turn still brings."""
    side = side_of(facts, thrower(s))
    own = exactly(sheet.reach(ROUNDS - int(s.round_no)))
    totals = int(s.totals[side]) + np.arange(-1, SPAN + own.shape[1] - 1)
    ahead = np.prod([_at_most(sheet, facts, s, at, totals) for at in range(len(_order(s))) if at != s.turn], axis=0)
    wins = (ahead[:-1] + ahead[1:]) / 2  # a shared win counts half
    return own @ sliding_window_view(wins, own.shape[1]).T + PRIDE * np.arange(SPAN)


def _order(s: Position) -> list[int]:
    return [int(seat) for seat in s.order[: s.throwers]]


def _at_most(sheet: Sheet, facts: Setup, s: Position, at: int, totals: Chances) -> Chances:
    """The probability that the side at this place of the order ends with at most this total."""
    side = side_of(facts, s.order[at])
    reach = sheet.reach(ROUNDS - int(s.round_no) + int(at > s.turn))[marked(*s.marks[side])]
    needed = totals - int(s.totals[side]) + 1
    return 1 - np.where(needed <= 0, 1.0, np.append(reach, 0.0)[np.clip(needed, 0, len(reach))])
