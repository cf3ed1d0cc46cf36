"""The facts of Stonehenge: eighteen cells, fifteen lines, nine druids a player.

            A---B
           / \\ / \\
          C---D---E
         / \\ / \\ / \\
        F---G---H---I
       / \\ / \\ / \\ / \\
      J---K---L---M---N
       \\ / \\ / \\ / \\ /
        O---P---Q---R
"""

from itertools import product

import numpy as np

CELLS = "ABCDEFGHIJKLMNOPQR"
ROWS = ("AB", "CDE", "FGHI", "JKLMN", "OPQR")
LINES = (
    "AB", "CDE", "FGHI", "JKLMN", "OPQR",
    "ACFJ", "BDGKO", "EHLP", "IMQ", "NR",
    "BEIN", "ADHMR", "CGLQ", "FKP", "JO",
)  # fmt: skip
VALUES = (1, 2, 3, 4, 5, 6)
COPIES = (2, 2, 2, 1, 1, 1)
MEGALITHS = 8

XY = {cell: (col, row) for row, (cells, start) in enumerate(zip(ROWS, (3, 2, 1, 0, 1), strict=True))
      for cell, col in zip(cells, range(start, 9, 2), strict=False)}  # fmt: skip
"""Where the cells are, in half steps to the right and steps down."""

LINES_AT = np.array([[i for i, line in enumerate(LINES) if cell in line] for cell in CELLS], np.int64)
"""The three lines through each cell, in the order of LINES."""

LENGTH = np.array([len(line) for line in LINES], np.int8)

# A hand is one small number: its counts of each value in a mixed radix.
UNIT = np.array([1, 3, 9, 27, 54, 108], np.int16)
"""What one druid of each value adds to the number of a hand."""
HANDS = [counts[::-1] for counts in product(*(range(n + 1) for n in reversed(COPIES)))]
"""The counts of each value in the hand of every number."""
FULL_HAND = len(HANDS) - 1


def _best(counts: tuple[int, ...]) -> list[int]:
    druids = sorted((v for v, n in zip(VALUES, counts, strict=True) for _ in range(n)), reverse=True)
    return [sum(druids[:k]) for k in range(6)]


HELD = np.array(HANDS, np.int8)
"""For each hand, how many druids of each value."""
UNSEEN = len(HANDS)
"""In place of a hand's number: the hand is not known."""
BEST = np.array([*(_best(counts) for counts in HANDS), [0, *[127] * 5]], np.int8)
"""For each hand, the sum of its k best druids, or of all if there are fewer; an unseen hand is above any lead."""
KINDS = np.array([sum(n > 0 for n in counts) for counts in HANDS], np.int8)
"""For each hand, the number of different values."""
KIND = np.array([([i for i, n in enumerate(counts) if n] + [0] * 6)[:6] for counts in HANDS], np.int8)
"""For each hand, its different values, ascending, as indices into VALUES."""
