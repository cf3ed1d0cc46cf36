"""Play games on a Ray cluster: one task per game, distributed as nodes come and go."""

from collections import Counter
from collections.abc import Generator, Iterable
from contextlib import suppress
from typing import Any

import archipel
from archipel.ray import NoCluster, connect, cpus

from .entrants import Entrants
from .errors import ArenaError
from .match import Result, play
from .plan import Match
from .workers import AHEAD, LIVES, Waiting, blame

PATIENCE = 1.0
"""Seconds between two checks of how many nodes there are."""


class Cluster:
    """A cluster at `host:port`, `ray://host:port`, `auto` (the one on this machine) or `local` (a new one).

    It plays at most `most` games at once (default: the number of the cluster's CPUs).
    """

    def __init__(self, entrants: Entrants, address: str, most: int | None = None) -> None:
        self.most = most
        self.retried = 0
        """How many games were played again because their worker had died."""
        self._ray = _connect(address)
        self._entrants = self._ray.put(entrants)
        # Failed tasks are retried here, not by Ray, because only this class knows which games have a result.
        self._task = self._ray.remote(num_cpus=1, max_retries=0)(_play)
        self._games: dict[Any, Match] = {}
        self._deaths: Counter[tuple[int, int]] = Counter()

    def results(self, matches: Iterable[Match]) -> Generator[list[Result], None, None]:
        waiting = Waiting(matches)
        try:
            while self._hand_out(waiting):
                done, _ = self._ray.wait(list(self._games), timeout=PATIENCE)
                results = [result for ref in done for result in self._take(ref, waiting)]
                if results:
                    yield results
        finally:
            self._dismiss()

    def _hand_out(self, waiting: Waiting) -> bool:
        """Keep every node busy; True if any game is being played."""
        room = self.most or AHEAD * cpus(self._ray)
        while len(self._games) < room and (match := waiting.take()):
            self._games[self._task.remote(match, self._entrants, archipel.__version__)] = match
        return bool(self._games)

    def _take(self, ref: Any, waiting: Waiting) -> list[Result]:
        """A game's result; an empty list if its worker or node has died, in which case the game is played again."""
        match = self._games.pop(ref)
        failures = self._ray.exceptions
        try:
            return [self._ray.get(ref)]
        except failures.RayTaskError as error:
            raise ArenaError(_message(error)) from None
        except failures.NodeDiedError:
            pass
        except failures.WorkerCrashedError:
            blame(match, self._deaths)
        except failures.RayError:
            self._deaths[match.key] += 1
            if self._deaths[match.key] >= LIVES:
                raise
        self.retried += 1
        waiting.give_back([match])
        return []

    def _dismiss(self) -> None:
        for ref in self._games:
            with suppress(Exception):
                self._ray.cancel(ref, force=True)
        self._games.clear()
        self._ray.shutdown()


def _connect(address: str) -> Any:
    try:
        return connect(address)
    except NoCluster as refusal:
        raise ArenaError(str(refusal)) from None


def _play(match: Match, entrants: Entrants, version: str) -> Result:
    """The task that a node runs."""
    if archipel.__version__ != version:
        raise ArenaError(f"A node of the cluster has archipel {archipel.__version__}, not {version}.")
    return play(match, entrants)


def _message(error: Any) -> str:
    cause = error.cause if isinstance(getattr(error, "cause", None), Exception) else error
    if isinstance(cause, ArenaError):
        return str(cause)
    return f"A node of the cluster cannot play: {type(cause).__name__}: {' '.join(str(cause).split())[:200]}"
