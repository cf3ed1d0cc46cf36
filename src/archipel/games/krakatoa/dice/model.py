"""Dice by a model: which table dice turn or move, fitted to thousands of simulated throws (`fitting.py`).

It is accurate on average, not for a single throw: good for bots, which compare thousands of aims, and for games that
nobody watches.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from math import pi
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from archipel.core.state import State
from archipel.games.krakatoa.board import FACES

from .aim import Aim, numbers
from .features import along_and_aside, features, hardness
from .shape import RING, Floats
from .thrower import HALF_INCH, Occasion, Throw, landing, occasion
from .tray import GRID, Lie, Tray, apart

Flags = NDArray[np.bool_]

SUBSETS = np.array([[s >> k & 1 for k in range(6)] for s in range(64)], bool)
"""Every subset of table dice: number s contains die k if bit k is set."""


class Chances(NamedTuple):
    """The probable effects of aims; one row per aim."""

    turn: Floats
    """For each table die, the probability that it turns."""
    move: Floats
    """For each table die, the probability that it moves half an inch if it does not turn."""
    touch: Floats
    """The probability that the throw is not a scratch."""

    def turned(self) -> Floats:
        """For each of the 64 SUBSETS, the probability that the throw touches and exactly these dice turn."""
        by_subset = subsets(self.turn)
        moved = 1 - np.prod(1 - self.move, -1)
        scratch = by_subset[..., 0] * (1 - moved)
        by_subset[..., 0] *= moved
        scale: Floats = self.touch / np.maximum(1 - scratch, 1e-12)
        return by_subset * scale[..., None]


def subsets(chances: Floats) -> Floats:
    """For each of the 64 SUBSETS, the probability that exactly these dice turn if they are independent."""
    parts = np.ones((*chances.shape[:-1], 1))
    for k in reversed(range(6)):
        own = np.stack([1 - chances[..., k], chances[..., k]], -1)
        parts = (parts[..., :, None] * own[..., None, :]).reshape(*chances.shape[:-1], -1)
    return parts


@dataclass(frozen=True)
class Fit:
    """The fitted parameters, as in `model.json`."""

    turn: Floats
    move: Floats
    touch: Floats
    """Calibrates the probability to touch: shift and slope of its log odds."""
    rings: Floats
    """The ring of faces to which a die turns: adjacent, beyond those, or opposite."""
    pushed: dict[str, "Drift"]
    """Where a table die goes that turns, or that only moves."""
    thrown: "Drift"
    """Where the thrown dice end up, relative to the aim."""
    first: tuple[float, float]
    """The first throw: the distance of its middle from the tray's, and of the dice from that, in each direction."""

    @classmethod
    def read(cls, data: dict[str, Any]) -> "Fit":
        """From JSON."""
        arrays = {name: np.array(data[name]) for name in ("turn", "move", "touch", "rings")}
        pushed = {name: Drift.read(drift) for name, drift in data["pushed"].items()}
        return cls(**arrays, pushed=pushed, thrown=Drift.read(data["thrown"]), first=tuple(data["first"]))


@dataclass(frozen=True)
class Drift:
    """How far dice move along the throw and to its left.

    Linear in where and how hard they are hit, with a normal spread.
    """

    weights: Floats
    spread: Floats

    @classmethod
    def read(cls, data: dict[str, Any]) -> "Drift":
        """From JSON."""
        return cls(np.array(data["weights"]), np.array(data["spread"]))

    def draw(self, along: Floats, aside: Floats, hard: Floats, rng: np.random.Generator) -> Floats:
        """A random displacement for each die."""
        drift: Floats = terms(along, aside, hard) @ self.weights + rng.standard_normal((len(along), 2)) * self.spread
        return drift


def terms(along: Floats, aside: Floats, hard: Floats) -> Floats:
    """The regressors of a drift."""
    return np.stack([np.ones_like(along), hard, along, aside, along * hard, aside * hard], -1)


def fitted() -> dict[str, Any]:
    """Everything in `model.json`, including the figures about the fit."""
    parameters: dict[str, Any] = json.loads((resources.files(__package__) / "model.json").read_text("utf-8"))
    return parameters


@cache
def fit() -> Fit:
    """What was fitted."""
    return Fit.read(fitted()["fit"])


def _certain(log_odds: Floats) -> Floats:
    chance: Floats = 1 / (1 + np.exp(-np.clip(log_odds, -30, 30)))
    return chance


def chances(aims: Floats, places: Floats, by: Fit | None = None) -> Chances:
    """The probable effects of aims on six table dice at these places: one table for all aims, or one each.

    A row of an aim is x, y, direction, strength and spread.
    """
    by = by or fit()
    seen = features(aims, places)
    turn, move = _certain(seen @ by.turn), _certain(seen @ by.move)
    still = np.log1p(-turn).sum(-1) + np.log1p(-move).sum(-1)
    odds = np.log(np.maximum(-np.expm1(still), 1e-12)) - still
    return Chances(turn, move, _certain(by.touch[0] + by.touch[1] * odds))


