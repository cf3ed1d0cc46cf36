"""Steps per second with observations and legal-action masks on one core, beside other libraries.

    python -m archipel.bench.vector

Our games in a batch and through PettingZoo; PettingZoo's own classic games; OpenSpiel's C++ games stepped from Python;
and Pgx in batches, if JAX is installed. All play at random, and all are measured in the same run.
"""

import sys
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from time import process_time
from typing import Any

import numpy as np

import archipel
from archipel.vector import Vector

GAMES = 1024
SECONDS = 1.0
ROUNDS = 3
CLASSIC = ("connect_four_v3", "leduc_holdem_v4", "tictactoe_v3")
SPIEL = ("connect_four", "leduc_poker", "hex(board_size=5)")
PGX = ("connect_four", "leduc_holdem", "hex")

Play = Callable[[], int]
"""Plays for a while; returns the number of steps."""


def batched(name: str) -> Play:
    """Our games, many at once."""
    games = Vector(name, GAMES, seed=1)

    def play() -> int:
        for _ in range(10):
            games.step(games.sample())
        return 10 * GAMES

    return play


def aec(table: Any) -> Play:
    """A PettingZoo environment, with its masks and observations."""
    rng = np.random.default_rng(1)

    def play() -> int:
        steps = 0
        table.reset(seed=int(rng.integers(1 << 30)))
        for _ in table.agent_iter(2000):
            observation, _, over, cut, info = table.last()
            if over or cut:
                table.step(None)
                continue
            mask = observation["action_mask"] if isinstance(observation, dict) else info["action_mask"]
            legal = np.flatnonzero(mask)
            table.step(int(legal[int(rng.random() * len(legal))]))
            steps += 1
        return steps

    return play


def spiel(name: str) -> Play:
    """A C++ game of OpenSpiel, stepped from Python."""
    import pyspiel

    game, rng = pyspiel.load_game(name), np.random.default_rng(1)

    def play() -> int:
        steps = 0
        while steps < 500:
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes = state.chance_outcomes()
                    state.apply_action(outcomes[int(rng.random() * len(outcomes))][0])
                    continue
                state.legal_actions_mask()
                state.observation_tensor()
                legal = state.legal_actions()
                state.apply_action(legal[int(rng.random() * len(legal))])
                steps += 1
        return steps

    return play


def pgx(name: str) -> Play:
    """A game of Pgx in a batch, on the CPU, with automatic resets."""
    jax, library = import_module("jax"), import_module("pgx")
    auto_reset = import_module("pgx.experimental.wrappers").auto_reset
    game = library.make(name)
    step = jax.jit(jax.vmap(auto_reset(game.step, game.init)))
    act = jax.jit(lambda key, mask: jax.random.categorical(key, jax.numpy.log(mask.astype("float32")), axis=-1))
    keys = jax.random.split(jax.random.PRNGKey(1), GAMES)
    state = jax.jit(jax.vmap(game.init))(keys)
    key = jax.random.PRNGKey(2)

    def play() -> int:
        nonlocal state, key
        for _ in range(10):
            key, own = jax.random.split(key)
            state = step(state, act(own, state.legal_action_mask), jax.random.split(own, GAMES))
        state.observation.block_until_ready()
        return 10 * GAMES

    return play


def classic(name: str) -> Play:
    """A game of PettingZoo's own."""
    return aec(import_module(f"pettingzoo.classic.{name}").raw_env())


def ours(name: str) -> Play:
    """One of our games through PettingZoo."""
    return aec(import_module("archipel.adapters.pettingzoo").raw_env(name))


def everybody() -> Iterator[tuple[str, Callable[[], Play]]]:
    """All libraries, each with a function that creates its runner."""
    groups: list[tuple[str, str, Callable[[str], Play], tuple[str, ...]]] = [
        ("", "Archipel batched", batched, archipel.GAMES),
        ("pettingzoo", "Archipel PettingZoo", ours, archipel.GAMES),
        ("pettingzoo", "PettingZoo classic", classic, CLASSIC),
        ("pyspiel", "OpenSpiel C++ from Python", spiel, SPIEL),
        ("pgx", "Pgx batched", pgx, PGX),
    ]
    for needed, title, make, names in groups:
        if not needed or find_spec(needed):
            for name in names:
                yield f"{title}: {name}", partial(make, name)


def rate(play: Play, seconds: float) -> float:
    """Steps per CPU second."""
    start, steps = process_time(), 0
    while process_time() - start < seconds:
        steps += play()
    return steps / (process_time() - start)


def main(seconds: float = SECONDS, rounds: int = ROUNDS) -> None:
    """Measure all in turn, several times; the best round of each counts, because other processes use the machine
    too."""
    runners: dict[str, Play] = {}
    for name, make in everybody():
        try:
            runners[name] = make()
            runners[name]()
        except (ImportError, AttributeError) as missing:
            print(f"{name} is left out: {missing}", file=sys.stderr)
            runners.pop(name, None)
    best = dict.fromkeys(runners, 0.0)
    for _ in range(rounds):
        for name, play in runners.items():
            best[name] = max(best[name], rate(play, seconds))
    for name, found in best.items():
        print(f"{name:<45} {found:>12,.0f} steps a second")


if __name__ == "__main__":
    main()
