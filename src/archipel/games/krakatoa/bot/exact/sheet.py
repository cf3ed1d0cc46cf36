"""The value of a turn and of all later turns, in points or as the probability of reaching a total."""

from dataclasses import dataclass, field
from functools import cache

import numpy as np
from numpy.typing import NDArray

from archipel.core import registry
from archipel.games.krakatoa.board import BOXES, THROWS

from . import faces, throws
from .faces import MARKS, TABLES, Chances, Model, Small
from .throws import FREE, PIECE, Worths

DUE = (FREE, FREE, FREE, 0, 1, 2)
"""The set of each throw of a turn, from the second on."""
EXACT_TURNS = 2
MOST = 4 * 30
"""The points of the best throw, with xx."""
SPAN = 250
"""Larger numbers of points are treated as this many when one or two turns are evaluated."""


@dataclass(frozen=True)
class Sheet:
    """The odds of one kind of game, basic or advanced."""

    model: Model
    worth: NDArray[np.int64]
    """The points of each table."""
    earned: Small
    """The marks that a table earns: by the existing mark, the table, and the last two digits of the total."""
    kinds: int
    """Pairs of marks are numbered below this."""
    boxes: int
    _points: dict[int, Chances] = field(default_factory=dict)
    _reach: dict[int, Chances] = field(default_factory=dict)

    def before(self, after: Worths, due: int, total: int = 0, endless: bool = False, room: int = SPAN) -> Worths:
        """The value before a throw, from the value after it; for at least this many tallies."""
        out = np.empty((MARKS, TABLES, min(_whole(room), after.shape[2])))
        given = (*self.model, self.worth, self.earned, after, self.kinds, due, total, endless)
        throws.before_throw(*given, out)
        return out

    def opening(self, after: Worths, total: int = 0, endless: bool = False) -> tuple[Chances, Chances]:
        """The value of a turn before all nine dice land, and of throwing them again, from the value of the first
        throw."""
        start, again = np.empty((MARKS, after.shape[2])), np.empty((MARKS, after.shape[2]))
        given = (self.model.thrown, self.worth, self.earned, after, self.kinds, total, endless)
        throws.before_turn(*given, start, again)
        return start, again

    def after_throw(
        self, number: int, end: Chances, boxes: int = 0, total: int = 0, endless: bool = False, room: int = SPAN
    ) -> Worths:
        """The value after a throw of a turn, by marks, table and tally.

        `end` is the value of the end of the turn, by marks and tally; `boxes` are left for bonus throws. Only tallies
        below `room` are computed: what the throws so far can have brought.
        """
        if number >= THROWS:
            return self._last(end, boxes, total, endless, room)
        after = self.after_throw(number + 1, end, boxes, total, endless, room + MOST)
        return self.before(after, DUE[number + 1], total, endless, room)

    def _last(self, end: Chances, boxes: int, total: int, endless: bool, room: int) -> Worths:
        """After the fifth throw or a bonus throw: with a mark and a free box, the player must throw again."""
        after = np.repeat(end[:, None, : _whole(room)], TABLES, axis=1)
        if boxes:
            beyond = self._last(end, boxes - 1, total, endless, room + MOST)
            after[1:] = self.before(beyond, FREE, total, endless, room)[1:]
        return after

    def points(self, turns: int) -> Chances:
        """The expected points of a number of turns with best play, by marks and last two digits."""
        if turns == 0:
            return np.zeros((MARKS, 100))
        if turns not in self._points:
            boxes = self.boxes if turns == 1 else 0
            after = self.after_throw(1, self.points(turns - 1), boxes, endless=True)
            self._points[turns] = self.opening(after, endless=True)[0]
        return self._points[turns]

    def reach(self, turns: int) -> Chances:
        """The probability that a number of turns bring at least each number of points, with best play for that.

        By marks and points. The digits that quakes depend on are taken as if the target total ended in zeros. For one
        and two turns that is exact; for more, the turns before the last two are added as if independent.
        """
        if turns not in self._reach:
            made = self._reached(turns) if turns <= EXACT_TURNS else _at_least(self._added(turns))
            self._reach[turns] = made
        return self._reach[turns]

    def _reached(self, turns: int) -> Chances:
        if turns == 0:
            return np.repeat(np.arange(SPAN)[None] == 0, MARKS, axis=0).astype(float)
        boxes = self.boxes if turns == 1 else 0
        after = self.after_throw(1, self.reach(turns - 1)[:, ::-1], boxes)
        found = self.opening(after)[0][:, ::-1]
        # Quakes make some totals easier than lower ones; having more includes having less.
        return np.ascontiguousarray(np.minimum.accumulate(found, axis=1))

    def _added(self, turns: int) -> Chances:
        first, rest = exactly(self.reach(1)), exactly(self.reach(turns - 1))[0]
        return np.array([np.convolve(chances, rest) for chances in first])


def _whole(room: int) -> int:
    """Round a number of tallies up to whole pieces."""
    return -(-room // PIECE) * PIECE


def exactly(reach: Chances) -> Chances:
    """The probability of each number of points, from that of at least as many."""
    return reach - np.append(reach[:, 1:], np.zeros((MARKS, 1)), axis=1)


def _at_least(exactly: Chances) -> Chances:
    return np.ascontiguousarray(exactly[:, ::-1].cumsum(axis=1)[:, ::-1])


@cache
def sheet(advanced: bool) -> Sheet:
    """The sheet of a basic or an advanced game."""
    game = registry.game("krakatoa", game="advanced" if advanced else "basic")
    worth, earned = np.zeros(TABLES, np.int64), np.zeros((3, TABLES, 100), np.int8)
    faces.survey(game.facts, np.zeros(game.rules.state.itemsize, np.uint8), worth, earned)
    return Sheet(faces.model(game.facts[0]), worth, earned, MARKS if advanced else 1, BOXES if advanced else 0)
