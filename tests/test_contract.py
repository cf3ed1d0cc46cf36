"""The contract, line by line, for every game and its options."""

import inspect
import json
import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import archipel
from archipel import CHANCE, OVER, AmbiguousAction, Game, IllegalAction, InvalidAction, Record, RecordError, State
from archipel.testing import check_game
from tests.variants import EVERY, SMALL_BOARD, SMALL_RING, VARIANTS, chosen, played

COMPLETE: dict[str, dict[str, Any]] = {
    "kahuna": {
        "edition": "iello",
        "guarded": False,
        "open_cards": False,
        "handicap": [0, 0],
        "sudden_end": "act",
        "open_copy": "shown",
        "memory_aid": True,
    },
    "krakatoa": {"players": 2, "teams": False, "game": "advanced"},
    "kula_kula": {
        "players": 3,
        "return_home": False,
        "board": None,
        "turn_limit": 500,
        "toll": "before",
        "dolphin": "before",
        "memory_aid": False,
    },
    "stonehenge": {"hidden": False, "claims": "auto"},
}
"""What each game's options are when none is given."""


# The package.


def test_what_the_package_offers() -> None:
    assert archipel.GAMES == ("kahuna", "krakatoa", "kula_kula", "stonehenge")
    assert (archipel.CHANCE, archipel.OVER) == (-1, -2)
    assert all(hasattr(archipel, name) for name in archipel.__all__)
    assert sorted(dir(archipel)) == sorted([*archipel.__all__, "__version__"])
    with pytest.raises(AttributeError, match="no attribute 'Gmae'"):
        archipel.Gmae  # noqa: B018


def test_importing_the_package_loads_neither_numba_nor_numpy() -> None:
    said = "import sys, archipel; archipel.GAMES; print(sorted({'numba', 'numpy', 'rich'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", said], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_the_page_of_the_contract() -> None:
    game = archipel.game("kahuna", edition="tilsit", handicap=[0, 2])
    assert (game.name, game.seats) == ("kahuna", 2)
    state = game.new()
    assert state.game is game
    assert (state.mover, state.winner, state.scores, state.returns()) == (CHANCE, None, [0, 0], [0.0, 0.0])
    assert len(state.actions()) == 12
    assert state.chances() == [(card, 1 / 12) for card in range(12)]
    dealt = state.after(state.encode({"do": "deal", "card": "ALOA"}))
    assert dealt.snapshot()["hands"] == [["ALOA"], []]
    assert state.snapshot()["hands"] == [[], []]
    assert dealt.view(1)["hands"] == [1, []]
    assert dealt.view(None)["seat"] is None


# Games and options.


@pytest.mark.parametrize("name", archipel.GAMES)
def test_options_are_complete(name: str) -> None:
    game = archipel.game(name)
    assert game.options == COMPLETE[name]
    assert list(game.options) == list(COMPLETE[name])


@pytest.mark.parametrize(("name", "options"), EVERY)
def test_options_make_the_same_game_again(name: str, options: dict[str, Any]) -> None:
    game = archipel.game(name, **options)
    assert game.options == COMPLETE[name] | options
    again = archipel.game(game.name, **json.loads(json.dumps(game.options)))
    assert again == game
    assert hash(again) == hash(game)
    assert again.new() == game.new()
    assert eval(repr(game)) == game
    assert pickle.loads(pickle.dumps(game)) == game


def test_games_differ_by_their_options() -> None:
    games = [archipel.game(name, **options) for name, options in VARIANTS]
    assert len(set(games)) == len(games)
    assert len({game.new() for game in games}) == len(games)


def test_options_are_the_games_own() -> None:
    given = {"handicap": [0, 2]}
    game = archipel.game("kahuna", **given)
    given["handicap"][1] = 3
    game.new().snapshot()["options"]["handicap"][1] = 1
    game.new().view(0)["options"]["handicap"][1] = 1
    assert game.options["handicap"] == [0, 2]


def test_pairs_may_be_given_as_tuples() -> None:
    assert archipel.game("kahuna", handicap=(0, 2)) == archipel.game("kahuna", handicap=[0, 2])


