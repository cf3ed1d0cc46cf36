"""A Stonehenge position for the solver: only what matters for who wins, in nine integers.

Once a line has a megalith, its owner matters only for the count. So two positions are equivalent if they have the same
hands, the same counts, and the same open lines with the same leads, empty cells and crossings; and if one is a
symmetric image of the other, they have the same winner.
"""

from itertools import permutations
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from archipel.core import bits
from archipel.core.compiled import Array, compiled, instruction, kernel
from archipel.games.stonehenge import board
from archipel.games.stonehenge.board import CELLS, MEGALITHS, VALUES
from archipel.games.stonehenge.rules import N_CELLS, N_LINES, Position

Table = Annotated[NDArray[np.int64], Array("i8", 2)]
Stack = Table
"""Positions, one per row."""

# Along each of the three directions the lines have 2, 3, 4, 5 and 4 cells: in this order, the three look the same.
SIDES = (board.LINES[0:5], board.LINES[9:4:-1], board.LINES[14:9:-1])
LINES = tuple(line for side in SIDES for line in side)
"""The lines in the solver's order."""

# The parts of a position: an integer per direction; the empty cells and open lines as bits; hands; megaliths to go.
WORDS, FREE, OPEN, HAND, NEED, PARTS = 0, 3, 4, 5, 7, 9

# Such an integer has nine bits for each line of its direction: the lead of seat 0, which is at most 21, and the empty
# cells.
FIELD, ROOM, LEVEL = 9, 3, 32
ANY = (1 << FIELD) - 1
FIELDS = 1 << FIELD

