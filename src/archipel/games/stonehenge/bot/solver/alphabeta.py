"""Alpha-beta: who wins a Stonehenge position.

A game has no draws, so alpha and beta are one question: does the mover win? The rules are implemented again here, for
positions of a few numbers; the tests compare them with the engine's. On top of that come pruning and move ordering.
"""

import math
from typing import NamedTuple

import numpy as np

from archipel.core import bits
from archipel.core.compiled import compiled, kernel
from archipel.core.rules import Numbers
from archipel.games.stonehenge import board
from archipel.games.stonehenge.board import HANDS, VALUES
from archipel.games.stonehenge.rules import N_CELLS, N_LINES

from . import table as tables
from .position import (
    CELLS_ON,
    FIELD,
    FIELDS,
    FREE,
    HAND,
    LEVEL,
    LINES_AT,
    NEED,
    OPEN,
    PARTS,
    ROOM,
    STEP,
    THROUGH,
    TURNS,
    Stack,
    Table,
    crossings,
    field,
    key,
)

LOSS, WIN, UNKNOWN = 0, 1, -1

SYMMETRIC = 9
"""With this many empty cells a symmetric position is likely to come up; with fewer, looking for it costs more than it
saves."""
TINY = 3
"""With this few empty cells searching is faster than looking up."""
SORTED = 10
"""How many moves are tried in the order of their value: if none of them wins, the order of the rest hardly matters."""
NAMELESS = np.uint64(0)

NODES, LIMIT = 0, 1
"""The indices of the number of nodes so far, and of its limit."""

# Small integer types, so that all tables together fit into the processor's cache.
BEST = board.BEST.astype(np.int8)
KIND = board.KIND.astype(np.int8)
KINDS = board.KINDS.astype(np.int8)
UNIT = board.UNIT.astype(np.int16)
N_ACTIONS = len(VALUES) * N_CELLS


class Search(NamedTuple):
    """The data of a search: the positions from its root on, the table, and its notes."""

    stack: Stack
    table: tables.Words
    history: Table
    killer: Numbers
    lists: Table
    least: Table
    counts: Numbers


def new_search(table: tables.Words) -> Search:
    depths = N_CELLS + 2
    return Search(
        np.zeros((depths, PARTS), np.int64),
        table,
        np.zeros((2, N_ACTIONS), np.int64),
        np.full(depths, -1, np.int64),
        np.zeros((depths, N_ACTIONS), np.int64),
        np.zeros((depths, N_LINES), np.int64),
        np.zeros(2, np.int64),
    )


STEEPNESS = 4.0
COST = 60
"""The cost of a druid per point, in thousandths of a line."""
HISTORY = 1000
"""Beyond this, a move's history score is halved."""
KILLER = 300
"""The bonus of a killer move: one that has just won against the opponent's last move but one."""


def _promise(packed: int) -> float:
    lead, room = (packed >> ROOM) - LEVEL, packed & 7
    return 1000 / (1 + math.exp(-lead / (STEEPNESS * max(room, 0.3))))


PROMISE = np.array([_promise(packed) for packed in range(FIELDS)]).astype(np.int16)
"""The expected value of an open line for seat 0, by its lead and empty cells, in thousandths of a line."""


def _gain(seat: int, value: int, packed: int) -> int:
    after = packed + int(STEP[seat, value, 0, 0])
    gain = int(PROMISE[after] - PROMISE[packed]) if 0 <= after < FIELDS else 0
    return gain if seat == 0 else -gain


GAIN = np.array([[[_gain(s, v, f) for v in range(len(VALUES))] for f in range(FIELDS)] for s in range(2)], np.int16)
"""What a seat's druid adds to that value, by seat, line and value."""


def _lowered(hand: int, value: int) -> int:
    if not HANDS[hand][value]:
        return 0
    after = BEST[hand - UNIT[value]]
    return min((k for k in range(1, 6) if BEST[hand, k] != after[k]), default=6)


