"""What a game knows reaches the search: the words, their defaults, and the bot that uses them."""

import hashlib
import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import archipel
from archipel import CHANCE, OVER
from archipel.bots import Budget, bot
from archipel.bots.expert import ExpertBot
from archipel.bots.knowledge import NOTHING, Knowledge, known_of, no_numbers, register
from archipel.bots.mcts import SearchBot
from archipel.core import registry
from archipel.core.compiled import compiled
from archipel.core.rules import Numbers, Record
from archipel.core.state import State
from archipel.games.kahuna.bot import knowledge as kahuna
from tests.variants import VARIANTS, played

STONEHENGE = archipel.game("stonehenge")
FAVOURITE = 5


@compiled
def favours_one(lore: Record, facts: Record, s: Record, actions: Numbers, n: int, out: Any) -> bool:
    for k in range(n):
        out[k] = 1000.0 if actions[k] == FAVOURITE else 1.0
    return True


@compiled
def seat_1_is_well_off(lore: Record, facts: Record, s: Record, worth: Any) -> bool:
    worth[0] = -0.25
    worth[1] = 0.25
    return True


@cache
def knowing(word: str, meaning: Any) -> Knowledge:
    """Knowledge of one word; the type of its lore tells this version of this file, for what is compiled is kept."""
    version = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:12]
    module = ModuleType("known")
    setattr(module, word, meaning)
    return register(Knowledge(module, no_numbers(f"a_test_{word}_{version}"), curiosity=1.0))


def first_decision(name: str, seed: int = 1, **options: Any) -> State:
    state, rng = archipel.game(name, **options).new(), np.random.default_rng(seed)
    while state.mover == CHANCE:
        state = state.after(state.sample(rng))
    return state


# The words


def test_a_prior_tells_where_to_look_first() -> None:
    thought = SearchBot(knowledge=knowing("prior", favours_one)).think(
        STONEHENGE.new().view(0), np.random.default_rng(1), Budget(simulations=20)
    )
    assert thought.action == FAVOURITE
    assert sum(opinion.visits for opinion in thought.ranking) == 20


def test_an_estimate_is_taken_for_the_end() -> None:
    thought = SearchBot(knowledge=knowing("estimate", seat_1_is_well_off)).think(
        STONEHENGE.new().view(0), np.random.default_rng(1), Budget(simulations=200)
    )
    assert thought.values == [-0.25, 0.25]


def test_before_an_estimate_a_simulation_may_play_on() -> None:
    far = knowing("estimate", seat_1_is_well_off)._replace(steps=1000)
    thought = SearchBot(knowledge=far).think(
        STONEHENGE.new().view(0), np.random.default_rng(1), Budget(simulations=200)
    )
    assert thought.values != [-0.25, 0.25]


def test_of_many_actions_few_are_tried_at_first() -> None:
    narrow = knowing("prior", favours_one)._replace(wide=4)
    view = STONEHENGE.new().view(0)
    for simulations, most in ((10, 6), (400, 40)):
        thought = SearchBot(knowledge=narrow).think(view, np.random.default_rng(1), Budget(simulations=simulations))
        assert 0 < sum(opinion.visits > 0 for opinion in thought.ranking) <= most
        assert len(thought.ranking) == len(STONEHENGE.new().actions())


def test_two_games_cannot_have_the_same_lore() -> None:
    register(Knowledge(ModuleType("mine"), no_numbers("mine")))
    with pytest.raises(ValueError, match="theirs has the same type of lore as another game"):
        register(Knowledge(ModuleType("theirs"), no_numbers("mine")))


def test_a_game_whose_manifest_names_no_knowledge_has_none() -> None:
    assert not registry.manifest("krakatoa").knowledge
    assert known_of(archipel.game("krakatoa")) is NOTHING


# The search


def test_cores_add_up() -> None:
    view = first_decision("kahuna").view(0)
    thoughts = [SearchBot(cores=2).think(view, np.random.default_rng(1), Budget(simulations=400)) for _ in range(2)]
    assert thoughts[0].ranking == thoughts[1].ranking
    assert thoughts[0].simulations == sum(opinion.visits for opinion in thoughts[0].ranking) == 400


@pytest.mark.parametrize("name", archipel.GAMES)
def test_what_was_searched_is_kept_while_it_is_still_ones_turn(name: str) -> None:
    rng, kept = np.random.default_rng(1), 0
    for state, _ in played(archipel.game(name), 3):
        if state.mover < 0 or len(state.actions()) == 1:
            continue
        searching = SearchBot(Budget(simulations=100))
        after = state.after(searching.choose(state.view(state.mover), rng))
        if after.mover == state.mover:
            visits = [opinion.visits for opinion in searching.think(after.view(after.mover), rng).ranking]
            assert sum(visits) >= 100
            kept += sum(visits) > 100
    assert kept > 0 or name == "stonehenge"


def test_what_was_searched_is_kept_when_the_foe_has_moved() -> None:
    state, rng = STONEHENGE.new(), np.random.default_rng(1)
    for text in ["6@A", "1@B", "5@C", "2@D", "4@E", "1@F", "3@G", "3@H", "3@I", "6@J", "2@K"]:
        state = state.after(state.parse(text))
    searching, foe = SearchBot(Budget(simulations=2000)), SearchBot(Budget(simulations=2000))
    seat = state.mover
    state = state.after(searching.choose(state.view(seat), rng))
    state = state.after(foe.choose(state.view(1 - seat), rng))
    assert sum(opinion.visits for opinion in searching.think(state.view(seat), rng).ranking) > 2000


