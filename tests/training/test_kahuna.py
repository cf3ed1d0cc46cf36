"""The learner of Kahuna: it learns, says the same as the compiled network, and goes on where it stopped."""

from itertools import islice
from pathlib import Path

import numpy as np
import pytest

import archipel
from archipel.games.kahuna.bot import knowledge as kahuna
from tests.variants import played
from training.kahuna import Learner, Plan, rows

GAME = archipel.game("kahuna")
STATES = [state for state, _ in islice(played(GAME, 1), 64)]


def seen() -> np.ndarray:
    """Positions as the network sees them."""
    out = np.zeros((len(STATES), kahuna.INPUTS), np.float32)
    rows(GAME.facts, np.stack([state._raw for state in STATES]), out)
    return out


def test_it_says_what_the_compiled_network_says() -> None:
    learner = Learner(np.random.default_rng(1))
    _, _, said = learner.forward(seen())
    for state, worth in zip(STATES, said, strict=True):
        assert kahuna.worth_to_turn(learner.lore[0], state.record) == pytest.approx(worth, abs=1e-4)


def test_it_comes_nearer_to_its_targets_and_goes_on_where_it_stopped(tmp_path: Path) -> None:
    learner, x = Learner(np.random.default_rng(1)), seen()
    targets = np.linspace(-1, 1, len(x), dtype=np.float32)
    errors = [learner.learn(x, targets, 1e-3) for _ in range(60)]
    assert errors[-1] < errors[0] / 2
    learner.save(tmp_path / "network.npz", 7)
    other = Learner(np.random.default_rng(2))
    assert other.load(tmp_path / "network.npz") == 7
    assert other.learn(x, targets, 1e-3) == learner.learn(x, targets, 1e-3)
    assert other.lore.tobytes() == learner.lore.tobytes()


def test_it_learns_ever_slower() -> None:
    plan = Plan()
    rates = [plan.rate_of(number) for number in range(plan.generations + plan.searching)]
    assert min(rates) > 0
    for phase in (rates[: plan.generations], rates[plan.generations :]):
        assert phase == sorted(phase, reverse=True)
