"""Who wins a Stonehenge position: a search of every line of play that matters.

A game has no draws, so alpha and beta are one question: does the mover win? The
rules are the engine's own (`apply`, `dominates`); what is added here only says
which moves need not be tried, and in which order to try the rest.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from archipel.core import bits
from archipel.core.compiled import compiled
from archipel.core.rules import OVER, Facts, Numbers, Record
from archipel.games.stonehenge.board import BEST, KIND, KINDS, LENGTH, LINES_AT, MEGALITHS
from archipel.games.stonehenge.rules import N_CELLS, N_LINES, apply

from . import table as tables
from .position import CELLS_ON, LEAD, crossings, key, turned_key

LOSS, WIN, UNKNOWN = 0, 1, -1

SYMMETRIC = 11
"""With so many empty cells a turned position may well come up; with fewer, looking for it costs more than it saves."""

TINY = 3
"""So few empty cells are searched faster than looked up."""
NAMELESS = np.uint64(0)

Words = NDArray[np.uint64]
Stack = NDArray[np.void]

NODES, LIMIT = 0, 1
"""Where the counts have the nodes so far, and how many there may be."""


class Search(NamedTuple):
    """What a search works on: the rules' facts, the positions from its root on, what is known, and its notes."""

    facts: Facts
    stack: Stack
    table: Words
    history: Numbers
    lists: Numbers
    counts: Numbers


STEEPNESS = 4.0
COST = 60
"""What a druid costs for each of its points, in thousandths of a line."""
HISTORY = 1000
"""Beyond this, what a move has earned by winning elsewhere is halved."""

PROMISE = np.array(
    [
        [1000 / (1 + math.exp(-lead / (STEEPNESS * max(room, 0.3)))) for lead in range(-LEAD, LEAD + 1)]
        for room in range(int(LENGTH.max()) + 1)
    ]
).astype(np.int64)
"""What an open line promises the seat that leads by so much there, by its empty cells, in thousandths of a line."""


@compiled
def ahead(s: Record, seat: int, line: int) -> int:
    return int(s.lead[line]) if seat == 0 else -int(s.lead[line])


@compiled
def closes(s: Record, seat: int, value: int, line: int) -> bool:
    """Would a druid of this value (from 0), placed on the open line, make it the seat's?"""
    # On a full line the foe has nothing more to add, but whoever placed last must be ahead.
    least = BEST[s.hand[1 - seat], s.room[line] - 1] if s.room[line] > 1 else 1
    return bool(ahead(s, seat, line) + value + 1 >= least)


@compiled
def best_druid(s: Record, seat: int) -> int:
    hand = s.hand[seat]
    return int(KIND[hand, KINDS[hand] - 1])


@compiled
def closing(s: Record, seat: int) -> int:
    """The open lines, as bits, that the seat's best druid would make his."""
    lines = 0
    if KINDS[s.hand[seat]]:
        value = best_druid(s, seat)
        for line in range(N_LINES):
            if s.owner[line] < 0 and closes(s, seat, value, line):
                lines |= bits.bit(line)
    return lines


@compiled
def lines_at(cell: int) -> int:
    return bits.bit(LINES_AT[cell, 0]) | bits.bit(LINES_AT[cell, 1]) | bits.bit(LINES_AT[cell, 2])


@compiled
def can_win_now(s: Record) -> bool:
    need = MEGALITHS - s.megaliths[s.mover]
    if need > 3:
        return False
    lines = closing(s, s.mover)
    if bits.count(lines) < need:
        return False
    cells = s.free
    while cells:
        if bits.count(lines & lines_at(bits.first(cells))) >= need:
            return True
        cells &= cells - 1
    return False


@compiled
def cells_on(lines: int) -> int:
    cells = 0
    while lines:
        cells |= CELLS_ON[bits.first(lines)]
        lines &= lines - 1
    return cells


@compiled
def parries(s: Record) -> int:
    """The empty cells where a druid may stop the foe from winning with his next: outside them, all is lost."""
    foe = 1 - s.mover
    need = MEGALITHS - s.megaliths[foe]
    cells = int(s.free)
    if need > 3:
        return cells
    lines = closing(s, foe)
    if bits.count(lines) < need:
        return cells
    threats = int(s.free)
    while threats and cells:
        through = lines & lines_at(bits.first(threats))
        if bits.count(through) >= need:
            cells &= cells_on(through)
        threats &= threats - 1
    return cells


