"""Throwing the dice of an old game again, to see that they fell as its promised seed and its aims say."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from archipel.core.errors import quoted, sentence
from archipel.core.state import State
from archipel.dice.tray import Tray

from .protocol import Aim
from .throwing import Landed, Order, landing, order

Throw = Callable[[Order], Landed | None]
Draw = tuple[int, State, dict[str, Any], tuple[int, ...]]
"""A landing of a record: the number of its action, the state before, the action, and the words that were drawn."""


class NotFair(ValueError):
    """A record whose draws are not those that its seed gives."""


class Thrown(Struct, omit_defaults=True, forbid_unknown_fields=True, kw_only=True):
    """What a record tells of a throw: its aim, how all dice lay then, what moved them, and SHA-256 of their way."""

    lies: dict[str, list[Any]]
    engine: str
    sha256: str
    cocked: int = 0
    aim: Aim | None = None


def way_of(fair: Mapping[str, Any]) -> str:
    """How a record's dice fell: `physics`, `pad`, or `odds`, which needs no word."""
    told = fair.get("dice", {"by": "odds"})
    by = told.get("by") if isinstance(told, dict) else None
    if by not in ("physics", "pad", "odds"):
        raise NotFair(sentence("The record does not tell how its dice fell: {told}.", told=quoted(told)))
    return str(by)


def throws_of(fair: Mapping[str, Any]) -> list[Thrown]:
    """What a record tells of its throws; NotFair if it cannot be read."""
    told = fair["dice"].get("throws")
    try:
        return msgspec.convert(told, list[Thrown])
    except msgspec.ValidationError as error:
        raise NotFair(sentence("The record's throws cannot be read: {error}.", error=error)) from None


class Again:
    """Throws made once more, as far as what moved the dice moves them here too."""

    def __init__(self, throw: Throw) -> None:
        self._throw = throw
        self._ours: str | None = None
        self._others: Counter[str] = Counter()

    def made(self, wanted: Order, engine: str) -> Landed | None:
        """A throw that this engine made, once more; nothing if that cannot be done here."""
        if self._ours != "" and not self._others[engine]:
            landed = self._throw(wanted)
            self._ours = landed.engine if landed else ""
            if landed and landed.engine == engine:
                return landed
        self._others[engine] += 1
        return None

    @property
    def note(self) -> str:
        """What was not made again, as a sentence."""
        count = self._others.total()
        if not count:
            return ""
        throws = "One throw was" if count == 1 else f"{count} throws were"
        engines = " and ".join(sorted(self._others))
        here = f"here is {self._ours}" if self._ours else "here is nothing that moves dice"
        return f"{throws} not made again: {engines} moved the dice, and {here}."


def check(throws: list[Thrown], draws: Iterable[Draw], throw: Throw) -> str:
    """Throw everything again; what could not be checked, as a sentence. NotFair says what does not agree."""
    tray: Tray | None = None
    again = Again(throw)
    for thrown, (number, state, action, words) in zip(throws, draws, strict=True):
        wanted, lies = _wanted(number, state, thrown, tray, words)
        if landed := again.made(wanted, thrown.engine):
            _compare(number, state, action, thrown, landed)
        elif lies.written != action["faces"]:
            raise NotFair(
                sentence(
                    "Action {n} says {faces}, but the dice lay as {lay}.",
                    n=number,
                    faces=action["faces"],
                    lay=lies.written,
                )
            )
        tray = lies
    return again.note


def _wanted(number: int, state: State, thrown: Thrown, tray: Tray | None, words: tuple[int, ...]) -> tuple[Order, Tray]:
    try:
        return order(state, thrown.aim, tray, words), Tray.read(thrown.lies)
    except ValueError as error:
        raise NotFair(sentence("The throw of action {n} cannot be: {error}", n=number, error=error)) from None


def _compare(number: int, state: State, action: dict[str, Any], thrown: Thrown, landed: Landed) -> None:
    fell = state.decode(landing(state, landed))
    if fell != action:
        said = "Action {n} should have been {fell}: so the dice fall with the promised seed and this aim."
        raise NotFair(sentence(said, n=number, fell=fell))
    if landed.told != (thrown.lies, thrown.cocked, thrown.sha256):
        said = "The dice of action {n} did not go the way that the promised seed and this aim give."
        raise NotFair(sentence(said, n=number))
