"""OpenSpiel's own searches as bots: they play our games through the adapter, from the view that every bot gets.

They are the Python ones; those in C++ cannot play games that are written in Python. Their random rollouts are played by
our kernels: the same random games, several times as many per second, which favours them.
"""

from math import inf
from time import perf_counter
from typing import Any

import numpy as np
import pyspiel
from numpy.typing import NDArray
from open_spiel.python.algorithms import ismcts, mcts

from archipel.adapters.openspiel import ArchipelState, Moment, parameter
from archipel.bots import Budget, View
from archipel.bots.worlds import imagined

FOR_EVER = 1 << 62


class TimeIsUp(Exception):
    """Ends a search that counts its simulations."""


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
        """A uniform prior."""
        if state.is_chance_node():
            return state.chance_outcomes()
        actions = state.legal_actions()
        return [(action, 1 / len(actions)) for action in actions]


class OpenSpielBot:
    """Creates one of OpenSpiel's bots for every move: they keep nothing from move to move."""

    UCT_C = 2.0
    ROLLOUTS = 1

    def choose(self, view: View, rng: np.random.Generator, budget: Budget | None = None) -> int:
        (world,) = imagined(view, rng)
        if len(world.actions()) == 1:
            return world.actions()[0]
        game = pyspiel.load_game(f"archipel_{view['game']}", _parameters(view))
        state = ArchipelState(game, Moment(world))
        source = np.random.RandomState(int(rng.integers(1 << 31)))
        budget = budget or Budget(simulations=1000)
        searcher = self.search(game, budget.simulations or FOR_EVER, source)
        if budget.seconds is not None:
            searcher.ends = perf_counter() + budget.seconds
        return int(searcher.step(state))

    def search(self, game: Any, simulations: int, source: Any) -> Any:
        """One of OpenSpiel's bots."""
        raise NotImplementedError

    def _rollouts(self, source: Any) -> Any:
        return Rollouts(self.ROLLOUTS, source)


class TimedMcts(mcts.MCTSBot):  # type: ignore[misc]
    """Its MCTS with an optional time limit."""

    ends = inf

    def mcts_search(self, state: ArchipelState) -> Any:
        try:
            return super().mcts_search(state)
        except TimeIsUp as up:
            return up.args[0]

    def _apply_tree_policy(self, root: Any, state: ArchipelState) -> Any:
        if root.children and perf_counter() >= self.ends:
            raise TimeIsUp(root)
        return super()._apply_tree_policy(root, state)


class TimedIsmcts(ismcts.ISMCTSBot):  # type: ignore[misc]
    """Its information-set MCTS with an optional time limit."""

    ends = inf

    def run_search(self, state: ArchipelState) -> Any:
        try:
            return super().run_search(state)
        except TimeIsUp:
            return self.get_final_policy(state, self._root_node)

    def sample_root_state(self, state: ArchipelState) -> Any:
        if self._root_node.child_info and perf_counter() >= self.ends:
            raise TimeIsUp
        return super().sample_root_state(state)


class Mcts(OpenSpielBot):
    """Its MCTS, which sees everything and is meant for games of perfect information."""

    def search(self, game: Any, simulations: int, source: Any) -> Any:
        return TimedMcts(game, self.UCT_C, simulations, self._rollouts(source), random_state=source)


class Ismcts(OpenSpielBot):
    """Its information-set MCTS."""

    def search(self, game: Any, simulations: int, source: Any) -> Any:
        final = ismcts.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
        return TimedIsmcts(
            game, self._rollouts(source), self.UCT_C, simulations, random_state=source, final_policy_type=final
        )


def _parameters(view: View) -> dict[str, Any]:
    return {name: parameter(value) for name, value in view["options"].items()}
