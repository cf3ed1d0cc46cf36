"""An evaluation of who is likely to win: a logistic regression on solved positions.

It is right nine times in ten with eight to eleven empty cells; `training/stonehenge.py` computes the parameters. It
decides nothing: it only orders the search for a proof.
"""

import numpy as np

from archipel.core import bits
from archipel.core.compiled import compiled
from archipel.games.stonehenge.board import HANDS

from .position import FIELDS, FREE, HAND, LEVEL, NEED, OPEN, ROOM, Stack, field

LEADS = (
    (),
    (0.13, 0.71, 1.84, 2.30, 2.51),
    (1.29, 2.02, 2.54, 2.83, 3.24, 3.37, 3.65, 4.12),
    (0.67, 1.42, 2.23, 2.79, 3.29, 3.52, 3.93, 4.05, 4.25),
    (1.19, 1.58, 2.19, 2.73, 3.16, 3.45),
)
"""What an open line adds to the log odds: by its empty cells, for a lead of 1, 2 and so on."""
DRUID = (-2.79, -2.17, -0.56, 1.80, 3.96, 5.74)
"""What a druid in the hand adds, by its value."""
MEGALITH = 3.94
MOVER = 2.93, -5.99
"""What it adds for seat 0 that seat 0 is to place, or seat 1."""


def _line(packed: int) -> float:
    lead, room = (packed >> ROOM) - LEVEL, packed & 7
    if lead == 0 or not 1 <= room < len(LEADS):
        return 0.0
    known = LEADS[room]
    return known[min(abs(lead), len(known)) - 1] * (1 if lead > 0 else -1)


LINE = np.array([_line(packed) for packed in range(FIELDS)])
IN_HAND = np.array([sum(n * druid for n, druid in zip(hand, DRUID, strict=True)) for hand in HANDS])
DRUIDS = np.array(DRUID)
TURN = np.array(MOVER)


@compiled
def likely(stack: Stack, depth: int) -> float:
    """The log odds that seat 0 wins."""
    odds = IN_HAND[stack[depth, HAND]] - IN_HAND[stack[depth, HAND + 1]] + TURN[bits.count(stack[depth, FREE]) & 1]
    odds += MEGALITH * (stack[depth, NEED + 1] - stack[depth, NEED])
    lines = stack[depth, OPEN]
    while lines:
        odds += LINE[field(stack, depth, bits.first(lines))]
        lines &= lines - 1
    return float(odds)
