"""Levels: five opponents for every game, from beginner to strongest, with the same five names.

A level is a configuration with a name and a version: a bot with its budget, how often it plays a random move, and how
long it pretends to think. A game's parameters are in a JSON file that its manifest names; a game without one uses
`levels.json` of this package. A released version never changes.
"""

import hashlib
import json
from dataclasses import dataclass
from functools import cache
from math import log2
from pathlib import Path
from typing import Any

import numpy as np

from archipel.core import registry
from archipel.core.state import State

from . import Bot, View, bot
from .budget import Budget
from .thought import Thought
from .worlds import imagined

HASTY = Budget(simulations=200)
"""The budget for finding the worst move."""


@cache
def _figures() -> dict[str, Any]:
    figures: dict[str, Any] = json.loads(Path(__file__).with_name("levels.json").read_text("utf-8"))
    return figures


NAMES: tuple[str, ...] = tuple(_figures()["names"])
"""All levels, weakest first."""
VERSIONS: tuple[int, ...] = tuple(_figures()["versions"])


def title(name: str, language: str = "en") -> str:
    """The title of a level in English (en) or French (fr)."""
    said: str = _figures()["names"][name][language]
    return said


@dataclass(frozen=True)
class Pace:
    """Seconds to wait before a move: for a forced one, for each doubling of the number of choices, and at most."""

    forced: float
    doubling: float
    most: float

    def seconds(self, choices: int) -> float:
        """Seconds for a move with this number of choices."""
        return min(self.most, self.forced + self.doubling * log2(max(1, choices)))


@dataclass(frozen=True)
class Level:
    """The configuration of a level for one game."""

    name: str
    version: int
    game: str
    bot: str
    """The bot with its budget, as in `mcts:200`."""
    slip: float
    """The share of moves that are random."""
    blunder: float
    """The share of moves that are the worst the search finds, for games in which random moves are not weak enough."""
    ambition: float | None
    """The share of a perfect player's score that it aims for instead of winning; None: it plays to win."""
    habits: dict[str, Any] | None
    """Parameters of the way it plays instead of `bot`, which the game's manifest names; None: it plays as `bot`."""
    pace: Pace

    def wait(self, state: State) -> float:
        """Seconds to wait before a move in this position.

        The number of choices may tell what the bot holds, so it is that of a world that a spectator might imagine.
        """
        return self.pace.seconds(len(state.redealt(None, np.random.default_rng(0)).actions()))


def level(name: str, game: str, version: int | None = None) -> Level:
    """Return a level for a game (default: its newest version); ValueError if there is none."""
    version = _check(name, version)
    own = _of_version(_brought(game) or _figures()["default"], version)[name]
    lacks = own.get("blunder", 0.0), own.get("ambition"), own.get("habits")
    return Level(name, version, game, own["bot"], own["slip"], *lacks, Pace(**own["pace"]))


@cache
def _brought(game: str) -> dict[str, Any] | None:
    """The parameters in the game's own `levels` file; None if it has none."""
    manifest = registry.manifest(game)
    if not manifest.levels:
        return None
    figures: dict[str, Any] = json.loads(manifest.file(manifest.levels).read_text("utf-8"))
    return figures


def _of_version(figures: dict[str, Any], version: int) -> dict[str, Any]:
    """The figures of a version; a game that has none of its own for it keeps those of the version before."""
    own: dict[str, Any] = figures[str(max(number for number in map(int, figures) if number <= version))]
    return own


def _check(name: str, version: int | None) -> int:
    if name not in NAMES:
        raise ValueError(f"There is no level {name!r}; the levels are {', '.join(NAMES)}.")
    if version is not None and version not in VERSIONS:
        raise ValueError(f"There is no version {version} of {name}; there is {' and '.join(map(str, VERSIONS))}.")
    return version or max(VERSIONS)


def parse(spec: str) -> tuple[str, int | None]:
    """Parse `sailor`, or `sailor@1` with a version, into name and version; ValueError if there is no such level."""
    name, at, version = spec.partition("@")
    if at and not (version.isascii() and version.isdigit() and len(version) < 9):
        raise ValueError(f"A version is a number, as in {name}@{VERSIONS[0]}, not {version!r}.")
    number = int(version) if at else None
    _check(name, number)
    return name, number


def digest(spec: str) -> str:
    """A digest of a level's parameters in all games."""
    name, version = parse(spec)
    number = _check(name, version)
    brought = [figures for game in sorted(registry.names()) if (figures := _brought(game))]
    text = json.dumps([_of_version(figures, number)[name] for figures in brought], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


class LevelBot:
    """Plays every game at one level."""

    def __init__(self, name: str, version: int | None = None) -> None:
        self.name = name
        self.version = _check(name, version)
        self._bots: dict[str, Bot] = {}

    @classmethod
    def of(cls, spec: str) -> "LevelBot":
        """The bot for `sailor` or `sailor@1`."""
        return cls(*parse(spec))

    def level(self, game: str) -> Level:
        """The configuration of this level for a game."""
        return level(self.name, game, self.version)

    def choose(self, view: View, rng: np.random.Generator, budget: Budget | None = None) -> int:
        own, luck = self.level(view["game"]), rng.random()
        if luck < own.slip:
            (world,) = imagined(view, rng)
            return int(rng.choice(world.actions()))
        if luck < own.slip + own.blunder:
            return _worst(view, rng)
        if own.ambition is not None:
            return int(registry.manifest(own.game).part("striving")(view, rng, own.ambition))
        if own.habits is not None:
            return int(registry.manifest(own.game).part("habits")(view, rng, own.habits))
        if own.bot not in self._bots:
            self._bots[own.bot] = bot(own.bot)
        return self._bots[own.bot].choose(view, rng, budget)

    def think(self, view: View, rng: np.random.Generator, budget: Budget | None = None) -> Thought:
        """Evaluate with the level's bot, without random and worst moves."""
        from .expert import ExpertBot

        own = self.level(view["game"])
        mind: Any = ExpertBot(HASTY) if own.ambition is not None or own.habits else bot(own.bot)
        thought: Thought = mind.think(view, rng, budget)
        return thought

    def pace(self, state: State) -> float:
        """Seconds to wait before a move."""
        return self.level(state.game.name).wait(state)


def _worst(view: View, rng: np.random.Generator) -> int:
    """The action that the expert ranks last."""
    from .expert import ExpertBot

    return ExpertBot(HASTY).think(view, rng).ranking[-1].action
