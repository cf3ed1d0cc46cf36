"""A seat's view as a row of numbers, written by compiled code straight from the state.

A game's `features.py` describes the row twice, in the same order: `layout(game)` encodes a view, and `observe(facts, s,
seat, out)`, compiled, encodes a state, for training on millions of games. A test compares the two number by number.
This module has the building blocks of `observe`. Each writes into a row of zeros from index `at` on, and returns the
index where the next one starts.
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
    """Register the game's `observe` with the kernels; False if it has none, so that rows must be written from views."""
    own = features.module(game)
    if own:
        _homes[game.rules.facts] = own
    _homes.setdefault(game.rules.facts, game.rules.module)
    return hasattr(own, "observe")


@compiled
def unknown(facts: Record, s: Record, seat: int, out: RowOut) -> None:
    """Used for games without `observe`: the row stays empty."""


observe = hook("observe", _homes, unknown)
"""observe(facts, s, seat, out): write what the seat (-1: a spectator) sees into a row of zeros."""


@compiled
def one_of(out: RowOut, at: int, index: int, n: int) -> int:
    """One-hot encoding of an index below n; all zeros if the index is negative."""
    # Without a branch: values in a state are hard to predict.
    for k in range(n):
        out[at + k] = np.float32(k == index)
    return at + n


@compiled
def number(out: RowOut, at: int, value: int, high: int) -> int:
    """A number as a fraction of its maximum."""
    out[at] = min(int(value) / max(int(high), 1), 1.0)
    return at + 1


@compiled
def some_of(out: RowOut, at: int, mask: int, n: int) -> int:
    """One number for each of n bits."""
    for k in range(n):
        out[at + k] = np.float32(int(mask) >> k & 1)
    return at + n


@compiled
def seat(out: RowOut, at: int, who: int, viewer: int, seats: int) -> int:
    """One-hot encoding of a seat, starting with the viewer's own; all zeros if it is negative."""
    place = viewer
    for k in range(seats):
        out[at + k] = np.float32(who == place)
        place = place + 1 if place + 1 < seats else 0
    return at + seats


@compiled
def winners(out: RowOut, at: int, mask: int, viewer: int, seats: int) -> int:
    """The seats of a bit set, starting with the viewer's own."""
    for k in range(seats):
        out[at + k] = np.float32(int(mask) >> (viewer + k) % seats & 1)
    return at + seats


@compiled
def mover(out: RowOut, at: int, who: int, viewer: int, seats: int) -> int:
    """One-hot encoding of who acts: a seat, chance, or nobody because the game is over."""
    seat(out, at, who, viewer, seats)
    out[at + seats] = np.float32(who == CHANCE)
    out[at + seats + 1] = np.float32(who == OVER)
    return at + seats + 2
