"""States: small, equal when they are the same position, and never changing."""

import copy
import gc
import pickle
import sys
from typing import Any

import numpy as np
import pytest

import archipel
from archipel import CHANCE, State
from tests.variants import EVERY, played

SOME_HUNDRED_BYTES = 400


@pytest.mark.parametrize(("name", "options"), EVERY)
def test_states_survive_pickling_and_copying(name: str, options: dict[str, Any]) -> None:
    for state, action in played(archipel.game(name, **options)):
        for again in (pickle.loads(pickle.dumps(state)), copy.copy(state), copy.deepcopy(state)):
            assert again == state
            assert hash(again) == hash(state)
            assert again.mover == state.mover
            if action >= 0:
                assert again.after(action) == state.after(action)


@pytest.mark.parametrize("name", archipel.GAMES)
def test_equality(name: str) -> None:
    game = archipel.game(name)
    first = game.new()
    assert first == game.new() == archipel.game(name).new()
    assert len({first, game.new(), copy.copy(first)}) == 1
    assert first != "something else"
    assert first != next(state for state, _ in played(game) if state.mover != first.mover)


def test_states_of_other_options_differ() -> None:
    assert archipel.game("kahuna").new() != archipel.game("kahuna", guarded=True).new()


@pytest.mark.parametrize("name", archipel.GAMES)
def test_repr_makes_the_state_again(name: str) -> None:
    for state, _ in list(played(archipel.game(name)))[::15]:
        assert eval(repr(state)) == state


def test_transpositions_are_one_state() -> None:
    start = archipel.game("stonehenge").new()
    one, other = start, start
    for text in ("6@K", "1@A", "5@D"):
        one = one.after(one.parse(text))
    for text in ("5@D", "1@A", "6@K"):
        other = other.after(other.parse(text))
    assert one == other
    assert hash(one) == hash(other)


@pytest.mark.parametrize("name", archipel.GAMES)
def test_a_record_is_a_copy(name: str) -> None:
    state = archipel.game(name).new()
    before = pickle.dumps(state)
    state.record.mover = 1
    assert pickle.dumps(state) == before


def size(state: State) -> int:
    """What one more state takes: itself, its bytes and the array around them."""
    return sys.getsizeof(state) + sys.getsizeof(state._raw)


@pytest.mark.parametrize(("name", "options"), EVERY)
def test_a_state_is_small(name: str, options: dict[str, Any]) -> None:
    state = archipel.game(name, **options).new()
    assert len(state._raw) <= SOME_HUNDRED_BYTES - 100
    assert size(state) <= SOME_HUNDRED_BYTES
    assert not hasattr(state, "__dict__")


@pytest.mark.parametrize("name", archipel.GAMES)
def test_states_share_their_game(name: str) -> None:
    game = archipel.game(name)
    states = [state for state, _ in played(game)]
    assert all(state.game is game for state in states)
    assert not any(state._raw.base is not None and len(state._raw.base) > len(state._raw) for state in states)
    assert len({id(referent) for state in states[:9] for referent in gc.get_referents(state) if referent is game}) == 1


@pytest.mark.parametrize(("name", "options"), EVERY)
def test_sampling_leaves_the_state_and_moves_the_generator(name: str, options: dict[str, Any]) -> None:
    state = next((state for state, _ in played(archipel.game(name, **options)) if state.mover == CHANCE), None)
    if state is None:
        assert name == "stonehenge"
        return
    before, rng = pickle.dumps(state), np.random.default_rng(0)
    outcomes = [state.sample(rng) for _ in range(50)]
    assert pickle.dumps(state) == before
    assert len(set(outcomes)) > 1
    assert all(state.is_legal(outcome) for outcome in outcomes)


@pytest.mark.parametrize(("name", "options"), EVERY)
def test_is_legal_agrees_with_the_list(name: str, options: dict[str, Any]) -> None:
    for state, _ in list(played(archipel.game(name, **options), seed=1))[::7]:
        if name != "krakatoa" or state.mover != CHANCE:
            numbers = range(max(state.game.action_count, 64))
            assert [number for number in numbers if state.is_legal(number)] == state.actions()


@pytest.mark.parametrize("name", archipel.GAMES)
def test_games_played_out_in_the_kernel_end(name: str) -> None:
    game = archipel.game(name)
    worth, steps = game.new().judge(20, np.random.default_rng(1))
    assert steps > 20 * 10
    assert len(worth) == game.seats
    assert sum(worth) == pytest.approx(0)
    assert all(abs(value) <= 20 for value in worth)
