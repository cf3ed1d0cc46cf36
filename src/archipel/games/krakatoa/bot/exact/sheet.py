"""The value of a turn and of all later turns, in points or as the probability of reaching a total."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from archipel.core import registry
from archipel.core.memory import frees
from archipel.games.krakatoa.board import BOXES, ROUNDS, THROWS

from . import faces, spans, throws
from .faces import MARKS, TABLES, Chances, Model, Small
from .spans import Worths
from .throws import FREE, PIECE

DUE = (FREE, FREE, FREE, 0, 1, 2)
"""The set of each throw of a turn, from the second on."""
EXACT_TURNS = 2
MOST = 4 * 30
"""The points of the best throw, with xx."""
SPAN = 250
"""Larger numbers of points are treated as this many when one or two turns are evaluated."""
KEPT = Path(__file__).with_name("sheet.bin")
"""What every game asks for, so that no first move waits for it. `python -m` this module writes the file."""


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

    @frees
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

    @frees
    def _last(self, end: Chances, boxes: int, total: int, endless: bool, room: int) -> Worths:
        """After the fifth throw or a bonus throw: with a mark and a free box, the player must throw again."""
        if not boxes:
            after = np.empty((MARKS, TABLES, min(_whole(room), end.shape[1])))
            spans.lay_out(end, 0, MARKS, after)
            return after
        beyond = self._last(end, boxes - 1, total, endless, room + MOST)
        after = self.before(beyond, FREE, total, endless, room)
        spans.lay_out(end, 0, 1, after)
        return after

    @frees
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
            self._reach[turns] = self._reached(turns) if turns <= EXACT_TURNS else self._added(turns)
        return self._reach[turns]

    @frees
    def _reached(self, turns: int) -> Chances:
        out = np.zeros((MARKS, SPAN))
        if turns == 0:
            for marks in range(MARKS):
                out[marks, 0] = 1.0
            return out
        missing = np.empty((MARKS, SPAN))
        spans.mirror(self.reach(turns - 1), missing)
        after = self.after_throw(1, missing, self.boxes if turns == 1 else 0)
        spans.mirror(self.opening(after)[0], out)
        spans.fall(out)  # quakes make some totals easier than lower ones
        return out

    def _added(self, turns: int) -> Chances:
        first, rest = exactly(self.reach(1)), exactly(self.reach(turns - 1))[0]
        out = np.empty((MARKS, first.shape[1] + len(rest) - 1))
        spans.sums(first, rest, out)
        spans.gather_up(out)
        return out


def _whole(room: int) -> int:
    """Round a number of tallies up to whole pieces."""
    return -(-room // PIECE) * PIECE


def exactly(reach: Chances) -> Chances:
    """The probability of each number of points, from that of at least as many."""
    out = np.empty((MARKS, reach.shape[1]))
    spans.differences(reach, out)
    return out


@cache
def sheet(advanced: bool) -> Sheet:
    """The sheet of a basic or an advanced game."""
    return new(advanced, *kept()[advanced])


def new(advanced: bool, points: Iterable[Chances] = (), reach: Iterable[Chances] = ()) -> Sheet:
    """A sheet that knows these values already: for one turn, for two, and so on."""
    game = registry.game("krakatoa", game="advanced" if advanced else "basic")
    worth, earned = np.zeros(TABLES, np.int64), np.zeros((3, TABLES, 100), np.int8)
    faces.survey(game.facts, np.zeros(game.rules.state.itemsize, np.uint8), worth, earned)
    kinds, boxes = (MARKS, BOXES) if advanced else (1, 0)
    known = dict(enumerate(points, 1)), dict(enumerate(reach, 1))
    return Sheet(faces.model(game.facts[0]), worth, earned, kinds, boxes, *known)


@cache
def kept() -> dict[bool, tuple[list[Chances], list[Chances]]]:
    """The points of one to six turns and the reach of one and two, basic and advanced, from `sheet.bin`."""
    rows = np.frombuffer(KEPT.read_bytes(), "<f8").copy().reshape(2, -1)
    return {advanced: _planes(row) for advanced, row in zip((False, True), rows, strict=True)}


def _planes(row: Chances) -> tuple[list[Chances], list[Chances]]:
    points, reach = np.split(row, [ROUNDS * MARKS * 100])
    return list(points.reshape(ROUNDS, MARKS, 100)), list(reach.reshape(EXACT_TURNS, MARKS, SPAN))


def computed() -> bytes:
    """The content of `sheet.bin`, computed anew: it takes a second or two."""
    sheets = [new(False), new(True)]
    points = [one.points(turns) for one in sheets for turns in range(1, ROUNDS + 1)]
    reach = [one.reach(turns) for one in sheets for turns in range(1, EXACT_TURNS + 1)]
    halves = [[*points[:ROUNDS], *reach[:EXACT_TURNS]], [*points[ROUNDS:], *reach[EXACT_TURNS:]]]
    return b"".join(plane.astype("<f8").tobytes() for half in halves for plane in half)


if __name__ == "__main__":
    KEPT.write_bytes(computed())
