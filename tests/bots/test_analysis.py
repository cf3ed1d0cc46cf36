"""Analyses of positions and games: every bot says what it thinks, and the same seed says the same."""

import json

import numpy as np
import pytest

import archipel
from archipel.analysis import Analysis, Judged, analyse
from archipel.bots import bot
from archipel.bots.budget import Budget
from archipel.bots.levels import NAMES
from archipel.core.record import Record
from archipel.core.scoresheet import Scoresheet
from archipel.core.state import State
from archipel.games.stonehenge.bot.solver.settled import moved
from archipel.games.stonehenge.bot.solver.solve import solve
from tests.variants import played


def position(name: str, steps: int = 20) -> State:
    """A position of a random game in which a seat is to act."""
    return next(state for n, (state, _) in enumerate(played(archipel.game(name), 5)) if n >= steps and state.mover >= 0)


@pytest.mark.parametrize("who", ["random", "greedy", "mcts", "expert", *NAMES])
def test_every_bot_and_level_says_what_it_thinks(who: str) -> None:
    state = position("stonehenge", 6)
    found = analyse(state, who, simulations=60, seed=1)
    assert isinstance(found, Analysis)
    assert found.seat == state.mover
    assert len(found.ranking) <= len(state.actions())
    assert {each.action for each in found.ranking} <= set(state.actions())
    assert all(each.notation == state.notation(each.action) for each in found.ranking)
    assert all(-1 <= each.value <= 1 for each in found.ranking)
    assert found.line[0] in {each.notation for each in found.ranking}
    assert json.loads(json.dumps(found.json()))["ranking"][0]["notation"] == found.best.notation


@pytest.mark.parametrize("who", ["greedy", "mcts"])
def test_a_bot_chooses_what_it_ranks_first(who: str) -> None:
    view = position("stonehenge", 6).view(position("stonehenge", 6).mover)
    budget = Budget(simulations=100)
    chosen = bot(who).choose(view, np.random.default_rng(3), budget)
    assert analyse(view, who, simulations=100, seed=3).best.action == chosen  # type: ignore[union-attr]


def test_an_analysis_knows_no_more_than_the_seat() -> None:
    state = position("kahuna", 60)
    other = state.redealt(state.mover, np.random.default_rng(1))
    assert other != state

    def told(state: State) -> object:
        found = analyse(state, "greedy", simulations=50, seed=2, worlds=20)
        assert isinstance(found, Analysis)
        return found.ranking, found.values, found.beliefs

    assert told(state) == told(other)


def test_beliefs_say_what_is_expected_where() -> None:
    found = analyse(position("kahuna", 60), "random", worlds=30)
    assert isinstance(found, Analysis)
    assert "hands" in found.beliefs
    assert analyse(position("kahuna", 60), "random").beliefs == {}  # type: ignore[union-attr]


def test_a_game_is_judged_action_by_action() -> None:
    steps = list(played(archipel.game("stonehenge"), 3))
    record = Record.of([state for state, _ in steps], [action for _, action in steps[:-1]])
    judged = analyse(record, "greedy", simulations=40, seed=1)
    assert isinstance(judged, list)
    assert [each.number for each in judged] == list(range(1, len(steps)))
    assert all(isinstance(each, Judged) and each.cost >= 0 for each in judged)
    for each, (state, action) in zip(judged, steps, strict=False):
        assert (each.seat, each.notation) == (state.mover, state.notation(action))
        assert (each.cost == 0) >= (each.analysis.best.action == action)
    assert analyse(Scoresheet.of(record), "greedy", simulations=40, seed=1)[0].cost == judged[0].cost  # type: ignore[index]


def test_what_cannot_be_analysed_is_named() -> None:
    game = archipel.game("kahuna")
    with pytest.raises(ValueError, match="Chance is to act in this position"):
        analyse(game.new(), "random")
    *_, (last, _) = played(game, 5)
    with pytest.raises(ValueError, match="The game is over in this position"):
        analyse(last, "random")
    with pytest.raises(ValueError, match="A state, a view or a record can be analysed, not 'kahuna'"):
        analyse("kahuna", "random")  # type: ignore[arg-type]
    state = position("kahuna", 40)
    with pytest.raises(ValueError, match="a seat that is not to act"):
        analyse(state.view(1 - state.mover), "random")
    with pytest.raises(ValueError, match="There is no bot 'dog'"):
        archipel.analyse(state, "dog")


def test_what_is_proved_is_answered_at_once() -> None:
    first = archipel.game("stonehenge").new()
    found = solve(first, nodes=1)
    assert found is not None
    assert found.action is not None
    assert (found.winner, first.notation(found.action), found.nodes) == (0, "2@L", 0)
    after = moved(first, "2@L", "1@A")
    reply = solve(after, nodes=1)
    assert reply is not None
    assert reply.action is not None
    assert (reply.winner, after.notation(reply.action)) == (0, "2@B")
    assert solve(moved(first, "6@K"), nodes=1) is None


def test_what_is_proved_is_said_to_be() -> None:
    first = archipel.game("stonehenge").new()
    found = analyse(first, simulations=10)
    assert isinstance(found, Analysis)
    assert (found.exact, found.values) == (True, [1.0, -1.0])
    assert str(found).endswith("(proved)")
    searched = analyse(first, "greedy", simulations=10)
    assert isinstance(searched, Analysis)
    assert not searched.exact
    assert str(searched).endswith("simulations)")


def test_a_move_that_a_proof_does_not_name_is_judged_by_what_follows() -> None:
    """The proof of the empty board lists winning first moves only; its best one is not as good as a blunder."""
    states = [archipel.game("stonehenge").new()]
    actions = [states[0].parse("1@A"), 0]
    states.append(states[0].after(actions[0]))
    actions[1] = states[1].parse("6@L")
    states.append(states[1].after(actions[1]))
    first, _ = analyse(Record.of(states, actions), simulations=200)  # type: ignore[misc]
    assert first.analysis.exact
    assert first.notation not in {each.notation for each in first.analysis.ranking}
    assert first.cost > 0.2
    assert "better 2@" in str(first)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"seed": "a"}, "The seed is a whole number from 0, not 'a'"),
        ({"seed": -1}, "The seed is a whole number from 0, not -1"),
        ({"worlds": -2}, "The number of worlds is a whole number from 0, not -2"),
        ({"simulations": 0}, "A budget must be more than nothing"),
        ({"simulations": "many"}, "A number of simulations is a whole number, not 'many'"),
        ({"seconds": "long"}, "A time is a number of seconds, not 'long'"),
        ({"seconds": -1}, "A budget must be more than nothing"),
        ({"bot": "nobody"}, "There is no bot 'nobody'"),
    ],
)
def test_settings_that_cannot_be_are_one_sentence(given: dict[str, object], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        archipel.analyse(position("stonehenge", 6), **given)  # type: ignore[arg-type]
