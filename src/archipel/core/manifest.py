"""A game's manifest: where its parts are. Everything but the game itself is optional and loaded on first use.

A game's package has a `MANIFEST` in its `__init__.py`, which must be cheap to import: parts are named, as in
``"archipel.games.kahuna.game:Kahuna"``, not imported.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any


@dataclass(frozen=True)
class Manifest:
    """The parts of a game, each written ``"module:name"``; empty if the game has no such part."""

    game: str
    """The class, a subclass of `archipel.core.game.Game`."""
    slow_chance: str = ""
    """A `SlowChance`, where some chance outcomes are computed by a worker process or entered by a player."""
    knowledge: str = ""
    """A `Knowledge` that makes the search stronger; see `archipel.bots.knowledge`."""
    expert: str = ""
    """A function ``(game, budget, cores)`` that returns the strongest bot; without one, the search plays."""
    bots: Mapping[str, str] = field(default_factory=dict)
    """More bots for this game, by name, each the class of an `archipel.bots.Bot`."""
    striving: str = ""
    """A function ``(view, rng, ambition)`` that chooses an action for levels with an ambition."""
    habits: str = ""
    """A function ``(view, rng, habits)`` that chooses an action for levels with habits of their own."""
    levels: str = ""
    """A JSON file in the package with the parameters of the levels, by version; without one, the defaults are used."""
    puzzles: str = ""
    """An `archipel.core.puzzles.PuzzleMaker`; its puzzles are in `puzzles.jsonl.gz` of the game's package."""

    page: str = ""
    """A dictionary of what only a page without a server asks for, by name: functions, classes, and paths of files."""

    def part(self, name: str) -> Any:
        """Import and return a part; None if the game has no such part."""
        path = getattr(self, name)
        return resolve(path) if path else None

    def file(self, name: str) -> Traversable:
        """A file of the game's package."""
        return files(self.package) / name

    @property
    def package(self) -> str:
        """The package that holds the game's files: rules pages and features."""
        return self.game.partition(":")[0].rpartition(".")[0]


@cache
def resolve(path: str) -> Any:
    """Import and return the object named by ``"module:name"``."""
    module, colon, name = path.partition(":")
    if not (module and colon and name):
        raise ValueError(f"A part of a manifest is written 'module:name', not {path!r}.")
    return getattr(import_module(module), name)
