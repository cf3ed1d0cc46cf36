"""Finding a game by its name, so that the core need know none."""

from importlib import import_module
from typing import Any

from .errors import quoted, sentence
from .game import Game

_GAMES = "archipel.games"


def game(name: str, /, **options: Any) -> Game:
    """A game by name with its options; ValueError says which name, option or value is unknown."""
    return kind(name)(**options)


def kind(name: str) -> type[Game]:
    """The class of a game."""
    known: dict[str, str] = import_module(_GAMES).REGISTRY
    if not isinstance(name, str) or name not in known:
        names = ", ".join(known)
        raise ValueError(sentence("There is no game {name}; the games are {names}.", name=quoted(name), names=names))
    found: type[Game] = getattr(import_module(f"{_GAMES}.{name}.game"), known[name])
    return found
