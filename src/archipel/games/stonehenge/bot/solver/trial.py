"""Who wins a Stonehenge position, by exhaustive search with the engine's own rules.

This is simpler than the solver, slower, and shares no code with it. It stores positions completely, so that two are
never mistaken for each other.
"""

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

import archipel
from archipel.core import bits
from archipel.core.compiled import Array, compiled, kernel
from archipel.core.rules import OVER, Facts, Numbers, Raw, copy, record
from archipel.core.state import State
from archipel.games.stonehenge.rules import ACTIONS, N_CELLS, N_LINES, Position, apply, legal

MEGABYTES = 64
MEGALITH = 400
"""The value of a megalith in move ordering; and of a point of a druid, which is better kept."""
POINT = 60
HISTORY = 1000
"""Beyond this, a move's history score is halved."""
LOST, WON = 1, 2
LEVEL = 32

Raws = Annotated[NDArray[np.uint8], Array("u1", 2)]
Table = Annotated[NDArray[np.int64], Array("i8", 2)]
Images = Annotated[NDArray[np.int64], Array("i8", 2)]
"""For each symmetry of the board, where each cell comes from, or each line."""
Name = tuple[int, int, int]


class Trial:
    """The memory of an exhaustive search."""

    def __init__(self, megabytes: int = MEGABYTES) -> None:
        game, depths = archipel.game("stonehenge"), N_CELLS + 2
        self._facts = game.facts
        self._tried = np.zeros((max(1, megabytes * (1 << 20) // 24), 3), np.int64)
        self._raws = np.zeros((depths, game.rules.state.itemsize), np.uint8)
        self._moves = np.zeros((depths, ACTIONS), np.int64)
        self._history = np.zeros((2, ACTIONS), np.int64)
        self._count = np.zeros(1, np.int64)

    @property
    def positions(self) -> int:
        """The number of positions searched so far."""
        return int(self._count[0])

    def wins(self, state: State) -> bool:
        """True if the mover of this state wins."""
        self._raws[0] = state._raw
        room = self._raws, 0, self._moves, self._history, self._tried, self._count
        return bool(wins_by_trying(self._facts, *room))


@kernel("stonehenge", brief=True)
def alike(facts: Facts, raw: Raw, cells: Images, lines: Images, out: Raw) -> None:
    """A form that is the same for all positions that are tried once: the least of a position's images under the
    symmetries of the board. Who owns a closed line does not matter, only how many each player has."""
    s = record(facts[0], raw)
    best = 0
    for image in range(1, len(cells)):
        if _comes_before(s, cells, lines, image, best):
            best = image
    for line in range(N_LINES):
        out[line] = _lead(s, lines[best, line])
    for cell in range(N_CELLS):
        out[N_LINES + cell] = int(s.free) >> cells[best, cell] & 1
    end = N_LINES + N_CELLS
    for seat in range(2):
        out[end + 2 * seat] = s.hand[seat] & 255
        out[end + 2 * seat + 1] = s.hand[seat] >> 8
        out[end + 4 + seat] = s.megaliths[seat]


@compiled
def _comes_before(s: Position, cells: Images, lines: Images, image: int, other: int) -> bool:
    for line in range(N_LINES):
        one, two = _lead(s, lines[image, line]), _lead(s, lines[other, line])
        if one != two:
            return one < two
    for cell in range(N_CELLS):
        one, two = int(s.free) >> cells[image, cell] & 1, int(s.free) >> cells[other, cell] & 1
        if one != two:
            return one < two
    return False


@compiled
def _lead(s: Position, line: int) -> int:
    """The lead on an open line as a byte; 127 on a closed one."""
    return int(s.lead[line]) & 255 if s.owner[line] < 0 else 127


@compiled
def named(s: Position) -> Name:
    """Everything that matters: the leads of open lines, the empty cells, hands and counts. The owner of a closed line
    does not."""
    first = second = 0
    for line in range(10):
        first = (first << 6) | (int(s.lead[line]) + LEVEL if s.owner[line] < 0 else 0)
    for line in range(10, N_LINES):
        second = (second << 6) | (int(s.lead[line]) + LEVEL if s.owner[line] < 0 else 0)
    second = (second << N_CELLS) | int(s.free)
    third = (int(s.hand[0]) << 16) | (int(s.hand[1]) << 8) | (int(s.megaliths[0]) << 4) | int(s.megaliths[1])
    return first, second, third


@compiled
def remembered(tried: Table, name: Name, at: int) -> int:
    """LOST or WON if the position has been searched, else 0."""
    same = tried[at, 0] == name[0] and tried[at, 1] == name[1] and tried[at, 2] >> 2 == name[2]
    return int(tried[at, 2] & 3) if same else 0


@compiled
def remember(tried: Table, name: Name, at: int, answer: int) -> None:
    tried[at, 0] = name[0]
    tried[at, 1] = name[1]
    tried[at, 2] = name[2] << 2 | answer


@compiled
def worth(s: Position, seat: int) -> int:
    """How well the lines stand for a seat: only for move ordering."""
    total = 0
    for line in range(N_LINES):
        if s.owner[line] < 0:
            lead = int(s.lead[line]) if seat == 0 else -int(s.lead[line])
            total += POINT * lead // (3 + 4 * int(s.room[line]))
        else:
            total += MEGALITH if s.owner[line] == seat else -MEGALITH
    return total


@compiled
def list_moves(facts: Facts, raws: Raws, depth: int, moves: Table, history: Table) -> int:
    """List the mover's moves, each with its value above the move's own eight bits; return their number, or -1 if one
    wins."""
    s = record(facts[0], raws[depth])
    seat, n = int(s.mover), 0
    for i in range(legal(facts[0], s, moves[depth])):
        action = int(moves[depth, i])
        copy(raws[depth], raws[depth + 1])
        after = record(facts[0], raws[depth + 1])
        apply(facts[0], after, action)
        if after.mover != OVER:
            order = worth(after, seat) + history[seat, action] - POINT * (action // N_CELLS)
            moves[depth, n] = (order + (1 << 20)) << 8 | action
            n += 1
        elif after.winners == bits.bit(seat):
            return -1
    return n


@compiled
def take(moves: Numbers, i: int, n: int) -> int:
    """Move the best remaining move to the front of the list, and return it."""
    best = i
    for j in range(i + 1, n):
        if moves[j] > moves[best]:
            best = j
    moves[i], moves[best] = moves[best], moves[i]
    return int(moves[i] & 255)


@compiled
def credit(history: Numbers, action: int, empty: int) -> None:
    """Increase the history score of a move that has won."""
    history[action] += empty * empty
    if history[action] > HISTORY:
        for other in range(len(history)):
            history[other] >>= 1


@kernel("stonehenge")
def wins_by_trying(
    facts: Facts, raws: Raws, depth: int, moves: Table, history: Table, tried: Table, count: Numbers
) -> bool:
    """True if the mover wins: if after one of the moves the opponent does not."""
    count[0] += 1
    s = record(facts[0], raws[depth])
    name = named(s)
    at = hash(name) % len(tried)
    known = remembered(tried, name, at)
    if known:
        return known == WON
    n = list_moves(facts, raws, depth, moves, history)
    won = n < 0
    for i in range(n):
        action = take(moves[depth], i, n)
        copy(raws[depth], raws[depth + 1])
        apply(facts[0], record(facts[0], raws[depth + 1]), action)
        if not wins_by_trying(facts, raws, depth + 1, moves, history, tried, count):
            credit(history[int(s.mover)], action, bits.count(s.free))
            won = True
            break
    remember(tried, name, at, WON if won else LOST)
    return won