class Model:
    """Throws dice by the fitted probabilities."""

    def chances(self, table: Tray, aims: Sequence[Aim]) -> Chances:
        """The probable effects of each aim on the six dice on the table."""
        return chances(numbers(aims), _places(table))

    def throw(self, state: State, aim: Aim | None, rng: np.random.Generator, tray: Tray | None = None) -> Throw:
        before = occasion(state, aim, tray)
        lies, touched = (_first(before, rng), True) if before.aim is None else _aimed(before, before.aim, rng)
        after = Tray({die: lies[die] for die in before.dice})
        return Throw(landing(state, after, touched), after)


def _places(table: Tray) -> Floats:
    return np.array([lie[:2] for lie in table.lies.values()])


def _first(before: Occasion, rng: np.random.Generator) -> dict[str, Lie]:
    """Throw dice at an empty table."""
    middle, spread = fit().first
    places = middle * rng.standard_normal(2) + spread * rng.standard_normal((len(before.hand), 2))
    return {die: _thrown(x, y, rng) for die, (x, y) in zip(before.hand, apart(places), strict=True)}


def _thrown(x: float, y: float, rng: np.random.Generator) -> Lie:
    return Lie.near(x, y, int(rng.integers(FACES)), rng.uniform(0, 2 * pi))


def _aimed(before: Occasion, aim: Aim, rng: np.random.Generator) -> tuple[dict[str, Lie], bool]:
    """The positions of all nine after an aimed throw, and whether it touched."""
    places = _places(before.table)
    turned, moved = _disturbed(chances(numbers([aim]), places), rng)
    places = np.concatenate([_gone(places, aim, turned, moved, rng), _landed(aim, rng)])
    places = apart(places, np.concatenate([turned | moved, [True] * len(before.hand)]))
    lies = {
        die: _pushed(lie, places[k], turned[k], moved[k], rng) for k, (die, lie) in enumerate(before.table.lies.items())
    }
    for die, (x, y) in zip(before.hand, places[len(lies) :], strict=True):
        lies[die] = _thrown(x, y, rng)
    return lies, bool(turned.any() or moved.any())


def _gone(places: Floats, aim: Aim, turned: Flags, moved: Flags, rng: np.random.Generator) -> Floats:
    """Where the table dice are pushed to."""
    aims = numbers([aim])
    along, aside = (seen[0] for seen in along_and_aside(aims, places))
    hard = np.full_like(along, hardness(aims[0, 3]))
    drifts = {name: drift.draw(along, aside, hard, rng) for name, drift in fit().pushed.items()}
    drifts["moved"] *= np.maximum(1, (HALF_INCH + 2 * GRID) / np.hypot(*drifts["moved"].T))[:, None]
    shift = drifts["turned"] * turned[:, None] + drifts["moved"] * moved[:, None]
    return places + shift @ aim.frame


def _landed(aim: Aim, rng: np.random.Generator) -> Floats:
    """Where the thrown dice end up."""
    lanes = aim.spread * np.array([-1.0, 0.0, 1.0])
    shift = fit().thrown.draw(np.zeros(3), lanes, np.full(3, hardness(aim.strength)), rng)
    return (aim.x, aim.y) + (shift + np.stack([np.zeros(3), lanes], -1)) @ aim.frame


def _disturbed(chances: Chances, rng: np.random.Generator) -> tuple[Flags, Flags]:
    """Which table dice turn, and which of the others move half an inch; none of either in a scratch."""
    none = np.zeros(6, bool)
    by_subset = chances.turned()[0]
    if rng.random() >= by_subset.sum():
        return none, none
    turned = SUBSETS[rng.choice(64, p=by_subset / by_subset.sum())]
    by_subset = subsets(chances.move[0] * ~turned)
    if not turned.any():
        by_subset[0] = 0
    return turned, SUBSETS[rng.choice(64, p=by_subset / by_subset.sum())]


def _pushed(lie: Lie, place: Floats, turned: bool, moved: bool, rng: np.random.Generator) -> Lie:
    """The position of a table die after the throw."""
    if not turned and not moved:
        return lie
    x, y = place.tolist()
    return Lie.near(x, y, _next_face(lie.face, rng) if turned else lie.face, rng.uniform(0, 2 * pi))


def _next_face(face: int, rng: np.random.Generator) -> int:
    ring = rng.choice(3, p=fit().rings) + 1
    return int(rng.choice(np.flatnonzero(RING[face] == ring)))
