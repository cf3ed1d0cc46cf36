"""A view as a row of numbers from 0 to 1, for machine learning: the building blocks of each game's encoding.

A game's `features.py` combines them in one function `layout(game)`:

    row(
        mover=mover(2),
        cells=by_name("ABC", each(seat(2), one_of(1, 2, 3))),
        hands=by_seat(2, pile((1, 2, 3), most=2, size=9)),
    )

Seats are always listed from the viewer's own on, so that the same situation is encoded the same way for every seat.
What is hidden, absent or null is all zeros.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from itertools import accumulate
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .rules import CHANCE, OVER

if TYPE_CHECKING:
    from .game import Game

Row = NDArray[np.float32]


@dataclass(frozen=True)
class Part:
    """Part of a row: a name for each number, and a function that writes the numbers.

    `write(out, at, value, seat)` writes a value that the seat sees into a row of zeros, from index `at` on.
    """

    names: tuple[str, ...]
    write: Callable[[list[float], int, Any, int], None]

    def row(self, view: Mapping[str, Any]) -> Row:
        """Return the numbers of a whole view; a spectator's view is encoded as seat 0's."""
        out = [0.0] * len(self.names)
        self.write(out, 0, view, view["seat"] or 0)
        return np.array(out, np.float32)


def module(game: "Game") -> ModuleType | None:
    """The game's `features.py`; None if it has none."""
    package = type(game).__module__.rpartition(".")[0]
    return import_module(f"{package}.features") if package and find_spec(f"{package}.features") else None


def layout(game: "Game") -> Part:
    """The encoding of a game's views: the one in its `features.py`, or else bit by bit."""
    own = module(game)
    whole: Part = own.layout(game) if own else _bits(game)
    return whole


def _bits(game: "Game") -> Part:
    """The bits of one state that is consistent with the view, always the same one for the same view."""
    names = tuple(f"bit {n}" for n in range(8 * game.rules.state.itemsize))

    def write(out: list[float], at: int, view: Any, viewer: int) -> None:
        position = game.imagine(view, np.random.default_rng(0))
        bits = np.unpackbits(np.frombuffer(position.record.tobytes(), np.uint8))
        out[at : at + len(bits)] = bits.tolist()

    return Part(names, write)


def flag() -> Part:
    """True or false."""
    return number(1)


def number(high: int) -> Part:
    """A number as a fraction of its maximum; larger numbers count as the maximum."""
    whole = high or 1

    def write(out: list[float], at: int, value: Any, viewer: int) -> None:
        out[at] = min(value / whole, 1.0)

    return Part(("",), write)


def one_of(*values: Any) -> Part:
    """One-hot encoding of a value."""
    place = {value: i for i, value in enumerate(values)}

    def write(out: list[float], at: int, value: Any, viewer: int) -> None:
        out[at + place[value]] = 1.0

    return Part(tuple(map(str, values)), write)


def some_of(names: Iterable[Any], most: int = 1) -> Part:
    """How often each name is listed, up to `most` times."""
    place = {name: i for i, name in enumerate(names)}

    def write(out: list[float], at: int, value: Any, viewer: int) -> None:
        for name in value:
            out[at + place[name]] += 1 / most

    return Part(tuple(map(str, place)), write)


def pile(kinds: Iterable[Any], most: int, size: int) -> Part:
    """The number of items of each kind, and the total; only the total if the pile is hidden.

    There are at most `most` items of a kind, and `size` in all.
    """
    listed, total = some_of(kinds, most), number(size)

    def write(out: list[float], at: int, value: Any, viewer: int) -> None:
        if not isinstance(value, int):
            listed.write(out, at, value, viewer)
            value = len(value)
        total.write(out, at + len(listed.names), value, viewer)

    return Part((*listed.names, "size"), write)


def seat(seats: int) -> Part:
    """One-hot encoding of a seat, or several seats of a list, starting with the viewer's own."""

    def write(out: list[float], at: int, value: Any, viewer: int) -> None:
        for one in value if isinstance(value, list) else [value]:
            out[at + (one - viewer) % seats] = 1.0

    return Part(_seats(seats), write)


def mover(seats: int) -> Part:
    """One-hot encoding of who acts: a seat, chance, or nobody because the game is over."""
    who, nobody = seat(seats), one_of(CHANCE, OVER)

    def write(out: list[float], at: int, value: Any, viewer: int) -> None:
        if value < 0:
            nobody.write(out, at + seats, value, viewer)
        else:
            who.write(out, at, value, viewer)

    return Part((*who.names, "chance", "over"), write)


def by_seat(seats: int, part: Part) -> Part:
    """A list with one value per seat (or side), starting with the viewer's own."""
    whole = each(*[part] * seats)

    def write(out: list[float], at: int, value: Any, viewer: int) -> None:
        own = viewer % seats
        whole.write(out, at, [*value[own:], *value[:own]], viewer)

    return Part(_nested(_seats(seats), [part] * seats), write)


def by_name(names: Iterable[str], part: Part) -> Part:
    """An object that has some of `names` as keys."""
    width = len(part.names)
    place = {name: i * width for i, name in enumerate(names)}

    def write(out: list[float], at: int, value: Any, viewer: int) -> None:
        for name, item in value.items():
            if item is not None:
                part.write(out, at + place[name], item, viewer)

    return Part(_nested(place, [part] * len(place)), write)


def each(*parts: Part) -> Part:
    """A list with one part per value; it may be shorter."""
    starts = [0, *accumulate(len(part.names) for part in parts)]

    def write(out: list[float], at: int, value: Any, viewer: int) -> None:
        for part, start, item in zip(parts, starts, value, strict=False):
            if item is not None:
                part.write(out, at + start, item, viewer)

    return Part(_nested(map(str, range(len(parts))), parts), write)


def letters(alphabet: str, length: int) -> Part:
    """A word with this number of letters, not counting spaces."""
    whole = each(*[one_of(*alphabet)] * length)

    def write(out: list[float], at: int, value: Any, viewer: int) -> None:
        whole.write(out, at, value.replace(" ", ""), viewer)

    return Part(whole.names, write)


def row(**parts: Part) -> Part:
    """A whole view, or an object in it, by its keys."""
    whole = each(*parts.values())

    def write(out: list[float], at: int, value: Any, viewer: int) -> None:
        whole.write(out, at, [value[key] for key in parts], viewer)

    return Part(_nested(parts, list(parts.values())), write)


def _seats(seats: int) -> tuple[str, ...]:
    return ("own", *(f"+{step}" for step in range(1, seats)))


def _nested(names: Iterable[str], parts: Sequence[Part]) -> tuple[str, ...]:
    return tuple(f"{name}.{inner}".rstrip(".") for name, part in zip(names, parts, strict=True) for inner in part.names)
