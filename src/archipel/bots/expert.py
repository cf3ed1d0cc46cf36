"""The strongest bot that there is for each game: a search that knows more of it than the rules."""

from collections.abc import Callable
from typing import Protocol

import numpy as np

from archipel.core.game import Game
from archipel.core.rules import CHANCE

from . import View, solver
from .budget import Budget
from .knowledge import known_of
from .mcts import SearchBot
from .reckoner import ReckoningBot
from .sailor import SailorBot
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


def reckoning(game: Game, budget: Budget, cores: int) -> ReckoningBot:
    """Nothing to search for: all can be added up."""
    return ReckoningBot()


def solving(game: Game, budget: Budget, cores: int) -> solver.SolverBot:
    """What can be proved is played as proved, and the rest is searched."""
    return solver.SolverBot(budget, cores)


def sailing(game: Game, budget: Budget, cores: int) -> SailorBot:
    """A turn is reckoned out, what comes after it is judged, and in doubt simulated."""
    return SailorBot(budget)


MINDS: dict[str, Callable[[Game, Budget, int], Mind]] = {
    "krakatoa": reckoning,
    "kula_kula": sailing,
    "stonehenge": solving,
}
"""By game: who thinks there, if it is not the search alone."""


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
            self._game, self._mind = game, MINDS.get(game.name, searching)(game, self.budget, self.cores)
        return self._mind


def warm(game: Game) -> None:
    """Let the expert choose a few times, so that all it needs is compiled; and solve, which it does late in a game."""
    if MINDS.get(game.name) is solving:
        solver.warm()
    rng, expert, state = np.random.default_rng(0), ExpertBot(Budget(simulations=1)), game.new()
    for _ in range(3):
        while state.mover == CHANCE:
            state = state.after(state.sample(rng))
        state = state.after(expert.choose(state.view(state.mover), rng))
