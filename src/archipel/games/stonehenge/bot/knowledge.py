"""Stonehenge's knowledge for the search, with open druids: the solver's evaluation of who wins, and of each druid."""

import sys

from archipel.bots.knowledge import Knowledge, Weights, no_numbers, register
from archipel.core.compiled import compiled
from archipel.core.maths import exp, tanh
from archipel.core.rules import Numbers, Record
from archipel.games.stonehenge.board import BEST, LINES_AT
from archipel.games.stonehenge.bot.solver.judgement import DRUIDS, IN_HAND, LINE, MEGALITH, TURN
from archipel.games.stonehenge.bot.solver.position import LEVEL, ROOM
from archipel.games.stonehenge.rules import N_CELLS, N_LINES, Position, Setup

TRUST = 0.35
"""How much the evaluation's odds count when they are turned into a value; 0.5 would be fully."""
KEENNESS = 0.35
"""How much a move's odds increase its prior."""


@compiled
def odds_of(s: Position, line: int) -> float:
    """What a line adds to the odds of seat 0."""
    if s.owner[line] >= 0:
        return MEGALITH if s.owner[line] == 0 else -MEGALITH
    return float(LINE[(int(s.lead[line]) + LEVEL) << ROOM | int(s.room[line])])


@compiled
def estimate(lore: Record, facts: Setup, s: Position, worth: Weights) -> bool:
    """The evaluation; False with face-down druids and manual claims."""
    if facts.hidden or facts.manual:
        return False
    odds = IN_HAND[s.hand[0]] - IN_HAND[s.hand[1]] + TURN[s.mover]
    for line in range(N_LINES):
        odds += odds_of(s, line)
    worth[0] = tanh(TRUST * odds)
    worth[1] = -worth[0]
    return True


@compiled
def gain(s: Position, seat: int, points: int, line: int) -> float:
    """What a druid on an open line adds to the odds of its seat."""
    sign = 1 if seat == 0 else -1
    room, lead = int(s.room[line]) - 1, int(s.lead[line]) + sign * points
    rest = int(BEST[s.hand[1 - seat], room]) if room else 1
    after = sign * MEGALITH if sign * lead >= rest else LINE[(lead + LEVEL) << ROOM | room]
    return float(sign * (after - odds_of(s, line)))


@compiled
def prior(lore: Record, facts: Setup, s: Position, actions: Numbers, n: int, out: Weights) -> bool:
    if facts.hidden or facts.manual:
        return False
    for i in range(n):
        value, cell = actions[i] // N_CELLS, actions[i] % N_CELLS
        odds = -DRUIDS[value]
        for k in range(3):
            line = LINES_AT[cell, k]
            if s.owner[line] < 0:
                odds += gain(s, int(s.mover), value + 1, line)
        out[i] = exp(KEENNESS * odds)
    return True


KNOWLEDGE = register(Knowledge(sys.modules[__name__], no_numbers("stonehenge"), curiosity=1.0))
