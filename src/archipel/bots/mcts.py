"""A bot that searches: the tree of what its seat would see, grown over worlds that it imagines."""

from typing import Any

import numpy as np

from archipel.core.state import State, seed

from . import View
from .budget import Budget, Meter
from .thought import Opinion, Thought
from .tree import NODE, simulate
from .worlds import imagined

CURIOSITY = 2.0
"""How much the search tries what it has tried little: the constant of UCB1, for worths from -1 to 1.

Random play after the tree is noisy, and a small constant trusts its first words too much.
"""
NODES = 2_000_000
DEFAULT = Budget(simulations=5_000)


class SearchBot:
    """Information-set Monte Carlo tree search with explicit chance, for any number of seats."""

    def __init__(self, budget: Budget = DEFAULT, curiosity: float = CURIOSITY, nodes: int = NODES) -> None:
        self.budget = budget
        self.curiosity = curiosity
        self._tree = np.zeros(nodes, NODE)
        self._used = np.ones(1, np.int64)

    def choose(self, view: View, rng: np.random.Generator, budget: Budget | None = None) -> int:
        """The action that was visited most."""
        return self.think(view, rng, budget).action

    def think(self, view: View, rng: np.random.Generator, budget: Budget | None = None) -> Thought:
        """Search, and tell what was found."""
        meter = Meter(budget or self.budget)
        (root,) = imagined(view, rng)
        self._plant()
        self._grow(root, view["seat"], rng, meter)
        ranking = [self._opinion(root, child) for child in self._children(0)]
        ranking.sort(key=lambda opinion: (-opinion.visits, -opinion.value, opinion.action))
        return Thought(view["seat"], ranking, meter.spent, meter.elapsed, self._line(root), self._values(root, ranking))

    def _plant(self) -> None:
        self._tree[0] = 0
        self._used[0] = 1

    def _grow(self, root: State, seat: int, rng: np.random.Generator, meter: Meter) -> None:
        own = np.array([seed(rng)], np.uint64)
        game = root.game
        while portion := meter.portion():
            simulate(game.facts, root._raw, seat, game.seats, self._tree, self._used, own, portion, self.curiosity)
            meter.spent += portion

    def _children(self, node: int) -> list[Any]:
        first, count = self._tree[node]["first"], self._tree[node]["children"]
        return [self._tree[first + k] for k in range(count)]

    def _opinion(self, root: State, child: Any) -> Opinion:
        action, visits = int(child["label"]), int(child["visits"])
        return Opinion(action, root.notation(action), visits, float(child["worth"]) / max(1, visits))

    def _values(self, root: State, ranking: list[Opinion]) -> list[float]:
        """With two seats the other's value is the opposite; with more only the searcher's own is known."""
        mine = ranking[0].value
        if root.game.seats == 2:
            return [mine, -mine] if root.mover == 0 else [-mine, mine]
        return [mine if seat == root.mover else float("nan") for seat in range(root.game.seats)]

    def _line(self, root: State) -> list[str]:
        """The most visited way down, as long as it can be told without knowing what is hidden."""
        line: list[str] = []
        state, node = root, 0
        while state.mover >= 0 and (children := self._children(node)):
            best = max(children, key=lambda child: int(child["visits"]))
            action = int(best["label"])
            if not best["visits"] or not state.is_legal(action):
                break
            line.append(state.notation(action))
            state = state.after(action)
            node = int(self._tree[node]["first"]) + [int(c["label"]) for c in children].index(action)
        return line
