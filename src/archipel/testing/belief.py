"""The exact distribution of states given everything a seat has seen, by enumeration: what `imagine` is compared
with."""

from math import sqrt

import numpy as np

from archipel.core.rules import CHANCE
from archipel.core.state import State

from .report import Report

LARGEST = 100
DRAWS_A_WORLD = 12


def limit(freedom: int) -> float:
    """A limit that chi-square almost never exceeds: six standard deviations above its mean."""
    return freedom + 6 * sqrt(2 * freedom) + 6


class Belief:
    """Every possible state with its probability, tracked from the first state on.

    It is exact as long as everything the seat could not see was chance; it gives up once another seat's choice leaves
    several states possible, or there are too many states.
    """

    def __init__(self, first: State, seat: int | None) -> None:
        self.seat = seat
        self.worlds: dict[State, float] | None = {first: 1.0}
        self.checked = 1

    def follow(self, state: State, action: int, after: State) -> None:
        """Update with an action, of which the seat saw what its view shows."""
        if self.worlds is None:
            return
        seen = after.view(self.seat)
        worlds: dict[State, float] = {}
        for world, weight in self.worlds.items():
            for outcome, p in self._outcomes(world, action):
                reached = world.after(outcome)
                if reached.view(self.seat) == seen:
                    worlds[reached] = worlds.get(reached, 0.0) + weight * p
        chosen = state.mover not in (CHANCE, self.seat) and len(worlds) > 1
        self.worlds = None if chosen or not 0 < len(worlds) <= LARGEST else worlds

    def _outcomes(self, world: State, action: int) -> list[tuple[int, float]]:
        if world.mover == self.seat:
            return [(action, 1.0)]
        if world.mover == CHANCE:
            try:
                return world.chances()
            except NotImplementedError:
                return [(action, 1.0)]
        return [(outcome, 1.0) for outcome in world.actions()]

    def check(self, state: State, rng: np.random.Generator, report: Report) -> None:
        """Compare sampled states with the distribution, whenever the number of possible states changes."""
        if self.worlds is None or len(self.worlds) == self.checked:
            return
        self.checked = len(self.worlds)
        counts = dict.fromkeys(self.worlds, 0)
        draws = DRAWS_A_WORLD * len(counts)
        view = state.view(self.seat)
        for _ in range(draws):
            world = state.game.imagine(view, rng)
            assert world in counts, f"seat {self.seat} imagines what cannot be:\n{world}"
            counts[world] += 1
        total = sum(self.worlds.values())
        wanted = {world: draws * weight / total for world, weight in self.worlds.items()}
        chi = sum((counts[world] - n) ** 2 / n for world, n in wanted.items())
        freedom = len(wanted) - 1
        assert chi < limit(freedom), (
            f"seat {self.seat} does not imagine by the odds: chi-square {chi:.0f} with {freedom} degrees of freedom"
        )
        report.posteriors += 1
