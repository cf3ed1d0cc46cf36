"""Arguments that several commands have: a game's name, its options, a language."""

import argparse
import json
import os
from collections.abc import Iterable
from math import isfinite, nan
from typing import TYPE_CHECKING, Any

from archipel.core.errors import LANGUAGES

from .errors import BadInput, complaining

if TYPE_CHECKING:
    from archipel.core.game import Game


def add_game(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", type=name, help="a game, as `archipel games` lists them")


def add_language(parser: argparse.ArgumentParser) -> None:
    usual = "English (en) or French (fr) (default: the language of your system)"
    parser.add_argument("--lang", choices=LANGUAGES, default=system_language(), help=usual)


def add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")


def print_json(data: Any) -> None:
    """Print one JSON value, indented."""
    print(json.dumps(data, ensure_ascii=False, indent=2))


def system_language() -> str:
    """The language of the environment if it is supported, otherwise English."""
    wanted = next((value for key in ("LC_ALL", "LC_MESSAGES", "LANG") if (value := os.environ.get(key))), "")
    return wanted[:2] if wanted[:2] in LANGUAGES and not wanted[2:3].isalnum() else LANGUAGES[0]


def name(text: str) -> str:
    """Normalise a game's name: Kula Kula, kula-kula and kula_kula are the same."""
    return "_".join(text.casefold().replace("-", " ").replace("_", " ").split())


def game(name: str, options: Iterable[str] = ()) -> "Game":
    """The game of that name, with options written as name=value."""
    import archipel

    with complaining():
        return archipel.game(name, **dict(map(option, options)))


def option(text: str) -> tuple[str, Any]:
    """Parse an option's name and value: JSON, or a word; the name alone means true."""
    name, equals, value = text.partition("=")
    if not name.strip():
        raise BadInput(f"An option is written name=value, not {text!r}.")
    return name.strip(), _value(value.strip()) if equals else True


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def described(game: "Game") -> str:
    """A game's title, with the options that differ from their defaults."""
    chosen = [
        f"{option.name}={json.dumps(game.options[option.name])}"
        for option in game.OPTIONS
        if game.options[option.name] != option.default
    ]
    return " · ".join([game.title, *chosen])


def real(text: str) -> float:
    """A number."""
    try:
        value = float(text)
    except ValueError:
        value = nan
    if not isfinite(value):
        raise argparse.ArgumentTypeError(f"a number is wanted, not {text!r}")
    return value


def whole(text: str) -> int:
    """A whole number from 0."""
    if not (text.isascii() and text.isdigit() and len(text) < 20):
        raise argparse.ArgumentTypeError(f"a whole number is wanted, not {text!r}")
    return int(text)