LINES_AT = np.array([[i for i, line in enumerate(LINES) if cell in line] for cell in CELLS], np.int8)
"""The three lines through each cell, one of each direction."""
THROUGH = np.array([sum(1 << i for i, line in enumerate(LINES) if cell in line) for cell in CELLS], np.int32)
"""The same, as bits."""
CELLS_ON = np.array([sum(1 << CELLS.index(cell) for cell in line) for line in LINES], np.int32)
"""The cells of each line, as bits."""
WORD = np.array([line // 5 for line in range(N_LINES)], np.int8)
SHIFT = np.array([FIELD * (line % 5) for line in range(N_LINES)], np.int8)
_SOME = np.array([sum(ANY << FIELD * i for i in range(5) if lines >> i & 1) for lines in range(32)], np.int64)
"""The fields of some lines of a direction."""


def _step(seat: int, value: int, line: int) -> int:
    points = value + 1 if seat == 0 else -value - 1
    return ((points << ROOM) - 1) << int(SHIFT[line])


STEP = np.array(
    [[[[_step(s, v, line) for line in lines] for lines in LINES_AT] for v in range(len(VALUES))] for s in range(2)],
    np.int64,
)
"""What a seat's druid on a cell adds to each of the three integers."""

_TURNS = list(permutations(range(3)))
TURNS = len(_TURNS)
"""The board's symmetries, as where each direction goes; the first is the identity."""


def _turned_line(turn: tuple[int, ...], line: int) -> int:
    return turn[line // 5] * 5 + line % 5


def _turned_cell(turn: tuple[int, ...], cell: int) -> int:
    image = {_turned_line(turn, line) for line in LINES_AT[cell].tolist()}
    return next(c for c in range(N_CELLS) if set(LINES_AT[c].tolist()) == image)


TURNED_LINE = np.array([[_turned_line(turn, line) for line in range(N_LINES)] for turn in _TURNS], np.int64)
"""The image of each line under each symmetry."""
TURNED_CELL = np.array([[_turned_cell(turn, cell) for cell in range(N_CELLS)] for turn in _TURNS], np.int64)
"""The image of each cell under each symmetry."""
_COMES_FROM = np.array([[turn.index(word) for word in range(3)] for turn in _TURNS], np.int64)
_SIX = 6
_TURNED_CELLS = np.array(
    [
        [
            [sum(1 << int(image[first + i]) for i in range(_SIX) if six >> i & 1) for six in range(64)]
            for first in (0, 6, 12)
        ]
        for image in TURNED_CELL
    ],
    np.int32,
)
"""The images of cells under each symmetry, six at a time."""

VERSION = 18_15_9_9
_MIX = 0x1E3779B97F4A7C15, 0x3F58476D1CE4E5B9, 0x14D049BB133111EB, 0x2545F4914F6CDD1D
_MIX_0, _MIX_1, _MIX_2, _MIX_3 = _MIX
_LOW = (1 << 63) - 1


@instruction("product")
def product(a: int, b: int) -> int:
    """The low 63 bits of a product."""
    return (int(a) * int(b)) & _LOW


def pack(s: Position, stack: Stack, depth: int = 0) -> None:
    """Push an engine's state."""
    words, open_lines = [0, 0, 0], 0
    for i, name in enumerate(LINES):
        line = board.LINES.index(name)
        words[i // 5] |= ((int(s.lead[line]) + LEVEL) << ROOM | int(s.room[line])) << int(SHIFT[i])
        open_lines |= int(s.owner[line] < 0) << i
    hands, needs = s.hand.tolist(), [MEGALITHS - n for n in s.megaliths.tolist()]
    stack[depth] = *words, int(s.free), open_lines, *hands, *needs


@compiled
def field(stack: Stack, depth: int, line: int) -> int:
    """The line's lead and empty cells."""
    return int((stack[depth, WORD[line]] >> SHIFT[line]) & ANY)


@compiled
def crossings(stack: Stack, depth: int) -> tuple[int, int]:
    """The empty cells through which at least one open line goes, and at least two."""
    one = two = 0
    lines = stack[depth, OPEN]
    while lines:
        cells = CELLS_ON[bits.first(lines)]
        two |= one & cells
        one |= cells
        lines &= lines - 1
    return one & stack[depth, FREE], two & stack[depth, FREE]


@compiled
def mixed(a: int, b: int, c: int, d: int) -> int:
    """Mix four numbers into one of 63 bits."""
    h = product(a, _MIX_0)
    h = product(h ^ (h >> 32) ^ b, _MIX_1)
    h = product(h ^ (h >> 29) ^ c, _MIX_2)
    h = product(h ^ (h >> 32) ^ d, _MIX_3)
    h = product(h ^ (h >> 30), _MIX_0)
    return h ^ (h >> 31)


@compiled
def chosen(i: int, a: int, b: int, c: int) -> int:
    return a if i == 0 else b if i == 1 else c


@compiled
def key(stack: Stack, depth: int, crossed: int, turns: int) -> int:
    """A hash that is equal for equivalent positions, up to a number of symmetries.

    Cells on exactly one open line are equivalent, and so are those on none: their number follows from the rest.
    """
    lines = stack[depth, OPEN]
    a = stack[depth, 0] & _SOME[lines & 31]
    b = stack[depth, 1] & _SOME[(lines >> 5) & 31]
    c = stack[depth, 2] & _SOME[lines >> 10]
    rest = (stack[depth, HAND] << 18) | (stack[depth, HAND + 1] << 26) | (stack[depth, NEED] << 34)
    best = mixed(a, b, c, rest | crossed)
    for turn in range(1, turns):
        first, second, third = _COMES_FROM[turn, 0], _COMES_FROM[turn, 1], _COMES_FROM[turn, 2]
        cells = _TURNED_CELLS[turn, 0, crossed & 63] | _TURNED_CELLS[turn, 1, (crossed >> 6) & 63]
        cells |= _TURNED_CELLS[turn, 2, crossed >> 12]
        words = chosen(first, a, b, c), chosen(second, a, b, c), chosen(third, a, b, c)
        best = min(best, mixed(words[0], words[1], words[2], rest | cells))
    return best


@kernel("stonehenge", brief=True, wide=True)
def name(stack: Stack, depth: int) -> int:
    """The key of a position, including symmetries; its second lowest bit is the mover, and the lowest is free."""
    mover = bits.count(stack[depth, FREE]) & 1
    return (key(stack, depth, crossings(stack, depth)[1], TURNS) & ~3) | (mover << 1)
