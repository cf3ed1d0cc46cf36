"""Worker processes that think for bots. They get views and nothing else."""

import asyncio
import random
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from msgspec import Struct

from archipel.bots import Bot, Budget, bot, is_known, levels
from archipel.bots.thought import Opinion, Thought
from archipel.bots.worlds import imagined
from archipel.core import registry
from archipel.core.rules import OVER
from archipel.core.state import State
from archipel.workers import cores

from ..log.fairness import Mac
from ..log.table import Table
from .workers import WorkerPool

ADVISER = "expert"
ADVICE = Budget(simulations=10_000)


class Question(Struct, gc=False):
    """What somebody is to think about: a view, what the game shows beside it, and nothing else."""

    level: str
    view: dict[str, Any]
    seed: int
    advice: bool = False
    seen: Any = None
    """What a game whose chance takes its time shows beside the view."""
    done: int | None = None
    """What was done in that position, which an adviser is to judge too."""
    table: int = 0
    """Tells the table from others, and nothing about it: what was thought about one has no part in another."""


Choice = tuple[int | None, dict[str, Any] | None]
"""What a bot does, and the extra data that goes with it."""


class BotPool(WorkerPool):
    """So many processes that think; `pace` times as slowly as a person answers.

    Seats are given to levels, which are made to answer in time; with `any_bot` to every bot that there is.
    """

    def __init__(self, processes: int = 0, pace: float = 1.0, any_bot: bool = False) -> None:
        super().__init__("bots", think, processes or max(1, cores() - 1))
        self.pace = pace
        self.any_bot = any_bot

    def levels(self, game: str) -> list[str]:
        """The levels of a game's bots, from weakest to strongest."""
        return list(levels.NAMES)

    def knows(self, level: str) -> bool:
        """May a seat be given to a bot of this name?"""
        return level in levels.NAMES or (self.any_bot and is_known(level))

    def choose(
        self, table: Table, whose: str, told: Callable[[int, dict[str, Any] | None], None], pace: float = 1.0
    ) -> None:
        """Have the bot that is to act at a table choose. If it fails, any legal action must do.

        `pace` is the players' wish: 0 answers at once, 1 as slowly as a person does.
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

        if not self.queue.put(table.setup.id, question, answered, whose=whose):
            answered(None)

    def delay(self, level: str, state: State, pace: float) -> float:
        """How many seconds pass at least before a bot answers."""
        return pace * self.pace * _pace(level, state)

    def advise(
        self,
        table: Table,
        whose: str,
        view: dict[str, Any],
        done: int | None,
        told: Callable[[Thought | None], None],
    ) -> None:
        """Have somebody strong think about a view, and about what was done there."""
        question = Question(
            ADVISER,
            view,
            _number(table, f"advice {table.position}"),
            advice=True,
            done=done,
            table=_number(table, "table"),
        )
        if not self.queue.put(table.setup.id, question, told, later=True, whose=whose):
            told(None)


def _number(table: Table, name: str) -> int:
    """A number that follows from a table's secret, as the seed of a thought: the same position, the same thought."""
    return int.from_bytes(Mac(table.setup.secret)(name.encode())[:8], "big") >> 1


def _pace(level: str, state: State) -> float:
    """How many seconds a person would take: a level's answer comes no sooner, or nobody could follow it.

    How many choices the bot has may tell what it holds, so they are counted as an onlooker might imagine them.
    """
    if level not in levels.NAMES:
        return 0.0
    imagined = state.redealt(None, np.random.default_rng(0))
    return levels.level(level, state.game.name).pace.seconds(len(imagined.actions()))


def think(question: Question) -> Any:
    """What a bot chooses, or what an adviser thinks; None if it cannot."""
    rng = np.random.default_rng(question.seed)
    try:
        return _advice(question, rng) if question.advice else _choice(question, rng)
    except Exception:  # whatever a bot does, the next question must be answered
        return None


_bots: dict[str, tuple[int, Bot]] = {}


def _bot(question: Question) -> Bot:
    """A bot keeps its tree between the questions of one table, so that it need not be grown from bare ground."""
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
    """An action that the adviser has passed over, because it had found one that wins: judged by what follows."""
    (state,) = imagined(view, rng)
    after = state.after(action)
    values = after.returns() if after.mover == OVER else adviser.think(after.view(after.mover), rng, ADVICE).values
    return Opinion(action, state.notation(action), 0, values[state.mover])
