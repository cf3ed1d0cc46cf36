"""Throws in records: writing them, and simulating them again to verify that they follow from the promised seed."""

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from archipel.core.errors import quoted, sentence
from archipel.core.slow_chance import Compute, Computed, Draw, Json, NotFair, Step
from archipel.core.state import State

from .aim import Aim
from .simulation import Order
from .thrower import occasion
from .tray import Tray
from .wire import KeptFall, Thrown

_encode = msgspec.json.Encoder().encode


def recorded(steps: Iterable[Step]) -> Iterator[Json]:
    """What a record says about each throw; the aim belongs to the action before the landing."""
    before: bytes | None = None
    for extra, detail in steps:
        if detail:
            fall = msgspec.json.decode(detail)
            yield fall | ({"aim": msgspec.json.decode(before)} if before else {})
        before = extra


def mode_of(fair: Mapping[str, Any], modes: Container[str]) -> str:
    """The dice mode of a record: `physics`, `pad`, or `odds`, which is not written down."""
    given = fair.get("dice", {"by": "odds"})
    by = given.get("by") if isinstance(given, dict) else None
    if not isinstance(by, str) or by not in modes:
        raise NotFair(sentence("The record does not tell how its dice fell: {given}.", given=quoted(given)))
    return by


def throws_of(fair: Mapping[str, Any]) -> list[Thrown]:
    """What a record says about its throws; NotFair if it cannot be read."""
    try:
        return msgspec.convert(fair["dice"].get("throws"), list[Thrown])
    except msgspec.ValidationError as error:
        raise NotFair(sentence("The record's throws cannot be read: {error}.", error=error)) from None


def step_of(thrown: Thrown) -> Step:
    """The aim and the fall of a record's throw, as a log stores them."""
    fall = KeptFall(msgspec.Raw(_encode(thrown.lies)), thrown.engine, thrown.sha256, thrown.cocked)
    return Step(_encode(thrown.aim) if thrown.aim else None, _encode(fall))


class Again:
    """Simulates throws again, as far as the same engine is available."""

    def __init__(self, compute: Compute) -> None:
        self._compute = compute
        self._ours: str | None = None
        self._others: Counter[str] = Counter()

    def made(self, wanted: Order, engine: str) -> Computed | None:
        """Simulate a throw of this engine again; None if that is not possible here."""
        if self._ours != "" and not self._others[engine]:
            landed = self._compute(wanted)
            self._ours = msgspec.json.decode(landed.detail, type=KeptFall).engine if landed else ""
            if landed and self._ours == engine:
                return landed
        self._others[engine] += 1
        return None

    @property
    def note(self) -> str:
        """A sentence about what was not simulated again."""
        count = self._others.total()
        if not count:
            return ""
        throws = "One throw was" if count == 1 else f"{count} throws were"
        engines = " and ".join(sorted(self._others))
        here = f"here is {self._ours}" if self._ours else "here is nothing that moves dice"
        return f"{throws} not made again: {engines} moved the dice, and {here}."


def check(throws: list[Thrown], draws: Sequence[Draw], compute: Compute) -> str:
    """Simulate everything again; return a sentence about what could not be checked. NotFair says what does not
    agree."""
    if len(throws) != len(draws):
        template = "The record has {n} throws but tells of {given}."
        raise NotFair(sentence(template, n=len(draws), given=len(throws)))
    tray: Tray | None = None
    again = Again(compute)
    for thrown, (number, state, action, numbers) in zip(throws, draws, strict=True):
        wanted, lies = _wanted(number, state, thrown, tray, numbers)
        if landed := again.made(wanted, thrown.engine):
            _compare(number, action, thrown, landed)
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


def _wanted(number: int, state: State, thrown: Thrown, tray: Tray | None, numbers: Sequence[int]) -> tuple[Order, Tray]:
    try:
        aim = Aim(**msgspec.structs.asdict(thrown.aim)) if thrown.aim else None
        return Order.of(occasion(state, aim, tray), numbers), Tray.read(thrown.lies)
    except ValueError as error:
        raise NotFair(sentence("The throw of action {n} cannot be: {error}", n=number, error=error)) from None


def _compare(number: int, action: Json, thrown: Thrown, landed: Computed) -> None:
    if landed.action != action:
        template = "Action {n} should have been {fell}: so the dice fall with the promised seed and this aim."
        raise NotFair(sentence(template, n=number, fell=landed.action))
    fall = msgspec.json.decode(landed.detail, type=KeptFall)
    if (msgspec.json.decode(fall.lies), fall.cocked, fall.sha256) != (thrown.lies, thrown.cocked, thrown.sha256):
        template = "The dice of action {n} did not go the way that the promised seed and this aim give."
        raise NotFair(sentence(template, n=number))
