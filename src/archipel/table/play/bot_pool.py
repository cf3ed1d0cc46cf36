"""Worker processes in which bots think. They get views and nothing else."""

import asyncio
import random
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from msgspec import Struct

from archipel.bots import Bot, Budget, bot, is_known, levels
from archipel.bots.thought import Opinion, Thought
from archipel.bots.worlds import imagined
from archipel.core import compiled, registry
from archipel.core.rules import OVER
from archipel.core.state import State
from archipel.workers import cores

from ..log.fairness import Mac
from ..log.table import Table
from .workers import FairQueue, Told, WorkerPool

ADVISER = "expert"
ADVICE = Budget(simulations=10_000)


class Question(Struct, gc=False):
    """A question for a bot: a view, what the game shows in addition, and nothing else."""

    level: str
    view: dict[str, Any]
    seed: int
    advice: bool = False
    seen: Any = None
    """What a game with slow chance shows in addition to the view."""
    done: int | None = None
    """The action that was played in that position, which an analysis is to evaluate too."""
    table: int = 0
    """Identifies the table without revealing it, so that a bot's search tree is not reused at another table."""


Choice = tuple[int | None, dict[str, Any] | None]
"""A bot's action, and its extra data."""


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

    def _put(self, table: str, question: "Question", told: Told, later: bool = False, whose: str = "") -> bool:
        """Have a question answered; False if the table has too many waiting already."""
        put = partial(self.queue.put, table, question, told, later, whose)
        held = self._held.get(question.view["game"])
        return put() if held is None else held.put(table, put, told, later, whose)

    def levels(self, game: str) -> list[str]:
        """The levels of a game's bots, from weakest to strongest."""
        return list(levels.NAMES)

    def knows(self, level: str) -> bool:
        """True if a bot of this name can have a seat."""
        return level in levels.NAMES or (self.any_bot and is_known(level))

    def choose(
        self, table: Table, whose: str, told: Callable[[int, dict[str, Any] | None], None], pace: float = 1.0
    ) -> None:
        """Let the bot that is to act at a table choose. If it fails, a random legal action is played.

        `pace` is what the players chose: 0 answers at once, 1 as slowly as a person.
        """
        state, level = table.state, table.bot_to_move() or ""
        chance = table.slow_chance
        question = Question(
            level,
            state.view(state.mover),
            _number(table, f"thought {table.position}"),
            seen=chance.seen(state, table.last_detail) if chance else None,
            table=_number(table, "table"),
        )
        legal, due = state.actions(), time.monotonic() + self.delay(level, state, pace)

        def answered(choice: Choice | None) -> None:
            action, extra = choice or (None, None)
            chosen = action if action in legal else random.Random(question.seed).choice(legal)
            meant = extra if chosen == action else None
            asyncio.get_running_loop().call_later(max(0.0, due - time.monotonic()), told, chosen, meant)

        if not self._put(table.setup.id, question, answered, whose=whose):
            answered(None)

    def delay(self, level: str, state: State, pace: float) -> float:
        """The minimum number of seconds before a bot answers."""
        return pace * self.pace * _pace(level, state)

    def advise(
        self,
        table: Table,
        whose: str,
        view: dict[str, Any],
        done: int | None,
        told: Callable[[Thought | None], None],
    ) -> None:
        """Let a strong bot evaluate a view, and the action that was played there."""
        question = Question(
            ADVISER,
            view,
            _number(table, f"advice {table.position}"),
            advice=True,
            done=done,
            table=_number(table, "table"),
        )
        if not self._put(table.setup.id, question, told, later=True, whose=whose):
            told(None)


def _number(table: Table, name: str) -> int:
    """A seed derived from a table's secret: the same position gives the same thought."""
    return int.from_bytes(Mac(table.setup.secret)(name.encode())[:8], "big") >> 1


def _pace(level: str, state: State) -> float:
    """Seconds that a level waits before it moves, so that people can follow the game; other bots do not wait."""
    return levels.level(level, state.game.name).wait(state) if level in levels.NAMES else 0.0


def think(question: Question) -> Any:
    """Return a bot's choice, or the evaluation of an analysis; None on failure."""
    rng = np.random.default_rng(question.seed)
    if not compiled.arrive(question.view["game"]):
        compiled.wait_no_longer()
    try:
        return _advice(question, rng) if question.advice else _choice(question, rng)
    except Exception:  # whatever a bot raises, the next question must be answered
        return None


_bots: dict[str, tuple[int, Bot]] = {}


def _bot(question: Question) -> Bot:
    """A bot keeps its search tree between the questions of one table."""
    table, kept = _bots.get(question.level, (None, None))
    if kept is None or table != question.table:
        kept = bot(question.level)
        _bots[question.level] = question.table, kept
    return kept


def _choice(question: Question, rng: np.random.Generator) -> Choice:
    chance = registry.slow_chance(question.view["game"]) if question.seen is not None else None
    if chance:
        return chance.choose(question.level, question.view, question.seen, rng)
    return _bot(question).choose(question.view, rng), None


def _advice(question: Question, rng: np.random.Generator) -> Thought:
    adviser: Any = _bot(question)
    thought: Thought = adviser.think(question.view, rng, ADVICE)
    if question.done is None or any(opinion.action == question.done for opinion in thought.ranking):
        return thought
    return replace(thought, ranking=[*thought.ranking, _afterthought(adviser, question.view, question.done, rng)])


def _afterthought(adviser: Any, view: dict[str, Any], action: int, rng: np.random.Generator) -> Opinion:
    """Evaluate an action that the search skipped because it had found a winning one, by the position after it."""
    (state,) = imagined(view, rng)
    after = state.after(action)
    values = after.returns() if after.mover == OVER else adviser.think(after.view(after.mover), rng, ADVICE).values
    return Opinion(action, state.notation(action), 0, values[state.mover])
