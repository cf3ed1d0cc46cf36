"""The tray: an octagon with a rim, and the positions of the dice in it.

Lengths are in centimetres from the middle of the tray; `x` is right, `y` away from the player, `z` up. A flat die needs
four numbers: its place, the face on top, and its rotation about the vertical.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import cos, hypot, isfinite, pi, sin
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from archipel.core.errors import quoted
from archipel.games.krakatoa.board import DICE, FACES, SETS

from .shape import CIRCUMRADIUS, COLOURS, INRADIUS, Floats, lying

RADIUS = 20.0
"""The distance of the rim's sides from the middle."""
SIDES = 8
WALLS = np.array([[cos(2 * pi * k / SIDES), sin(2 * pi * k / SIDES)] for k in range(SIDES)])
"""The direction of each side of the rim from the middle."""
GRID = 0.005
"""Places are rounded to this, half a tenth of a millimetre, so that the table and a replay agree to the last bit."""
APART = 2 * CIRCUMRADIUS
"""Two dice at this distance cannot touch."""
_WHOLE_TURN = round(2 * pi, 4)
_SPACING = 4.0
_TINY = 1e-6
_CLEAR = 1e-3
_TRIES = 300


def to_the_rim(x: float, y: float) -> float:
    """The distance to the nearest side of the rim; negative outside."""
    return float(RADIUS - (WALLS @ (x, y)).max())


class Lie(NamedTuple):
    """The position of a die."""

    x: float
    y: float
    face: int
    turn: float

    @classmethod
    def near(cls, x: float, y: float, face: int, turn: float) -> "Lie":
        """The position rounded to the grid."""
        x, y = (round(round(number / GRID) * GRID, 3) for number in (x, y))
        return cls(x, y, int(face), round(turn, 4) % _WHOLE_TURN)

    @property
    def letter(self) -> str:
        """The colour on top."""
        return COLOURS[self.face]

    @property
    def pose(self) -> Floats:
        """Centre and quaternion, seven numbers."""
        return np.concatenate([(self.x, self.y, INRADIUS), lying(self.face, self.turn)])

    def distance(self, x: float, y: float) -> float:
        """From the middle of the die to a point of the table."""
        return hypot(self.x - x, self.y - y)


@dataclass(frozen=True)
class Tray:
    """The positions of the dice by name, in the order of the sets: all nine, or one set after an opening roll."""

    lies: Mapping[str, Lie]

    @classmethod
    def laid(cls, written: str) -> "Tray":
        """The nine dice laid out in rows, showing these letters."""
        letters = written.replace(" ", "")
        places = [((k % 3 - 1) * _SPACING, (1 - k // 3) * _SPACING) for k in range(len(DICE))]
        return cls(
            {
                die: Lie(x, y, COLOURS.index(letter), 0.0)
                for die, letter, (x, y) in zip(DICE, letters, places, strict=True)
            }
        )

    @classmethod
    def read(cls, data: Any) -> "Tray":
        """Read a tray from its JSON; ValueError if it is not possible."""
        if not isinstance(data, dict) or list(data) != [die for die in DICE if die in data]:
            raise ValueError(f"A tray names its dice in the order {', '.join(DICE)}.")
        return cls({die: _read(die, lie) for die, lie in data.items()})

    def json(self) -> dict[str, list[float]]:
        """The tray as JSON."""
        return {die: list(lie) for die, lie in self.lies.items()}

    @property
    def written(self) -> str:
        """The letters on top, set by set."""
        sets = ("".join(lie.letter for die, lie in self.lies.items() if set_of(die) == name) for name in SETS)
        return " ".join(filter(None, sets))

    @property
    def poses(self) -> Floats:
        """One row per die."""
        return np.array([lie.pose for lie in self.lies.values()]).reshape(-1, 7)

    def without(self, dice: Iterable[str]) -> "Tray":
        """The tray without these dice."""
        taken = set(dice)
        return Tray({die: lie for die, lie in self.lies.items() if die not in taken})

    def nearest(self, x: float, y: float) -> str:
        """The die nearest to a point."""
        return min(self.lies, key=lambda die: self.lies[die].distance(x, y))


def set_of(die: str) -> str:
    """The set that a die belongs to."""
    return die[:-1]


def dice_of(name: str) -> tuple[str, ...]:
    """The dice of a set."""
    return tuple(die for die in DICE if set_of(die) == name)


def _read(die: str, lie: Any) -> Lie:
    if not isinstance(lie, list) or len(lie) != 4 or not all(type(number) in (int, float) for number in lie):
        raise ValueError(f"How {die} lies is four numbers, not {quoted(lie)}.")
    x, y, face, turn = lie
    if not all(map(isfinite, lie)) or to_the_rim(x, y) < 0:
        raise ValueError(f"{die} does not lie in the tray: {quoted(lie)}.")
    if type(face) is not int or not 0 <= face < FACES:
        raise ValueError(f"A die has faces 0 to {FACES - 1}, not {quoted(face)}.")
    return Lie(float(x), float(y), face, float(turn))


def apart(places: Floats, free: NDArray[np.bool_] | None = None) -> Floats:
    """Move the free places (default: all) until no two overlap and all are in the tray."""
    free = np.ones(len(places), bool) if free is None else free
    points = places.copy()
    points[free] = _inside(points[free])
    for _ in range(_TRIES):
        steps = _parting(points, free)
        if not steps.any():
            break
        points[free] = _inside((points + steps)[free])
    return points


def _parting(points: Floats, free: NDArray[np.bool_]) -> Floats:
    """For each free die the step that takes it off the one that it overlaps most; two free dice share the distance."""
    order = np.arange(len(points))
    gaps = points[:, None] - points
    gaps[..., 0] += _TINY * np.subtract.outer(order, order)  # no two are in one place
    lengths = np.hypot(gaps[..., 0], gaps[..., 1]) + np.diag(np.full(len(points), APART))
    worst = lengths.argmin(1)
    length, gap = lengths[order, worst], gaps[order, worst]
    step = np.where(free & (length < APART), APART + _CLEAR - length, 0) * np.where(free[worst], 0.5, 1.0)
    return gap * (step / length)[:, None]


def _inside(points: Floats) -> Floats:
    """The points, or the nearest ones towards the middle that leave a die room in the tray."""
    return points / np.maximum(1, (points @ WALLS.T).max(1) / (RADIUS - CIRCUMRADIUS))[:, None]
