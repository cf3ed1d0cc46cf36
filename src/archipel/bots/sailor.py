"""A bot that reckons a turn of Kula Kula out: the oracle's cards by their odds, all after it by a trained eye."""

from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from archipel.core.state import State

from . import View
from .budget import Budget
from .knowledge import Lore
from .knowledge.kula_kula import KNOWLEDGE, weigh, win_chances
from .thought import Opinion, Thought
from .worlds import imagined

WORLDS = 24
"""In so many worlds it weighs, for the others' Pukas are hidden."""
MOST_SEATS = 5
DEEP = 8
"""So many more cards it considers."""


class SailorBot:
    """Takes the action with the best chance to win. It simulates nothing, and takes no longer with a larger budget."""

    def __init__(self, lore: Lore = KNOWLEDGE.lore, worlds: int = WORLDS) -> None:
        self.lore = lore
        self.worlds = worlds

    def choose(self, view: View, rng: np.random.Generator, budget: Budget | None = None) -> int:
        """The best action."""
        return self.think(view, rng, budget).action

    def think(self, view: View, rng: np.random.Generator, budget: Budget | None = None) -> Thought:
        """Both actions with what they are worth in the mean of some worlds."""
        begun = perf_counter()
        worlds = imagined(view, rng, self.worlds)
        chances = np.mean([_weighed(self.lore, world) for world in worlds], axis=0)
        ranking = _ranking(worlds[0], chances)
        values = _values(self.lore, worlds, view["seat"], ranking[0].value)
        return Thought(view["seat"], ranking, 0, perf_counter() - begun, [ranking[0].notation], values)


def _weighed(lore: Lore, world: State) -> NDArray[np.float64]:
    out = np.empty(2)
    weigh(lore[0], world.game.facts[0], world.record, DEEP, out)
    return out


def _values(lore: Lore, worlds: list[State], seat: int, own: float) -> list[float]:
    """What it is worth to each seat: the others share what is left as they stand before their turns."""
    seats = worlds[0].game.seats
    chances = np.zeros(MOST_SEATS)
    for world in worlds:
        standing = np.empty(MOST_SEATS)
        win_chances(lore[0], world.game.facts[0], world.record, seat, standing)
        chances += standing
    chances = chances[:seats]
    chances[seat] = 0
    left = 1 - (own * (seats - 1) + 1) / seats
    worth = (chances / chances.sum() * left * seats - 1) / (seats - 1)
    worth[seat] = own
    return [float(value) for value in worth]


def _ranking(world: State, chances: NDArray[np.float64]) -> list[Opinion]:
    """The actions from best to worst; who must go has only the second."""
    actions, seats = world.actions(), world.game.seats
    ranking = [
        Opinion(action, world.notation(action), 0, (float(chance) * seats - 1) / (seats - 1))
        for action, chance in zip(actions, chances[-len(actions) :], strict=True)
    ]
    return sorted(ranking, key=lambda opinion: (-opinion.value, opinion.action))
