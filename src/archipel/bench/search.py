"""Simulations per second of the search on one core, from the first decision of a game; beside OpenSpiel's search."""

from functools import partial
from time import process_time

import numpy as np

import archipel
from archipel import State
from archipel.bots import Budget
from archipel.bots.knowledge import NOTHING, Knowledge, known_of
from archipel.bots.mcts import SearchBot

from . import openspiel
from .measuring import Effort, Played, Row, Runner, Step, Target, race

PLAIN = "Simulations a second of mcts, beside OpenSpiel's bot on the same game"
KNOWING = "Simulations a second of the same search with what is known of the game"
TARGETS = {"kahuna": Target(20_000), "stonehenge": Target(200_000)}
PERFECT = ("stonehenge", "krakatoa")
"""Games of perfect information: OpenSpiel's MCTS plays them, its ISMCTS the others."""


def steps(names: list[str], effort: Effort) -> list[Step]:
    return [Step(f"{name}: simulations of the search", partial(rows, name, effort)) for name in names]


def rows(name: str, effort: Effort) -> list[Row]:
    game = archipel.game(name)
    start, known = first_decision(name), known_of(game)
    (plain,) = race([searching(start, NOTHING)], effort)
    found = [Row(PLAIN, game.title, plain.games_a_second, target=TARGETS.get(name))]
    if openspiel.is_there() and effort.patient:
        (theirs,) = race([relative(name)], effort)
        beside = "MCTS" if name in PERFECT else "ISMCTS"
        found = [Row(PLAIN, game.title, plain.games_a_second, beside, theirs.games_a_second, TARGETS.get(name))]
    if known is not NOTHING:
        (knowing,) = race([searching(start, known)], effort)
        found.append(Row(KNOWING, game.title, knowing.games_a_second))
    return found


def first_decision(name: str) -> State:
    """A position in which a player has something to decide for the first time."""
    state, rng = archipel.game(name).new(), np.random.default_rng(1)
    while state.mover < 0:
        state = state.after(state.sample(rng))
    return state


def searching(start: State, knowledge: Knowledge) -> Runner:
    """Our search; a simulation counts as a game."""
    view = start.view(start.mover)
    bot = SearchBot(knowledge=knowledge, remembers=False)

    def run(games: int, seed: int) -> Played:
        begun = process_time()
        bot.think(view, np.random.default_rng(seed), Budget(simulations=games))
        return Played(games, games, process_time() - begun)

    return run


def relative(name: str) -> Runner:
    """OpenSpiel's search with its random playouts, on the same game through the adapter."""
    import pyspiel
    from open_spiel.python.algorithms import ismcts, mcts

    import archipel.adapters.openspiel  # noqa: F401 - the games are registered by it

    game = pyspiel.load_game(f"archipel_{name}")

    def run(games: int, seed: int) -> Played:
        games = max(2, games)  # after a single simulation ISMCTS has no answer
        state, source = game.new_initial_state(), np.random.RandomState(seed)
        while state.is_chance_node():
            state.apply_action(state.chance_outcomes()[seed % len(state.chance_outcomes())][0])
        evaluator = mcts.RandomRolloutEvaluator(1, source)
        kind = mcts.MCTSBot if name in PERFECT else ismcts.ISMCTSBot
        bot = kind(game, uct_c=2.0, max_simulations=games, evaluator=evaluator, random_state=source)
        begun = process_time()
        bot.step(state)
        return Played(games, games, process_time() - begun)

    return run
