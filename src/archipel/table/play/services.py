"""What all live tables of a server share: database, bots, chance outcomes, other workers, metrics, clocks."""

import time
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from archipel.bots.thought import Thought
from archipel.core.slow_chance import Computed

from .. import logging
from ..log.decisions import Refusal
from ..log.table import Table
from ..log.tasks import Task
from ..metrics import Metrics
from ..settings import Settings
from ..storage import Store
from .peers import Peers


class Bots(Protocol):
    """Worker processes in which bots think."""

    def levels(self, game: str) -> list[str]:
        """The levels of a game's bots, from weakest to strongest."""

    def knows(self, level: str) -> bool:
        """True if a bot of this name can have a seat."""

    def choose(
        self, table: Table, whose: str, callback: Callable[[int | None, dict[str, Any] | None], None], pace: float = 1.0
    ) -> None:
        """Let the bot that is to move choose; calls `callback(action, extra)` in the loop. `whose`: on whose behalf."""

    def advise(
        self,
        table: Table,
        whose: str,
        view: dict[str, Any],
        done: int | None,
        callback: Callable[[Thought | None], None],
    ) -> None:
        """Let a strong bot evaluate a view and the action `done` in it; calls `callback(thought or None)`."""


class Outcomes(Protocol):
    """Worker processes that compute slow chance outcomes."""

    def wake(self, game: str) -> None:
        """Prepare for computing outcomes of this game."""

    def compute(self, table: str, task: Task, callback: Callable[[Computed | None], None]) -> None:
        """Compute an outcome; calls `callback(outcome or None)` in the loop."""


def milliseconds() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class Services:
    """The parts of one server process that all its tables share."""

    def __init__(self, store: Store, bots: Bots, outcomes: Outcomes, settings: Settings) -> None:
        self.store = store
        self.bots = bots
        self.outcomes = outcomes
        self.settings = settings
        self.peers = Peers()
        self.metrics = Metrics()
        self.subscribers: set[str] = set()
        """The persons who want notices: only theirs are turns that are stored."""
        self.came: Callable[[str, str], None] = lambda who, table: None
        """Called with a subscriber and the table that they have come to."""
        self.stopping = False
        """The server is stopping: nothing more is decided."""
        self._write_failed = logging.Seldom("write-failed")
        store.teller.failed = self._failed

    def now(self) -> int:
        """The wall clock in milliseconds, for the log: it may be set back."""
        return milliseconds()

    def monotonic(self) -> int:
        """A monotonic clock in milliseconds, for limits and timeouts."""
        return time.monotonic_ns() // 1_000_000

    def _failed(self, error: Exception) -> None:
        """Count and log a write that failed."""
        self.metrics.writes_failed += 1
        self._write_failed(why=str(error))

    def check_level(self, level: str) -> None:
        """Refusal if there is no bot of this level."""
        if not self.bots.knows(level):
            raise Refusal("table.level", "There is no bot of that level.")

    def check_person(self, chairs: Sequence[str]) -> None:
        """Refusal if only bots would play: they would keep people's bots waiting."""
        if chairs and not self.settings.any_bot and all(kind == "bot" for kind in chairs):
            raise Refusal("table.person-needed", "A table needs a person: add a seat for yourself, or an open one.")