LOWERED = np.array([[_lowered(hand, v) for v in range(len(VALUES))] for hand in range(len(HANDS))], np.int8)
"""The number k from which a hand's k best druids are worth less without this one; 6: never."""
_ONES = sum(1 << FIELD * i for i in range(5))
_ROOMS = 7 * _ONES
_LINE_OF_BIT = np.array([bit // FIELD for bit in range(64)], np.int8)


@compiled
def mover(stack: Stack, depth: int) -> int:
    """Seat 0 places when the number of empty cells is even."""
    return bits.count(stack[depth, FREE]) & 1


@compiled
def ahead(packed: int, seat: int) -> int:
    lead = (packed >> ROOM) - LEVEL
    return -lead if seat else lead


@compiled
def lines_with(words: Stack, depth: int, room: int) -> int:
    """The lines with at least this many empty cells, as bits."""
    lines = 0
    for word in range(3):
        # A line's empty cells, plus 8 minus that number: from there on it carries into the fourth bit.
        flags = ((words[depth, word] & _ROOMS) + (8 - int(room)) * _ONES) & (8 * _ONES)
        while flags:
            lines |= bits.bit(5 * word + _LINE_OF_BIT[bits.first(flags)])
            flags &= flags - 1
    return lines


@compiled
def won(stack: Stack, depth: int, seat: int, lines: int, last: int) -> int:
    """Which of these open lines the seat wins whatever the other does; `last`: 1 if it has placed last, else 0."""
    mine = 0
    theirs = stack[depth, HAND + 1 - seat]
    while lines:
        line = bits.first(lines)
        packed = field(stack, depth, line)
        room = packed & 7
        if ahead(packed, seat) >= BEST[theirs, room] + (last if room == 0 else 0):
            mine |= bits.bit(line)
        lines &= lines - 1
    return mine


@compiled
def play(stack: Stack, depth: int, move: int) -> int:
    """Push the position after the move; WIN or LOSS for the mover if that ends the game, else UNKNOWN."""
    after, seat = depth + 1, mover(stack, depth)
    other, value, cell = 1 - seat, move // N_CELLS, move % N_CELLS
    for word in range(3):
        stack[after, word] = stack[depth, word] + STEP[seat, value, cell, word]
    stack[after, FREE] = stack[depth, FREE] & ~bits.bit(cell)
    hand = stack[depth, HAND + seat]
    stack[after, HAND + seat] = hand - UNIT[value]
    stack[after, HAND + other] = stack[depth, HAND + other]
    lines = stack[depth, OPEN]
    mine = won(stack, after, seat, lines & THROUGH[cell], 1)
    stack[after, NEED + seat] = stack[depth, NEED + seat] - bits.count(mine)
    if stack[after, NEED + seat] <= 0:
        return WIN
    lines &= ~mine
    theirs = won(stack, after, other, lines & (THROUGH[cell] | lines_with(stack, after, LOWERED[hand, value])), 0)
    stack[after, NEED + other] = stack[depth, NEED + other] - bits.count(theirs)
    stack[after, OPEN] = lines & ~theirs
    return LOSS if stack[after, NEED + other] <= 0 else UNKNOWN


@compiled
def least_to_close(stack: Stack, depth: int, seat: int, packed: int) -> int:
    """The minimum points with which a druid of the seat would win an open line."""
    room = packed & 7
    # On a full line the opponent can add nothing, but the player who placed last must be ahead.
    rest = BEST[stack[depth, HAND + 1 - seat], room - 1] if room > 1 else 1
    return rest - ahead(packed, seat)


@compiled
def closing(search: Search, depth: int) -> tuple[int, int]:
    """The open lines that the mover's best druid would win, and those of the opponent's; the minimum points are
    noted."""
    stack = search.stack
    seat = mover(stack, depth)
    mine = theirs = 0
    best, foe_s_best = BEST[stack[depth, HAND + seat], 1], BEST[stack[depth, HAND + 1 - seat], 1]
    lines = stack[depth, OPEN]
    while lines:
        line = bits.first(lines)
        packed = field(stack, depth, line)
        least = least_to_close(stack, depth, seat, packed)
        search.least[depth, line] = least
        mine |= int(best >= least) << line
        theirs |= int(foe_s_best >= least_to_close(stack, depth, 1 - seat, packed)) << line
        lines &= lines - 1
    return mine, theirs


@compiled
def enough_at_once(lines: int, need: int, free: int) -> bool:
    """True if this many of the lines go through one empty cell."""
    if need > 3 or bits.count(lines) < need:
        return False
    while free:
        if bits.count(lines & THROUGH[bits.first(free)]) >= need:
            return True
        free &= free - 1
    return False


@compiled
def cells_on(lines: int) -> int:
    cells = 0
    while lines:
        cells |= CELLS_ON[bits.first(lines)]
        lines &= lines - 1
    return cells


@compiled
def parries(lines: int, need: int, free: int) -> int:
    """The empty cells where a druid may stop the opponent from closing this many of these lines with the next one."""
    cells = free
    if need > 3 or bits.count(lines) < need:
        return cells
    threats = free
    while threats and cells:
        through = lines & THROUGH[bits.first(threats)]
        if bits.count(through) >= need:
            cells &= cells_on(through)
        threats &= threats - 1
    return cells


@compiled
def survey(search: Search, depth: int) -> tuple[int, int]:
    """WIN or LOSS if that is obvious, else UNKNOWN; and the cells outside which everything loses."""
    stack = search.stack
    seat, free = mover(stack, depth), stack[depth, FREE]
    mine, theirs = closing(search, depth)
    if enough_at_once(mine, stack[depth, NEED + seat], free):
        return WIN, free
    within = parries(theirs, stack[depth, NEED + 1 - seat], free)
    return (UNKNOWN if within else LOSS), within


@compiled
def closes(search: Search, depth: int, line: int) -> tuple[int, int, int]:
    """A line's lead and empty cells; the minimum points that win it for the mover, and the value of that."""
    if not search.stack[depth, OPEN] >> line & 1:
        return 0, 0, 0
    packed = field(search.stack, depth, line)
    promise = int(PROMISE[packed])
    return packed, int(search.least[depth, line]), promise if mover(search.stack, depth) else 1000 - promise


@compiled
def list_at(search: Search, depth: int, cell: int, n: int) -> int:
    """Add a cell's moves to the list; if a druid wins every line there, stronger ones are left out."""
    stack = search.stack
    seat = mover(stack, depth)
    line_0, least_0, whole_0 = closes(search, depth, LINES_AT[cell, 0])
    line_1, least_1, whole_1 = closes(search, depth, LINES_AT[cell, 1])
    line_2, least_2, whole_2 = closes(search, depth, LINES_AT[cell, 2])
    enough = max(least_0, least_1, least_2)
    hand = stack[depth, HAND + seat]
    for k in range(KINDS[hand]):
        value = int(KIND[hand, k])
        points, move = value + 1, value * N_CELLS + cell
        worth = search.history[seat, move] - COST * points
        worth += whole_0 if points >= least_0 else GAIN[seat, line_0, value]
        worth += whole_1 if points >= least_1 else GAIN[seat, line_1, value]
        worth += whole_2 if points >= least_2 else GAIN[seat, line_2, value]
        if search.killer[depth] == move:
            worth += KILLER
        search.lists[depth, n] = ((worth + (1 << 30)) << 8) | move
        n += 1
        if points >= enough:
            break
    return n


@compiled
def list_moves(search: Search, depth: int, within: int, some: int, several: int) -> int:
    """List the moves that need to be tried, each with its value above the move's own eight bits; return their number.

    `some` and `several` are the empty cells through which at least one open line goes, and at least two.
    """
    n = 0
    lines, free = search.stack[depth, OPEN], search.stack[depth, FREE]
    cells = several & within
    while cells:
        n = list_at(search, depth, bits.first(cells), n)
        cells &= cells - 1
    single = some & ~several & within
    while single:
        cell = bits.first(single)
        n = list_at(search, depth, cell, n)
        # The other empty cells that only this line still goes through are equivalent to this one.
        single &= ~CELLS_ON[bits.first(lines & THROUGH[cell])]
    idle = free & ~some & within
    if idle:
        n = list_at(search, depth, bits.first(idle), n)
    return n


@compiled
def take(lists: Table, depth: int, i: int, n: int) -> int:
    """Move the best remaining move to the front of the list, and return it."""
    best = i
    if i < SORTED:
        for j in range(i + 1, n):
            if lists[depth, j] > lists[depth, best]:
                best = j
    chosen = lists[depth, best]
    lists[depth, best] = lists[depth, i]
    lists[depth, i] = chosen
    return int(chosen & 255)


@kernel("stonehenge", brief=True)
def promising(search: Search, out: Numbers) -> int:
    """List the moves of the bottom position that need to be tried, the most promising first."""
    closing(search, 0)
    some, several = crossings(search.stack, 0)
    n = list_moves(search, 0, search.stack[0, FREE], some, several)
    for i in range(n):
        out[i] = take(search.lists, 0, i, n)
    return n


@compiled
def name_for_table(stack: Stack, depth: int, several: int) -> np.uint64:
    turns = TURNS if bits.count(stack[depth, FREE]) >= SYMMETRIC else 1
    return np.uint64(key(stack, depth, several, turns) << 1)


@compiled
def credit(search: Search, depth: int, move: int) -> None:
    """Increase the history score of a move that has won."""
    seat = mover(search.stack, depth)
    search.killer[depth] = move
    search.history[seat, move] += bits.count(search.stack[depth, FREE]) ** 2
    if search.history[seat, move] > HISTORY:
        for other in range(N_ACTIONS):
            search.history[seat, other] >>= 1


@kernel("stonehenge")
def wins(search: Search, depth: int) -> int:
    """WIN or LOSS for the mover of the top position, or UNKNOWN when the nodes are used up."""
    before = search.counts[NODES]
    search.counts[NODES] += 1
    if before >= search.counts[LIMIT]:
        return UNKNOWN
    result, within = survey(search, depth)
    if result != UNKNOWN:
        return result
    some, several = crossings(search.stack, depth)
    worth_a_look = bits.count(search.stack[depth, FREE]) > TINY
    name = name_for_table(search.stack, depth, several) if worth_a_look else NAMELESS
    result = tables.probe(search.table, name) if worth_a_look else UNKNOWN
    if result != UNKNOWN:
        return result
    result = LOSS
    n = list_moves(search, depth, within, some, several)
    for i in range(n):
        move = take(search.lists, depth, i, n)
        outcome = play(search.stack, depth, move)
        if outcome == UNKNOWN:
            answer = wins(search, depth + 1)
            if answer == UNKNOWN:
                return UNKNOWN
            outcome = LOSS if answer == WIN else WIN
        if outcome == WIN:
            credit(search, depth, move)
            result = WIN
            break
    if worth_a_look:
        tables.store(search.table, name, result, search.counts[NODES] - before)
    return result
