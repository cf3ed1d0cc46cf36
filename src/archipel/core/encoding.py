"""A seat's view as a row of numbers, written by compiled code straight from the state.

A game's `features.py` describes the row twice, in the same order: `layout(game)` for whoever has a view, and, compiled,
`observe(facts, s, seat, out)` for those who play millions of games. A test compares the two, number by number. Here
are the pieces of the second. Each writes into a row of zeros from `at` on, and returns where the next piece begins.
"""

from types import ModuleType
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from numpy.typing import NDArray

from . import features
from .compiled import Array, compiled, hook
from .rules import CHANCE, OVER, Record

if TYPE_CHECKING:
    from .game import Game

RowOut = Annotated[NDArray[np.float32], Array("f4")]

_homes: dict[Any, ModuleType] = {}


def prepare(game: "Game") -> bool:
    """Let the kernels find the game's `observe`; False if it has none, and rows must be written from views."""
    own = features.module(game)
    if own:
        _homes[game.rules.facts] = own
    _homes.setdefault(game.rules.facts, game.rules.module)
    return hasattr(own, "observe")


@compiled
def unknown(facts: Record, s: Record, seat: int, out: RowOut) -> None:
    """Stands in for games without `observe`: the row stays empty."""


observe = hook("observe", _homes, unknown)
"""observe(facts, s, seat, out): write what the seat (-1: a spectator) sees into a row of zeros."""


@compiled
def one_of(out: RowOut, at: int, index: int, n: int) -> int:
    """A place for each of n values; none if the index is negative."""
    # Without a branch: what stands in a state can hardly be foretold.
    for k in range(n):
        out[at + k] = np.float32(k == index)
    return at + n


@compiled
def number(out: RowOut, at: int, value: int, high: int) -> int:
    """How much of the highest value."""
    out[at] = min(int(value) / max(int(high), 1), 1.0)
    return at + 1


@compiled
def some_of(out: RowOut, at: int, mask: int, n: int) -> int:
    """A place for each of n bits."""
    for k in range(n):
        out[at + k] = np.float32(int(mask) >> k & 1)
    return at + n


@compiled
def seat(out: RowOut, at: int, who: int, viewer: int, seats: int) -> int:
    """Which seat, from the viewer's own on; none if it is negative."""
    place = viewer
    for k in range(seats):
        out[at + k] = np.float32(who == place)
        place = place + 1 if place + 1 < seats else 0
    return at + seats


@compiled
def winners(out: RowOut, at: int, mask: int, viewer: int, seats: int) -> int:
    """Which seats of a set of bits, from the viewer's own on."""
    for k in range(seats):
        out[at + k] = np.float32(int(mask) >> (viewer + k) % seats & 1)
    return at + seats


@compiled
def mover(out: RowOut, at: int, who: int, viewer: int, seats: int) -> int:
    """Who acts: a seat, chance, or nobody any more."""
    seat(out, at, who, viewer, seats)
    out[at + seats] = np.float32(who == CHANCE)
    out[at + seats + 1] = np.float32(who == OVER)
    return at + seats + 2
