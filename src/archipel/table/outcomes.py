"""Chance outcomes that take their time, computed by a few processes of their own: they must not wait for bots."""

import os
from collections.abc import Callable
from typing import Any

from msgspec import Struct

from archipel.core import registry
from archipel.core.slow_chance import Computed

from .workers import Crew

TRIES = 3
"""A process may be lost over a task: the next one carries it out again, with the same bytes."""


class Task(Struct, gc=False):
    """An outcome to be computed: the game, and the order that only the game reads."""

    game: str
    order: Any


class OutcomePool(Crew):
    """Processes that compute outcomes; by default one for every two cores."""

    def __init__(self, processes: int = 0) -> None:
        super().__init__("outcomes", carry_out, processes or max(1, (os.cpu_count() or 1) // 2), TRIES)
        self._awake: set[str] = set()

    def wake(self, game: str) -> None:
        """Outcomes of this game will soon be computed: start the processes, for that takes a second."""
        chance = registry.slow_chance(game)
        if chance and game not in self._awake:
            self._awake.add(game)
            for number in range(self.count):
                self.queue.put(f"waking {number}", Task(game, chance.first_order()), _forget)

    def compute(self, table: str, task: Task, told: Callable[[Computed | None], None]) -> None:
        """Have an outcome computed; `told` in the loop what it is, or None if nobody could compute it."""
        if not self.queue.put(table, task, told):
            told(None)


def carry_out(task: Task) -> Computed | None:
    """Compute an outcome in this process; None if it cannot be done, for the next one must be computed."""
    chance = registry.slow_chance(task.game)
    try:
        return chance.compute(task.order) if chance else None
    except Exception:
        return None


def _forget(_: Any) -> None:
    pass