@pytest.mark.parametrize("name", ["go", "Kahuna", "", "core", "../kahuna", None, 1, ["kahuna"], b"kahuna"])
def test_unknown_games(name: Any) -> None:
    with pytest.raises(ValueError, match=r"There is no game .*the games are kahuna, krakatoa") as caught:
        archipel.game(name)
    assert repr(name) in str(caught.value)


@pytest.mark.parametrize("name", archipel.GAMES)
@pytest.mark.parametrize("option", ["colour", "Edition", "self", "name", "game_", ""])
def test_unknown_options(name: str, option: str) -> None:
    with pytest.raises(ValueError, match=f"{name} has no option {option!r}; its options are"):
        archipel.game(name, **{option: 1})


def ring(*spaces: dict[str, Any]) -> dict[str, Any]:
    return {**SMALL_BOARD, "ring": list(spaces)}


ODD: tuple[Any, ...] = (None, [], {}, "", 1.0, -1, float("nan"), b"", object(), lambda: 0, iter(()))
WRONG: list[tuple[str, str, Any]] = [
    *(("kahuna", "edition", value) for value in (*ODD, "Iello", "amigo", True, 0, ["iello"])),
    *(("kahuna", "guarded", value) for value in (*ODD, 0, 1, "true", np.True_)),
    *(("kahuna", "open_cards", value) for value in (*ODD, 0, 1, "yes")),
    *(("kahuna", "handicap", value) for value in (*ODD, 2, True, [1, 1], [0, 4], [-1, 0], [0], [0, 0, 0])),
    *(("kahuna", "handicap", value) for value in ([0, True], [0, 1.0], [0, "1"], [0, None], "02", {0: 0, 1: 2})),
    *(("krakatoa", "players", value) for value in (*ODD, 1, 5, "2", True, 2.0, [2], 1 << 70)),
    *(("krakatoa", "teams", value) for value in (*ODD, 0, 1)),
    *(("krakatoa", "game", value) for value in (*ODD, "simple", True)),
    *(("kula_kula", "players", value) for value in (*ODD, 2, 6, "3", True, 3.0)),
    *(("kula_kula", "return_home", value) for value in (*ODD, 0, 1)),
    *(("kula_kula", "turn_limit", value) for value in (*ODD, 0, True, "500", 1.5, 1 << 70)),
    *(("kula_kula", "board", value) for value in (*ODD[1:2], *ODD[3:], True, 3, [SMALL_BOARD])),
    *(("stonehenge", "hidden", value) for value in (*ODD, 0, 1)),
    *(("stonehenge", "claims", value) for value in (*ODD, "Auto", "self", True)),
]
"""Options with values that they cannot have."""


@pytest.mark.parametrize(("name", "option", "value"), WRONG)
def test_wrong_values(name: str, option: str, value: Any) -> None:
    with pytest.raises(ValueError, match=f"{name}.*{option}.*must be .*, not ") as caught:
        archipel.game(name, **{option: value})
    assert str(caught.value).endswith(".")


@pytest.mark.parametrize(
    ("key", "board"),
    [
        ("rings", {"rings": []}),
        ("0", {0: []}),
        ("note", {"note": None}),
        ("ring", ring()),
        ("ring", ring(*SMALL_RING[:2], SMALL_RING[1])),
        ("ring", ring({"space": 0, "number": True}, *SMALL_RING[1:])),
        ("ring", ring({"space": 0, "island": "Iwa", "kauri": -1}, *SMALL_RING[1:])),
        ("ring", ring({"space": False, "island": "Iwa", "kauri": 1}, *SMALL_RING[1:])),
        ("ring", {"ring": tuple(SMALL_RING)}),
        ("players", {"players": [4, 5]}),
        ("players", {"players": [3.0]}),
        ("goal_kauri", {"goal_kauri": {3: 6}}),
        ("goal_kauri", {"goal_kauri": {"3": True}}),
        ("goal_kauri", {"goal_kauri": {"4": 6}}),
        ("starts", {"starts": {"3": ["Iwa", "Gawa", "Atlantis"]}}),
        ("starts", {"starts": {"3": "Iwa"}}),
        ("oracle", {"oracle": {"boat": 0, "fish": 0, "idol": 0}}),
        ("oracle", {"oracle": {"boat": 1, "fish": 1}}),
        ("puka_supply", {"puka_supply": 5}),
        ("puka_supply", {"puka_supply": 1e9}),
        ("price", {"price": 0}),
        ("puka_limit_per_space", {"puka_limit_per_space": 1 << 40}),
    ],
)
def test_boards_that_cannot_be(key: str, board: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=f"kula_kula: .*{key}"):
        archipel.game("kula_kula", board=board)


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("stonehenge", {"hidden": True, "claims": "manual"}, "'claims' cannot be 'manual' with 'hidden'"),
        ("krakatoa", {"teams": True}, "'teams' needs 'players' to be 4"),
        ("krakatoa", {"teams": True, "players": 3}, "'teams' needs 'players' to be 4"),
    ],
)
def test_options_that_do_not_go_together(name: str, options: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        archipel.game(name, **options)


# Errors.


def test_refusals_carry_their_reason_and_rule() -> None:
    with pytest.raises(IllegalAction) as caught:
        archipel.game("stonehenge").new().after(108)
    error = caught.value
    assert (error.reason, error.rule) == (
        "Megaliths are placed for you here: a turn is one druid.",
        "stonehenge.claims",
    )
    assert str(error) == error.reason
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), again.reason, again.rule) == (IllegalAction, error.reason, error.rule)


