"""Solving a position of the engine: who wins, and by which move."""

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
    """Who wins a position, the mover's best action (None when the game is over), and how many nodes that took."""

    winner: int
    action: int | None
    nodes: int


class Solver:
    """A table of what is known, and the room to find out more."""

    def __init__(self, table: tables.Words) -> None:
        self.table = table
        self._search = new_search(table)
        self._memory: Memory | None = None
        self._ledger: Ledger | None = None
        self._told = 0

    @property
    def nodes(self) -> int:
        """How many nodes were searched since it began."""
        return int(self._search.counts[NODES])

    def stop(self) -> None:
        """Let the search that is going on in another thread find no more nodes."""
        self._search.counts[LIMIT] = 0

    def begin(self, nodes: int | None = None) -> None:
        """Allow so many nodes, any number if None, to the searches that follow."""
        self._search.counts[:] = 0, BOUNDLESS if nodes is None else nodes
        self._search.history[:] = 0
        self._search.killer[:] = -1

    def wins(self, state: State) -> int:
        """Does the mover win? By alpha-beta alone: WIN, LOSS, or UNKNOWN when the nodes have run out."""
        pack(state.record, self._search.stack)
        return int(wins(self._search, 0))

    def seek(self, state: State, ledger: Ledger) -> int:
        """Does the mover win? By proof numbers; what large positions are settled on the way goes to the ledger."""
        memory = self._remember(ledger)
        pack(state.record, self._search.stack)
        name = name_of(state)
        seek(self._search, memory, 0, name, math.inf, math.inf, dfpn.SMALL)
        for key, winner in dfpn.proved(memory, dfpn.KEPT):
            ledger.add(key, winner)
        win, loss = dfpn.costs(memory, name)
        return WIN if win == 0 else LOSS if loss == 0 else UNKNOWN

    def _remember(self, ledger: Ledger) -> Memory:
        """What has been looked at, and what others have proved meanwhile."""
        if self._memory is None or 2 * self._memory.used[0] > len(self._memory.keys):
            self._memory, self._told = dfpn.new_memory(), 0
        if ledger is not self._ledger:
            self._ledger, self._told = ledger, 0
        news = ledger.words(self._told)
        dfpn.recall(self._memory, news)
        self._told += len(news)
        return self._memory

    def guess(self, state: State, leaf: int) -> tuple[float, float]:
        """What it may cost to prove that seat 0 wins, and seat 1, in positions of so many empty cells."""
        pack(state.record, self._search.stack)
        win, loss = dfpn.guess(self._search, 0, leaf)
        return (win, loss) if state.mover == 0 else (loss, win)

    def moves(self, state: State) -> list[int]:
        """The moves that need be tried, the most promising first."""
        pack(state.record, self._search.stack)
        found = np.empty(N_ACTIONS, np.int64)
        return found[: promising(self._search, found)].tolist()  # type: ignore[no-any-return]

    @contextmanager
    def limited(self, seconds: float | None) -> Iterator[None]:
        """Stop what is going on after so many seconds."""
        timer = Timer(BOUNDLESS if seconds is None else seconds, self.stop)
        if seconds is not None:
            timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def best(self, state: State) -> Solution | None:
        """The winner and the mover's best move; None when the nodes have run out.

        A mover who is lost gets the move that took the longest to refute.
        """
        tried = self.tried(state)
        if tried is None:
            return None
        action = max(tried, key=lambda action: (tried[action][0] == state.mover, tried[action][1]))
        return Solution(tried[action][0], action, self.nodes)

    def tried(self, state: State) -> dict[int, tuple[int, int]] | None:
        """Move by move who wins then and how many nodes it took to see, up to the first that wins for the mover."""
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
        """The action, and what both seats would best do after it, as far as the nodes last."""
        line = [state.notation(action)]
        state = state.after(action)
        while state.mover != OVER and (found := self.best(state)) and found.action is not None:
            line.append(state.notation(found.action))
            state = state.after(found.action)
        return line

    def _after(self, state: State, action: int) -> int:
        """Does the mover win with this action?"""
        after = state.after(action)
        if after.mover == OVER:
            return WIN if after.winner == state.mover else LOSS
        answer = self.wins(after)
        return answer if answer == UNKNOWN else WIN + LOSS - answer


def empty_cells(state: State) -> int:
    """How many cells are empty."""
    return int(state.record.free).bit_count()


def name_of(state: State) -> int:
    """The position's name, as the ledger has it: the same for all that are the same to the solver."""
    stack = np.zeros((1, PARTS), np.int64)
    pack(state.record, stack)
    return int(name(stack, 0))


def can_be_solved(game: Game) -> bool:
    """Is it Stonehenge as the solver knows it?"""
    return game.name == "stonehenge" and not game.options["hidden"] and game.options["claims"] == "auto"


def check(state: State) -> None:
    """A ValueError if the state is none that can be solved."""
    if state.game.name != "stonehenge":
        raise ValueError(f"Only Stonehenge can be solved, not {state.game.title}.")
    if not can_be_solved(state.game):
        raise ValueError("Stonehenge can be solved with open druids and automatic claims only.")


def solve(
    state: State, nodes: int | None = None, seconds: float | None = None, megabytes: int = MEGABYTES
) -> Solution | None:
    """Who wins, and how: exact, or None if that many nodes or seconds are not enough.

    The empty board, and what follows from the proof of it that comes with Archipel, is answered at once.
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
