"""Worker processes in which bots think. They get views and nothing else."""

import asyncio
import time
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from archipel.bots import is_known, levels
from archipel.bots.thought import Thought
from archipel.core.state import State
from archipel.workers import cores

from ..log.table import Table
from .thinking import Choice, Question, advice_question, move_question, seconds, think
from .workers import Callback, FairQueue, WorkerPool


class BotPool(WorkerPool):
    """A pool of bot processes; `pace` scales the time that a bot pretends to think.

    Only levels, which are fast enough, can have seats; with `any_bot`, every bot can.
    """

    def __init__(self, processes: int = 0, pace: float = 1.0, any_bot: bool = False) -> None:
        super().__init__("bots", think, processes or max(1, cores() - 1))
        self.pace = pace
        self.any_bot = any_bot
        self._held: dict[str, FairQueue] = {}

    def hold(self, games: Iterable[str]) -> None:
        """Let the bots of these games wait, each until its game is released."""
        self._held = {game: FairQueue() for game in games}

    def release(self, game: str) -> None:
        """Let the bots of a game think from now on: first about what they were asked meanwhile."""
        held = self._held.pop(game)
        while held.size and (asked := held.take()):
            put, _ = asked
            put()

    def _put(self, table: str, question: "Question", callback: Callback, later: bool = False, whose: str = "") -> bool:
        """Have a question answered; False if the table has too many waiting already."""
        put = partial(self.queue.put, table, question, callback, later, whose)
        held = self._held.get(question.view["game"])
        return put() if held is None else held.put(table, put, callback, later, whose)

    def levels(self, game: str) -> list[str]:
        """The levels of a game's bots, from weakest to strongest."""
        return list(levels.NAMES)

    def knows(self, level: str) -> bool:
        """True if a bot of this name can have a seat."""
        return level in levels.NAMES or (self.any_bot and is_known(level))

    def choose(
        self, table: Table, whose: str, callback: Callable[[int | None, dict[str, Any] | None], None], pace: float = 1.0
    ) -> None:
        """Let the bot that is to act at a table choose; None if it fails.

        `pace` is what the players chose: 0 answers at once, 1 as slowly as a person.
        """
        state, level = table.state, table.bot_to_move() or ""
        question = move_question(table, level)
        due = time.monotonic() + self.delay(level, state, pace)

        def answered(choice: Choice | None) -> None:
            asyncio.get_running_loop().call_later(max(0.0, due - time.monotonic()), callback, *(choice or (None, None)))

        if not self._put(table.setup.id, question, answered, whose=whose):
            answered(None)

    def delay(self, level: str, state: State, pace: float) -> float:
        """The minimum number of seconds before a bot answers."""
        return pace * self.pace * seconds(level, state)

    def advise(
        self,
        table: Table,
        whose: str,
        view: dict[str, Any],
        done: int | None,
        callback: Callable[[Thought | None], None],
    ) -> None:
        """Let a strong bot evaluate a view, and the action that was played there."""
        question = advice_question(table, view, done)
        if not self._put(table.setup.id, question, callback, later=True, whose=whose):
            callback(None)
