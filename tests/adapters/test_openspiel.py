"""The OpenSpiel adapter under OpenSpiel's own tests and bots, and beside the game itself."""

import copy
import json
import pickle
from collections.abc import Iterator
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import observation
from open_spiel.python.algorithms import cfr, exploitability, ismcts, mcts, minimax

import archipel
from archipel.adapters.openspiel import LONGEST, SIDES, STEPS, starting_at
from archipel.vector import Vector

from . import VARIANTS

SHORT: dict[str, dict[str, Any]] = {"kula_kula": {"turn_limit": 6}}
"""Options under which a bot's game is soon over."""


def load(name: str, options: dict[str, Any] | None = None) -> Any:
    """The game with its options, those without a type of OpenSpiel's as JSON."""
    given = {
        option: value if isinstance(value, bool | int | str) else json.dumps(value)
        for option, value in (options or {}).items()
    }
    return pyspiel.load_game(f"archipel_{name}", given)


def happen(state: Any, rng: np.random.Generator) -> None:
    """Let chance act."""
    outcomes, chances = zip(*state.chance_outcomes(), strict=True)
    state.apply_action(rng.choice(outcomes, p=chances))


def states(game: Any, seed: int = 0) -> Iterator[Any]:
    """The states of one random game, the same object all along."""
    rng = np.random.default_rng(seed)
    state = game.new_initial_state()
    while not state.is_terminal():
        yield state
        if state.is_chance_node():
            happen(state, rng)
        else:
            state.apply_action(rng.choice(state.legal_actions()))
    yield state


def dealt(*cards: str) -> Any:
    """A game of Kahuna in which these cards are dealt first."""
    state = load("kahuna").new_initial_state()
    for card in cards:
        state.apply_action(state.string_to_action(f"deal {card}"))
    return state


@pytest.mark.parametrize(("name", "options"), VARIANTS)
def test_openspiels_own_random_simulations(name: str, options: dict[str, Any]) -> None:
    pyspiel.random_sim_test(load(name, options), num_sims=2, serialize=True, verbose=False)


@pytest.mark.parametrize(
    ("name", "options", "kind"),
    [(name, SHORT.get(name, {}), "mcts") for name in archipel.GAMES]
    + [("kahuna", {}, "ismcts"), ("stonehenge", {"hidden": True}, "ismcts")],
)
def test_openspiels_own_bots_play_whole_games(name: str, options: dict[str, Any], kind: str) -> None:
    game = load(name, options)
    source = np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, source)
    bot = {
        "ismcts": lambda: ismcts.ISMCTSBot(game, evaluator, uct_c=1.4, max_simulations=3, random_state=source),
        "mcts": lambda: mcts.MCTSBot(game, uct_c=1.4, max_simulations=3, evaluator=evaluator, random_state=source),
    }[kind]()
    state, rng = game.new_initial_state(), np.random.default_rng(2)
    while not state.is_terminal():
        if state.is_chance_node():
            happen(state, rng)
        else:
            state.apply_action(bot.step(state))
    assert state.returns() == state.position.returns()
    assert state.position.winner is not None


@pytest.mark.parametrize(("name", "options"), VARIANTS)
def test_states_say_what_positions_say(name: str, options: dict[str, Any]) -> None:
    for state in states(load(name, options)):
        position = state.position
        assert state.returns() == position.returns()
        if position.mover >= 0:
            assert state.current_player() == position.mover
            assert state.legal_actions() == position.actions()
            action = state.legal_actions()[-1]
            assert state.action_to_string(action) == position.notation(action)
            assert json.loads(state.observation_string()) == position.view(position.mover)


