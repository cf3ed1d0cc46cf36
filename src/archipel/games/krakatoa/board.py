"""The facts of Krakatoa: three sets of three dodecahedra, what they score, and how they tumble.

steam   O O O      each die has twelve faces:
ash     O O O      three yellow (Y), four red (R), five blue (B)
lava    O O O
"""

from itertools import product

import numpy as np

SETS = ("steam", "ash", "lava")
DICE = tuple(f"{name}{n}" for name in SETS for n in (1, 2, 3))
LETTERS = "YRB"
COPIES = (3, 4, 5)
FACES = 12
ROUNDS = 6
THROWS = 5
BOXES = 3

WRITTEN = tuple("".join(letters) for letters in product(LETTERS, repeat=3))
"""The three letters of a set, by number: a number in base 3, the first die leading."""
FALLS = len(WRITTEN)
LANDINGS = FALLS ** len(SETS)

NAMES = {"YYY": "Krakatoa", "RRR": "Vesuvius", "BBB": "Mauna Loa"}
VALUES = {"Krakatoa": 10, "Vesuvius": 5, "Mauna Loa": 3, "Deuce": 2, "Ace": 1, "fiasco": 0}
BEST_THROW = len(SETS) * max(VALUES.values())


def name(written: str) -> str:
    """The players' name for a set that shows these letters."""
    return NAMES.get(written) or ("fiasco", "Ace", "Deuce")[written.count("Y")]


# For each number of a set:
POINTS = np.array([VALUES[name(w)] for w in WRITTEN], np.int8)
LETTER = np.array([[LETTERS.index(c) for c in w] for w in WRITTEN], np.int8)
"""The letter of each die, as an index into LETTERS."""
COLOURS = np.array([sum(1 << LETTERS.index(c) for c in set(w)) for w in WRITTEN], np.int8)
"""The colours that it shows, as bits."""
VOLCANO = np.array([COLOURS[i] if w in NAMES else 0 for i, w in enumerate(WRITTEN)], np.int8)
"""The colour that all three dice show, as a bit; 0 if they differ."""
ALIKE = np.array([WRITTEN.index("".join(sorted(w, key=LETTERS.index))) for w in WRITTEN], np.int8)
"""The number of the same letters in order: equal for two sets that differ in order only."""
OPENING = np.array([2 if w in NAMES else int(w.count("Y") == 2) for w in WRITTEN], np.int8)
"""The marks that it earns in the opening roll."""

QUAKE = np.array([2 if n % 20 == 0 else int(n % 11 == 0) for n in range(100)], np.int8)
"""The marks that a new total earns, by its last two digits."""

TUMBLE = np.array(
    [WRITTEN.index("".join(faces)) for faces in product("".join(map(str.__mul__, LETTERS, COPIES)), repeat=3)], np.int8
)
"""What a thrown set shows, for each of the 12 x 12 x 12 ways in which its dice may land."""

# The model: how an aimed throw disturbs the table. The figures were measured on a few thousand simulated throws of
# rigid dodecahedra, at middle strength (120 cm/s, 45 degrees, from one inch) and with an aim that errs by 5 mm.
SCRATCH = 0.06
"""The throw touches nothing: every table die stays as it is."""
TARGET_TURNS = 0.77
OTHER_TURNS = 0.27
"""Any of the five dice not aimed at: about the middle of the 21% to 34% that were measured."""

SCALE = 1 << 21
"""Probabilities are counted in these parts: three fit into one random 64-bit number."""


def _limits(turns: float, showing: int) -> list[int]:
    """The two limits for a die with this letter: below the first it then shows Y, below the second R, else B.

    If it turns, each of its eleven other faces is equally likely.
    """
    chances = [turns * (n - (i == showing)) / (FACES - 1) + (1 - turns) * (i == showing) for i, n in enumerate(COPIES)]
    return [round(SCALE * chances[0]), round(SCALE * (chances[0] + chances[1]))]


TOUCHES = round(SCALE * (1 - SCRATCH))
TURNS = np.array(
    [[_limits(turns / (1 - SCRATCH), showing) for showing in range(3)] for turns in (OTHER_TURNS, TARGET_TURNS)],
    np.int32,
)
"""By role (0: another die, 1: the die aimed at) and letter: the two limits, given that the throw touched."""
