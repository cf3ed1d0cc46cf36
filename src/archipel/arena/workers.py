"""The workers that play the games of an arena: one process per core on this machine, or anything with the same
interface."""

from collections import Counter, deque
from collections.abc import Generator, Iterable
from functools import partial
from multiprocessing.connection import wait
from typing import Protocol

from archipel.workers import WorkerLost, WorkerProcess

from . import program
from .entrants import Entrants
from .errors import ArenaError
from .match import Result, play
from .plan import Match

LIVES = 3
"""How many workers may die during the same game before the arena gives up."""
GRACE = 30.0
"""Seconds that a worker has to end the programs that it started. A moment is enough, except on a busy machine."""
AHEAD = 2
"""How many games a worker holds, so that it does not wait for the next one."""


class Workers(Protocol):
    """The interface of workers: something that plays many games at once."""

    def results(self, matches: Iterable[Match]) -> Generator[list[Result], None, None]:
        """Play all these games in any order; yields lists of results as they come in.

        Every game gives exactly one result: one whose worker dies is played
        again. When the generator is closed early, all workers stop.
        """


class Here:
    """No worker: the games are played one after the other in this process."""

    def __init__(self, entrants: Entrants) -> None:
        self.entrants = entrants

    def results(self, matches: Iterable[Match]) -> Generator[list[Result], None, None]:
        for match in matches:
            yield [play(match, self.entrants)]


class Cores:
    """Worker processes on this machine."""

    def __init__(self, entrants: Entrants, count: int) -> None:
        self.entrants = entrants
        self.count = count
        self.crew: list[Worker] = []
        self._deaths: Counter[tuple[int, int]] = Counter()

    def results(self, matches: Iterable[Match]) -> Generator[list[Result], None, None]:
        waiting = Waiting(matches)
        try:
            while self._hand_out(waiting):
                arrived = wait([worker.pipe for worker in self.crew])
                done = [result for worker in self.crew if worker.pipe in arrived for result in worker.take()]
                self._bury(waiting)
                if done:
                    yield done
        finally:
            self._dismiss()

    def _hand_out(self, waiting: "Waiting") -> bool:
        """Start missing workers and give idle ones games; True if any is working."""
        while len(self.crew) < self.count and (match := waiting.take()):
            self.crew.append(Worker(self.entrants))
            self.crew[-1].give(match)
        for worker in self.crew:
            while len(worker.given) < AHEAD and (match := waiting.take()):
                worker.give(match)
        return any(worker.given for worker in self.crew)

    def _bury(self, waiting: "Waiting") -> None:
        """Remove dead workers and put their games back into the queue."""
        for worker in [worker for worker in self.crew if worker.dead]:
            self.crew.remove(worker)
            worker.stop(GRACE)
            if worker.given:
                blame(worker.given[0], self._deaths)
            waiting.give_back(worker.given)

    def _dismiss(self) -> None:
        for worker in self.crew:
            worker.release()
        for worker in self.crew:
            worker.stop(GRACE)
        self.crew.clear()


def blame(match: Match, deaths: Counter[tuple[int, int]]) -> None:
    """Count the death of a worker during a game; ArenaError if there were too many."""
    deaths[match.key] += 1
    if deaths[match.key] == LIVES:
        raise ArenaError(
            f"Game {match.number + 1} between {' and '.join(match.seats)} has brought down {LIVES} workers, "
            f"so the arena stops; what was played before is kept."
        )


class Waiting:
    """The games that no worker has yet: first those to be played again, then those of the plan, generated on demand."""

    def __init__(self, matches: Iterable[Match]) -> None:
        self._fresh = iter(matches)
        self._again: deque[Match] = deque()

    def take(self) -> Match | None:
        return self._again.popleft() if self._again else next(self._fresh, None)

    def give_back(self, matches: Iterable[Match]) -> None:
        self._again.extend(matches)


class Worker(WorkerProcess):
    """A process that plays matches, with the queue of matches that it has not finished, oldest first."""

    def __init__(self, entrants: Entrants) -> None:
        super().__init__(partial(play, entrants=entrants), program.kill_all_and_start_none)
        self.given: deque[Match] = deque()
        self.dead = False

    def give(self, match: Match) -> None:
        self.given.append(match)
        try:
            self.send(match)
        except WorkerLost:
            self.dead = True

    def take(self) -> list[Result]:
        """The result that has arrived; an empty list if the worker has died."""
        try:
            result: Result = self.receive()
        except WorkerLost:
            self.dead = True
            return []
        self.given.popleft()
        return [result]
