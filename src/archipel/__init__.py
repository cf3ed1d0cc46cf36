"""Archipel: Kahuna, Kula Kula, Stonehenge and Krakatoa, with exact rules, fair bots and a server to play on."""

from typing import TYPE_CHECKING, Any

from archipel.core.errors import AmbiguousAction, IllegalAction, InvalidAction, RecordError

if TYPE_CHECKING:
    from archipel.core.game import Game
    from archipel.core.record import Record
    from archipel.core.series import Series
    from archipel.core.state import State

__version__ = "0.1.0"

GAMES: tuple[str, ...]
"""The names of all games: those of this package, then those of installed packages."""
CHANCE = -1
OVER = -2


def game(name: str, /, **options: Any) -> "Game":
    """Return a game with its options; ValueError says which name, option or value is unknown."""
    from archipel.core import registry

    return registry.game(name, **options)


def analyse(subject: Any, /, bot: str = "expert", **settings: Any) -> Any:
    """Analyse a state, a view, or every action of a record with a bot; see `archipel.analysis.analyse`."""
    from importlib import import_module

    return import_module("archipel.analysis").analyse(subject, bot, **settings)


_LAZY = {"Game": "game", "Record": "record", "Series": "series", "State": "state"}


def __getattr__(name: str) -> Any:
    """Import the rest on first use, so that `import archipel` is fast."""
    if name == "GAMES":
        from archipel.core import registry

        return registry.names()
    if name not in _LAZY:
        raise AttributeError(f"module 'archipel' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"archipel.core.{_LAZY[name]}"), name)


def __dir__() -> list[str]:
    """What is public, for completion in a shell or notebook."""
    return sorted([*__all__, "__version__"])


__all__ = [
    "CHANCE",
    "GAMES",
    "OVER",
    "AmbiguousAction",
    "Game",
    "IllegalAction",
    "InvalidAction",
    "Record",
    "RecordError",
    "Series",
    "State",
    "analyse",
    "game",
]
