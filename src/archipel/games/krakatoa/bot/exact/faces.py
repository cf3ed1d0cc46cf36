"""The ten multisets ("bags") that a set of dice may show, and their probabilities after a throw.

It does not matter which die shows what, except for the die aimed at, of which only the letter matters. So a throw of
nine dice has 10 x 10 x 10 results in bags instead of 27 x 27 x 27 in sequences.
"""

from itertools import combinations_with_replacement
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from archipel.core.compiled import Array, compiled, kernel
from archipel.core.rules import Facts, Numbers, Raw, record
from archipel.games.krakatoa.board import COPIES, FACES, FALLS, LETTER, LETTERS, SCALE, WRITTEN
from archipel.games.krakatoa.rules import Position, Setup, earn, points

BAGS = tuple("".join(letters) for letters in combinations_with_replacement(LETTERS, 3))
"""The letters of a set, in order: YYY, YYR, ... BBB."""
TABLES = len(BAGS) ** 3
"""What nine dice on the table may show: the bags of steam, ash and lava, as a number in base ten."""

BAG = np.array([BAGS.index("".join(sorted(w, key=LETTERS.index))) for w in WRITTEN], np.int64)
"""The bag of each number of a set."""
FALL = np.array([WRITTEN.index(bag) for bag in BAGS], np.int64)
"""A number of a set for each bag."""
HOLDS = np.array([[letter in bag for letter in LETTERS] for bag in BAGS])
"""True if this bag has a die of this letter to aim at."""

PAIRS = ((0, 0), (1, 0), (2, 0), (1, 1), (2, 1), (2, 2))
"""The marks of the next throw and of the one after, which has one only if the next has."""
NEXT, LATER = np.array(PAIRS).T.copy()
MARKS = len(PAIRS)

Chances = NDArray[np.float64]
Small = Annotated[NDArray[np.int8], Array("i1", 3)]


class Model(NamedTuple):
    """The dice model in a game's facts."""

    touches: float
    """The probability that an aimed throw touches."""
    thrown: Chances
    """The probability of each bag for a set that is thrown."""
    jolted: Chances
    """If it touches, the probability of each bag for a set on the table: by the letter aimed at (3: another set), by
    its bag before, and by its bag after."""


def model(facts: Setup) -> Model:
    """The probabilities of bags, from those of dice."""
    fresh = [copies / FACES for copies in COPIES]
    jolted = np.zeros((4, len(BAGS), len(BAGS)))
    for n, fall in enumerate(FALL):
        others = [_turned(facts, 0, letter) for letter in LETTER[fall]]
        jolted[3, n] = _bagged(others)
        for die, letter in enumerate(LETTER[fall]):
            jolted[letter, n] = _bagged([*others[:die], _turned(facts, 1, letter), *others[die + 1 :]])
    return Model(int(facts.touches) / SCALE, _bagged([fresh, fresh, fresh]), jolted)


def _turned(facts: Setup, role: int, letter: int) -> list[float]:
    """The probability of each letter for a table die of this role that shows this letter."""
    yellow, red = (int(limit) / SCALE for limit in facts.turns[role, letter])
    return [yellow, red - yellow, 1 - red]


def _bagged(dice: list[list[float]]) -> Chances:
    """The probability of each bag for three dice, from the probabilities of their letters."""
    chances = np.zeros(len(BAGS))
    for fall in range(FALLS):
        a, b, c = LETTER[fall]
        chances[BAG[fall]] += dice[0][a] * dice[1][b] * dice[2][c]
    return chances


@kernel("krakatoa")
def survey(facts: Facts, raw: Raw, worth: Numbers, earned: Small) -> None:
    """For each table its points; and the marks (a number of PAIRS) after it: by the existing mark for the next throw,
    by table, and by the last two digits of the new total."""
    s = record(facts[0], raw)
    for table in range(TABLES):
        lay(s, table)
        worth[table] = points(s)
        for kept in range(3):
            for digits in range(100):
                earned[kept, table, digits] = marks_after(facts[0], s, kept, digits, worth[table] > 0)


@compiled
def lay(s: Position, table: int) -> None:
    """Put bags on the table."""
    s.dice[0] = FALL[table // 100]
    s.dice[1] = FALL[table // 10 % 10]
    s.dice[2] = FALL[table % 10]


@compiled
def marks_after(facts: Setup, s: Position, kept: int, digits: int, changed: bool) -> int:
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
