"""Monte Carlo tree search over sampled worlds: one tree of what the bot's seat would see."""

from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from archipel.core.rules import OVER
from archipel.core.state import State, seed

from . import View
from .budget import Budget, Meter
from .knowledge import NOTHING, Knowledge
from .thought import Opinion, Thought, zero_sum
from .tree import NODE, Settings, scratch, seen, simulate
from .worlds import imagined

NODES = 2_000_000
DEFAULT = Budget(simulations=5_000)
GLANCES = 200
"""How many positions of the previous tree to compare when looking for the current one."""

Step = tuple[int, int]
"""One step down a tree: who moved, and the label of the action as the seat sees it."""


class Tree:
    """One core's search tree, and its current root node."""

    def __init__(self, nodes: int) -> None:
        self.nodes = np.zeros(nodes, NODE)
        self.used = np.ones(1, np.int64)
        self.root = 0

    def clear(self) -> None:
        """Empty the tree."""
        self.nodes[0] = 0
        self.used[0] = 1
        self.root = 0

    def children(self, node: int) -> list[int]:
        """The indices of the children of a node."""
        first = int(self.nodes[node]["first"])
        return list(range(first, first + int(self.nodes[node]["children"])))

    def step(self, node: int) -> Step:
        """Who chose the node, and what it looked like."""
        return int(self.nodes[node]["mover"]), int(self.nodes[node]["label"])

    def find(self, steps: tuple[Step, ...]) -> int | None:
        """The node to which these steps lead from the root; None if there is none."""
        node = self.root
        for step in steps:
            found = [child for child in self.children(node) if self.step(child) == step]
            if not found:
                return None
            node = found[0]
        return node

    def follow(self, steps: tuple[Step, ...]) -> None:
        """Make the node at the end of these steps the root; empty the tree if there is none, or half of it is used."""
        node = self.find(steps) if steps else None
        if node is None or self.used[0] > len(self.nodes) // 2:
            self.clear()
        else:
            self.root = node

    def grow(self, knowledge: Knowledge, start: State, seat: int, own: int, budget: Budget) -> Meter:
        """Search until the budget is used up."""
        meter, rng, game = Meter(budget), np.array([own], np.uint64), start.game
        room = scratch(len(start._raw), game.seats)
        while portion := meter.portion():
            settings = Settings(
                seat, game.seats, self.root, portion, hasattr(knowledge.module, "prior"),
                knowledge.curiosity, knowledge.steps, knowledge.unfold, knowledge.wide,
            )  # fmt: skip
            simulate(knowledge.lore, game.facts, start._raw, self.nodes, self.used, rng, settings, room)
            meter.spent += portion
        return meter


class Memory(NamedTuple):
    """The previous search: a world consistent with its view, and the action chosen."""

    seat: int
    world: State
    action: int


