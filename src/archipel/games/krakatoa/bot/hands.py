"""How the levels aim Krakatoa's dice: the steadiness of a hand, with its own versions (`hands.json`)."""

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
"""The versions of the levels' hands; a released version never changes."""


@dataclass(frozen=True)
class Aiming:
    """How a level throws dice in a tray."""

    error: float
    """The error of its hand in centimetres: the standard deviation along each axis."""
    slip: float
    """The share of throws at a random die."""
    aims: int
    """How many aims it considers."""
    throws: int
    """How many throws it simulates before it decides."""


def aiming(level: str, version: int | None = None) -> Aiming:
    """How a level aims (default: the newest version)."""
    return Aiming(**_figures()[str(version or max(VERSIONS))][level])


@cache
def _bot(level: str) -> AimingBot:
    own = aiming(level)
    return AimingBot(Budget(simulations=own.throws) if own.throws else None, Hand(own.error), own.aims)


def shot(level: str, view: View, tray: Tray, rng: np.random.Generator) -> Shot:
    """What a level does with dice in a tray; a bot that is not a level does not aim, but only names a die."""
    name = level.partition("@")[0]
    if name not in levels.NAMES:
        return Shot(_other(level).choose(view, rng), None)
    if view["phase"] == "decide":
        return Shot(_other(level).choose(view, rng), None)
    if rng.random() < aiming(name).slip:
        return _bot(name).anyhow(view, tray, rng)
    return _bot(name).aim(view, tray, rng)


@cache
def _other(name: str) -> Any:
    return bot(name)
