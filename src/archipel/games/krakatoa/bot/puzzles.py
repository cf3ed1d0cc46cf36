"""Krakatoa puzzles: which set, at which die, brings the most points with this throw on average?

The exact odds of the model of the dice say so, and the best choice is clearly better than any other; dice of the same
letter in one set are the same choice. `check` computes the averages die by die, without the tables of the exact odds.
"""

from functools import cache
from itertools import product
from math import log2
from typing import Any

import numpy as np

import archipel
from archipel.bots import bot
from archipel.core.puzzles import Puzzle, PuzzleMaker
from archipel.core.rules import CHANCE, OVER
from archipel.core.state import State
from archipel.games.krakatoa.board import COPIES, FACES, LETTERS, OTHER_TURNS, SCRATCH, SETS, TARGET_TURNS

from .exact.player import THROW_ONLY, points

PLAYERS = "random", "fisher"
CLEAR = 0.12
"""How many points better than the next the best choice is at least."""
SAME = 1e-9
NEAR = 0.5
"""A choice that is worse by less than this looks about as good."""
TOLERANCE = 1e-3
"""Probabilities are whole parts of a million or two in the model, and values are rounded in the file."""
MIDDLE, STEEP, CHOICE = 1250, 215, 250
"""The rating of a lead of half a point, what half of that lead adds, and what a free choice of the set adds."""
POINTS = {"YYY": 10, "RRR": 5, "BBB": 3}


class KrakatoaPuzzles(PuzzleMaker):
    """Throws with one best set and die."""

    question = "Which set, at which die, brings the most points with this throw on average?"

    def make(self, seed: int, number: int) -> Puzzle | None:
        rng = np.random.default_rng((seed, number))
        players = [bot(str(name)) for name in rng.choice(PLAYERS, 2)]
        after = int(rng.integers(4, 60))
        state, moves = archipel.game("krakatoa").new(), list[int]()
        while state.mover != OVER:
            if state.mover == CHANCE:
                moves.append(state.sample(rng))
            else:
                if len(moves) >= after and (found := _puzzle(state, moves)):
                    return found
                moves.append(players[state.mover].choose(state.view(state.mover), rng))
            state = state.after(moves[-1])
        return None

    def check(self, puzzle: Puzzle) -> None:
        state = puzzle.state("krakatoa")
        averages = {action: _average(state.snapshot(), state.decode(action)) for action in state.actions()}
        best = max(averages.values())
        right = [action for action, value in averages.items() if value > best - TOLERANCE]
        if sorted(puzzle.answers) != [(action,) for action in right]:
            raise ValueError(f"The best choices are {right}; the puzzle's answers are {puzzle.answers}.")
        if any(value > best - CLEAR + TOLERANCE for action, value in averages.items() if action not in right):
            raise ValueError("Another choice is about as good.")
        if any(abs(value - averages[action]) > TOLERANCE for action, value in puzzle.values):
            raise ValueError("The values are not the averages.")

    def key(self, puzzle: Puzzle) -> Any:
        snapshot = puzzle.state("krakatoa").snapshot()
        return snapshot["throw"], snapshot["dice"], str(snapshot["marks"][snapshot["mover"]])


PUZZLES = KrakatoaPuzzles()


def _puzzle(state: State, moves: list[int]) -> Puzzle | None:
    """The puzzle of a position, if it is one."""
    if state.decode(state.actions()[0])["do"] != "throw":
        return None
    values = points(state, THROW_ONLY)
    best = max(values.values())
    right = [action for action, value in values.items() if value > best - SAME]
    lead = best - max((value for action, value in values.items() if action not in right), default=best)
    if lead < CLEAR:
        return None
    near = sum(value > best - NEAR for value in values.values()) - len(right)
    free = len({state.decode(action)["set"] for action in values}) > 1
    rated = round(MIDDLE + STEEP * log2(0.5 / lead) + (CHOICE if free else -CHOICE))
    shown = tuple((action, round(value, 3)) for action, value in sorted(values.items()))
    return Puzzle(tuple(moves), tuple((action,) for action in right), 1, near, values=shown, rated=rated)


# The averages without the exact odds.


@cache
def _shows(letter: str | None, turns: float) -> tuple[float, ...]:
    """The probabilities of a die's letters: of one that is thrown (None), or of one on the table that turns to any of
    its other faces with a probability."""
    if letter is None:
        return tuple(copies / FACES for copies in COPIES)
    others = [copies - (other == letter) for other, copies in zip(LETTERS, COPIES, strict=True)]
    return tuple(
        turns * copies / (FACES - 1) + (1 - turns) * (other == letter)
        for other, copies in zip(LETTERS, others, strict=True)
    )


def _worth(dice: list[tuple[float, ...]]) -> float:
    """The average points of a set."""
    total = 0.0
    for letters in product(range(3), repeat=3):
        shown = "".join(LETTERS[letter] for letter in letters)
        chance = dice[0][letters[0]] * dice[1][letters[1]] * dice[2][letters[2]]
        total += chance * POINTS.get(shown, shown.count("Y"))
    return total


def _average(snapshot: dict[str, Any], throw: dict[str, Any]) -> float:
    """The average points of a throw: those of its three sets, if it touches, times what the mark says."""
    total = 0.0
    for name, letters in zip(SETS, snapshot["dice"].split(), strict=True):
        dice = []
        for number, letter in enumerate(letters, 1):
            turns = TARGET_TURNS if throw["at"] == f"{name}{number}" else OTHER_TURNS
            dice.append(_shows(None, 0) if name == throw["set"] else _shows(letter, turns / (1 - SCRATCH)))
        total += _worth(dice)
    mark = snapshot["marks"][snapshot["mover"]][0]
    return float((1 - SCRATCH) * total * {"": 1, "x": 2, "xx": 4}[mark])