class SearchBot:
    """Information-set Monte Carlo tree search with explicit chance, for any number of seats.

    Between moves it keeps the part of its tree that belongs to the current position. So a bot that has played before
    may choose differently from a new one, although both know nothing but what their seat saw.
    """

    def __init__(
        self,
        budget: Budget = DEFAULT,
        knowledge: Knowledge = NOTHING,
        cores: int = 1,
        nodes: int = NODES,
        remembers: bool = True,
    ) -> None:
        self.budget = budget
        self.knowledge = knowledge
        self.remembers = remembers
        self._trees = [Tree(nodes // cores) for _ in range(cores)]
        self._memory: Memory | None = None

    def choose(self, view: View, rng: np.random.Generator, budget: Budget | None = None) -> int:
        """The most visited action."""
        return self.think(view, rng, budget).action

    def think(self, view: View, rng: np.random.Generator, budget: Budget | None = None) -> Thought:
        """Search, and return the ranking with its evaluation."""
        (start,) = imagined(view, rng)
        steps = since(self._memory, view, self._trees[0]) if self._memory else ()
        for tree in self._trees:
            tree.follow(steps)
        meters = self._grow(start, view["seat"], rng, budget or self.budget)
        ranking = self._ranking(start)
        spent, elapsed = sum(meter.spent for meter in meters), max(meter.elapsed for meter in meters)
        values = zero_sum(start.mover, ranking[0].value, start.game.seats)
        thought = Thought(view["seat"], ranking, spent, elapsed, self._line(start), values)
        self._memory = Memory(view["seat"], start, thought.action) if self.remembers else None
        return thought

    def forget(self) -> None:
        """Begin the next search with an empty tree."""
        self._memory = None

    def _grow(self, start: State, seat: int, rng: np.random.Generator, budget: Budget) -> list[Meter]:
        """Search on every core with its own tree and an equal part of the simulations."""
        cores = len(self._trees)
        share = Budget(budget.part(cores).simulations, budget.seconds)
        seeds = [seed(rng) for _ in range(cores)]
        if cores == 1:
            return [self._trees[0].grow(self.knowledge, start, seat, seeds[0], share)]
        return _side_by_side(self._trees, lambda tree, own: tree.grow(self.knowledge, start, seat, own, share), seeds)

    def _ranking(self, start: State) -> list[Opinion]:
        """The opinions on every action, summed over all cores."""
        found = {action: [0, 0.0] for action in start.actions()}
        for tree in self._trees:
            for child in tree.children(tree.root):
                who, action = tree.step(child)
                if who != start.mover or action not in found:
                    continue  # found in worlds that an old tree considered possible, and that are not
                of = found[action]
                of[0] += int(tree.nodes[child]["visits"])
                of[1] += float(tree.nodes[child]["worth"])
        ranking = [
            Opinion(action, start.notation(action), int(visits), worth / max(1, visits))
            for action, (visits, worth) in found.items()
        ]
        return sorted(ranking, key=lambda opinion: (-opinion.visits, -opinion.value, opinion.action))

    def _line(self, start: State) -> list[str]:
        """The principal variation: the most visited path, up to the first action that depends on hidden information."""
        line: list[str] = []
        tree = self._trees[0]
        state, node = start, tree.root
        while state.mover >= 0 and (children := tree.children(node)):
            node = max(children, key=lambda child: int(tree.nodes[child]["visits"]))
            who, action = tree.step(node)
            if not tree.nodes[node]["visits"] or who != state.mover or not state.is_legal(action):
                break
            line.append(state.notation(action))
            state = state.after(action)
        return line


def _side_by_side(trees: list[Tree], grow: Callable[[Tree, int], Meter], seeds: list[int]) -> list[Meter]:
    """Grow all trees at once, each in a thread of its own: kernels do not hold the interpreter's lock."""
    with ThreadPoolExecutor(len(trees)) as pool:
        return list(pool.map(grow, trees, seeds))


def since(memory: Memory, view: View, tree: Tree) -> tuple[Step, ...]:
    """The steps from the last search to this view; None if they cannot be found.

    What others did is looked for in the world sampled for the last view: what cannot happen there, such as a card that
    nobody holds, is not found.
    """
    seat, world, action = memory
    if (world.game.name, world.game.options, seat) != (view["game"], view["options"], view["seat"]):
        return ()
    frontier: deque[tuple[State, tuple[Step, ...]]] = deque()
    frontier.append((world.after(action), (_step(world, action, seat),)))
    glances = GLANCES
    while frontier and glances > 0:
        state, steps = frontier.popleft()
        node = tree.find(steps)
        if state.mover == seat and state.view(seat) == view:
            return steps
        if state.mover not in (seat, OVER) and node is not None:
            known = {tree.step(child) for child in tree.children(node)}
            for action in _possible(state):
                glances -= 1
                step = _step(state, action, seat)
                if step in known:
                    frontier.append((state.after(action), (*steps, step)))
    return ()


def _step(state: State, action: int, seat: int) -> Step:
    """The label of an action, as the seat sees it."""
    return state.mover, seen(state.game.facts, state._raw, action, seat)


def _possible(state: State) -> list[int]:
    try:
        return state.actions()
    except NotImplementedError:
        return []
