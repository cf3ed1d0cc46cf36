"""The strongest bot for each game: its own expert, or the search with the game's knowledge."""

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
    """A bot that can explain its choice."""

    def think(self, view: View, rng: np.random.Generator, budget: Budget | None = None) -> Thought:
        """Return the actions from best to worst, with their evaluation."""


def searching(game: Game, budget: Budget, cores: int) -> SearchBot:
    """The search with the game's knowledge."""
    return SearchBot(budget, known_of(game), cores)


class ExpertBot:
    """Plays every game with the strongest bot for it."""

    def __init__(self, budget: Budget = DEFAULT, cores: int = 1) -> None:
        self.budget = budget
        self.cores = cores
        self._game: Game | None = None
        self._mind: Mind

    def choose(self, view: View, rng: np.random.Generator, budget: Budget | None = None) -> int:
        return self.think(view, rng, budget).action

    def think(self, view: View, rng: np.random.Generator, budget: Budget | None = None) -> Thought:
        """Evaluate a view with the strongest bot for this game."""
        return self.mind(view).think(view, rng, budget)

    def forget(self) -> None:
        """Begin the next search anew, so that it depends on nothing that was searched before."""
        if self._game is not None and hasattr(self._mind, "forget"):
            self._mind.forget()

    def mind(self, view: View) -> Mind:
        """The strongest bot for the game of this view, kept until another game is asked for."""
        game = game_of(view)
        if game != self._game:
            self._game, self._mind = game, _maker(game)(game, self.budget, self.cores)
        return self._mind


def _maker(game: Game) -> Callable[[Game, Budget, int], Mind]:
    """The function that creates the strongest bot: the expert named in the manifest, or else the search."""
    made: Callable[[Game, Budget, int], Mind] = registry.manifest(game.name).part("expert") or searching
    return made