def test_errors_are_value_errors() -> None:
    assert issubclass(IllegalAction, ValueError)
    assert issubclass(RecordError, ValueError)
    assert issubclass(AmbiguousAction, InvalidAction)
    assert issubclass(InvalidAction, ValueError)
    assert not issubclass(InvalidAction, IllegalAction)


# States.


@pytest.mark.parametrize(("name", "options"), EVERY)
def test_a_whole_game(name: str, options: dict[str, Any]) -> None:
    """Every word of the contract at every state, as plain as the page has it."""
    game = archipel.game(name, **options)
    rng = np.random.default_rng(5)
    state = game.new()
    moves = 0
    while state.mover != OVER:
        assert state.winner is None
        assert state.returns() == [0.0] * game.seats
        action = chosen(state, rng)
        assert type(action) is int
        assert state.mover == CHANCE or action in range(game.action_count)
        assert state.is_legal(action)
        state = state.after(action)
        moves += 1
    assert state.actions() == []
    assert moves > 10
    assert all(type(n) is int for n in state.scores)
    assert len(state.scores) == len(state.returns()) == game.seats
    with pytest.raises(IllegalAction, match="The game is over"):
        state.after(0)


@pytest.mark.parametrize(("name", "options"), EVERY)
def test_numbers_of_other_kinds(name: str, options: dict[str, Any]) -> None:
    state, action = next(
        (state, action) for state, action in played(archipel.game(name, **options)) if state.mover >= 0
    )
    assert len({state.after(kind(action)) for kind in (np.int64, np.uint8, int)}) == 1
    for number in (1.0, "1", None, [1], float("nan"), b"1"):
        for read in (state.after, state.decode, state.notation):
            with pytest.raises(IllegalAction, match="An action is a whole number, not "):
                read(number)  # type: ignore[arg-type]
        assert not state.is_legal(number)  # type: ignore[arg-type]
    for number in (-1, state.game.action_count, 1 << 31, 1 << 53, 1 << 64, -1 << 70, 1 << 20000):
        for read in (state.after, state.decode, state.notation):
            with pytest.raises(IllegalAction, match="There is no action number "):
                read(number)
        assert not state.is_legal(number)


@pytest.mark.parametrize(("name", "options"), EVERY)
def test_chance_is_asked_only_at_chance(name: str, options: dict[str, Any]) -> None:
    state = next(state for state, _ in played(archipel.game(name, **options)) if state.mover >= 0)
    for ask in (state.chances, lambda: state.sample(np.random.default_rng(0))):
        with pytest.raises(ValueError, match="It is not chance's turn"):
            ask()


@pytest.mark.parametrize(("name", "options"), EVERY)
def test_the_same_seed_draws_the_same(name: str, options: dict[str, Any]) -> None:
    for state, _ in list(played(archipel.game(name, **options)))[:40]:
        if state.mover == CHANCE:
            assert state.sample(np.random.default_rng(3)) == state.sample(np.random.default_rng(3))
        assert state.imagine(0, np.random.default_rng(3)) == state.imagine(0, np.random.default_rng(3))


