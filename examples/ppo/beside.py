"""The same training loop over Archipel's Stonehenge and over Pgx's Connect Four: steps a CPU second, end to end.

    pip install 'archipel[arena]' torch jax pgx
    python beside.py --minutes 0.5

Both have the same batch, the same two-layer network and the same updates; only the environments differ.
"""

import argparse
import time
from types import SimpleNamespace
from typing import Any

import jax
import numpy as np
import pgx
import torch
from pgx.experimental.wrappers import auto_reset
from train import ENTROPY, GAMES, RATE, STEPS, Flat, Rollout, learn

from archipel.vector import Vector


class PgxGames:
    """A batch of Pgx games with the attributes of `Vector` that the training loop reads."""

    def __init__(self, name: str, n: int, seed: int) -> None:
        env = pgx.make(name)
        self.n = n
        self._step = jax.jit(jax.vmap(auto_reset(env.step, env.init)))
        self._keys = jax.random.PRNGKey(seed)
        self._look(jax.jit(jax.vmap(env.init))(self._split()))
        self.names = tuple(map(str, range(self.observations.shape[1])))
        self.game = SimpleNamespace(action_count=env.num_actions)

    def _split(self) -> Any:
        self._keys, key = jax.random.split(self._keys)
        return jax.random.split(key, self.n)

    def _look(self, state: Any) -> None:
        self._state = state
        self.observations = np.array(state.observation, np.float32).reshape(self.n, -1)
        self.masks = np.array(state.legal_action_mask)
        self.movers = np.array(state.current_player)
        self.rewards = np.array(state.rewards)
        self.over = np.array(state.terminated)

    def step(self, actions: np.ndarray) -> None:
        self._look(self._step(self._state, actions, self._split()))


class Timed:
    """An environment, and the CPU seconds that its steps take."""

    def __init__(self, games: Any) -> None:
        self._games = games
        self.seconds = 0.0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._games, name)

    def step(self, actions: np.ndarray) -> None:
        start = time.process_time()
        self._games.step(actions)
        self.seconds += time.process_time() - start


def measure(games: Any, minutes: float) -> tuple[float, float]:
    """Steps played and learned from in a CPU second, and the environment's share of it; compilation is not counted."""
    network, rollout = Flat(games), Rollout(games)
    optimiser = torch.optim.Adam(network.parameters(), RATE[0], eps=1e-5)
    learn(network, optimiser, rollout, rollout.play(games, network), ENTROPY[0])
    timed, updates, start = Timed(games), 0, time.process_time()
    while (used := time.process_time() - start) < 60 * minutes:
        learn(network, optimiser, rollout, rollout.play(timed, network), ENTROPY[0])
        updates += 1
    return updates * STEPS * GAMES / used, timed.seconds / used


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=0.5, help="CPU minutes for each")
    args = parser.parse_args()
    torch.manual_seed(1)
    torch.set_num_threads(1)
    for name, games in (
        ("Archipel, Stonehenge", Vector("stonehenge", GAMES, seed=1)),
        ("Pgx, Connect Four", PgxGames("connect_four", GAMES, 1)),
    ):
        rate, part = measure(games, args.minutes)
        shape = f"{len(games.names)} numbers, {games.game.action_count} actions"
        print(f"{name:<24} {rate:9,.0f} steps a CPU second, {100 * part:.1f}% in the environment ({shape})", flush=True)


if __name__ == "__main__":
    main()
