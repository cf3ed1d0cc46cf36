"""Those who think for bots: a few processes that are sent views and nothing else."""

import asyncio
import os
import random
import secrets
import time
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
from msgspec import Struct

from archipel.bots import BOTS, Bot, Budget, bot, levels
from archipel.bots.thought import Opinion, Thought
from archipel.bots.worlds import imagined
from archipel.core.rules import OVER
from archipel.core.state import State
from archipel.dice.tray import Tray

from . import throwing
from .live import Live
from .protocol import Aim
from .workers import Crew

ADVISER = "expert"
ADVICE = Budget(simulations=10_000)


class Question(Struct, gc=False):
    """What somebody is to think about: a view, where dice are to be thrown how they lie, and nothing else."""

    level: str
    view: dict[str, Any]
    seed: int
    advice: bool = False
    lies: dict[str, list[float]] | None = None
    done: int | None = None
    """What was done in that position, which an adviser is to judge too."""


Choice = tuple[int | None, dict[str, float] | None]
"""What a bot does, and its aim if it throws dice and has one."""


class Pool(Crew):
    """So many processes that think; `pace` times as slowly as a person answers."""

    def __init__(self, processes: int = 0, pace: float = 1.0) -> None:
        super().__init__("bots", think, processes or max(1, (os.cpu_count() or 1) - 1))
        self.pace = pace

    def levels(self, game: str) -> list[str]:
        """The levels of a game's bots, from weakest to strongest."""
        return list(levels.NAMES)

    def knows(self, level: str) -> bool:
        """May a seat be given to a bot of this name? Bots that are no levels play too, with the budget they have."""
        return level in levels.NAMES or level in BOTS

    def choose(self, live: Live, told: Callable[[int, Aim | None], None]) -> None:
        """Have the bot that is to act at a table choose. If it fails, any legal action must do."""
        state, level = live.table.state, live.table.bot_to_move() or ""
        question = Question(level, state.view(state.mover), secrets.randbits(63), lies=throwing.seen(live.table))
        legal, due = state.actions(), time.monotonic() + self.pace * _pace(level, state)

        def answered(choice: Choice | None) -> None:
            action, aim = choice or (None, None)
            chosen = action if action in legal else random.choice(legal)
            meant = Aim(**aim) if aim and chosen == action else None
            asyncio.get_running_loop().call_later(max(0.0, due - time.monotonic()), told, chosen, meant)

        if not self.queue.put(live.id, question, answered):
            answered(None)

    def advise(
        self, live: Live, view: dict[str, Any], done: int | None, told: Callable[[Thought | None], None]
    ) -> None:
        """Have somebody strong think about a view, and about what was done there."""
        question = Question(ADVISER, view, secrets.randbits(63), advice=True, done=done)
        if not self.queue.put(live.id, question, told, later=True):
            told(None)


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


@lru_cache(maxsize=16)
def _bot(level: str) -> Bot:
    """A bot keeps its tree between questions, so that it need not be grown from bare ground."""
    return bot(level)


def _choice(question: Question, rng: np.random.Generator) -> Choice:
    chooser: Any = _bot(question.level)
    if question.lies is None or not hasattr(chooser, "aim"):
        return chooser.choose(question.view, rng), None
    shot = chooser.aim(question.view, Tray.read(question.lies), rng)
    return shot.action, shot.aim and shot.aim.json()


def _advice(question: Question, rng: np.random.Generator) -> Thought:
    adviser: Any = _bot(question.level)
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
