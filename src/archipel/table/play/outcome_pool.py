"""Worker processes that compute slow chance outcomes, apart from those of bots."""

from collections.abc import Callable
from typing import Any

from archipel.core import registry
from archipel.core.slow_chance import Computed
from archipel.workers import cores

from ..log.tasks import Task, carry_out
from .workers import WorkerPool

TRIES = 3
"""If a process is lost during a task, the next one carries it out again, with the same result."""


class OutcomePool(WorkerPool):
    """Processes that compute outcomes (default: one for every two cores)."""

    def __init__(self, processes: int = 0) -> None:
        super().__init__("outcomes", carry_out, processes or max(1, cores() // 2), TRIES)
        self._awake: set[str] = set()

    def wake(self, game: str) -> None:
        """Start the processes for this game in advance, because that takes a second."""
        chance = registry.slow_chance(game)
        if chance and game not in self._awake:
            self._awake.add(game)
            for number in range(self.count):
                self.queue.put(f"waking {number}", Task(game, chance.first_order()), _forget)

    def compute(self, table: str, task: Task, callback: Callable[[Computed | None], None]) -> None:
        """Compute an outcome; calls `callback` in the loop with the result, or None if it could not be computed."""
        if not self.queue.put(table, task, callback):
            callback(None)


def _forget(_: Any) -> None:
    pass
