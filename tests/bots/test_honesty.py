"""Nobody cheats: what a bot does depends on its seat's view and its own luck, and on nothing else."""

import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import archipel
from archipel import CHANCE, OVER, State
from archipel.bots import Budget, bot, bots, levels
from archipel.core import rules
from archipel.core.game import Game

SMALL = Budget(simulations=60)
EVERYBODY = [*bots(), *levels.NAMES]
HIDING: list[tuple[str, dict[str, Any]]] = [
    ("kahuna", {}),
    ("kahuna", {"edition": "tilsit", "guarded": True, "handicap": [0, 2]}),
    ("krakatoa", {}),
    ("krakatoa", {"players": 4, "teams": True}),
    ("kula_kula", {"turn_limit": 15}),
    ("kula_kula", {"players": 5, "return_home": True, "turn_limit": 15}),
    ("stonehenge", {}),
    ("stonehenge", {"hidden": True}),
    ("stonehenge", {"claims": "manual"}),
]
"""Every game, with the options that hide something."""


def choices(name: str, options: dict[str, Any], seed: int = 1, count: int = 3) -> list[State]:
    """Some states of a random game in which a seat has a choice, early and late."""
    rng = np.random.default_rng(seed)
    state, found = archipel.game(name, **options).new(), []
    while state.mover != OVER:
        if state.mover == CHANCE:
            state = state.after(state.sample(rng))
            continue
        if len(state.actions()) > 1:
            found.append(state)
        state = state.after(rng.choice(state.actions()))
    return found[len(found) // 6 :: max(1, len(found) // count)][:count]


@pytest.mark.parametrize(("name", "options"), [HIDING[0], HIDING[1], HIDING[7]])
def test_twins_differ_where_there_are_secrets(name: str, options: dict[str, Any]) -> None:
    """Else the tests below would show nothing."""
    states = choices(name, options)
    assert any(state.imagine(state.mover, np.random.default_rng(luck)) != state for state in states for luck in (1, 2))


@pytest.mark.parametrize(("name", "options"), HIDING)
@pytest.mark.parametrize("kind", EVERYBODY)
def test_hidden_things_change_nothing(kind: str, name: str, options: dict[str, Any]) -> None:
    for number, state in enumerate(choices(name, options)):
        seat = state.mover
        twins = [state.imagine(seat, np.random.default_rng(luck)) for luck in (1, 2, 3)]
        chosen = {
            bot(kind).choose(json.loads(json.dumps(world.view(seat))), np.random.default_rng(number), SMALL)
            for world in (state, *twins)
        }
        assert len(chosen) == 1
        assert chosen <= set(state.actions())


@pytest.mark.parametrize("kind", EVERYBODY)
def test_a_memory_of_the_game_is_one_of_views(kind: str) -> None:
    """Two games that look the same to a seat, though hidden cards differ: one bot in each, from move to move."""
    states = [state for state in choices("kahuna", {}, count=30) if state.mover == 0][:3]
    here, there = bot(kind), bot(kind)
    for number, state in enumerate(states):
        twin = state.imagine(0, np.random.default_rng(number))
        chosen = [
            player.choose(world.view(0), np.random.default_rng(5), SMALL)
            for player, world in ((here, state), (there, twin))
        ]
        assert chosen[0] == chosen[1]


class Door:
    """Watches the ways to a state: `imagine` from a view, and those that a bot has no business with."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.imagined: list[State] = []
        self.inside = False
        patch.setattr(Game, "imagine", self._watch(Game.imagine))
        for way in ("restore", "new"):
            patch.setattr(Game, way, self._shut(getattr(Game, way), way))

    def _watch(self, imagine: Callable[..., State]) -> Callable[..., State]:
        def watched(game: Game, view: dict[str, Any], rng: np.random.Generator) -> State:
            self.inside = True
            try:
                self.imagined.append(imagine(game, view, rng))
            finally:
                self.inside = False
            return self.imagined[-1]

        return watched

    def _shut(self, way: Callable[..., State], name: str) -> Callable[..., State]:
        def shut(game: Game, *args: Any) -> State:
            assert self.inside, f"a bot went to a state by {name}"
            return way(game, *args)

        return shut


@pytest.mark.parametrize(("name", "options"), HIDING[::2])
@pytest.mark.parametrize("kind", EVERYBODY)
def test_there_is_one_door_to_a_state(
    kind: str, name: str, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    state = choices(name, options)[0]
    view = state.view(state.mover)
    bot(kind).choose(view, np.random.default_rng(0), SMALL)  # what is loaded once is loaded now
    door = Door(monkeypatch)
    bot(kind).choose(view, np.random.default_rng(0), SMALL)
    assert door.imagined
    assert all(world.view(state.mover) == view for world in door.imagined)


@pytest.mark.parametrize(("name", "options"), HIDING)
def test_a_view_is_plain_data(name: str, options: dict[str, Any]) -> None:
    for state in choices(name, options):
        view = state.view(state.mover)
        assert set(kinds(view)) <= {dict, list, str, int, float, bool, type(None)}
        assert json.loads(json.dumps(view)) == view


def kinds(value: Any) -> list[type]:
    """The type of a value and of all that is in it."""
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    keys = list(value) if isinstance(value, dict) else []
    return [type(value), *map(type, keys), *(kind for entry in inside for kind in kinds(entry))]


ALONE = """
import json, sys
import numpy as np
from archipel.bots import Budget, bot
for kind, view in json.load(sys.stdin):
    print(int(bot(kind).choose(view, np.random.default_rng(9), Budget(simulations=60))))
"""


def test_with_json_alone_in_another_process_they_do_the_same() -> None:
    asked: list[tuple[str, dict[str, Any]]] = []
    here: list[int] = []
    for name, options in HIDING[1::2]:
        state = choices(name, options)[1]
        for kind in EVERYBODY:
            asked.append((kind, state.view(state.mover)))
            here.append(bot(kind).choose(state.view(state.mover), np.random.default_rng(9), SMALL))
    said = subprocess.run(
        [sys.executable, "-c", ALONE], input=json.dumps(asked), capture_output=True, text=True, check=True
    )
    assert [int(line) for line in said.stdout.split()] == here


@pytest.mark.parametrize(("name", "options"), HIDING)
def test_what_is_dealt_anew_in_a_search_keeps_the_view(name: str, options: dict[str, Any]) -> None:
    """A search re-deals inside the kernels: the seat must not see any difference."""
    for number, state in enumerate(choices(name, options)):
        seat = state.mover
        world = state.imagine(seat, np.random.default_rng(number))
        for luck in range(5):
            raw = world._raw.copy()
            rules.deal_anew(state.game.facts, raw, seat, luck)
            assert State(state.game, raw, state.mover).view(seat) == state.view(seat)
