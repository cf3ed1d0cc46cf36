"""The list of games: the folders of `archipel.games`, then the games of installed packages.

A package brings a game by an entry point of the group `archipel.games`, whose name is the game's and whose value is the
package's manifest, as in ``briscola = "archipel_briscola:MANIFEST"``. A package that cannot be used is left out with
one sentence that says why; the other games remain playable.
"""

import pkgutil
import re
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from .errors import quoted, sentence
from .manifest import Manifest

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from .game import Game
    from .slow_chance import SlowChance

GROUP = "archipel.games"
_NAME = re.compile("[a-z][a-z0-9_]*")


class PlugIns(NamedTuple):
    """The games of installed packages, and a sentence about each that cannot be used."""

    manifests: dict[str, Manifest]
    broken: dict[str, str]


@cache
def own() -> tuple[str, ...]:
    """The games of this package."""
    return tuple(sorted(found.name for found in pkgutil.iter_modules(import_module(GROUP).__path__) if found.ispkg))


@cache
def plug_ins() -> PlugIns:
    """The games of installed packages, each loaded and checked."""
    from importlib.metadata import entry_points

    found = PlugIns({}, {})
    points = sorted(entry_points(group=GROUP), key=lambda point: (point.name, _package(point)))
    if points:  # this package's games come first: no other can take their record types
        for name in own():
            kind(name)
    for point in points:
        taken = point.name in own() or point.name in found.manifests
        try:
            if taken:
                raise ValueError(f"there is a game named {point.name!r} already")
            found.manifests[point.name] = _checked(point)
        except (Exception, SystemExit) as error:
            key = f"{point.name} of {_package(point)}" if taken else point.name
            found.broken[key] = _complaint(point, error)
    return found


def _package(point: "EntryPoint") -> str:
    return f"{point.dist.name} {point.dist.version}" if point.dist else point.value


def _complaint(point: "EntryPoint", error: BaseException) -> str:
    reason = " ".join(str(error).split()).rstrip(".") or "it does not say why"
    kind = "" if isinstance(error, ValueError) else f"{type(error).__name__}: "
    return f"The package {_package(point)} brings no game {point.name!r}: {kind}{reason}."


def _checked(point: "EntryPoint") -> Manifest:
    """Return the manifest of a package whose game can be created; ValueError says what is wrong with it."""
    from .game import Game

    manifest = point.load()
    if not isinstance(manifest, Manifest):
        raise ValueError(f"{point.value} is no archipel.core.manifest.Manifest")
    if not _NAME.fullmatch(point.name):
        raise ValueError("a game's name has lower-case letters, digits and underscores")
    kind = manifest.part("game")
    if not (isinstance(kind, type) and issubclass(kind, Game)):
        raise ValueError(f"{manifest.game} is no subclass of archipel.core.game.Game")
    missing = sorted(kind.__abstractmethods__) + [name for name in _ATTRIBUTES if not hasattr(kind, name)]
    if missing:
        raise ValueError(f"{manifest.game} lacks {', '.join(missing)}")
    if kind.name != point.name:
        raise ValueError(f"{manifest.game} is named {kind.name!r}")
    kind()
    return manifest


_ATTRIBUTES = ("name", "title", "OPTIONS", "rules", "action_count")


def names() -> tuple[str, ...]:
    """The names of all games: those of this package, then those of installed packages."""
    return (*own(), *plug_ins().manifests)


def manifest(name: str) -> Manifest:
    """Return the manifest of a game, named with underscores or hyphens; ValueError if there is no such game."""
    given, name = name, name.replace("-", "_") if isinstance(name, str) else name
    if isinstance(name, str) and name in own():
        ours: Manifest = import_module(f"{GROUP}.{name}").MANIFEST
        return ours
    others = plug_ins()
    if isinstance(name, str) and name in others.manifests:
        return others.manifests[name]
    if isinstance(name, str) and name in others.broken:
        raise ValueError(others.broken[name])
    known = ", ".join(names())
    raise ValueError(sentence("There is no game {name}; the games are {names}.", name=quoted(given), names=known))


def kind(name: str) -> "type[Game]":
    """The class of a game."""
    found: type[Game] = manifest(name).part("game")
    return found


def game(name: str, /, **options: Any) -> "Game":
    """Return a game with its options; ValueError says which name, option or value is unknown."""
    return kind(name)(**options)


def slow_chance(name: str) -> "SlowChance | None":
    """The `SlowChance` of a game whose outcomes are computed or entered; None where outcomes are simply drawn."""
    found: SlowChance | None = manifest(name).part("slow_chance")
    return found


def forget() -> None:
    """Forget the installed packages, so that the next call looks for them again."""
    plug_ins.cache_clear()
