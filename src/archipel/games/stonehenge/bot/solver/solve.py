"""Solve a position of the engine: who wins, and by which move."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer
from typing import NamedTuple

import numpy as np

from archipel.core.game import Game
from archipel.core.rules import OVER
from archipel.core.state import State

from . import dfpn
from . import table as tables
from .alphabeta import LIMIT, LOSS, N_ACTIONS, NODES, UNKNOWN, WIN, new_search, promising, wins
from .dfpn import Memory, seek
from .ledger import Ledger
from .position import PARTS, name, pack

BOUNDLESS = 1 << 62
MEGABYTES = 64


class Solution(NamedTuple):
    """The winner of a position, the mover's best action (None when the game is over), and the number of nodes."""

    winner: int
    action: int | None
    nodes: int


class Solver:
    """A table of solved positions, and the memory for searching."""

    def __init__(self, table: tables.Words) -> None:
        self.table = table
        self._search = new_search(table)
        self._memory: Memory | None = None
        self._ledger: Ledger | None = None
        self._shared = 0

    @property
    def nodes(self) -> int:
        """The number of nodes searched since `begin`."""
        return int(self._search.counts[NODES])

    def stop(self) -> None:
        """End the search that is running in another thread."""
        self._search.counts[LIMIT] = 0

    def begin(self, nodes: int | None = None) -> None:
        """Allow a number of nodes (None: any) for the searches that follow."""
        self._search.counts[:] = 0, BOUNDLESS if nodes is None else nodes
        self._search.history[:] = 0
        self._search.killer[:] = -1

    def wins(self, state: State) -> int:
        """Alpha-beta alone: WIN or LOSS for the mover, or UNKNOWN when the nodes are used up."""
        pack(state.record, self._search.stack)
        return int(wins(self._search, 0))

    def seek(self, state: State, ledger: Ledger) -> int:
        """Proof-number search: WIN, LOSS or UNKNOWN for the mover; large positions solved on the way go to the
        ledger."""
        memory = self._remember(ledger)
        pack(state.record, self._search.stack)
        name = name_of(state)
        seek(self._search, memory, 0, name, math.inf, math.inf, dfpn.SMALL)
        for key, winner in dfpn.proved(memory, dfpn.KEPT):
            ledger.add(key, winner)
        win, loss = dfpn.costs(memory, name)
        return WIN if win == 0 else LOSS if loss == 0 else UNKNOWN

    def _remember(self, ledger: Ledger) -> Memory:
        """The memory of the search, with what others have proved meanwhile."""
        if self._memory is None or 2 * self._memory.used[0] > len(self._memory.keys):
            self._memory, self._shared = dfpn.new_memory(), 0
        if ledger is not self._ledger:
            self._ledger, self._shared = ledger, 0
        news = ledger.words(self._shared)
        dfpn.recall(self._memory, news)
        self._shared += len(news)
        return self._memory

    def guess(self, state: State, leaf: int) -> tuple[float, float]:
        """The estimated cost of proving that seat 0 wins, and seat 1, in positions of this many empty cells."""
        pack(state.record, self._search.stack)
        win, loss = dfpn.guess(self._search, 0, leaf)
        return (win, loss) if state.mover == 0 else (loss, win)

    def moves(self, state: State) -> list[int]:
        """The moves that need to be tried, the most promising first."""
        pack(state.record, self._search.stack)
        found = np.empty(N_ACTIONS, np.int64)
        return found[: promising(self._search, found)].tolist()  # type: ignore[no-any-return]

    @contextmanager
    def limited(self, seconds: float | None) -> Iterator[None]:
        """Stop the running search after this many seconds."""
        timer = Timer(BOUNDLESS if seconds is None else seconds, self.stop)
        if seconds is not None:
            timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def best(self, state: State) -> Solution | None:
        """The winner and the mover's best move; None when the nodes are used up.

        A mover who loses gets the move that took longest to refute.
        """
        tried = self.tried(state)
        if tried is None:
            return None
        action = max(tried, key=lambda action: (tried[action][0] == state.mover, tried[action][1]))
        return Solution(tried[action][0], action, self.nodes)

    def tried(self, state: State) -> dict[int, tuple[int, int]] | None:
        """Move by move the winner and the number of nodes, up to the first move that wins for the mover."""
        tried: dict[int, tuple[int, int]] = {}
        for action in self.moves(state):
            before = self.nodes
            answer = self._after(state, action)
            if answer == UNKNOWN:
                return None
            tried[action] = (state.mover if answer == WIN else 1 - state.mover), self.nodes - before
            if answer == WIN:
                break
        return tried

    def line(self, state: State, action: int) -> list[str]:
        """The action, and the best play of both seats after it, as far as the nodes last."""
        line = [state.notation(action)]
        state = state.after(action)
        while state.mover != OVER and (found := self.best(state)) and found.action is not None:
            line.append(state.notation(found.action))
            state = state.after(found.action)
        return line

    def _after(self, state: State, action: int) -> int:
        """WIN, LOSS or UNKNOWN for the mover after this action."""
        after = state.after(action)
        if after.mover == OVER:
            return WIN if after.winner == state.mover else LOSS
        answer = self.wins(after)
        return answer if answer == UNKNOWN else WIN + LOSS - answer


def empty_cells(state: State) -> int:
    """How many cells are empty."""
    return int(state.record.free).bit_count()


def name_of(state: State) -> int:
    """The position's key in the ledger, equal for equivalent positions."""
    stack = np.zeros((1, PARTS), np.int64)
    pack(state.record, stack)
    return int(name(stack, 0))


def can_be_solved(game: Game) -> bool:
    """True if it is a variant of Stonehenge that the solver supports."""
    return game.name == "stonehenge" and not game.options["hidden"] and game.options["claims"] == "auto"


def check(state: State) -> None:
    """ValueError if the state cannot be solved."""
    if state.game.name != "stonehenge":
        raise ValueError(f"Only Stonehenge can be solved, not {state.game.title}.")
    if not can_be_solved(state.game):
        raise ValueError("Stonehenge can be solved with open druids and automatic claims only.")


def solve(
    state: State, nodes: int | None = None, seconds: float | None = None, megabytes: int = MEGABYTES
) -> Solution | None:
    """Return who wins, and how: exact, or None if the nodes or seconds are not enough.

    The empty board, and what follows from the proof that comes with Archipel, is answered at once.
    """
    from .settled import known

    check(state)
    if state.mover == OVER:
        return Solution(int(state.record.winners) - 1, None, 0)
    if proved := known(state):
        return proved
    solver = Solver(tables.new(megabytes))
    solver.begin(nodes)
    with solver.limited(seconds):
        return solver.best(state)
