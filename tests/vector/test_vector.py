"""Many games at once: beside the same games one by one, under every way to play them, and with bad input."""

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import archipel
from archipel.core import features
from archipel.core.rules import LABELS
from archipel.core.state import State
from archipel.vector import SAMPLE, Vector, seeds
from tests.adapters.test_observation import Fifth
from tests.variants import EVERY, SMALL_BOARD


def agrees(games: Vector, i: int, state: State) -> None:
    """One game of many is in this state, and its arrays say so."""
    assert games.state(i) == state
    assert games.movers[i] == state.mover
    legal = state.actions() if state.mover >= 0 else []
    assert np.flatnonzero(games.masks[i]).tolist() == legal
    view = state.view(state.mover if state.mover >= 0 else None)
    assert games.observations[i].tolist() == features.layout(state.game).row(view).tolist()


@pytest.mark.parametrize(("name", "options"), EVERY)
def test_games_go_as_they_go_one_by_one(name: str, options: dict[str, Any]) -> None:
    games = Vector(name, 3, seed=1, chance="explicit", auto_reset=False, **options)
    states = [games.game.new() for _ in range(games.n)]
    for step in range(400):
        actions = games.sample()
        for i, state in enumerate(states):
            if step % 7 == 0:
                agrees(games, i, state)
            if state.mover != archipel.OVER:
                states[i] = state.after(int(actions[i]))
        games.step(actions)
        for i, state in enumerate(states):
            if games.over[i]:
                assert state.mover == archipel.OVER
                assert np.allclose(games.rewards[i], state.returns())
            else:
                assert not games.rewards[i].any()
    for i, state in enumerate(states):
        agrees(games, i, state)


@pytest.mark.parametrize("name", archipel.GAMES)
def test_chance_is_resolved_until_a_seat_is_to_act(name: str) -> None:
    games = Vector(name, 16, seed=2)
    ended = 0
    for _ in range(300):
        assert (games.movers >= 0).all()
        assert games.masks.any(axis=1).all()
        games.step(games.sample())
        ended += int(games.over.sum())
        assert np.allclose(games.rewards.sum(axis=1), 0, atol=1e-6)
        assert (games.rewards.any(axis=1) <= games.over).all()
        assert (games.lengths[games.over] == 0).all()
    assert ended


@pytest.mark.parametrize("name", archipel.GAMES)
def test_the_last_row_of_a_game_is_kept(name: str) -> None:
    kept, renewed = (Vector(name, 8, seed=3, auto_reset=renew) for renew in (False, True))
    before = renewed.movers.copy()
    while not renewed.over.any():
        before = renewed.movers.copy()
        actions = renewed.sample()
        renewed.step(actions)
        kept.step(actions)
    for i in np.flatnonzero(renewed.over):
        state = kept.state(int(i))
        assert state.mover == kept.movers[i] == archipel.OVER
        seen = features.layout(kept.game).row(state.view(int(before[i])))
        assert renewed.finals[i].tolist() == kept.finals[i].tolist() == seen.tolist()


@pytest.mark.parametrize("name", archipel.GAMES)
def test_a_game_depends_on_its_seed_and_its_actions_alone(name: str) -> None:
    sown = seeds(11, 12)
    many, threaded = Vector(name, 12, seed=11), Vector(name, 12, seed=sown, threads=3)
    alone = Vector(name, 1, seed=[int(sown[5])])
    for _ in range(60):
        actions = many.sample()
        many.step(actions)
        threaded.step(actions)
        alone.step(actions[5:6])
        assert (many.observations == threaded.observations).all()
        assert (many.masks == threaded.masks).all()
        assert (many.rewards == threaded.rewards).all()
        assert (many.observations[5] == alone.observations[0]).all()
    threaded.close()
    assert (Vector(name, 4, seed=11).observations == Vector(name, 4, seed=11).observations).all()


def test_arrays_may_be_of_any_kind_of_whole_numbers() -> None:
    games = [Vector("stonehenge", 3, seed=1) for _ in range(4)]
    frozen = np.array([1, 2, 3])
    frozen.flags.writeable = False
    given: list[Any] = [[1, 2, 3], frozen, np.array([1, 0, 2, 0, 3], np.int8)[::2], (1, 2, 3)]
    for table, actions in zip(games, given, strict=True):
        table.step(actions)
        assert (table.observations == games[0].observations).all()


def test_games_may_begin_anew_one_by_one() -> None:
    games = Vector("kahuna", 3, seed=4)
    first = games.observations.copy()
    games.step(games.sample())
    moved = games.observations.copy()
    games.reset(4, which=np.array([True, False, True]))
    assert (games.observations[[0, 2]] == first[[0, 2]]).all()
    assert (games.observations[1] == moved[1]).all()
    games.reset()
    assert (games.lengths == 0).all()
    assert (games.observations != first).any()


