"""Prove who wins a large position with several searchers: a tree of proof numbers, whose leaves are searched in slices.

Each node has, for each seat, the estimated cost to prove that this seat wins: the minimum over the mover's children, or
the sum of all children. The work goes where the next step is cheapest. A leaf that its slice does not solve becomes
more expensive, and gets a larger slice next time.
"""

import math
import time
from collections.abc import Generator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field

from archipel.core.rules import OVER
from archipel.core.state import State

from . import dfpn
from . import table as tables
from .hands import Found, Hands, winner_of
from .ledger import Ledger
from .solve import Solver, empty_cells, name_of

ALONE, SHARED = 16, 14
"""Positions with this many empty cells are leaves: for one searcher, and for several, which need more leaves to
share."""
SLICE, LARGEST = 1_000_000, 32_000_000
"""The number of nodes of a leaf's first slice, and of its largest."""
DEARER = 2.0
"""How much larger the next slice is, and how much more expensive the leaf seems until then."""
OWN = 16
"""Megabytes for deriving what follows from a proof."""
BUSY = 16.0
"""How much more expensive a position is that is being searched."""


class Node:
    """A position, its cost for each seat as the winner, and its children once they are known."""

    __slots__ = ("after", "before", "busy", "cost", "mover", "name", "slice", "state")

    def __init__(self, name: int, state: State, cost: tuple[float, float]) -> None:
        self.name = name
        self.state = state
        self.mover = state.mover
        self.cost = cost
        self.slice = SLICE
        self.after: list[Node] | None = None
        self.before: list[Node] = []
        self.busy = False

    @property
    def winner(self) -> int | None:
        """The proved winner, if any."""
        return self.cost.index(0.0) if 0.0 in self.cost else None

    def settle(self, winner: int) -> None:
        self.cost = (0.0, math.inf) if winner == 0 else (math.inf, 0.0)
        self.after = None

    def renew(self) -> bool:
        """Compute the cost from the children; True if it has changed."""
        assert self.after is not None
        least = min(node.cost[self.mover] for node in self.after)
        most = sum(node.cost[1 - self.mover] for node in self.after)
        cost = (least, most) if self.mover == 0 else (most, least)
        changed, self.cost = cost != self.cost, cost
        return changed


@dataclass
class Progress:
    """The progress of a proof: slices done, nodes searched, and an estimate of the slices left."""

    began: float = field(default_factory=time.monotonic)
    solved: int = 0
    nodes: int = 0
    left: float = math.inf

    @property
    def share(self) -> float:
        """The share that is done, if the estimate is right."""
        return self.solved / (self.solved + self.left)

    @property
    def seconds_left(self) -> float:
        """The estimated time left, at the pace so far."""
        return self.left * (time.monotonic() - self.began) / max(1, self.solved)


class Proof:
    """The search for a proof of one position; it reads and writes the ledger."""

    def __init__(self, ledger: Ledger, hands: Hands, leaf: int | None = None) -> None:
        self.ledger = ledger
        self.progress = Progress()
        self._hands = hands
        self._leaf = leaf or (ALONE if hands.count() == 1 else SHARED)
        self._nodes: dict[int, Node] = {}
        self._own = Solver(tables.new(OWN))

    def known(self, state: State) -> int | None:
        """The winner, if the game is over or it is proved."""
        return int(state.record.winners) - 1 if state.mover == OVER else self.ledger.winner(name_of(state))

    def note(self, state: State, winner: int) -> int:
        """Store what follows from the proved positions; return the winner."""
        self.ledger.add(name_of(state), winner)
        return winner

    def winning(self, state: State) -> int | None:
        """A winning move of the mover, if one is proved or small enough to solve."""
        for action in self._own.moves(state):
            after = state.after(action)
            winner = self.known(after)
            if winner is None and empty_cells(after) <= dfpn.KEPT:
                self._own.begin()
                winner = winner_of(after, self._own.wins(after))
            if winner == state.mover:
                return action
        return None

    def stop(self) -> None:
        """End the running searches soon."""
        self._hands.stop()

    def prove(self, state: State) -> Generator[Progress, None, None]:
        """Work until the winner is known, reporting progress after every slice."""
        self.progress = Progress()
        self._nodes.clear()
        root = self._node(state)
        going: dict[Future[Found], Node] = {}
        try:
            yield from self._work(root, going)
        finally:
            self.stop()
            wait(going)

    def _work(self, root: Node, going: dict[Future[Found], Node]) -> Generator[Progress, None, None]:
        while root.winner is None:
            leaf = self._choose(root)
            if not leaf.busy and empty_cells(leaf.state) > self._leaf:
                self._open(leaf)
                continue
            if not leaf.busy:
                going[self._hands.search(leaf.state, leaf.slice)] = self._occupy(leaf)
            if leaf.busy and (len(going) >= self._hands.count() or self._choose(root).busy):
                done, _ = wait(going, return_when=FIRST_COMPLETED)
                for future in done:
                    self._hear(going.pop(future), future.result())
                    self.progress.left = min(root.cost)
                    yield self.progress

    def _node(self, state: State) -> Node:
        name = name_of(state)
        if name not in self._nodes:
            node = self._nodes[name] = Node(name, state, self._own.guess(state, self._leaf))
            winner = self.ledger.winner(name)
            if winner is not None:
                node.settle(winner)
        return self._nodes[name]

    def _choose(self, node: Node) -> Node:
        """The position whose solution is the cheapest next step of a proof."""
        while node.after:
            mover = node.mover
            node = min(node.after, key=lambda after: after.cost[mover])
        return node

    def _open(self, node: Node) -> None:
        """Add the children of a node."""
        states = [node.state.after(move) for move in self._own.moves(node.state)]
        ended = [int(state.record.winners) - 1 for state in states if state.mover == OVER]
        if node.mover in ended:
            self._settle(node, node.mover)
            return
        after = {child.name: child for child in (self._node(state) for state in states if state.mover != OVER)}
        if not after:
            self._settle(node, 1 - node.mover)
            return
        node.after = list(after.values())
        for child in node.after:
            child.before.append(node)
        self._tell([node])

    def _occupy(self, leaf: Node) -> Node:
        """Divert others from a position that is being solved."""
        leaf.busy = True
        leaf.cost = leaf.cost[0] * BUSY, leaf.cost[1] * BUSY
        self._tell(leaf.before)
        return leaf

    def _hear(self, leaf: Node, found: Found) -> None:
        """Process the result of a slice."""
        leaf.busy = False
        self.progress.solved += 1
        self.progress.nodes += found.nodes
        for key, winner in found.proved:
            self.ledger.add(key, winner)
        if found.winner is not None:
            self._settle(leaf, found.winner)
            return
        dearer = 1.0 if found.lost else DEARER
        leaf.slice = min(LARGEST, int(leaf.slice * dearer))
        leaf.cost = leaf.cost[0] / BUSY * dearer, leaf.cost[1] / BUSY * dearer
        self._tell(leaf.before)

    def _settle(self, node: Node, winner: int) -> None:
        node.settle(winner)
        self.ledger.add(node.name, winner)
        self._tell(node.before)

    def _tell(self, nodes: list[Node]) -> None:
        """Update all ancestors of a changed node."""
        while nodes:
            changed = [node for node in nodes if node.after is not None and node.renew()]
            for node in changed:
                winner = node.winner
                if winner is not None:
                    node.settle(winner)
                    self.ledger.add(node.name, winner)
            nodes = list({before.name: before for node in changed for before in node.before}.values())
