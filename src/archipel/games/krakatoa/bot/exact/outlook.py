"""The value of the end of a turn: the win chance, treating all later turns as independent."""

import numpy as np

from archipel.games.krakatoa.board import ROUNDS
from archipel.games.krakatoa.rules import Position, Setup, side_of, thrower

from .faces import MARKS, Chances, marked
from .sheet import SPAN, Sheet, exactly
from .spans import stay_below, win_by

PRIDE = 1e-6
"""The value of a point besides the win chance, so that decided games are played well too."""


def win_chances(sheet: Sheet, facts: Setup, s: Position) -> Chances:
    """The thrower's win chance at the end of the turn, by marks and by the points that the turn still brings."""
    own = exactly(sheet.reach(ROUNDS - int(s.round_no)))
    total = int(s.totals[side_of(facts, thrower(s))])
    ahead = np.ones(SPAN + own.shape[1])
    for at in range(int(s.throwers)):
        if at != s.turn:
            other = side_of(facts, int(s.order[at]))
            turns = ROUNDS - int(s.round_no) + int(at > s.turn)
            stay_below(sheet.reach(turns)[marked(*s.marks[other])], total - int(s.totals[other]), ahead)
    out = np.empty((MARKS, SPAN))
    win_by(own, ahead, PRIDE, out)
    return out