@pytest.mark.parametrize(("name", "options"), VARIANTS)
def test_resampling_keeps_all_that_the_player_knows(name: str, options: dict[str, Any]) -> None:
    sampler = pyspiel.UniformProbabilitySampler(7, 0.0, 1.0)
    for number, state in enumerate(states(load(name, options))):
        if number % 16 or state.is_chance_node() or state.is_terminal():
            continue
        for player in range(state.num_players()):
            other = state.resample_from_infostate(player, sampler)
            assert other.information_state_string(player) == state.information_state_string(player)
            assert other.information_state_tensor(player) == state.information_state_tensor(player)
            assert other.current_player() == state.current_player()
        assert other.history() == []
        other.apply_action(other.legal_actions()[0])


def test_what_a_player_cannot_know_changes_nothing_for_him() -> None:
    mine = ("GOLA", "HUNA", "IFFI", "JOJO", "KAHU", "LALE")
    one, other = dealt("ALOA", "BARI", "COCO", *mine), dealt("DUDA", "ELAI", "FAAA", *mine)
    assert one.information_state_string(0) != other.information_state_string(0)
    assert one.information_state_string(1) == other.information_state_string(1)
    worlds = [state.resample_from_infostate(1, lambda: 0.25) for state in (one, other)]
    assert str(worlds[0]) == str(worlds[1])
    for player in (0, 1):
        assert worlds[0].information_state_string(player) == worlds[1].information_state_string(player)
    assert str(one.resample_from_infostate(1, lambda: 0.75)) != str(worlds[0])


def test_information_states_remember_the_way() -> None:
    game = load("stonehenge")
    one, other = game.new_initial_state(), game.new_initial_state()
    for there, back in zip(("1@G", "1@P", "2@M"), ("2@M", "1@P", "1@G"), strict=True):
        one.apply_action(one.string_to_action(there))
        other.apply_action(other.string_to_action(back))
    for player in (0, 1):
        assert one.observation_string(player) == other.observation_string(player)
        assert one.observation_tensor(player) == other.observation_tensor(player)
        assert one.information_state_string(player) != other.information_state_string(player)
        assert one.information_state_tensor(player) != other.information_state_tensor(player)


@pytest.mark.parametrize("options", [{}, {"hidden": True}])
def test_tensors_recall_the_events_that_a_seat_has_seen(options: dict[str, Any]) -> None:
    game, rng = load("stonehenge", options), np.random.default_rng(3)
    state, games = game.new_initial_state(), Vector("stonehenge", 1, seed=1, history=18, auto_reset=False, **options)
    while not state.is_terminal():
        action = int(rng.choice(state.legal_actions()))
        state.apply_action(action)
        games.step([action])
        for player in (0, 1):
            heard = [games.event(token) for token in games.heard[0, player] if token]
            tensor = np.array(state.information_state_tensor(player))
            view, events = np.split(tensor, [game.observation_tensor_size()])
            assert view.tolist() == state.observation_tensor(player)
            assert [told(row) for row in events.reshape(18, -1) if row.any()] == heard


def told(row: Any) -> tuple[int, int]:
    """Who acted, and what was seen: an event of a tensor for two seats."""
    who, bits = row[:3], row[3:]
    return int(who.argmax()) - 1, int(sum(1 << k for k, bit in enumerate(bits) if bit))


DETERMINISTIC, STOCHASTIC = pyspiel.GameType.ChanceMode.DETERMINISTIC, pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC
PERFECT = pyspiel.GameType.Information.PERFECT_INFORMATION
IMPERFECT = pyspiel.GameType.Information.IMPERFECT_INFORMATION


