"""The searchers of a proof's leaves: threads of this program, or the nodes of a Ray cluster."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from queue import SimpleQueue
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

import archipel
from archipel.core.state import State
from archipel.ray import cpus

from . import table as tables
from .alphabeta import UNKNOWN, WIN
from .ledger import Ledger
from .solve import Solver

NEWS = 1.1
"""The nodes of a cluster get the proved positions whenever their number has grown by this factor."""

Words = NDArray[np.int64]


class Found(NamedTuple):
    """The result of a slice: the winner, if it was enough; nodes; other proved positions; whether the searcher was
    lost."""

    winner: int | None
    nodes: int
    proved: list[tuple[int, int]]
    lost: bool = False


class Hands(Protocol):
    """Searchers to which slices of work can be given, several at once."""

    def count(self) -> int: ...

    def search(self, state: State, nodes: int) -> Future[Found]:
        """Search a position with this number of nodes."""
        ...

    def stop(self) -> None:
        """End the running searches soon."""
        ...

    def close(self) -> None:
        """Release the searchers."""
        ...


class Threads:
    """Cores of this machine, with one table and one ledger for all."""

    def __init__(self, ledger: Ledger, table: tables.Words, cores: int = 1) -> None:
        self._ledger = ledger
        self._all = [Solver(table) for _ in range(cores)]
        self._idle: SimpleQueue[Solver] = SimpleQueue()
        for solver in self._all:
            self._idle.put(solver)
        self._pool = ThreadPoolExecutor(cores)

    def count(self) -> int:
        return len(self._all)

    def search(self, state: State, nodes: int) -> Future[Found]:
        solver = self._idle.get()
        solver.begin(nodes)
        return self._pool.submit(self._search, solver, state)

    def _search(self, solver: Solver, state: State) -> Found:
        try:
            answer = solver.seek(state, self._ledger)
            return Found(winner_of(state, answer), solver.nodes, [])
        finally:
            self._idle.put(solver)

    def stop(self) -> None:
        for solver in self._all:
            solver.stop()

    def close(self) -> None:
        self._pool.shutdown()


class Nodes:
    """A Ray cluster: a task for each slice. Slices of a node that dies are lost, and searched again elsewhere."""

    def __init__(self, ledger: Ledger, ray: Any, megabytes: int, most: int | None = None) -> None:
        self._ray = ray
        self._ledger = ledger
        self._megabytes = megabytes
        self._most = most
        self._known: Any = None
        self._shared = 0
        self._going: set[Any] = set()
        self._task = self._ray.remote(num_cpus=1, max_retries=0)(_search)

    def count(self) -> int:
        return self._most or cpus(self._ray)

    def search(self, state: State, nodes: int) -> Future[Found]:
        found: Future[Found] = Future()
        ref = self._task.remote(state.snapshot(), nodes, self._news(), self._megabytes, archipel.__version__)
        self._going.add(ref)
        ref.future().add_done_callback(self._hearing(ref, found))
        return found

    def _news(self) -> Any:
        """The proved positions, as sent to the nodes."""
        if self._known is None or len(self._ledger) > NEWS * self._shared:
            self._known, self._shared = self._ray.put(self._ledger.words()), len(self._ledger)
        return self._known

    def _hearing(self, ref: Any, found: Future[Found]) -> Callable[[Future[Found]], None]:
        def hear(done: Future[Found]) -> None:
            self._going.discard(ref)
            error = done.exception()
            if error is None:
                found.set_result(done.result())
            elif isinstance(error, self._ray.exceptions.RayTaskError):
                found.set_exception(ValueError(f"A node of the cluster cannot search: {error.cause}"))
            else:
                found.set_result(Found(None, 0, [], lost=True))

        return hear

    def stop(self) -> None:
        for ref in list(self._going):
            self._ray.cancel(ref, force=True)

    def close(self) -> None:
        self._ray.shutdown()


def winner_of(state: State, answer: int) -> int | None:
    """The winner's seat, from a search's answer about the mover."""
    return None if answer == UNKNOWN else state.mover if answer == WIN else 1 - state.mover


@cache
def _solver(megabytes: int) -> Solver:
    """A node's own solver, which keeps its table from slice to slice."""
    return Solver(tables.new(megabytes))


def _search(snapshot: dict[str, Any], nodes: int, known: Words, megabytes: int, version: str) -> Found:
    """The task that a node runs."""
    if archipel.__version__ != version:
        raise ValueError(f"it has archipel {archipel.__version__}, not {version}.")
    state = archipel.game("stonehenge", **snapshot["options"]).restore(snapshot)
    ledger, solver = Ledger.of(known), _solver(megabytes)
    solver.begin(nodes)
    answer = solver.seek(state, ledger)
    return Found(winner_of(state, answer), solver.nodes, ledger.since(len(known)))
