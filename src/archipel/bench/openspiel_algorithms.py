"""OpenSpiel's algorithms, in C++ and in Python, tried on our games through the adapter, as a table.

    python -m archipel.bench.openspiel_algorithms

Each trial is a process of its own, so that one that crashes or does not end spoils nothing but its own cell. Bots play
a few games against random play. Algorithms that walk the whole tree get an endgame: the last decisions of a random
game.
"""

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python import policy, rl_environment
from open_spiel.python.algorithms import (
    best_response,
    cfr,
    exploitability,
    external_sampling_mccfr,
    fictitious_play,
    get_all_states,
    ismcts,
    mcts,
    minimax,
    outcome_sampling_mccfr,
    tabular_qlearner,
)

import archipel
from archipel.adapters.openspiel import parameter, starting_at

SECONDS = 60
GAMES = 6
SIMULATIONS = 30
ENDGAME = 3
"""How many decisions are left in an endgame."""

GAMES_TRIED: dict[str, tuple[str, dict[str, Any]]] = {
    "Stonehenge": ("stonehenge", {}),
    "Stonehenge, hidden": ("stonehenge", {"hidden": True}),
    "Kahuna": ("kahuna", {}),
    "Kula Kula": ("kula_kula", {"turn_limit": 6}),
    "Krakatoa": ("krakatoa", {}),
}


def whole(name: str, options: dict[str, Any]) -> Any:
    """The game from its beginning."""
    return pyspiel.load_game(f"archipel_{name}", {key: parameter(value) for key, value in options.items()})


def endgame(name: str, options: dict[str, Any]) -> Any:
    """The game from near the end of a random game."""
    rng, state = np.random.default_rng(1), archipel.game(name, **options).new()
    decisions = [state]
    while state.mover != archipel.OVER:
        chance = state.mover == archipel.CHANCE
        if not chance:
            decisions.append(state)
        state = state.after(state.sample(rng) if chance else int(rng.choice(state.actions())))
    return starting_at(decisions[-ENDGAME])


# How each algorithm is tried. What it returns goes into the table.


def against_random(game: Any, make: Callable[[], Any]) -> str:
    """A bot's result, at each seat in turn; the others play at random."""
    bots = [pyspiel.make_uniform_random_bot(seat, seat + 1) for seat in range(game.num_players())]
    returns = []
    for number in range(GAMES):
        seat = number % game.num_players()
        playing = [make() if k == seat else bot for k, bot in enumerate(bots)]
        returns.append(pyspiel.evaluate_bots(game.new_initial_state(), playing, number)[seat])
    return f"{sum(value > 0 for value in returns)} of {GAMES} won"


def python_mcts(game: Any) -> str:
    source = np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, source)
    return against_random(game, lambda: mcts.MCTSBot(game, 2.0, SIMULATIONS, evaluator, random_state=source))


def python_ismcts(game: Any) -> str:
    source = np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, source)
    return against_random(game, lambda: ismcts.ISMCTSBot(game, evaluator, 2.0, SIMULATIONS, random_state=source))


def cpp_mcts(game: Any) -> str:
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    return against_random(game, lambda: pyspiel.MCTSBot(game, evaluator, 2.0, SIMULATIONS, 100, True, 1, False))


def cpp_ismcts(game: Any) -> str:
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    return against_random(game, lambda: pyspiel.ISMCTSBot(1, evaluator, 2.0, SIMULATIONS))


def cpp_simulations(game: Any) -> str:
    pyspiel.random_sim_test(game, 2, True, False)
    return "passes"


def alpha_beta(game: Any) -> str:
    value, _ = minimax.alpha_beta_search(game, maximizing_player_id=game.new_initial_state().current_player())
    return f"value {value:+g}"


def expectiminimax(game: Any) -> str:
    state = game.new_initial_state()
    value, _ = minimax.expectiminimax(state, ENDGAME, lambda _: 0.0, state.current_player())
    return f"value {value:+.2f}"


def all_states(game: Any) -> str:
    return f"{len(get_all_states.get_all_states(game, -1)):,} states"


def counterfactual(game: Any, solver: Any) -> str:
    for _ in range(10):
        solver.evaluate_and_update_policy()
    return f"NashConv {exploitability.nash_conv(game, solver.average_policy()):.3f}"


def responding(game: Any) -> str:
    answer = best_response.BestResponsePolicy(game, 0, policy.UniformRandomPolicy(game))
    return f"value {answer.value(game.new_initial_state()):+.2f}"


def playing_fictitiously(game: Any) -> str:
    solver = fictitious_play.XFPSolver(game)
    for _ in range(3):
        solver.iteration()
    return f"NashConv {exploitability.nash_conv(game, solver.average_policy()):.3f}"


