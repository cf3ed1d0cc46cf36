"""An aim: a point on the table, the direction of the throw, its strength and its spread."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, astuple, dataclass, fields
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from archipel.core.errors import Sentence, quoted, sentence
from archipel.core.slow_chance import InvalidExtra
from archipel.core.state import State
from archipel.games.krakatoa.board import DICE

from .shape import CIRCUMRADIUS, INRADIUS, Floats
from .tray import RADIUS, WALLS, Tray, dice_of, to_the_rim

INCH = 2.54
WEAKEST, USUAL, STRONGEST = 40.0, 120.0, 200.0
"""Strengths: the speed of the dice at release, in centimetres per second."""
NARROWEST, WIDEST = 2.5, 6.0
"""Spreads: the distance of the outer two dice of the hand from the middle one, in centimetres."""
SLOPE = np.sqrt(0.5)
"""The dice come down at 45 degrees."""
BACK = SLOPE * (INCH + 2 * INRADIUS)
"""The distance of the release point behind the die aimed at, and above it: an inch from die to die."""


class InvalidAim(InvalidExtra):
    """An impossible aim."""

    rule = "table.aim"


@dataclass(frozen=True)
class Aim:
    """How a set is thrown.

    Lengths are in centimetres, the strength in centimetres per second, the direction in degrees: 0 is to the right, 90
    away from the player.
    """

    x: float
    y: float
    direction: float
    strength: float = USUAL
    spread: float = NARROWEST

    def __post_init__(self) -> None:
        for field in fields(self):
            _check_number(field.name, getattr(self, field.name))
        if to_the_rim(self.x, self.y) < 0:
            raise InvalidAim("The point that you aim at is outside the tray.")
        if not WEAKEST <= self.strength <= STRONGEST:
            raise InvalidAim(
                _within(
                    "The strength of a throw is {low} to {high} cm/s, not {given}.", WEAKEST, STRONGEST, self.strength
                )
            )
        if not NARROWEST <= self.spread <= WIDEST:
            raise InvalidAim(
                _within("The spread of the hand is {low} to {high} cm, not {given}.", NARROWEST, WIDEST, self.spread)
            )
        if not have_room(numbers([self]))[0]:
            raise InvalidAim("Your hand would be outside the tray: aim from another side.")

    @classmethod
    def read(cls, data: Any) -> "Aim":
        """Read an aim from its JSON; InvalidAim if it is not valid."""
        names = [field.name for field in fields(cls)]
        if not isinstance(data, Mapping) or sorted(data, key=str) != sorted(names):
            raise InvalidAim(sentence("An aim has {names}, and nothing else.", names=", ".join(names)))
        return cls(**data)

    @classmethod
    def at(cls, tray: Tray, die: str, direction: float, strength: float = USUAL, spread: float = NARROWEST) -> "Aim":
        """Straight at a die."""
        if die not in tray.lies:
            raise InvalidAim(sentence("{die} does not lie on the table: it cannot be aimed at.", die=_die_name(die)))
        return cls(tray.lies[die].x, tray.lies[die].y, direction, strength, spread)

    def json(self) -> dict[str, float]:
        """The aim as JSON."""
        return asdict(self)

    @property
    def frame(self) -> Floats:
        """Unit vectors along the throw and to its left, as two rows."""
        return frames(numbers([self]))[0]

    @property
    def hand(self) -> Floats:
        """The release points of the three dice: one on the line of the throw, one on either side; one row each."""
        return np.array([[x, y, INRADIUS + BACK] for x, y in hands(numbers([self]))[0]])

    @property
    def velocity(self) -> Floats:
        """The velocity of its dice."""
        return self.strength * SLOPE * np.array([*self.frame[0], -1.0])

    def action(self, state: State, tray: Tray, thrown: str) -> int:
        """The throw of a set with this aim as an action: at the nearest table die."""
        at = self.target(tray, thrown)
        return state.encode({"do": "throw", "set": thrown, "at": at})

    def target(self, tray: Tray, thrown: str) -> str:
        """The nearest table die when this set is in the hand."""
        return tray.without(dice_of(thrown)).nearest(self.x, self.y)


# Many aims at once: one row each, with x, y, direction, strength and spread.


def numbers(aims: Sequence[Aim]) -> Floats:
    """Aims as rows of numbers."""
    return np.array([astuple(aim) for aim in aims], float).reshape(-1, 5)


def frames(aims: Floats) -> Floats:
    """For each aim, unit vectors along the throw and to its left, as two rows."""
    angles = np.radians(aims[:, 2])
    x, y = np.cos(angles), np.sin(angles)
    return np.stack([np.stack([x, y], -1), np.stack([-y, x], -1)], -2)


def hands(aims: Floats) -> Floats:
    """For each aim the three points above which the hand releases the dice."""
    along, aside = np.moveaxis(frames(aims), 1, 0)
    lanes = aims[:, 4:, None] * np.array([-1.0, 0.0, 1.0])[:, None]
    return (aims[:, :2] - BACK * along)[:, None] + lanes * aside[:, None]


def have_room(aims: Floats) -> NDArray[np.bool_]:
    """True for each aim whose hand is within the tray."""
    return (hands(aims) @ WALLS.T).max((1, 2)) <= RADIUS - CIRCUMRADIUS


def _within(template: str, low: float, high: float, given: float) -> Sentence:
    return sentence(template, low=f"{low:g}", high=f"{high:g}", given=f"{given:g}")


def _check_number(name: str, value: Any) -> None:
    if type(value) not in (int, float) or not isfinite(value):
        raise InvalidAim(sentence("The {name} of an aim is a number, not {value}.", name=name, value=quoted(value)))


def _die_name(die: Any) -> str:
    return die if isinstance(die, str) and die in DICE else quoted(die)
