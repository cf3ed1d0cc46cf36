"""The interface of throwers: from a position, an aim and a generator to a landing that the rules accept."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from archipel.core.errors import InvalidAction, sentence
from archipel.core.rules import CHANCE
from archipel.core.state import State
from archipel.games.krakatoa.board import DICE
from archipel.games.krakatoa.rules import THROWOFF

from .aim import Aim, InvalidAim
from .tray import Tray, dice_of

HALF_INCH = 1.27
"""A table die that moved this far was touched."""


@dataclass(frozen=True)
class Throw:
    """The result of a throw: the landing as an action of the position, the positions of the dice, and the trajectory as
    bytes.

    Only physics has a trajectory; a landing that was typed in has no tray either.
    """

    landing: int
    tray: Tray | None = None
    trajectory: bytes | None = None


class Thrower(Protocol):
    """Anything that can throw dice."""

    def throw(self, state: State, aim: Aim | None, rng: np.random.Generator, tray: Tray | None = None) -> Throw:
        """Throw the dice that are due. Without a tray they are laid out to show the faces of the position.

        An aim is required from the second throw of a turn on, and must be nearest to the die that the action names.
        InvalidAim if it is not possible, ValueError if nothing can be thrown; then nothing has moved.
        """


@dataclass(frozen=True)
class Occasion:
    """A throw that is due: the dice in the hand, those on the table, and the aim if there are any."""

    hand: tuple[str, ...]
    table: Tray
    aim: Aim | None

    @property
    def dice(self) -> tuple[str, ...]:
        """All dice in the order of the sets."""
        return tuple(die for die in DICE if die in self.hand or die in self.table.lies)


def check_due(state: State) -> None:
    """InvalidAction unless dice are about to land."""
    if state.game.name != "krakatoa" or state.mover != CHANCE:
        raise InvalidAction("No dice are to be thrown now.")


def hand(state: State) -> tuple[str, ...]:
    """The dice that are about to land."""
    aim = state.snapshot()["aim"]
    if aim is not None:
        return dice_of(aim["set"])
    return DICE[:3] if state.record.phase == THROWOFF else DICE


def occasion(state: State, aim: Aim | None, tray: Tray | None) -> Occasion:
    """The throw that is due in this position, checked."""
    check_due(state)
    shown, taken = state.snapshot(), hand(state)
    if shown["aim"] is None:
        if aim is not None:
            raise InvalidAim("This throw has nothing on the table to aim at.")
        return Occasion(taken, Tray({}), None)
    if aim is None:
        raise InvalidAim("This throw needs an aim.")
    lying = _checked(tray, shown["dice"])
    check_target(aim, lying, shown["aim"]["set"], shown["aim"]["at"])
    return Occasion(taken, lying.without(taken), aim)


def _checked(tray: Tray | None, written: str) -> Tray:
    if tray is None:
        return Tray.laid(written)
    if tuple(tray.lies) != DICE or tray.written != written:
        template = "The dice in the tray show {shown}, but the game says {written}."
        raise InvalidAction(sentence(template, shown=tray.written, written=written))
    return tray


def check_target(aim: Aim, tray: Tray, thrown: str, at: str) -> None:
    """InvalidAim unless the die that a throw names is the one nearest to its aim."""
    nearest = aim.target(tray, thrown)
    if nearest != at:
        raise InvalidAim(sentence("You aim at {at}, but {nearest} is nearer to the point.", at=at, nearest=nearest))


def landing_json(tray: Tray, touched: bool | None) -> dict[str, object]:
    """The positions of the dice as the JSON of an action; `touched` is None where nothing was aimed at."""
    landing: dict[str, object] = {"do": "land", "faces": tray.written}
    return landing if touched is None else landing | {"touched": touched}


def landing(state: State, tray: Tray, touched: bool) -> int:
    """The action for the positions of the dice."""
    return state.encode(landing_json(tray, touched if state.snapshot()["aim"] is not None else None))


def is_touched(turned: NDArray[np.bool_], moved: Sequence[float] | NDArray[np.float64]) -> bool:
    """True if a table die has turned, or moved half an inch."""
    return bool(np.any(turned) or np.any(np.asarray(moved) >= HALF_INCH))