def sampling(solver: Any, iterations: int) -> str:
    for _ in range(iterations):
        solver.iteration()
    return f"{len(solver._infostates):,} information states"


def cpp_sampling(solver: Any, iterations: int) -> str:
    for _ in range(iterations):
        solver.run_iteration()
    return f"{iterations} iterations"


def cpp_counterfactual(game: Any) -> str:
    solver = pyspiel.CFRSolver(game)
    for _ in range(10):
        solver.evaluate_and_update_policy()
    return f"NashConv {pyspiel.nash_conv(game, solver.average_policy()):.3f}"


def q_learning(game: Any) -> str:
    table = rl_environment.Environment(game)
    agents = [tabular_qlearner.QLearner(seat, game.num_distinct_actions()) for seat in range(game.num_players())]
    for _ in range(GAMES):
        step = table.reset()
        while not step.last():
            step = table.step([agents[step.observations["current_player"]].step(step).action])
        for agent in agents:
            agent.step(step)
    return f"{GAMES} games learned"


@dataclass(frozen=True)
class Algorithm:
    """What is tried, and whether on a whole game or on an endgame."""

    name: str
    run: Callable[[Any], str]
    starts: Callable[[str, dict[str, Any]], Any] = whole


ALGORITHMS = (
    Algorithm("C++ `random_sim_test`", cpp_simulations),
    Algorithm("C++ `MCTSBot`", cpp_mcts),
    Algorithm("C++ `ISMCTSBot`", cpp_ismcts),
    Algorithm(
        "C++ `OutcomeSamplingMCCFRSolver`", lambda game: cpp_sampling(pyspiel.OutcomeSamplingMCCFRSolver(game), 5)
    ),
    Algorithm(
        "C++ `ExternalSamplingMCCFRSolver`, endgame",
        lambda game: cpp_sampling(pyspiel.ExternalSamplingMCCFRSolver(game), 5),
        endgame,
    ),
    Algorithm("C++ `CFRSolver`, endgame", cpp_counterfactual, endgame),
    Algorithm("`mcts.MCTSBot`", python_mcts),
    Algorithm("`ismcts.ISMCTSBot`", python_ismcts),
    Algorithm("`outcome_sampling_mccfr`", lambda game: sampling(outcome_sampling_mccfr.OutcomeSamplingSolver(game), 5)),
    Algorithm("`tabular_qlearner`", q_learning),
    Algorithm("`minimax.alpha_beta_search`, endgame", alpha_beta, endgame),
    Algorithm("`minimax.expectiminimax`, endgame", expectiminimax, endgame),
    Algorithm("`get_all_states`, endgame", all_states, endgame),
    Algorithm("`cfr.CFRSolver`, endgame", lambda game: counterfactual(game, cfr.CFRSolver(game)), endgame),
    Algorithm("`cfr.CFRPlusSolver`, endgame", lambda game: counterfactual(game, cfr.CFRPlusSolver(game)), endgame),
    Algorithm(
        "`external_sampling_mccfr`, endgame",
        lambda game: sampling(external_sampling_mccfr.ExternalSamplingSolver(game), 20),
        endgame,
    ),
    Algorithm("`best_response`, endgame", responding, endgame),
    Algorithm("`fictitious_play.XFPSolver`, endgame", playing_fictitiously, endgame),
)


def tried(algorithm: int, title: str) -> str:
    """One cell of the table: what a trial in a process of its own said, or how it failed."""
    command = [sys.executable, "-m", __spec__.name, str(algorithm), title]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return f"not in {SECONDS} s"
    if done.returncode < 0:
        return "crashes"
    lines = (done.stdout if done.returncode == 0 else done.stderr).strip().splitlines()
    return lines[-1] if lines else "says nothing"


def attempt(algorithm: Algorithm, title: str) -> str:
    """What the algorithm says, or why it does not take the game."""
    name, options = GAMES_TRIED[title]
    try:
        return algorithm.run(algorithm.starts(name, options))
    except (AssertionError, NotImplementedError, ValueError, RuntimeError, TypeError, AttributeError) as refusal:
        return f"refuses ({type(refusal).__name__}: {' '.join(str(refusal).split())[:80]})"


def main() -> None:
    if len(sys.argv) == 3:
        print(attempt(ALGORITHMS[int(sys.argv[1])], sys.argv[2]))
        return
    print("|".join(["", "", *GAMES_TRIED, ""]))
    print("|---" * (1 + len(GAMES_TRIED)) + "|")
    for number, algorithm in enumerate(ALGORITHMS):
        print("|".join(["", algorithm.name, *(tried(number, title) for title in GAMES_TRIED), ""]), flush=True)


if __name__ == "__main__":
    main()
