"""The ten multisets ("bags") that a set of dice may show, and the chances of each after a throw.

Which die shows what is no matter, but for the one that is aimed at; and of that only its letter is. So all
that a throw can do to nine dice is 10 x 10 x 10 bags, where there are 27 x 27 x 27 sequences.
"""

from itertools import combinations_with_replacement
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from archipel.core.compiled import Array, compiled, kernel
from archipel.core.rules import Facts, Numbers, Raw, Record, record
from archipel.games.krakatoa.board import COPIES, FACES, FALLS, LETTER, LETTERS, SCALE, WRITTEN
from archipel.games.krakatoa.rules import earn, points

BAGS = tuple("".join(letters) for letters in combinations_with_replacement(LETTERS, 3))
"""The letters of a set, in order: YYY, YYR, ... BBB."""
TABLES = len(BAGS) ** 3
"""What nine dice on the table may show: steam's bag, ash's and lava's, as a number in base ten."""

BAG = np.array([BAGS.index("".join(sorted(w, key=LETTERS.index))) for w in WRITTEN], np.int64)
"""The bag of each number of a set."""
FALL = np.array([WRITTEN.index(bag) for bag in BAGS], np.int64)
"""A number of a set for each bag."""
HOLDS = np.array([[letter in bag for letter in LETTERS] for bag in BAGS])
"""Does this bag have a die of this letter to aim at?"""

PAIRS = ((0, 0), (1, 0), (2, 0), (1, 1), (2, 1), (2, 2))
"""The marks of the next throw and of the one after, which only has one if the next has."""
NEXT, LATER = np.array(PAIRS).T.copy()
MARKS = len(PAIRS)

Chances = NDArray[np.float64]
Small = Annotated[NDArray[np.int8], Array("i1", 3)]


class Model(NamedTuple):
    """How dice fall, as a game's facts have it."""

    touches: float
    """The chance that an aimed throw touches."""
    thrown: Chances
    """The chance of each bag for a set that is thrown."""
    jolted: Chances
    """If it touches, the chance of each bag for a set on the table: by the letter aimed at (3: at another set),
    by the bag that lies there, and by the bag that it becomes."""


def model(facts: Record) -> Model:
    """The chances of bags, from the chances of dice."""
    fresh = [copies / FACES for copies in COPIES]
    jolted = np.zeros((4, len(BAGS), len(BAGS)))
    for n, fall in enumerate(FALL):
        others = [_turned(facts, 0, letter) for letter in LETTER[fall]]
        jolted[3, n] = _bagged(others)
        for die, letter in enumerate(LETTER[fall]):
            jolted[letter, n] = _bagged([*others[:die], _turned(facts, 1, letter), *others[die + 1 :]])
    return Model(int(facts.touches) / SCALE, _bagged([fresh, fresh, fresh]), jolted)


def _turned(facts: Record, role: int, letter: int) -> list[float]:
    """The chances of each letter for a table die of this role that shows this letter."""
    yellow, red = (int(limit) / SCALE for limit in facts.turns[role, letter])
    return [yellow, red - yellow, 1 - red]


def _bagged(dice: list[list[float]]) -> Chances:
    """The chance of each bag for three dice with their own chances of letters."""
    chances = np.zeros(len(BAGS))
    for fall in range(FALLS):
        a, b, c = LETTER[fall]
        chances[BAG[fall]] += dice[0][a] * dice[1][b] * dice[2][c]
    return chances


@kernel("krakatoa")
def survey(facts: Facts, raw: Raw, worth: Numbers, earned: Small) -> None:
    """For each table its points; and the marks (a number of PAIRS) after it: by the mark that was laid up for the
    next throw already, by table, and by the last two digits of the total that it makes."""
    s = record(facts[0], raw)
    for table in range(TABLES):
        lay(s, table)
        worth[table] = points(s)
        for kept in range(3):
            for digits in range(100):
                earned[kept, table, digits] = marks_after(facts[0], s, kept, digits, worth[table] > 0)


@compiled
def lay(s: Record, table: int) -> None:
    """Put bags on the table."""
    s.dice[0] = FALL[table // 100]
    s.dice[1] = FALL[table // 10 % 10]
    s.dice[2] = FALL[table % 10]


@compiled
def marks_after(facts: Record, s: Record, kept: int, digits: int, changed: bool) -> int:
    if not facts.advanced:
        return 0
    s.totals[0] = digits
    s.marks[0, 0] = kept
    s.marks[0, 1] = 0
    earn(s, 0, changed)
    return marked(s.marks[0, 0], s.marks[0, 1])


@compiled
def marked(soon: int, later: int) -> int:
    """The number of a pair of marks."""
    return int(soon) + (0 if later == 0 else int(later) + 1)


def table_of(dice: NDArray[np.int8]) -> int:
    """The table of three sets by their numbers."""
    steam, ash, lava = (int(BAG[fall]) for fall in dice)
    return 100 * steam + 10 * ash + lava
