"""A Stonehenge position as the solver sees it: what matters for who wins, and nothing else.

Whose megalith a line bears, once it bears one, matters only for the count. So two
positions are the same to the solver if they have the same hands, the same
counts, and the same open lines with the same leads, empty cells and crossings;
and if one is the other turned or mirrored, they have the same winner.
"""

from itertools import permutations
from typing import Any

import numpy as np

from archipel.core import bits
from archipel.core.compiled import compiled
from archipel.core.rules import Record
from archipel.games.stonehenge.board import CELLS, HANDS, LENGTH, LINES, MEGALITHS
from archipel.games.stonehenge.rules import N_CELLS, N_LINES

# Along each of the three directions the lines have 2, 3, 4, 5 and 4 cells: so ordered, the three look alike.
SIDES = (LINES[0:5], LINES[9:4:-1], LINES[14:9:-1])
_TURNS = list(permutations(range(3)))
TURNS = len(_TURNS)
"""The board's symmetries; the first leaves everything where it is."""


def _turned_line(turn: tuple[int, ...], line: str) -> str:
    side = next(i for i, lines in enumerate(SIDES) if line in lines)
    return SIDES[turn[side]][SIDES[side].index(line)]


def _turned_cell(turn: tuple[int, ...], cell: str) -> str:
    through = [_turned_line(turn, line) for line in LINES if cell in line]
    (image,) = set.intersection(*map(set, through))
    return image


TURNED_LINE = np.array([[LINES.index(_turned_line(turn, line)) for line in LINES] for turn in _TURNS], np.int8)
"""Where each symmetry takes each line."""
TURNED_CELL = np.array([[CELLS.index(_turned_cell(turn, cell)) for cell in CELLS] for turn in _TURNS], np.int8)
"""Where each symmetry takes each cell."""

CELLS_ON = np.array([sum(1 << CELLS.index(cell) for cell in line) for line in LINES], np.int64)
"""The cells of each line, as bits."""

LEAD = 21
"""The largest lead that a line can have: its five cells taken by one seat's best druids."""

# Random words, one for each thing that a position may have; a position's key is the exclusive or of its things'.
VERSION = 18_15_9_8
_RNG = np.random.default_rng(VERSION)


def _words(*shape: int) -> np.ndarray[tuple[int, ...], np.dtype[np.uint64]]:
    return _RNG.integers(0, 1 << 64, shape, np.uint64)


_HAND = _words(2, len(HANDS))
_MEGALITHS = _words(MEGALITHS + 1)
_CELL = _words(N_CELLS)
_LINE = _words(N_LINES, int(LENGTH.max()) + 1, 2 * LEAD + 1)


@compiled
def crossings(s: Record) -> tuple[int, int]:
    """The empty cells through which at least one open line goes, and at least two."""
    one = two = 0
    for line in range(N_LINES):
        if s.owner[line] < 0:
            two |= one & CELLS_ON[line]
            one |= CELLS_ON[line]
    return s.free & one, s.free & two


@compiled
def turned_key(s: Record, turn: int) -> Any:
    """The key of the position after one of the board's symmetries."""
    key = _HAND[0, s.hand[0]] ^ _HAND[1, s.hand[1]] ^ _MEGALITHS[s.megaliths[0]]
    for line in range(N_LINES):
        if s.owner[line] < 0:
            key ^= _LINE[TURNED_LINE[turn, line], s.room[line], s.lead[line] + LEAD]
    # Cells on one open line are alike, and so are those on none: how many there are follows from the rest.
    cells = crossings(s)[1]
    while cells:
        key ^= _CELL[TURNED_CELL[turn, bits.first(cells)]]
        cells &= cells - 1
    return key


@compiled
def key(s: Record) -> Any:
    """The same number for all positions that are the same to the solver, symmetries included."""
    best = turned_key(s, 0)
    for turn in range(1, TURNS):
        best = min(best, turned_key(s, turn))
    return best