def test_explicit_chance_says_how_likely_everything_is() -> None:
    games = Vector("kula_kula", 1, seed=1, chance="explicit", board=SMALL_BOARD, turn_limit=40)
    games.step([games.state(0).parse("oracle")])
    assert games.movers[0] == archipel.CHANCE
    state = games.state(0)
    listed = {outcome: chance for outcome, chance in enumerate(games.chances[0].tolist()) if chance}
    assert listed == pytest.approx(dict(state.chances()))
    games.step([2])
    assert games.state(0) == state.after(2)
    games.step([SAMPLE])
    assert not games.chances[0].any()


def test_outcomes_that_are_too_many_are_sampled() -> None:
    games = Vector("krakatoa", 2, seed=1, chance="explicit")
    while (games.movers == archipel.CHANCE).all():
        assert not games.chances.any()
        games.step([SAMPLE, SAMPLE])
    assert (games.movers != archipel.OVER).all()


def test_the_other_seats_play_at_random_for_a_learner() -> None:
    games = Vector("kula_kula", 6, seed=5, learner=[0, 1, 2, 0, 1, 2], turn_limit=20)
    wins = np.zeros(3)
    for _ in range(200):
        assert (games.movers == games.learners).all()
        games.step(games.sample())
        wins += games.rewards.sum(axis=0)
    assert wins.any()
    assert (games.observe(1)[1] == games.observations[1]).all()


def test_every_seat_can_be_asked_what_it_sees() -> None:
    games = Vector("kahuna", 4, seed=6)
    part = features.layout(games.game)
    for seat in (-1, 0, 1):
        rows = games.observe(seat)
        for i in range(4):
            assert rows[i].tolist() == part.row(games.state(i).view(None if seat < 0 else seat)).tolist()


@pytest.mark.parametrize(("name", "options"), EVERY)
def test_everybody_hears_who_acted(name: str, options: dict[str, Any]) -> None:
    """Everybody hears who acted; a seat hears its own actions as they are."""
    games = Vector(name, 1, seed=8, chance="explicit", auto_reset=False, history=4, **options)
    for _ in range(120):
        state = games.state(0)
        if state.mover == archipel.OVER:
            break
        action = int(games.sample()[0])
        games.step([action])
        for seat in range(games.game.seats):
            event = games.event(games.heard[0, seat, -1])
            assert event is not None
            who, seen = event
            assert 0 <= seen < LABELS
            if state.mover < 0:
                assert who == archipel.CHANCE
            else:
                assert who == (state.mover - seat) % games.game.seats
                assert who or seen == action
    assert games.event(0) is None


def test_a_hidden_card_is_not_heard() -> None:
    told = set()
    for card in range(12):
        games = Vector("kahuna", 1, seed=1, chance="explicit", history=2)
        games.step([card])
        assert games.event(games.heard[0, 0, -1]) == (archipel.CHANCE, card)
        told.add(int(games.heard[0, 1, -1]))
    assert len(told) == 1


def test_history_moves_on_and_is_forgotten_with_the_game() -> None:
    games = Vector("stonehenge", 1, seed=1, history=3)
    for action in (0, 19, 38, 57):
        games.step([action])
    assert [games.event(token) for token in games.heard[0, 0]] == [(1, 19), (0, 38), (1, 57)]
    assert [games.event(token) for token in games.heard[0, 1]] == [(0, 19), (1, 38), (0, 57)]
    games.reset()
    assert not games.heard.any()


def test_a_position_can_be_put_into_a_game() -> None:
    games = Vector("stonehenge", 2, seed=1)
    state = games.game.new().after(0).after(19)
    games.put(1, state)
    agrees(games, 1, state)
    agrees(games, 0, games.game.new())
    with pytest.raises(ValueError, match="The position is of"):
        games.put(0, archipel.game("stonehenge", hidden=True).new())
    with pytest.raises(IndexError, match="games 0 to 1, not 2"):
        games.put(2, state)


def test_a_game_without_compiled_features_is_told_from_its_views() -> None:
    game = Fifth(hidden=True)
    games = Vector(game, 2, seed=1)
    games.step([0, 1])
    part = features.layout(game)
    assert games.names == part.names
    for i in (0, 1):
        assert games.observations[i].tolist() == part.row(games.state(i).view(1)).tolist()
    assert games.observe(0).shape == (2, len(part.names))


# Checkpoints


@pytest.mark.parametrize("name", archipel.GAMES)
def test_a_checkpoint_goes_on_as_the_games_would(name: str, tmp_path: Path) -> None:
    games = Vector(name, 5, seed=9, history=2)
    for _ in range(30):
        games.step(games.sample())
    games.save(tmp_path / "games.npz")
    again = Vector.load(tmp_path / "games.npz", threads=2)
    assert again.game == games.game
    for _ in range(30):
        for array in ("observations", "masks", "movers", "rewards", "over", "finals", "lengths", "heard"):
            assert (getattr(games, array) == getattr(again, array)).all(), array
        games.step(games.sample())
        again.step(again.sample())
    again.close()


