"""Evaluations: how a bot ranks its actions, the play it expects, and its beliefs about hidden information."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from . import View
from .worlds import imagined


@dataclass(frozen=True)
class Opinion:
    """The evaluation of one action."""

    action: int
    notation: str
    visits: int
    value: float


@dataclass(frozen=True)
class Thought:
    """The actions from best to worst, with their evaluation."""

    seat: int
    ranking: list[Opinion]
    simulations: int
    seconds: float
    line: list[str] = field(default_factory=list)
    """The principal variation in notation, as that seat would see it."""
    values: list[float] = field(default_factory=list)
    """The expected return of each seat, from -1 to 1."""
    exact: bool = False
    """True if the values are proved, not estimated."""

    @property
    def action(self) -> int:
        """The bot's choice."""
        return self.ranking[0].action


def zero_sum(seat: int, own: float, seats: int) -> list[float]:
    """Zero-sum values when only one seat's is known; the others share the rest equally."""
    return [own if other == seat else -own / (seats - 1) for other in range(seats)]


def belief(view: View, rng: np.random.Generator, worlds: int = 200) -> dict[str, list[dict[str, float]]]:
    """For each key that a view hides: place by place, how many of each thing the seat expects there."""
    counts: dict[str, list[Counter[str]]] = {}
    for world in imagined(view, rng, worlds):
        for key, value in world.snapshot().items():
            if key in view and view[key] != value:
                places = value if isinstance(value, list) and value and isinstance(value[0], list) else [value]
                tallies = counts.setdefault(key, [Counter() for _ in places])
                for tally, place in zip(tallies, places, strict=False):
                    tally.update(_things(place))
    return {
        key: [{thing: n / worlds for thing, n in sorted(tally.items())} for tally in tallies]
        for key, tallies in counts.items()
    }


def _things(place: Any) -> list[str]:
    if isinstance(place, dict):
        return [f"{key}: {value}" for key, value in place.items()]
    return [str(thing) for thing in place] if isinstance(place, list) else [str(place)]
