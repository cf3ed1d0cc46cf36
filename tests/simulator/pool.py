"""Those who think for bots, simulated: the real pool over a queue that answers by a seed."""

import random
from collections.abc import Callable
from typing import Any

import numpy as np

from archipel.bots.thought import Opinion, Thought
from archipel.bots.worlds import imagined
from archipel.core.slow_chance import Computed
from archipel.table.log.tasks import Task
from archipel.table.play.bot_pool import BotPool
from archipel.table.play.thinking import Question

from .loop import Loop


class Queue:
    """Answers after a while with a random choice; now and then its process is lost, and the answer is None."""

    def __init__(self, loop: Loop, rng: random.Random) -> None:
        self._loop, self._rng = loop, rng
        self.size = 0

    def put(
        self, table: str, task: Question, told: Callable[[Any], None], later: bool = False, whose: str = ""
    ) -> bool:
        rng = np.random.default_rng(task.seed)
        answer = None if self._rng.random() < 0.05 else _advice(task, rng) if task.advice else _choice(task, rng)
        self._loop.call_later(self._rng.expovariate(2.0), told, answer)
        return True


def _choice(question: Question, rng: np.random.Generator) -> tuple[int, None]:
    (state,) = imagined(question.view, rng)
    actions = state.actions()
    return actions[int(rng.integers(len(actions)))], None


def _advice(question: Question, rng: np.random.Generator) -> Thought:
    (state,) = imagined(question.view, rng)
    opinions = [Opinion(action, state.notation(action), 1, 0.5) for action in state.actions()[:4]]
    return Thought(state.mover, opinions, simulations=1, seconds=0.1)


def bots(loop: Loop, rng: random.Random) -> BotPool:
    """The real pool, without its processes."""
    pool = BotPool(1, pace=1.0)
    pool.queue = Queue(loop, rng)  # type: ignore[assignment]
    return pool


class Outcomes:
    """Nobody computes outcomes of chance here: at simulated tables they are drawn."""

    def wake(self, game: str) -> None:
        raise AssertionError(f"{game} computes its outcomes of chance.")

    def compute(self, table: str, task: Task, told: Callable[[Computed | None], None]) -> None:
        raise AssertionError(f"Table {table} computes its outcomes of chance.")
