"""Bots: honest, repeatable, and one of them sensible."""

import json
from typing import Any

import numpy as np
import pytest

import archipel
from archipel import CHANCE, OVER
from archipel.bots import Budget, bot, bots
from archipel.bots.mcts import SearchBot
from archipel.core.state import State

SMALL = Budget(simulations=100)


def some_states(name: str, seed: int, **options: Any) -> list[State]:
    """The states of a random game in which a seat has a choice."""
    rng = np.random.default_rng(seed)
    state, choices = archipel.game(name, **options).new(), []
    while state.mover != OVER:
        if state.mover == CHANCE:
            state = state.after(state.sample(rng))
            continue
        choices.append(state)
        state = state.after(rng.choice(state.actions()))
    return choices[:: max(1, len(choices) // 8)]


@pytest.mark.parametrize("kind", bots())
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("kahuna", {}),
        ("kahuna", {"edition": "tilsit", "guarded": True, "open_cards": True}),
        ("krakatoa", {}),
        ("krakatoa", {"players": 4, "teams": True}),
        ("kula_kula", {"players": 4, "turn_limit": 20}),
        ("stonehenge", {}),
        ("stonehenge", {"hidden": True}),
        ("stonehenge", {"claims": "manual"}),
    ],
)
def test_same_view_same_generator_same_action(kind: str, name: str, options: dict[str, Any]) -> None:
    for number, state in enumerate(some_states(name, 1, **options)):
        view = state.view(state.mover)
        # Another world that looks the same, and the view as it would come over a wire.
        twin = state.imagine(state.mover, np.random.default_rng(number)).view(state.mover)
        wired = json.loads(json.dumps(view))
        chosen = {bot(kind).choose(seen, np.random.default_rng(number), SMALL) for seen in (view, twin, wired)}
        assert len(chosen) == 1
        assert chosen <= set(state.actions())


@pytest.mark.parametrize("kind", bots())
def test_a_view_is_not_changed(kind: str) -> None:
    state = some_states("kahuna", 2)[3]
    view = state.view(state.mover)
    before = json.dumps(view)
    bot(kind).choose(view, np.random.default_rng(0), SMALL)
    assert json.dumps(view) == before


def test_random_takes_everything_in_the_end() -> None:
    state = archipel.game("stonehenge").new()
    rng = np.random.default_rng(1)
    taken = {bot("random").choose(state.view(0), rng) for _ in range(1500)}
    assert taken == set(state.actions())


def test_greedy_takes_a_win() -> None:
    rng = np.random.default_rng(1)
    found = 0
    while found < 20:
        for state in some_states("stonehenge", int(rng.integers(1 << 30))):
            wins = {action for action in state.actions() if state.after(action).winner == state.mover}
            if wins and wins != set(state.actions()):
                assert bot("greedy").choose(state.view(state.mover), rng, Budget(simulations=5_000)) in wins
                found += 1


def test_greedy_has_no_choice_but_one() -> None:
    state = archipel.game("stonehenge", claims="manual").new()
    state = state.after(state.parse("1@A"))
    assert state.actions() == [state.parse("done")]
    assert bot("greedy").choose(state.view(0), np.random.default_rng(0)) == state.parse("done")


@pytest.mark.parametrize(
    ("name", "options", "games"),
    [
        ("kahuna", {}, 2),
        ("krakatoa", {}, 6),
        ("kula_kula", {}, 6),
        ("stonehenge", {}, 6),
        ("stonehenge", {"hidden": True}, 6),
    ],
)
def test_greedy_beats_random(name: str, options: dict[str, Any], games: int) -> None:
    game = archipel.game(name, **options)
    rng = np.random.default_rng(1)
    greedy, random = bot("greedy"), bot("random")
    worth = 0.0
    for number in range(games):
        state, seat = game.new(), number % game.seats
        while state.mover != OVER:
            if state.mover == CHANCE:
                action = state.sample(rng)
            else:
                player = greedy if state.mover == seat else random
                action = player.choose(state.view(state.mover), rng, Budget(simulations=600))
            state = state.after(action)
        worth += state.returns()[seat]
    assert worth > 0


def test_a_bot_that_is_not_there() -> None:
    with pytest.raises(ValueError, match="There is no bot 'deep blue'; the bots are random, greedy"):
        bot("deep blue")


def test_a_person_s_opponent_thinks_on_several_cores_if_time_is_its_measure() -> None:
    state = archipel.game("stonehenge").new()
    for spec, cores in (("mcts:50ms", 2), ("mcts:200", 1)):
        made = bot(spec, cores=2)
        assert isinstance(made, SearchBot)
        assert len(made._trees) == cores
        assert made.choose(state.view(state.mover), np.random.default_rng(1)) in state.actions()