@compiled
def worth(s: Record, seat: int, value: int, cell: int) -> int:
    """A guess of how good a move is: what it adds to the promise of its lines, less the druid."""
    total = -COST * (value + 1)
    for k in range(3):
        line = LINES_AT[cell, k]
        if s.owner[line] < 0:
            lead = ahead(s, seat, line)
            total -= PROMISE[s.room[line], lead + LEAD]
            if closes(s, seat, value, line):
                total += 1000
            else:
                total += PROMISE[s.room[line] - 1, min(lead + value + 1, LEAD) + LEAD]
    return total


@compiled
def closes_all(s: Record, seat: int, value: int, cell: int) -> bool:
    for k in range(3):
        line = LINES_AT[cell, k]
        if s.owner[line] < 0 and not closes(s, seat, value, line):
            return False
    return True


@compiled
def list_at(s: Record, cell: int, history: Numbers, out: Numbers, n: int) -> int:
    """Add a cell's moves to the list; a druid that has its way there spares a better one."""
    seat = s.mover
    hand = s.hand[seat]
    for k in range(KINDS[hand]):
        value = int(KIND[hand, k])
        move = value * N_CELLS + cell
        out[n] = ((worth(s, seat, value, cell) + history[seat, move] + (1 << 30)) << 8) | move
        n += 1
        if closes_all(s, seat, value, cell):
            break
    return n


@compiled
def list_moves(s: Record, within: int, history: Numbers, out: Numbers) -> int:
    """List the moves that need be tried, each with its worth above the move's own eight bits; how many."""
    n = 0
    some, several = crossings(s)
    cells = several & within
    while cells:
        n = list_at(s, bits.first(cells), history, out, n)
        cells &= cells - 1
    single = some & ~several & within
    while single:
        cell = bits.first(single)
        n = list_at(s, cell, history, out, n)
        single &= single - 1
        for k in range(3):
            # The other empty cells that only this line still goes through are like this one.
            line = LINES_AT[cell, k]
            if s.owner[line] < 0:
                single &= ~CELLS_ON[line]
    idle = s.free & ~some & within
    if idle:
        n = list_at(s, bits.first(idle), history, out, n)
    return n


@compiled
def take_best(out: Numbers, i: int, n: int) -> int:
    """Bring the best of what is left of the list to the front; the move."""
    best = i
    for j in range(i + 1, n):
        if out[j] > out[best]:
            best = j
    out[i], out[best] = out[best], out[i]
    return int(out[i] & 255)


@compiled
def key_of(s: Record) -> Any:
    return key(s) if bits.count(s.free) >= SYMMETRIC else turned_key(s, 0)


@compiled
def credit(history: Numbers, s: Record, move: int) -> None:
    """Let a move that has won be tried sooner elsewhere."""
    history[s.mover, move] += bits.count(s.free) ** 2
    if history[s.mover, move] > HISTORY:
        history[s.mover] >>= 1


@compiled
def play(search: Search, depth: int, move: int) -> int:
    """Put the position after the move on the stack; WIN or LOSS for who moved if that is the end, else UNKNOWN."""
    search.stack[depth + 1] = search.stack[depth]
    after = search.stack[depth + 1]
    seat = int(after.mover)
    apply(search.facts[0], after, move)
    if after.mover != OVER:
        return UNKNOWN
    return WIN if after.winners == bits.bit(seat) else LOSS


@compiled
def wins(search: Search, depth: int) -> int:
    """Does the mover of the position on the stack win? WIN, LOSS, or UNKNOWN when the nodes have run out."""
    s = search.stack[depth]
    before = search.counts[NODES]
    search.counts[NODES] += 1
    if before >= search.counts[LIMIT]:
        return UNKNOWN
    if can_win_now(s):
        return WIN
    within = parries(s)
    if within == 0:
        return LOSS
    worth_a_look = bits.count(s.free) > TINY
    name = key_of(s) if worth_a_look else NAMELESS
    result = tables.probe(search.table, name) if worth_a_look else UNKNOWN
    if result != UNKNOWN:
        return result
    moves = search.lists[depth]
    n = list_moves(s, within, search.history, moves)
    for i in range(n):
        move = take_best(moves, i, n)
        result = play(search, depth, move)
        if result == UNKNOWN:
            answer = wins(search, depth + 1)
            if answer == UNKNOWN:
                return UNKNOWN
            result = LOSS if answer == WIN else WIN
        if result == WIN:
            credit(search.history, s, move)
            break
    if worth_a_look:
        tables.store(search.table, name, result, search.counts[NODES] - before)
    return result