@pytest.mark.parametrize("seat", [-1, 2, True, "0", 0.0, [0], 1 << 70])
def test_views_are_of_seats(seat: Any) -> None:
    with pytest.raises(ValueError, match="stonehenge has seats 0 to 1, not "):
        archipel.game("stonehenge").new().view(seat)


@pytest.mark.parametrize(("name", "options"), EVERY)
def test_views_and_snapshots_are_the_callers_own(name: str, options: dict[str, Any]) -> None:
    state = [state for state, _ in played(archipel.game(name, **options))][11]
    for read in (state.snapshot, lambda: state.view(0), lambda: state.view(None)):
        before, given = json.dumps(read()), read()
        _ruin(given)
        assert json.dumps(read()) == before
    _ruin(action := state.decode(0))
    assert state.decode(0) != action


def _ruin(value: Any) -> None:
    for part in list(value.values() if isinstance(value, dict) else value):
        if isinstance(part, list | dict):
            _ruin(part)
    value.clear()


def test_landings_are_too_many_to_list() -> None:
    state = archipel.game("krakatoa").new()
    for ask in (state.actions, state.chances):
        with pytest.raises(NotImplementedError, match="sample"):
            ask()


def test_snapshots_say_what_is_wrong() -> None:
    game = archipel.game("stonehenge")
    snapshot = game.new().snapshot()
    for changed, said in (
        ([], "whole must be an object"),
        ({}, "has no 'game'"),
        (snapshot | {"game": "kahuna"}, "is of 'kahuna', not of 'stonehenge'"),
        (snapshot | {"options": {}}, "was made with options {}"),
        (snapshot | {"colour": 1}, "has no 'colour'"),
        (snapshot | {"mover": 1}, "'mover' is 1, but the rest makes it 0"),
        (snapshot | {"cells": {"A": [0, 9]}}, "cell A must be a whole number from 1 to 6, not 9"),
        ({key: snapshot[key] for key in snapshot if key != "hands"}, "has no 'hands'"),
    ):
        with pytest.raises(ValueError, match=said):
            game.restore(changed)  # type: ignore[arg-type]


def test_extra_keys_of_a_snapshot_may_be_left_out() -> None:
    """The rulebook's own keys are enough wherever nothing else can be meant."""
    listed = {
        "kahuna": "round mover bridges stones hands shown open deck discard hidden_discard scores passed last_turns "
        "winner",
        "krakatoa": "mover phase round throw order dice totals marks boxes_left scores winner",
        "kula_kula": "mover phase boats pukas kauris sea islands deck discard drawn supply turn scores winner",
        "stonehenge": "mover cells hands megaliths scores winner",
    }
    for name, keys in listed.items():
        game = archipel.game(name)
        states = [state for state, _ in played(game)]
        first = next(state for state in states if state.mover >= 0)
        for state in (first, states[-1]):
            given = {key: state.snapshot()[key] for key in ["game", *keys.split()]}
            restored = game.restore(given)
            assert {key: restored.snapshot()[key] for key in given} == given
            assert restored.actions() == state.actions()


# The conformance checks.


@pytest.mark.parametrize(("name", "options"), EVERY)
def test_conformance(name: str, options: dict[str, Any]) -> None:
    game = archipel.game(name, **options)
    report = check_game(game, plays=1, seed=VARIANTS.index((name, options)), thorough=0.03)
    assert report.plays == 1
    assert report.states > 10
    assert report.refused or name == "krakatoa"
    assert report.hides == (name == "kahuna" or options.get("hidden", False))


def test_records_are_of_the_game() -> None:
    states, actions = zip(*played(archipel.game("stonehenge")), strict=True)
    record = Record.of(states, actions[:-1], ["Ada", "Blaise"])
    assert (record.game, record.options) == ("stonehenge", states[0].game.options)
    assert list(record.json()) == ["archipel", "game", "options", "players", "actions", "result", "fair"]
    assert record.result == {
        "winner": states[-1].winner,
        "scores": states[-1].scores,
        "returns": states[-1].returns(),
    }


def test_every_public_word_is_explained() -> None:
    for kind in (Game, State, Record):
        for name, word in inspect.getmembers(kind):
            if not name.startswith("_") and callable(word):
                assert inspect.getdoc(word), f"{kind.__name__}.{name} has no docstring"
