"""The task that computes a slow chance outcome: a game and its order, which any process can carry out again."""

from typing import Any

from msgspec import Struct

from archipel.core import registry
from archipel.core.slow_chance import Computed


class Task(Struct, gc=False):
    """An outcome to compute: the game, and an order that only the game reads."""

    game: str
    order: Any


def carry_out(task: Task) -> Computed | None:
    """Compute an outcome in this process; None if the game cannot compute it."""
    chance = registry.slow_chance(task.game)
    try:
        return chance.compute(task.order) if chance else None
    except Exception:  # the next task must still be carried out
        return None
