"""How the levels aim Krakatoa's dice: a hand that is steady or not, in versions of its own (`hands.json`)."""

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from archipel.bots import View, bot, levels
from archipel.bots.budget import Budget
from archipel.games.krakatoa.dice.aiming import Hand
from archipel.games.krakatoa.dice.tray import Tray

from .aiming import AimingBot, Shot


@cache
def _figures() -> dict[str, Any]:
    figures: dict[str, Any] = json.loads((files(__package__) / "hands.json").read_text("utf-8"))
    return figures


VERSIONS: tuple[int, ...] = tuple(map(int, _figures()))
"""The versions of the levels' hands; one that is out never changes."""


@dataclass(frozen=True)
class Aiming:
    """How a level throws dice that lie in a tray."""

    error: float
    """By how many centimetres its hand misses the point, the standard deviation along each axis."""
    slip: float
    """The share of throws at any die, without looking."""
    aims: int
    """How many aims it considers."""
    throws: int
    """How many throws it simulates before it decides."""


def aiming(level: str, version: int | None = None) -> Aiming:
    """How a level aims, of the newest version unless another is asked for."""
    return Aiming(**_figures()[str(version or max(VERSIONS))][level])


@cache
def _bot(level: str) -> AimingBot:
    own = aiming(level)
    return AimingBot(Budget(simulations=own.throws) if own.throws else None, Hand(own.error), own.aims)


def shot(level: str, view: View, tray: Tray, rng: np.random.Generator) -> Shot:
    """What a level does with dice that lie in a tray; a bot that is no level does not aim, but only names a die."""
    name = level.partition("@")[0]
    if name not in levels.NAMES:
        return Shot(_other(level).choose(view, rng), None)
    if rng.random() < aiming(name).slip:
        return _bot(name).anyhow(view, tray, rng)
    return _bot(name).aim(view, tray, rng)


@cache
def _other(name: str) -> Any:
    return bot(name)