@pytest.mark.parametrize(
    ("name", "options", "chance", "information", "decisions", "chances"),
    [
        ("stonehenge", {}, DETERMINISTIC, PERFECT, 18, 0),
        ("stonehenge", {"claims": "manual"}, DETERMINISTIC, PERFECT, 51, 0),
        ("stonehenge", {"hidden": True}, DETERMINISTIC, IMPERFECT, 18, 0),
        ("kahuna", {}, STOCHASTIC, IMPERFECT, 200, 70),
        ("kahuna", {"handicap": [0, 3]}, STOCHASTIC, IMPERFECT, 203, 70),
        ("kula_kula", {"turn_limit": 2, "players": 4}, STOCHASTIC, PERFECT, 275, 256),
        ("krakatoa", {}, STOCHASTIC, PERFECT, 63, LONGEST),
        ("krakatoa", {"players": 3, "game": "basic"}, STOCHASTIC, PERFECT, 90, LONGEST),
    ],
)
def test_each_game_declares_its_own_type(
    name: str, options: dict[str, Any], chance: Any, information: Any, decisions: int, chances: int
) -> None:
    game = load(name, options)
    assert (game.get_type().chance_mode, game.get_type().information) == (chance, information)
    assert (game.max_game_length(), game.max_chance_nodes_in_history()) == (decisions, chances)
    again = pyspiel.load_game(str(game))
    assert again.get_type() == game.get_type()


def test_utilities_are_what_can_be_won() -> None:
    for options, least, most in [
        ({}, -1, 1),
        ({"players": 3}, -1 / 2, 1),
        ({"players": 4, "teams": True}, -1 / 3, 1 / 3),
    ]:
        game = load("krakatoa", options)
        assert (game.min_utility(), game.max_utility()) == (least, most)


def ending(decisions: int, **options: Any) -> archipel.State:
    """A position of Stonehenge in which so many druids are still to be placed."""
    state, rng = archipel.game("stonehenge", **options).new(), np.random.default_rng(5)
    while sum(map(len, state.snapshot()["hands"])) > decisions:
        state = state.after(int(rng.choice(state.actions())))
    return state


def best(state: archipel.State) -> float:
    """What a position of Stonehenge is worth to its mover if both play their best."""
    if state.mover == archipel.OVER:
        return 0.0
    after = [state.after(action) for action in state.actions()]
    return max(next_.returns()[state.mover] if next_.mover == archipel.OVER else -best(next_) for next_ in after)


def test_alpha_beta_takes_open_stonehenge() -> None:
    position = ending(3)
    value, action = minimax.alpha_beta_search(starting_at(position), maximizing_player_id=position.mover)
    assert value == best(position)
    assert action in position.actions()
    with pytest.raises(AttributeError):  # its own refusal trips over a name of an older OpenSpiel
        minimax.alpha_beta_search(load("stonehenge", {"hidden": True}))


def test_a_tree_may_begin_at_an_endgame() -> None:
    game = starting_at(ending(3, hidden=True))
    solver = cfr.CFRPlusSolver(game)
    before = exploitability.nash_conv(game, solver.average_policy())
    for _ in range(30):
        solver.evaluate_and_update_policy()
    assert exploitability.nash_conv(game, solver.average_policy()) <= before
    assert game.new_initial_state().position == ending(3, hidden=True)


def test_observations_come_apart_into_public_and_private() -> None:
    state = dealt("ALOA", "BARI")

    def seen(**kind: Any) -> Any:
        wanted = pyspiel.IIGObservationType(perfect_recall=False, **kind)
        return observation.make_observation(state.get_game(), wanted)

    public = seen(public_info=True, private_info=pyspiel.PrivateInfoType.NONE)
    private = seen(public_info=False, private_info=pyspiel.PrivateInfoType.SINGLE_PLAYER)
    assert json.loads(public.string_from(state, 0)) == state.position.view(None)
    assert json.loads(private.string_from(state, 0)) == {
        "seat": 0,
        "hands": [["ALOA", "BARI"], 0],
        "hidden_discard": [[], 0],
    }
    assert json.loads(private.string_from(state, 1))["hands"] == [2, []]
    assert private.tensor is None
    public.set_from(state, 0)
    assert public.tensor.any()
    with pytest.raises(ValueError, match="what one seat may know"):
        seen(public_info=True, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS)


