"""The PettingZoo adapter under PettingZoo's own tests, and step by step beside the game itself."""

import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

import archipel
from archipel.adapters.pettingzoo import env, parallel_env, raw_env

from . import VARIANTS

# PettingZoo's test wants bare arrays unless it knows an environment by name; masks need a dictionary.
# Nobody may act any more when a game is over, and the mask says so.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably:UserWarning"),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros:UserWarning"),
]


def play(table: Any, rng: np.random.Generator, steps: int = 10**6) -> list[int]:
    """Random legal actions until the end, or so many; what was played."""
    played = []
    for _ in table.agent_iter(steps):
        observation, _, over, _, _ = table.last()
        if over:
            table.step(None)
        else:
            played.append(int(rng.choice(np.flatnonzero(observation["action_mask"]))))
            table.step(played[-1])
    return played


@pytest.mark.parametrize(("name", "options"), VARIANTS)
def test_pettingzoos_own_api_test(name: str, options: dict[str, Any]) -> None:
    api_test(env(name, **options), num_cycles=1000)


@pytest.mark.parametrize(("name", "options"), VARIANTS)
def test_pettingzoos_own_seed_test(name: str, options: dict[str, Any]) -> None:
    seed_test(lambda: env(name, **options), num_cycles=500)


@pytest.mark.parametrize(("name", "options"), VARIANTS)
def test_masks_views_and_rewards_are_the_games_own(name: str, options: dict[str, Any]) -> None:
    table = env(name, views=True, **options)
    inside = table.unwrapped
    table.reset(seed=3)
    rng = np.random.default_rng(3)
    while inside.position.mover != archipel.OVER:
        mover = inside.position.mover
        assert table.agent_selection == f"seat_{mover}"
        for seat, agent in enumerate(table.agents):
            observation = table.observe(agent)
            legal = inside.position.actions() if seat == mover else []
            assert np.flatnonzero(observation["action_mask"]).tolist() == legal
            assert table.observation_space(agent).contains(observation)
            assert table.infos[agent] == {"view": inside.position.view(seat)}
            assert table.rewards[agent] == 0
        table.step(rng.choice(inside.position.actions()))
    assert list(table.rewards.values()) == pytest.approx(inside.position.returns())
    assert all(table.terminations.values())
    assert not any(table.truncations.values())


@pytest.mark.parametrize("name", archipel.GAMES)
def test_views_are_told_to_whoever_asks_for_them(name: str) -> None:
    table = env(name)
    table.reset(seed=1)
    assert all(info == {} for info in table.infos.values())
    assert table.last()[-1] == {}


# Parallel


@pytest.mark.parametrize(("name", "options"), VARIANTS)
def test_pettingzoos_own_parallel_tests(name: str, options: dict[str, Any]) -> None:
    parallel_api_test(parallel_env(name, **options), num_cycles=100)
    parallel_seed_test(lambda: parallel_env(name, **options), num_cycles=50)


@pytest.mark.parametrize("name", archipel.GAMES)
def test_in_parallel_only_the_movers_action_counts(name: str) -> None:
    together, one_by_one = parallel_env(name, views=True), env(name)
    seen, infos = together.reset(seed=4)
    one_by_one.reset(seed=4)
    rng = np.random.default_rng(4)
    while together.agents:
        mover = one_by_one.agent_selection
        observation, _, _, _, _ = one_by_one.last()
        for agent, row in seen.items():
            assert (row["action_mask"].any()) == (agent == mover)
        assert (seen[mover]["observation"] == observation["observation"]).all()
        assert infos[mover]["view"] == one_by_one.unwrapped.position.view(int(mover[-1]))
        action = int(rng.choice(np.flatnonzero(observation["action_mask"])))
        seen, rewards, over, cut, infos = together.step(dict.fromkeys(together.agents, action))
        one_by_one.step(action)
        assert rewards == one_by_one.rewards
        assert over == one_by_one.terminations
        assert not any(cut.values())
    assert together.position == one_by_one.unwrapped.position
    assert together.step({}) == ({}, {}, {}, {}, {})


def test_in_parallel_an_illegal_action_ends_the_game() -> None:
    for actions in ({"seat_0": 123, "seat_1": 1}, {"seat_1": 1}):
        table = parallel_env("stonehenge")
        table.reset(seed=0)
        _, rewards, over, _, _ = table.step(actions)
        assert rewards == {"seat_0": -1, "seat_1": 0}
        assert all(over.values())
        assert table.agents == []


