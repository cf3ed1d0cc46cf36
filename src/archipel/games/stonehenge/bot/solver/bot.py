"""A bot that plays Stonehenge with the solver, and searches where the solver does not know the answer."""

from dataclasses import replace
from functools import cache

import numpy as np

from archipel.bots import View
from archipel.bots.budget import Budget, Meter
from archipel.bots.knowledge import known_of
from archipel.bots.mcts import DEFAULT, SearchBot
from archipel.bots.thought import Opinion, Thought
from archipel.bots.worlds import imagined
from archipel.core.game import Game
from archipel.core.rules import OVER
from archipel.core.state import State

from . import table as tables
from .ledger import Ledger
from .settled import Settled
from .solve import Solver, can_be_solved, empty_cells, name_of

PERFECT = 12
"""With at most this many empty cells the solver always answers, however small a budget of simulations is."""
LARGEST = 13
"""With at most this many it answers if that costs no more than the search would."""
NODES = 8
"""How many of the solver's nodes take the time of one simulation."""
SHARE = 0.5
"""The solver's share of a time budget; the rest is for the search, if the solver finds nothing."""
MEGABYTES = 32


class SolverBot:
    """Plays perfectly in the endgame and wherever something is proved; everything else is left to the search."""

    def __init__(self, budget: Budget = DEFAULT, cores: int = 1) -> None:
        self.budget = budget
        self._cores = cores
        self._searcher: SearchBot | None = None

    def choose(self, view: View, rng: np.random.Generator, budget: Budget | None = None) -> int:
        """A winning action if one is known; if all lose, the one that is hardest to refute."""
        return self.think(view, rng, budget).action

    def think(self, view: View, rng: np.random.Generator, budget: Budget | None = None) -> Thought:
        """Solve or search, and return the evaluation."""
        meter = Meter(budget or self.budget)
        (state,) = imagined(view, rng)
        if not can_be_solved(state.game):
            return self._search(state.game).think(view, rng, meter.budget)
        verdicts = _verdicts(state)
        if state.mover in verdicts.values():
            return _told(state, verdicts, meter)
        solved = _solved(state, meter) if empty_cells(state) <= LARGEST else None
        return solved or _sifted(self._search(state.game).think(view, rng, meter.left()), verdicts)

    def _search(self, game: Game) -> SearchBot:
        """The search bot, kept as long as the game is the same."""
        if self._searcher is None or self._searcher.knowledge is not known_of(game):
            self._searcher = SearchBot(self.budget, known_of(game), self._cores)
        return self._searcher


def expert(game: Game, budget: Budget, cores: int) -> SolverBot:
    """The strongest bot: plays what is proved, and searches the rest."""
    return SolverBot(budget, cores)


@cache
def proved() -> Ledger:
    """The proved positions that come with Archipel."""
    ledger = Ledger()
    Settled.load().teach(ledger)
    return ledger


def _verdicts(state: State) -> dict[int, int]:
    """The actions after which the winner is known without a search, with the winner."""
    afters = ((action, state.after(action)) for action in state.actions())
    winners = ((action, _winner(after)) for action, after in afters)
    return {action: winner for action, winner in winners if winner is not None}


def _winner(state: State) -> int | None:
    return int(state.record.winners) - 1 if state.mover == OVER else proved().winner(name_of(state))


def _told(state: State, verdicts: dict[int, int], meter: Meter) -> Thought:
    """The evaluation from the proof that comes with Archipel."""
    ranking = [_opinion(state, action, winner, 0) for action, winner in verdicts.items()]
    return _thought(state, ranking, [state.notation(max(ranking, key=lambda o: o.value).action)], meter)


def _opinion(state: State, action: int, winner: int, nodes: int) -> Opinion:
    return Opinion(action, state.notation(action), nodes, 1.0 if winner == state.mover else -1.0)


def _thought(state: State, ranking: list[Opinion], line: list[str], meter: Meter) -> Thought:
    """Wins first, then what took longest to refute."""
    ranking.sort(key=lambda opinion: (-opinion.value, -opinion.visits, opinion.action))
    value = ranking[0].value if state.mover == 0 else -ranking[0].value
    nodes = sum(opinion.visits for opinion in ranking)
    return Thought(state.mover, ranking, nodes, meter.elapsed, line, [value, -value], exact=True)


def _solved(state: State, meter: Meter) -> Thought | None:
    """The solver's evaluation, if the budget is enough for it."""
    # A new table each time, so that a choice does not depend on earlier ones.
    solver = Solver(tables.new(MEGABYTES))
    solver.begin(_nodes(state, meter.budget))
    with solver.limited(None if meter.budget.seconds is None else SHARE * meter.budget.seconds):
        tried = solver.tried(state)
        if tried is None:
            return None
        ranking = [_opinion(state, action, winner, nodes) for action, (winner, nodes) in tried.items()]
        thought = _thought(state, ranking, [], meter)
        thought.line.extend(solver.line(state, thought.action))
        return thought


def _nodes(state: State, budget: Budget) -> int | None:
    if empty_cells(state) <= PERFECT or budget.simulations is None:
        return None
    return NODES * budget.simulations


def _sifted(thought: Thought, verdicts: dict[int, int]) -> Thought:
    """The search's evaluation, with the actions that are known to lose at the end."""
    ranking = sorted(thought.ranking, key=lambda opinion: opinion.action in verdicts)
    changed = ranking[0].action != thought.action
    return replace(thought, ranking=ranking, line=[ranking[0].notation] if changed else thought.line)
