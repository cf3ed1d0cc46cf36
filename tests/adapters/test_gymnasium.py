"""The games under Gymnasium's ids: its own check, one seat among random players, and a policy as the opponent."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import archipel
from archipel.adapters.gymnasium import Environment, VectorEnvironment, identity
from archipel.core import features
from archipel.vector import Vector

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning:gymnasium")


def first(rows: Any, masks: Any) -> Any:
    """A policy: the first legal action."""
    return masks.argmax(axis=1)


def any_legal(masks: Any, rng: np.random.Generator) -> Any:
    return np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])


@pytest.mark.parametrize("name", archipel.GAMES)
def test_every_game_has_an_id(name: str) -> None:
    one: Any = gymnasium.make(identity(name))
    many: Any = gymnasium.make_vec(identity(name), num_envs=3)
    assert one.unwrapped.game == many.unwrapped.game == archipel.game(name)
    assert one.observation_space == many.single_observation_space
    many.close()


def test_the_ids_are_the_games_titles() -> None:
    assert [identity(name) for name in ("kahuna", "kula_kula")] == ["archipel/Kahuna-v0", "archipel/KulaKula-v0"]


def test_an_id_takes_the_games_options() -> None:
    one: Any = gymnasium.make("archipel/KulaKula-v0", players=4, seat=3)
    many: Any = gymnasium.make_vec("archipel/Stonehenge-v0", num_envs=2, hidden=True)
    assert one.unwrapped.game == archipel.game("kula_kula", players=4)
    assert many.unwrapped.game.options["hidden"]


def test_gymnasiums_own_check() -> None:
    class Masked(gymnasium.ActionWrapper[Any, Any, Any]):
        """Gymnasium's check plays any action: this one plays the next that is legal."""

        def action(self, action: int) -> int:
            inside: Any = self.unwrapped
            masks = inside.action_masks()
            return int(min(np.flatnonzero(masks), key=lambda legal: (legal - action) % len(masks)))

    check_env(Masked(Environment("stonehenge")), skip_render_check=True)


@pytest.mark.parametrize("name", archipel.GAMES)
@pytest.mark.parametrize("opponent", ["random", first])
def test_the_learner_acts_and_sees_at_its_own_seat(name: str, opponent: Any) -> None:
    table = VectorEnvironment(name, 4, opponent=opponent)
    part, rng = features.layout(table.game), np.random.default_rng(1)
    rows, infos = table.reset(seed=5)
    ended = 0
    for _ in range(120):
        assert table.observation_space.contains(rows)
        for i, seat in enumerate(table.seats):
            state = table.games.state(i)
            assert state.mover == seat == i % table.game.seats
            assert rows[i].tolist() == part.row(state.view(int(seat))).tolist()
            assert np.flatnonzero(infos["action_mask"][i]).tolist() == state.actions()
        rows, rewards, over, cut, infos = table.step(any_legal(infos["action_mask"], rng))
        assert not cut.any()
        assert not rewards[~over].any()
        ended += int(over.sum())
        if over.any():
            assert (infos["_final_obs"] == over).all()
            named = [dict(zip(part.names, row, strict=True)) for row in infos["final_obs"][over]]
            assert all(row["mover.over"] == 1 for row in named)
            wins = [row["winner.own"] == 1 for row in named]
            assert [reward >= 0 for reward in rewards[over]] == wins
    assert ended or name == "kula_kula"
    table.close()


@pytest.mark.parametrize("opponent", ["random", first])
def test_the_same_seed_gives_the_same_games(opponent: Any) -> None:
    def story(seed: Any) -> list[Any]:
        table = VectorEnvironment("kahuna", 3, opponent=opponent, threads=2)
        rows, infos = table.reset(seed=seed)
        told, rng = [rows], np.random.default_rng(0)
        for _ in range(30):
            rows, _, _, _, infos = table.step(any_legal(infos["action_mask"], rng))
            told.append(rows)
        table.close()
        return [row.tolist() for row in told]

    assert story(1) == story(1) == story(1)
    assert story(1) != story(2)
    assert story([1, 2, 3]) == story([1, 2, 3])


def test_one_game_ends_and_begins_again() -> None:
    table = Environment("stonehenge", seat=1, opponent=first, render_mode="ansi")
    _, info = table.reset(seed=2)
    assert "seat 1 to play" in str(table.render())
    over, reward = False, 0.0
    while not over:
        assert (table.action_masks() == info["action_mask"]).all()
        row, reward, over, _, info = table.step(int(np.flatnonzero(info["action_mask"])[-1]))
    assert abs(reward) == 1
    assert not info["action_mask"].any()
    assert dict(zip(Vector("stonehenge", 1, seed=1).names, row, strict=True))["mover.over"] == 1
    row, info = table.reset(seed=2)
    assert info["action_mask"].any()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"opponent": "greedy"}, "must be 'random' or a function of observations and masks, not 'greedy'"),
        ({"seat": 2}, "stonehenge has seats 0 to 1, not 2"),
        ({"render_mode": "hologram"}, "render mode must be ansi or human"),
        ({"colour": 1}, "colour"),
    ],
)
def test_bad_input_is_one_clear_sentence(arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        Environment("stonehenge", **arguments)


def test_an_illegal_action_is_named() -> None:
    table = VectorEnvironment("stonehenge", 2, seat=0)
    table.reset(seed=1)
    table.step(np.array([0, 1]))
    with pytest.raises(archipel.IllegalAction, match="Game 1, action 1 "):
        table.step(np.array([5, 1]))
