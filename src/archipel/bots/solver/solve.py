"""Solving a position of the engine: who wins, and by which move."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer
from typing import NamedTuple

import numpy as np

import archipel
from archipel.core.game import Game
from archipel.core.rules import OVER
from archipel.core.state import State
from archipel.games.stonehenge.rules import ACTIONS, N_CELLS, STATE

from . import table as tables
from .alphabeta import LIMIT, LOSS, NODES, UNKNOWN, WIN, Search, list_moves, take_best, wins
from .position import key

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
        self._search = Search(
            archipel.game("stonehenge").facts,
            np.zeros(N_CELLS + 1, STATE),
            self.table,
            np.zeros((2, ACTIONS), np.int64),
            np.zeros((N_CELLS + 1, ACTIONS), np.int64),
            np.zeros(2, np.int64),
        )

    @property
    def nodes(self) -> int:
        """How many nodes the last search took."""
        return int(self._search.counts[NODES])

    def stop(self) -> None:
        """Let the search that is going on in another thread find no more nodes."""
        self._search.counts[LIMIT] = 0

    def begin(self, nodes: int | None = None) -> None:
        """Allow so many nodes, any number if None, to the searches that follow."""
        self._search.counts[:] = 0, BOUNDLESS if nodes is None else nodes
        self._search.history[:] = 0

    def wins(self, state: State) -> int:
        """Does the mover win? WIN, LOSS, or UNKNOWN when the nodes have run out."""
        self._search.stack[0] = state.record
        return int(wins(self._search, 0))

    def moves(self, state: State) -> list[int]:
        """The moves that need be tried, the most promising first."""
        out = np.empty(ACTIONS, np.int64)
        n = list_moves(state.record, int(state.record.free), self._search.history, out)
        return [take_best(out, i, n) for i in range(n)]

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
    """Who wins, and how: exact, or None if that many nodes or seconds are not enough."""
    check(state)
    if state.mover == OVER:
        return Solution(int(state.record.winners) - 1, None, 0)
    solver = Solver(tables.new(megabytes))
    solver.begin(nodes)
    with solver.limited(seconds):
        return solver.best(state)


def warm() -> None:
    """Make the solver ready, compiled or loaded from the cache: without a node to spend it gives up at once."""
    solve(archipel.game("stonehenge").new(), nodes=0, megabytes=1)
    key(archipel.game("stonehenge").new().record)