@pytest.mark.parametrize("name", archipel.GAMES)
def test_a_seed_reaches_everything(name: str) -> None:
    def story(seed: int) -> tuple[list[int], dict[str, Any], list[Any]]:
        table = env(name)
        table.reset(seed=seed)
        samples = [table.action_space(agent).sample() for agent in table.agents]
        samples += [table.observation_space(agent).sample()["observation"].tolist() for agent in table.agents]
        return play(table, np.random.default_rng(1), 100), table.unwrapped.position.snapshot(), samples

    assert story(5) == story(5)
    assert story(5) != story(6)


def test_without_a_seed_the_generator_goes_on() -> None:
    def deals(table: Any) -> list[Any]:
        table.reset(seed=1)
        first = table.unwrapped.position.snapshot()
        table.reset()
        return [first, table.unwrapped.position.snapshot()]

    first, second = deals(env("kahuna"))
    assert first != second
    assert deals(env("kahuna")) == [first, second]


def test_an_illegal_action_ends_the_game(caplog: pytest.LogCaptureFixture) -> None:
    table = env("stonehenge")
    table.reset(seed=0)
    table.step(0)
    table.step(0)
    assert "Illegal move" in caplog.text
    assert table.unwrapped.rewards == {"seat_0": 0, "seat_1": -1}
    assert all(table.terminations.values())
    play(table, np.random.default_rng(0))
    assert table.agents == []


def test_the_bare_environment_refuses_an_illegal_action_and_stays() -> None:
    table = raw_env("stonehenge")
    table.reset()
    table.step(0)
    before = table.position
    with pytest.raises(archipel.IllegalAction, match="Cell A is taken"):
        table.step(0)
    assert table.position == before
    assert table.agent_selection == "seat_1"


def test_after_the_end_only_none_is_taken() -> None:
    table = raw_env("stonehenge")
    table.reset(seed=0)
    while table.position.mover != archipel.OVER:
        table.step(table.position.actions()[0])
    with pytest.raises(ValueError, match="only valid action is None"):
        table.step(0)


def test_it_shows_the_board(capsys: pytest.CaptureFixture[str]) -> None:
    table = env("stonehenge", render_mode="ansi")
    table.reset()
    assert table.render() == str(table.unwrapped.position)
    table = env("stonehenge", render_mode="human")
    table.reset()
    table.step(0)
    assert capsys.readouterr().out == f"{table.unwrapped.position}\n"
    table = env("stonehenge")
    table.reset()
    assert table.render() is None
    table.close()


def test_a_copy_goes_on_as_the_original_would() -> None:
    table = env("kahuna")
    table.reset(seed=9)
    play(table, np.random.default_rng(0), 20)
    copy = pickle.loads(pickle.dumps(table))
    assert play(copy, np.random.default_rng(1)) == play(table, np.random.default_rng(1))
    assert copy.unwrapped.position == table.unwrapped.position


@pytest.mark.parametrize(
    ("name", "arguments", "sentence"),
    [
        ("chess", {}, "There is no game 'chess'"),
        ("kahuna", {"edition": "french"}, "option 'edition' must be"),
        ("kahuna", {"render_mode": "hologram"}, "render mode must be ansi or human, not 'hologram'"),
    ],
)
def test_bad_input_is_one_clear_sentence(name: str, arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        env(name, **arguments)


@pytest.mark.parametrize("seed", ["x", -1, 1.5, True, 1 << 64])
def test_a_seed_that_is_none_is_named_and_changes_nothing(seed: Any) -> None:
    table = env("stonehenge").unwrapped
    table.reset(seed=1)
    table.step(0)
    before = table.position
    with pytest.raises(ValueError, match="A seed is a whole number from 0"):
        table.reset(seed=seed)
    assert table.position == before


@pytest.mark.parametrize(
    ("module", "package", "sentence"),
    [
        ("pettingzoo", "pettingzoo", "PettingZoo is not installed: pip install archipel[pettingzoo]"),
        ("openspiel", "pyspiel", "OpenSpiel is not installed: pip install archipel[openspiel]"),
        ("gymnasium", "gymnasium", "Gymnasium is not installed: pip install archipel[gymnasium]"),
    ],
)
def test_without_the_extra_one_sentence_says_what_to_install(module: str, package: str, sentence: str) -> None:
    program = f"import sys; sys.modules[{package!r}] = None; import archipel.adapters.{module}"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert run.stderr.splitlines()[-1] == f"ImportError: {sentence}"
