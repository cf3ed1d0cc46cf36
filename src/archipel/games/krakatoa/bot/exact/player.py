"""Exact values of Krakatoa actions: as a win chance, or in points."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from archipel.core.state import State
from archipel.games.krakatoa.board import LETTER, ROUNDS, THROWS
from archipel.games.krakatoa.rules import (
    DECIDE,
    KEEP,
    REROLL,
    TARGETS,
    THROW,
    Position,
    Setup,
    side_of,
    target_in,
    thrower,
)

from . import throws
from .faces import BAG, MARKS, NEXT, TABLES, Chances, marked, table_of
from .outlook import win_chances
from .sheet import MOST, SPAN, Sheet, sheet
from .spans import Worths

THROW_ONLY, TURN, GAME = HORIZONS = "throw", "turn", "game"
"""How far a player who counts points looks ahead."""


def chances(state: State) -> dict[int, float]:
    """The win chance after each action of the thrower."""
    return to_win(state).worths(state.actions())


def points(state: State, horizon: str = GAME) -> dict[int, float]:
    """The expected points of each action of the thrower with best play after it, up to the horizon."""
    return for_points(state, horizon).worths(state.actions())


def so_far(state: State) -> int:
    """The points of the thrower, or of their side."""
    return int(state.record.totals[side_of(state.game.facts[0], thrower(state.record))])


def whole_game(state: State) -> float:
    """The expected points of best play in such a game, from the first throw to the last."""
    return float(sheet(bool(state.game.facts[0].advanced)).points(ROUNDS)[0, 0])


@dataclass
class Turn:
    """The rest of a turn, and the value of its end."""

    sheet: Sheet
    facts: Setup
    s: Position
    end: Chances
    endless: bool
    """Points count as they come, and tallies are the last two digits of the total: as in `throws.settled`."""

    def __post_init__(self) -> None:
        side = side_of(self.facts, thrower(self.s))
        total = int(self.s.totals[side])
        self.total, self.tally = (0, total % 100) if self.endless else (total, 0)
        self.marks = marked(*self.s.marks[side])

    def worths(self, actions: list[int]) -> dict[int, float]:
        """The value of each action."""
        after = self.after()
        if self.s.phase == DECIDE:
            return {KEEP: self._keep(after), REROLL: self._reroll(after)}
        return {action: self._throw(after, action - THROW) for action in actions}

    def after(self) -> Worths:
        """The values after this throw has landed."""
        number, boxes = self.place()
        room = SPAN if self.endless else (MOST // 4 << int(NEXT[self.marks])) + 1
        return self.sheet.after_throw(number, self.end, boxes, self.total, self.endless, room)

    def place(self) -> tuple[int, int]:
        """Which throw of the turn this is, and how many boxes are left for bonus throws."""
        number = int(self.s.throw_no)
        return number, int(self.s.boxes) - int(number > THROWS) if self.s.round_no == ROUNDS else 0

    def _keep(self, after: Worths) -> float:
        given = (self.sheet.worth, self.sheet.earned, after, self.marks, table_of(self.s.dice))
        return float(throws.settled(*given, self.total, self.tally, self.endless))

    def _reroll(self, after: Worths) -> float:
        return float(self.sheet.opening(after, self.total, self.endless)[1][self.marks, self.tally])

    def _throw(self, after: Worths, aim: int) -> float:
        model, thrown = self.sheet.model, aim // TARGETS
        first, second = (self._jolted(aim, k) for k in range(3) if k != thrown)
        given = (model.touches, model.thrown, first, second, self.sheet.worth, self.sheet.earned, after)
        at = (self.marks, table_of(self.s.dice), thrown, self.total, self.tally)
        return float(throws.after_aim(*given, *at, self.endless))

    def _jolted(self, aim: int, k: int) -> Chances:
        """The probabilities of what a set on the table becomes, if the throw touches."""
        self.s.aim = aim
        die = target_in(self.s, k)
        letter = LETTER[self.s.dice[k], die] if die in (0, 1, 2) else 3
        return self.sheet.model.jolted[letter, BAG[self.s.dice[k]]]


@dataclass
class PointsTurn(Turn):
    """The rest of a turn in points; what is the same in every game is computed once."""

    horizon: str = GAME

    def after(self) -> Worths:
        return _after(bool(self.facts.advanced), self.horizon, ROUNDS - int(self.s.round_no), *self.place())


@lru_cache(maxsize=80)
def _after(advanced: bool, horizon: str, turns: int, number: int, boxes: int) -> Worths:
    """The points still to come after a throw, up to the horizon."""
    if horizon == THROW_ONLY:
        return np.zeros((MARKS, TABLES, 100))
    counted = sheet(advanced)
    return counted.after_throw(number, counted.points(turns if horizon == GAME else 0), boxes, endless=True)


def for_points(state: State, horizon: str = GAME) -> Turn:
    """The rest of the thrower's turn, in points up to the horizon: this throw, this turn or the whole game."""
    facts, s = state.game.facts[0], state.record
    counted = sheet(bool(facts.advanced))
    return PointsTurn(counted, facts, s, counted.points(ROUNDS - int(s.round_no)), True, horizon)


def to_win(state: State) -> Turn:
    """The rest of the thrower's turn, as a win chance."""
    facts, s = state.game.facts[0], state.record
    reckoned = sheet(bool(facts.advanced))
    return Turn(reckoned, facts, s, win_chances(reckoned, facts, s), False)