def test_another_game_or_seat_begins_anew() -> None:
    searching, rng = SearchBot(Budget(simulations=100)), np.random.default_rng(1)
    for state in (first_decision("kahuna"), STONEHENGE.new(), first_decision("kahuna", edition="tilsit")):
        for _ in range(2):  # the same view again is no sequel either
            thought = searching.think(state.view(0), rng)
            assert sum(opinion.visits for opinion in thought.ranking) == 100


@pytest.mark.parametrize("name", archipel.GAMES)
def test_a_bot_that_remembers_plays_whole_games(name: str) -> None:
    short: dict[str, Any] = {"turn_limit": 4} if name == "kula_kula" else {}
    state, rng = archipel.game(name, **short).new(), np.random.default_rng(5)
    bots = [ExpertBot(Budget(simulations=30)) for _ in range(state.game.seats)]
    while state.mover != OVER:
        chance = state.mover == CHANCE
        state = state.after(state.sample(rng) if chance else bots[state.mover].choose(state.view(state.mover), rng))
    assert state.winner is not None


# Kahuna's network


def test_the_weights_are_those_of_the_recipe() -> None:
    recipe = json.loads(kahuna.RECIPE.read_text("utf-8"))
    assert recipe["sha256"] == hashlib.sha256(kahuna.WEIGHTS.read_bytes()).hexdigest()
    assert recipe["network"] == [kahuna.INPUTS, kahuna.HIDDEN, kahuna.DEEP, 1]
    assert kahuna.WEIGHTS.stat().st_size == kahuna.LORE.itemsize
    assert known_of(archipel.game("kahuna")) is kahuna.KNOWLEDGE


def inputs(state: State) -> list[int]:
    out = np.empty(kahuna.INPUTS, np.int64)
    return [int(number) for number in out[: kahuna.look(state.record, out)]]


def mirrored(state: State) -> State:
    """The same position with the seats exchanged."""
    snapshot = state.snapshot()
    for key, value in snapshot.items():
        if isinstance(value, list) and len(value) == 2 and key not in ("open", "deck", "discard"):
            snapshot[key] = value[::-1]
    snapshot["mover"] = 1 - snapshot["mover"]
    return state.game.restore(snapshot)


@pytest.mark.parametrize("options", [options for name, options in VARIANTS if name == "kahuna"])
def test_the_network_takes_every_position(options: dict[str, Any]) -> None:
    game, worth = archipel.game("kahuna", **options), np.zeros(2)
    for state, _ in played(game, 2):
        seen = inputs(state)
        assert len(seen) == len(set(seen))
        assert 0 <= min(seen) <= max(seen) < kahuna.INPUTS
        assert kahuna.estimate(kahuna.KNOWLEDGE.lore[0], game.facts[0], state.record, worth)
        assert -1 <= worth[0] == -worth[1] <= 1


def test_the_network_sees_the_same_from_either_seat() -> None:
    game, found = archipel.game("kahuna"), 0
    for state, _ in played(game, 4):
        if state.mover >= 0 and not any(map(any, state.snapshot()["hidden_discard"])):
            assert inputs(mirrored(state)) == inputs(state)
            found += 1
    assert found > 5


def test_the_network_prefers_what_is_plainly_better() -> None:
    """Nine stones to none in the last round is nearly won, whoever looks at it."""
    state = first_decision("kahuna")
    s = state.record
    s.round_ = 3
    s.bridges[0] = (1 << 27) - 1 & ~0b111
    s.stones[0] = 0b111111111
    s.scores[0] = 3
    assert kahuna.worth_to(kahuna.KNOWLEDGE.lore[0], s, 0) > 0.9
    assert kahuna.worth_to(kahuna.KNOWLEDGE.lore[0], s, 1) < -0.9


def test_the_expert_beats_random_at_kahuna() -> None:
    rng, worth = np.random.default_rng(1), 0.0
    for seat in (0, 1):
        players = [ExpertBot(Budget(simulations=50)), bot("random")][:: -1 if seat else 1]
        state = archipel.game("kahuna").new()
        while state.mover != OVER:
            chance = state.mover == CHANCE
            view = None if chance else state.view(state.mover)
            state = state.after(state.sample(rng) if chance else players[state.mover].choose(view or {}, rng))
        worth += state.returns()[seat]
    assert worth == 2


# Compiled and not


def searched() -> list[Any]:
    """What short searches of every game came to."""
    told = []
    for name in archipel.GAMES:
        # In a long game, Kula Kula's knowledge looks further ahead than plain Python can in less than a minute.
        few = name == "kula_kula"
        state = first_decision(name, **({"turn_limit": 2} if few else {}))
        for knowledge in (NOTHING, known_of(state.game)):
            budget = Budget(simulations=3 if few else 12)
            thought = SearchBot(knowledge=knowledge).think(state.view(state.mover), np.random.default_rng(1), budget)
            told.append([name, [[o.action, o.visits, round(o.value, 5)] for o in thought.ranking]])
    return told


@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled here")
def test_plain_and_compiled_agree() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "tests.bots.test_knowledge"],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[2],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == searched()


if __name__ == "__main__":
    print(json.dumps(searched()))
