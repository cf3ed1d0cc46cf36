"""The options of a game: their permitted values, and a clear sentence for any other."""

import copy
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from .errors import quoted, sentence


@dataclass(frozen=True)
class Option:
    """One option: `check` returns the value to keep, or raises ValueError with a sentence about the permitted
    values."""

    name: str
    default: Any
    about: str
    wanted: str
    check: Callable[[Any], Any]
    values: tuple[Any, ...] = ()
    """All permitted values if they are few, otherwise some that are worth comparing."""
    changes_play: bool = True
    """False if the option changes only what people are shown."""


def flag(name: str, about: str, default: bool = False, changes_play: bool = True) -> Option:
    """An option that is on or off (default: off)."""

    def check(value: Any) -> bool:
        if not isinstance(value, bool):
            raise ValueError("true or false")
        return value

    return Option(name, default, about, "true or false", check, (False, True), changes_play)


def choice(name: str, values: tuple[Any, ...], about: str) -> Option:
    """An option with a few values; the first is the default."""
    wanted = " or ".join(json.dumps(value) for value in values)

    def check(value: Any) -> Any:
        for known in values:
            if type(value) is type(known) and value == known:
                return known
        raise ValueError(wanted)

    return Option(name, values[0], about, wanted, check, values)


def whole(name: str, default: int, low: int, high: int, about: str) -> Option:
    """An option that is a whole number."""
    wanted = f"a whole number from {low} to {high}"

    def check(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise ValueError(wanted)
        return value

    return Option(name, default, about, wanted, check)


def complete(game: str, options: Iterable[Option], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return all options of a game, with defaults where none is given. ValueError names the option that is wrong."""
    known = {option.name: option for option in options}
    for name in given:
        if name not in known:
            names = ", ".join(known)
            raise ValueError(
                sentence(
                    "{game} has no option {name}; its options are {names}.", game=game, name=quoted(name), names=names
                )
            )
    chosen = {}
    for name, option in known.items():
        value = given.get(name, option.default)
        try:
            chosen[name] = copy.deepcopy(option.check(value))
        except (TypeError, ValueError, RecursionError):
            wanted, was = option.wanted, quoted(value)
            raise ValueError(
                sentence(
                    "{game}: option {name} must be {wanted}, not {given}.",
                    game=game,
                    name=repr(name),
                    wanted=wanted,
                    given=was,
                )
            ) from None
    return chosen