def test_chance_that_is_too_wide_to_list_is_rolled() -> None:
    game = load("krakatoa")
    state = next(state for state in states(game) if state.is_chance_node() and state.position.view(None)["round"])
    again = state.clone()
    before = state.position
    for step in range(1, STEPS + 1):
        assert state.position == before
        assert [round(1 / chance) for _, chance in state.chance_outcomes()] == [SIDES] * SIDES
        assert state.action_to_string(5) == f"roll {step} of {STEPS}: 5"
        assert state.action_to_struct(5).to_dict() == {"do": "roll", "side": 5}
        state.apply_action(5)
        again.apply_action(5)
        assert str(pickle.loads(pickle.dumps(state))) == str(state) == str(again)
    assert state.position != before
    with pytest.raises(ValueError, match="A roll is a number from 0 to 63, not 64"):
        load("krakatoa").new_initial_state().apply_action(64)


def test_copies_go_their_own_way() -> None:
    *_, state = zip(range(60), states(load("kahuna")), strict=False)
    first = state[1]
    for other in (first.clone(), copy.deepcopy(first), pickle.loads(pickle.dumps(first))):
        assert str(other) == str(first)
        assert other.history() == first.history()
        assert other.information_state_string(0) == first.information_state_string(0)
        other.apply_action(other.legal_actions()[0])
        assert other.history() != first.history()
        assert other.position != first.position


def test_a_resampled_state_is_kept_whole() -> None:
    state = dealt("ALOA", "BARI", "COCO", "GOLA").resample_from_infostate(1, lambda: 0.5)
    state.apply_action(state.legal_actions()[0])
    kept = pickle.loads(pickle.dumps(state))
    assert str(kept) == str(state)
    assert kept.information_state_string(1) == state.information_state_string(1)


def test_a_game_may_begin_from_a_snapshot() -> None:
    position = archipel.game("stonehenge").new().after(0)
    game = load("stonehenge")
    for snapshot in (position.snapshot(), json.dumps(position.snapshot())):
        state = game.new_initial_state(snapshot)
        assert state.position == position
        assert state.clone().position == position


def test_structs_are_the_contracts_json() -> None:
    state = load("stonehenge").new_initial_state()
    assert state.to_dict() == state.position.snapshot()
    assert state.action_to_struct(0).to_dict() == {"do": "place", "druid": 1, "cell": "A"}
    assert state.to_observation_struct(1).to_dict() == state.position.view(1)


@pytest.mark.parametrize(("name", "options"), VARIANTS)
def test_parameters_are_the_options(name: str, options: dict[str, Any]) -> None:
    game = load(name, options)
    assert game.game == archipel.game(name, **options)
    assert game.num_players() == game.game.seats
    assert pyspiel.load_game(str(game)) == game
    assert pyspiel.load_game(str(game)).game == game.game
    assert game.get_type().min_num_players <= game.num_players() <= game.get_type().max_num_players


@pytest.mark.parametrize(
    ("name", "options", "sentence"),
    [
        ("kahuna", {"edition": "french"}, "option 'edition' must be"),
        ("kahuna", {"handicap": "[0, 2"}, "parameter 'handicap' must be JSON text"),
        ("kahuna", {"handicap": "[2, 2]"}, "option 'handicap' must be"),
        ("stonehenge", {"hidden": True, "claims": "manual"}, "cannot be 'manual' with 'hidden'"),
    ],
)
def test_bad_parameters_are_one_clear_sentence(name: str, options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        load(name, options)


def test_observers_take_no_parameters() -> None:
    with pytest.raises(ValueError, match="take no parameters"):
        load("stonehenge").make_py_observer(None, {"colour": "red"})


def test_an_illegal_action_changes_nothing() -> None:
    state = load("stonehenge").new_initial_state()
    state.apply_action(0)
    with pytest.raises(archipel.IllegalAction, match="Cell A is taken"):
        state.apply_action(0)
    assert state.history() == [0]
