"""What every thrower does: from a position, an aim and a generator to a landing that the rules accept."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from archipel.core.errors import InvalidAction
from archipel.core.rules import CHANCE
from archipel.core.state import State
from archipel.games.krakatoa.board import DICE

from .aim import Aim, InvalidAim
from .tray import Tray, set_of

HALF_INCH = 1.27
"""A table die that is moved so far was touched."""


@dataclass(frozen=True)
class Throw:
    """How a throw ended: the landing as an action of the position, how the dice now lie, and the way there as bytes.

    Only physics knows the way; who types a landing in has no tray either.
    """

    landing: int
    tray: Tray | None = None
    trajectory: bytes | None = None


class Thrower(Protocol):
    """Anybody who can throw dice."""

    def throw(self, state: State, aim: Aim | None, rng: np.random.Generator, tray: Tray | None = None) -> Throw:
        """Throw the dice that are due. Without a tray they are laid out by hand to show what the position says.

        An aim is wanted from the second throw of a turn on, and must be nearest to the die that the action names.
        InvalidAim if it is not to be taken, ValueError if nothing can be thrown; then nothing has moved.
        """


@dataclass(frozen=True)
class Occasion:
    """A throw about to be made: the dice in the hand, those on the table, and the aim if there are any."""

    hand: tuple[str, ...]
    table: Tray
    aim: Aim | None

    @property
    def dice(self) -> tuple[str, ...]:
        """All of them in the order of the sets."""
        return tuple(die for die in DICE if die in self.hand or die in self.table.lies)


def check_due(state: State) -> None:
    """InvalidAction unless dice are about to land."""
    if state.game.name != "krakatoa" or state.mover != CHANCE:
        raise InvalidAction("No dice are to be thrown now.")


def occasion(state: State, aim: Aim | None, tray: Tray | None) -> Occasion:
    """What is thrown in this position, checked."""
    check_due(state)
    shown = state.snapshot()
    if shown["aim"] is None:
        if aim is not None:
            raise InvalidAim("This throw has nothing on the table to aim at.")
        return Occasion(DICE[:3] if shown["phase"] == "throwoff" else DICE, Tray({}), None)
    if aim is None:
        raise InvalidAim("This throw needs an aim.")
    return _aimed(shown["aim"]["set"], shown["aim"]["at"], aim, _checked(tray, shown["dice"]))


def _checked(tray: Tray | None, written: str) -> Tray:
    if tray is None:
        return Tray.laid(written)
    if tuple(tray.lies) != DICE or tray.written != written:
        raise InvalidAction(f"The dice in the tray show {tray.written}, but the game says {written}.")
    return tray


def _aimed(thrown: str, at: str, aim: Aim, tray: Tray) -> Occasion:
    nearest = aim.target(tray, thrown)
    if nearest != at:
        raise InvalidAim(f"You aim at {at}, but {nearest} is nearer to the point.")
    hand = tuple(die for die in DICE if set_of(die) == thrown)
    return Occasion(hand, tray.without(hand), aim)


def landing(state: State, tray: Tray, touched: bool) -> int:
    """The action that says how the dice lie."""
    said: dict[str, object] = {"do": "land", "faces": tray.written}
    if state.snapshot()["aim"] is not None:
        said["touched"] = touched
    return state.encode(said)


def is_touched(turned: NDArray[np.bool_], moved: Sequence[float] | NDArray[np.float64]) -> bool:
    """Has a table die turned, or moved half an inch?"""
    return bool(np.any(turned) or np.any(np.asarray(moved) >= HALF_INCH))
