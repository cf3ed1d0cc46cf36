"""The learner of Kula Kula: it learns, says the same as the compiled network, and goes on where it stopped."""

from pathlib import Path

import numpy as np
import pytest

import archipel
from archipel.core.state import State
from archipel.games.kula_kula.bot import knowledge as kula_kula
from tests.variants import played
from training.kula_kula import Learner, Plan, carefree, self_play

GAME = archipel.game("kula_kula", players=4, turn_limit=20)


def between_turns() -> list[State]:
    states = [state for state, _ in played(GAME, 1)]
    return [state for state in states if state.mover >= 0 and state.snapshot()["phase"] == "choose"]


def seen(states: list[State]) -> np.ndarray:
    """Positions as the network sees them, each from the seat whose turn has just ended."""
    out = np.zeros((len(states), kula_kula.INPUTS), np.float32)
    for row, state in zip(out, states, strict=True):
        kula_kula.look(GAME.facts[0], state.record, (state.mover - 1) % 4, row)
    return out


def test_it_says_what_the_compiled_network_says() -> None:
    learner, states = Learner(np.random.default_rng(1), 4), between_turns()
    learner.net["direct"][:] = np.random.default_rng(2).normal(0, 0.1, kula_kula.INPUTS)
    _, said = learner.forward(seen(states))
    for state, expected in zip(states, said, strict=True):
        chance = kula_kula.win_chance(learner.lore[0], GAME.facts[0], state.record, (state.mover - 1) % 4)
        assert chance == pytest.approx(expected, abs=1e-4)


def test_it_comes_nearer_to_its_targets_and_goes_on_where_it_stopped(tmp_path: Path) -> None:
    learner, x = Learner(np.random.default_rng(1), 4), seen(between_turns())
    targets = (np.arange(len(x)) % 4 == 1).astype(np.float32)
    errors = [learner.learn(x, targets, 1e-3) for _ in range(60)]
    assert errors[-1] < 0.9 * errors[0]
    learner.save(tmp_path / "network.npz", 7)
    other = Learner(np.random.default_rng(2), 4)
    assert other.load(tmp_path / "network.npz") == 7
    assert other.learn(x, targets, 1e-3) == learner.learn(x, targets, 1e-3)
    assert other.lore.tobytes() == learner.lore.tobytes()


def test_games_are_noted_as_those_saw_them_who_had_just_moved() -> None:
    """Of a game at random every turn is noted from the last to the first, with what came of it for that seat."""
    shares = np.array([0.0, 0.0, 1.0, 1.0])
    x, targets = np.empty((400, kula_kula.INPUTS), np.float32), np.empty(400, np.float32)
    lore, rng = kula_kula.KNOWLEDGE.lore, np.array([5], np.uint64)
    noted = self_play(lore, lore, GAME.facts, GAME.new()._raw, 1, rng, True, shares, x, targets)
    assert 4 < noted <= 80
    last = targets[:4].tolist()
    assert sum(last) == pytest.approx(1)
    assert targets[4:8].tolist() == last


def test_a_carefree_sailor_plays_by_the_rules() -> None:
    for state in between_turns():
        assert state.is_legal(carefree(kula_kula.KNOWLEDGE.lore[0], GAME.facts[0], state.record))


def test_it_learns_ever_slower() -> None:
    plan = Plan()
    rates = [plan.rate_of(number) for number in range(plan.generations)]
    assert min(rates) > 0
    assert rates == sorted(rates, reverse=True)
