"""The questions for bots at a table, and their answers: a bot gets a view and nothing else."""

from dataclasses import replace
from typing import Any

import numpy as np
from msgspec import Struct

from archipel.bots import Bot, Budget, bot, levels
from archipel.bots.thought import Opinion, Thought
from archipel.bots.worlds import imagined
from archipel.core import compiled, registry
from archipel.core.rules import OVER
from archipel.core.state import State

from ..log.bot_moves import named
from ..log.fairness import Mac
from ..log.table import Table

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


def move_question(table: Table, level: str) -> Question:
    """The question for the bot of that level, which is to act.

    Its seed follows from what the draws come from, which is shown at the end: anybody can ask the same question again.
    """
    state, chance = table.state, table.slow_chance
    return Question(
        named(level),
        state.view(state.mover),
        table.lot.thought(table.history.moves),
        seen=chance.seen(state, table.last_detail) if chance else None,
        table=_number(table, "table"),
    )


def advice_question(table: Table, view: dict[str, Any], done: int | None) -> Question:
    """The question for an adviser: a view, and the action that was played there, if known."""
    return Question(
        ADVISER,
        view,
        _number(table, f"advice {table.position}"),
        advice=True,
        done=done,
        table=_number(table, "table"),
    )


def _number(table: Table, name: str) -> int:
    """A seed derived from a table's secret: the same position gives the same thought."""
    return int.from_bytes(Mac(table.setup.secret)(name.encode())[:8], "big") >> 1


def seconds(level: str, state: State) -> float:
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
    """A bot is kept for the next question of its table; what a level searched before has no influence on its move."""
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
