"""The most similar games in OpenSpiel: its C++ loop of random bots, and a loop in Python."""

import random
from collections.abc import Iterator
from functools import partial
from importlib.util import find_spec
from itertools import accumulate
from time import process_time
from typing import Any

import archipel

from .kernel import kernel
from .measuring import Effort, Played, Row, Runner, Step, Target, race

PART = "Actions a second in the kernel, beside OpenSpiel's C++ loop of random bots"
RELATIVES = {
    "stonehenge": {"hex(board_size=5)": 3.0},
    "kahuna": {"crazy_eights": 1.5, "gin_rummy": 50.0},
    "kula_kula": {"pig": 1.0},
    "krakatoa": {"yacht": 10.0},
}
"""How many times as fast as its relative each game should be. Chance outcomes count as actions everywhere."""


def is_there() -> bool:
    return find_spec("pyspiel") is not None


def steps(names: list[str], effort: Effort) -> list[Step]:
    return [
        Step(f"{name} beside OpenSpiel's {relative}", partial(rows, name, relative, effort))
        for name in names
        for relative in RELATIVES.get(name, ())
    ]


def rows(name: str, relative: str, effort: Effort) -> list[Row]:
    game = archipel.game(name)
    ours, theirs = race([kernel(game), native_loop(relative)], effort)
    target = Target(RELATIVES[name][relative], ratio=True)
    return [Row(PART, game.title, ours.actions_a_second, relative, theirs.actions_a_second, target)]


def native_loop(relative: str) -> Runner:
    """`evaluate_bots` with OpenSpiel's uniform random bots: one game a call, all of it in C++."""
    import pyspiel

    game = pyspiel.load_game(relative)
    bots = [pyspiel.make_uniform_random_bot(seat, seat) for seat in range(game.num_players())]

    def run(games: int, seed: int) -> Played:
        actions = 0
        start = process_time()
        for k in range(games):
            state = game.new_initial_state()
            pyspiel.evaluate_bots(state, bots, seed * games + k)
            actions += state.move_number()
        return Played(games, actions, process_time() - start)

    return run


def python_loop(relative: str) -> Runner:
    """`legal_actions`, `chance_outcomes` and `apply_action`, as in a Python program."""
    import pyspiel

    game = pyspiel.load_game(relative)

    def run(games: int, seed: int) -> Played:
        rng = random.Random(seed)
        actions = 0
        start = process_time()
        for _ in range(games):
            state = game.new_initial_state()
            while not state.is_terminal():
                state.apply_action(_any_action(state, rng))
                actions += 1
        return Played(games, actions, process_time() - start)

    return run


def _any_action(state: Any, rng: random.Random) -> int:
    if not state.is_chance_node():
        legal: list[int] = state.legal_actions()
        return legal[int(rng.random() * len(legal))]
    outcomes: list[tuple[int, float]] = state.chance_outcomes()
    luck = rng.random()
    return next((outcome for (outcome, _), sofar in _summed(outcomes) if luck < sofar), outcomes[-1][0])


def _summed(outcomes: list[tuple[int, float]]) -> Iterator[tuple[tuple[int, float], float]]:
    return zip(outcomes, accumulate(chance for _, chance in outcomes), strict=True)