def kept(change: Any = None, about: Any = None) -> io.BytesIO:
    games = Vector("stonehenge", 2, seed=1)
    games.step([0, 1])
    file = io.BytesIO()
    games.save(file)
    file.seek(0)
    with np.load(file) as found:
        arrays = dict(found)
    arrays |= change or {}
    arrays["about"] = np.array(json.dumps(json.loads(str(arrays["about"])) | (about or {})))
    file = io.BytesIO()
    np.savez(file, **arrays)
    file.seek(0)
    return file


@pytest.mark.parametrize(
    ("file", "sentence"),
    [
        (io.BytesIO(b"no checkpoint"), "The checkpoint cannot be read"),
        (io.BytesIO(kept().getvalue()[:400]), "The checkpoint cannot be read"),
        (kept(about={"format": 7}), "made for another version"),
        (kept(about={"record": "[]"}), "made with other rules of stonehenge"),
        (kept({"states": np.full((2, 81), 3, np.uint8)}), "'states' must be uint8 of shape"),
        (kept({"seeds": np.zeros(3, np.uint64)}), "'seeds' must be uint64 of shape"),
    ],
)
def test_a_bad_checkpoint_is_named(file: io.BytesIO, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        Vector.load(file)


def test_a_position_that_cannot_be_is_not_loaded() -> None:
    with np.load(kept()) as found:
        states = found["states"].copy()
    states[1, 4:8] = 255
    with pytest.raises(ValueError, match="Game 1 of the checkpoint is damaged"):
        Vector.load(kept({"states": states}))


# Bad input


def test_an_illegal_action_is_named_and_nothing_is_played() -> None:
    games = Vector("stonehenge", 4, seed=1)
    games.step([0, 1, 2, 3])
    before = games.observations.copy()
    with pytest.raises(archipel.IllegalAction, match=r"^Game 2, action 20 \(2@C\): Cell C is taken") as refused:
        games.step([1, 2, 20, 4])
    assert refused.value.rule == "stonehenge.place"
    assert (games.observations == before).all()
    with pytest.raises(archipel.IllegalAction, match=r"^Game 0, action 500: There is no action number 500 here"):
        games.step([500, 2, 3, 4])
    with pytest.raises(archipel.IllegalAction, match="Game 3, action -1"):
        games.step([1, 2, 3, -1])
    assert (games.observations == before).all()


@pytest.mark.parametrize(
    ("actions", "error", "sentence"),
    [
        ([0, 1], ValueError, r"3 games need actions of shape \(3,\), not \(2,\)"),
        ([[0, 1, 2]], ValueError, r"not \(1, 3\)"),
        ([0.0, 1.0, 2.0], TypeError, "Actions are whole numbers, not float64"),
        ([True, False, True], TypeError, "Actions are whole numbers, not bool"),
        ("abc", TypeError, "Actions are whole numbers"),
        (np.array([0, 1, 2**63], np.uint64), ValueError, "must be below"),
    ],
)
def test_actions_of_a_wrong_shape_or_type_are_named(actions: Any, error: type[Exception], sentence: str) -> None:
    with pytest.raises(error, match=sentence):
        Vector("stonehenge", 3, seed=1).step(actions)


@pytest.mark.parametrize(
    ("seed", "sentence"),
    [
        (-1, "A seed is a whole number from 0 to 2\\*\\*64 - 1, not -1"),
        (1.5, "not 1.5"),
        (True, "not True"),
        ("seed", "not 'seed'"),
        ([1, 2], "3 games need 3 seeds, not 2"),
        ([1, 2, -3], "Game 2: A seed is a whole number"),
        ([1, None, 3], "Game 1: A seed is a whole number"),
        (1 << 64, "A seed is a whole number"),
    ],
)
def test_a_seed_that_is_none_is_named(seed: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        Vector("stonehenge", 3, seed=seed)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"n": 0}, "The number of games must be a whole number from 1"),
        ({"threads": 0}, "The number of threads must be"),
        ({"history": -1}, "The length of the history must be"),
        ({"chance": "none"}, "Chance must be 'resolved' or 'explicit', not 'none'"),
        ({"learner": 2}, "stonehenge has seats 0 to 1, not 2"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_bad_arguments_are_one_clear_sentence(arguments: dict[str, Any], sentence: str) -> None:
    given = {"n": 2, "seed": 1} | arguments
    with pytest.raises(ValueError, match=sentence):
        Vector("stonehenge", given.pop("n"), **given)


def test_marks_of_a_wrong_shape_are_named() -> None:
    with pytest.raises(ValueError, match="`which` marks each of 2 games"):
        Vector("stonehenge", 2, seed=1).reset(which=[0, 1])


def test_what_is_no_position_and_no_event_is_named() -> None:
    games = Vector("stonehenge", 2, seed=1)
    with pytest.raises(ValueError, match="A position is a State, not None"):
        games.put(0, None)  # type: ignore[arg-type]
    for token in (-1, 10**9, "x", None):
        with pytest.raises(ValueError, match="An event is a number of `heard`"):
            games.event(token)  # type: ignore[arg-type]
