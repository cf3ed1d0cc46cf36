"""The arena: bots play each other on all cores, and a report estimates their strengths with confidence intervals.

    from archipel.arena import compare, rank

    print(rank("stonehenge", ["greedy", "random"], games=100))
    print(compare("stonehenge", new="my_bot.py", old="greedy", elo1=50))

`rank` plays a round robin, `compare` plays until a sequential test knows which of two bots is stronger.
"""

from typing import TYPE_CHECKING, Any

from .errors import ArenaError, Failed

if TYPE_CHECKING:
    from .api import Comparison, Ranking, compare, rank
    from .sprt import Hypotheses

__all__ = ["ArenaError", "Comparison", "Failed", "Hypotheses", "Ranking", "compare", "rank"]


def __getattr__(name: str) -> Any:
    """Import the API on first use: most importers only need a submodule or the errors."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{'sprt' if name == 'Hypotheses' else 'api'}"), name)
