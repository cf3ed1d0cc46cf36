"""The strongest bot that there is for each game: a search that knows more of it than the rules."""

from collections.abc import Callable
from typing import Protocol

import numpy as np

from archipel.core import registry
from archipel.core.game import Game

from . import View
from .budget import Budget
from .knowledge import known_of
from .mcts import SearchBot
from .thought import Thought
from .worlds import game_of

DEFAULT = Budget(seconds=1.0)


class Mind(Protocol):
    """Whoever can tell what he thinks of a view."""

    def think(self, view: View, rng: np.random.Generator, budget: Budget | None = None) -> Thought:
        """The actions from best to worst, and why."""


def searching(game: Game, budget: Budget, cores: int) -> SearchBot:
    """A search with all that is known of the game."""
    return SearchBot(budget, known_of(game), cores)


class ExpertBot:
    """For each game that it meets, the mind that plays it best."""

    def __init__(self, budget: Budget = DEFAULT, cores: int = 1) -> None:
        self.budget = budget
        self.cores = cores
        self._game: Game | None = None
        self._mind: Mind

    def choose(self, view: View, rng: np.random.Generator, budget: Budget | None = None) -> int:
        return self.think(view, rng, budget).action

    def think(self, view: View, rng: np.random.Generator, budget: Budget | None = None) -> Thought:
        """What the best mind for this game thinks."""
        return self.mind(view).think(view, rng, budget)

    def mind(self, view: View) -> Mind:
        """Who thinks about this view: the same as long as the game is the same."""
        game = game_of(view)
        if game != self._game:
            self._game, self._mind = game, _maker(game)(game, self.budget, self.cores)
        return self._mind


def _maker(game: Game) -> Callable[[Game, Budget, int], Mind]:
    """Who thinks about a game: the expert that its manifest names, or else the search alone."""
    made: Callable[[Game, Budget, int], Mind] = registry.manifest(game.name).part("expert") or searching
    return made
