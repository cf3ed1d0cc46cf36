"""OpenSpiel's own searches as bots: they play our games through the adapter, from the view that every bot gets.

They are the ones in Python; those in C++ cannot play games that are written in Python. Their random rollouts are
played in our kernels: the same games at random, only several times as many a second, which is a present to them.
"""

from time import perf_counter
from typing import Any

import numpy as np
import pyspiel
from numpy.typing import NDArray
from open_spiel.python.algorithms import ismcts, mcts

from archipel.adapters.openspiel import ArchipelState, Moment, parameter
from archipel.bots import Budget, View
from archipel.bots.worlds import imagined

PILOT = 0.05
"""The part of a time that a first search may take which only shows the pace; it is given on top."""


LEAST = 2
"""Simulations: after the first one its ISMCTS has no opinion yet."""


class Rollouts(mcts.Evaluator):  # type: ignore[misc]
    """OpenSpiel's evaluation by random play, in compiled code."""

    def __init__(self, games: int, source: np.random.RandomState) -> None:
        self._games = games
        self._rng = np.random.default_rng(source.randint(1 << 31))

    def evaluate(self, state: ArchipelState) -> NDArray[np.float64]:
        """Every seat's mean result."""
        if state.is_terminal():
            return np.array(state.returns())
        worth, _ = state.position.judge(self._games, self._rng)
        return np.array(worth) / self._games

    def prior(self, state: ArchipelState) -> list[tuple[int, float]]:
        """All actions alike."""
        if state.is_chance_node():
            return state.chance_outcomes()
        actions = state.legal_actions()
        return [(action, 1 / len(actions)) for action in actions]


class OpenSpielBot:
    """Makes one of OpenSpiel's bots for every move: they keep nothing from one to the next."""

    UCT_C = 2.0
    ROLLOUTS = 1

    def choose(self, view: View, rng: np.random.Generator, budget: Budget | None = None) -> int:
        (world,) = imagined(view, rng)
        if len(world.actions()) == 1:
            return world.actions()[0]
        game = pyspiel.load_game(f"archipel_{view['game']}", _parameters(view))
        state = ArchipelState(game, Moment(world))
        source = np.random.RandomState(int(rng.integers(1 << 31)))
        simulations = self._simulations(game, state, budget or Budget(simulations=1000), source)
        return int(self.search(game, simulations, source).step(state))

    def _simulations(self, game: Any, state: Any, budget: Budget, source: Any) -> int:
        if budget.seconds is None:
            assert budget.simulations
            return budget.simulations
        tried, pilot, begun = 0, 8, perf_counter()
        while (spent := perf_counter() - begun) < PILOT * budget.seconds:
            self.search(game, pilot, source).step(state)
            tried, pilot = tried + pilot, pilot * 2
        return max(LEAST, round(budget.seconds * tried / spent))

    def search(self, game: Any, simulations: int, source: Any) -> Any:
        """One of OpenSpiel's bots."""
        raise NotImplementedError

    def _rollouts(self, source: Any) -> Any:
        return Rollouts(self.ROLLOUTS, source)


class Mcts(OpenSpielBot):
    """Its MCTS, which sees everything and is meant for games in which everybody does."""

    def search(self, game: Any, simulations: int, source: Any) -> Any:
        return mcts.MCTSBot(game, self.UCT_C, simulations, self._rollouts(source), random_state=source)


class Ismcts(OpenSpielBot):
    """Its information-set MCTS."""

    def search(self, game: Any, simulations: int, source: Any) -> Any:
        final = ismcts.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
        return ismcts.ISMCTSBot(
            game, self._rollouts(source), self.UCT_C, simulations, random_state=source, final_policy_type=final
        )


def _parameters(view: View) -> dict[str, Any]:
    return {name: parameter(value) for name, value in view["options"].items()}
