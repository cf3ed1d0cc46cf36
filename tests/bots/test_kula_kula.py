"""Kula Kula reckoned out, against the engine: every card that can come, and every landing."""

import hashlib
import json
from typing import Any

import numpy as np
import pytest

import archipel
from archipel import CHANCE, OVER
from archipel.bots.budget import Budget
from archipel.core.state import State
from archipel.games.kula_kula.board import MAX_SPACES
from archipel.games.kula_kula.bot.expert import KulaKulaBot
from archipel.games.kula_kula.bot.knowledge import (
    HIDDEN,
    INPUTS,
    KNOWLEDGE,
    RECIPE,
    WEIGHTS,
    harbours,
    look_out,
    playout,
    weigh,
    win_chance,
)
from archipel.games.kula_kula.bot.oracle import ALL_CARDS, another_card, idol_chance

FEW = {"oracle": {"boat": 4, "fish": 3, "idol": 2}}
SAFE = {"oracle": {"boat": 3, "fish": 2, "idol": 0}}
LORE = KNOWLEDGE.lore[0]


def decisions(seed: int, phase: str, count: int = 8, **options: Any) -> list[State]:
    """States of random games in which a seat is in this phase."""
    rng = np.random.default_rng(seed)
    found: list[State] = []
    while len(found) < count:
        state = archipel.game("kula_kula", **options).new()
        while state.mover != OVER:
            if state.mover >= 0 and state.snapshot()["phase"] == phase and rng.random() < 0.1:
                found.append(state)
            state = state.after(state.sample(rng) if state.mover == CHANCE else int(rng.choice(state.actions())))
    return found[:count]


def drawn_on(state: State, landing: list[float], idol: float) -> float:
    """The worth of a draw by trying everything in the engine."""
    return sum(chance * pushed(state.after(card), state, landing, idol) for card, chance in state.chances())


def pushed(state: State, before: State, landing: list[float], idol: float) -> float:
    if state.record.turn != before.record.turn:
        return idol
    go = landing[int(state.record.way) % len(landing)]
    draw = state.encode({"do": "draw"})
    return max(go, drawn_on(state.after(draw), landing, idol)) if draw in state.actions() else go


@pytest.mark.parametrize("board", [FEW, SAFE])
def test_another_card_is_worth_what_every_card_is(board: dict[str, Any]) -> None:
    rng = np.random.default_rng(1)
    for state in decisions(2, "push", turn_limit=8, board=board):
        draw = state.encode({"do": "draw"})
        landing, idol = rng.random(24), float(rng.random())
        if draw in state.actions():
            expected = drawn_on(state.after(draw), landing.tolist(), idol)
            assert another_card(state.record, 24, landing, idol, ALL_CARDS) == pytest.approx(expected)


def test_the_chance_of_an_idol_is_the_engine_s() -> None:
    for state in decisions(3, "push", turn_limit=30):
        chances = dict(state.after(state.encode({"do": "draw"})).chances())
        assert idol_chance(state.record) == pytest.approx(chances.get(2, 0.0))


def test_the_example_of_the_documentation() -> None:
    """Eighteen boats, twelve fish, twelve idols; two spaces on lies what is worth 1, and an idol costs nothing."""
    state = archipel.game("kula_kula").new()
    landing = np.zeros(64)  # a ring so long that nobody comes around
    landing[2] = 1.0
    assert idol_chance(state.record) == pytest.approx(12 / 42)
    expected = 12 / 42 + 18 / 42 * 17 / 41
    assert another_card(state.record, 64, landing, 0.0, ALL_CARDS) == pytest.approx(expected)
    assert expected == pytest.approx(0.4634, abs=1e-4)


def test_harbours_are_where_the_engine_lands() -> None:
    for state in decisions(4, "push", players=4, turn_limit=40):
        landing = np.full(MAX_SPACES, np.nan)
        idol = harbours(LORE, state.game.facts[0], state.record, 23, landing)
        after = state.after(state.encode({"do": "go"}))
        while after.mover >= 0 and after.snapshot()["phase"] == "trade":
            after = after.after(after.encode({"do": "trade"}))
        facts, seat = state.game.facts[0], state.mover
        expected = 1.0 if after.mover == OVER else win_chance(LORE, facts, after.record, seat)
        assert landing[int(state.record.way) % 24] == pytest.approx(expected)
        assert 0 <= idol <= 1


@pytest.mark.parametrize("players", [3, 4, 5])
def test_a_chance_to_win_likes_kauri_and_sees_no_screens(players: int) -> None:
    for state in decisions(5, "choose", players=players, turn_limit=40):
        facts, s = state.game.facts[0], state.record
        before = win_chance(LORE, facts, s, 0)
        assert 0 < before < 1
        s.pukas[1], s.pukas[2] = s.pukas[1] + s.pukas[2], 0
        assert win_chance(LORE, facts, s, 0) == before
        if s.kauris[0] + 1 < facts.goal:
            s.kauris[0] += 1
            assert win_chance(LORE, facts, s, 0) > before


def test_looking_out_ends_with_the_mover_s_next_turn() -> None:
    """Where everybody has only one turn, what comes of it is the result and no judgement."""
    for state in decisions(11, "push", 4, players=4, turn_limit=1):
        sums = np.zeros(2)
        look_out(KNOWLEDGE.lore, state.game.facts, state._raw, 1, 5, sums)
        assert all(value in {0.0, 0.25, 1 / 3, 0.5, 1.0} for value in sums.tolist())


def test_looking_out_changes_nothing_and_repeats_itself() -> None:
    (state,) = decisions(12, "push", 1, players=4)
    before, first, second = state._raw.tobytes(), np.zeros(2), np.zeros(2)
    look_out(KNOWLEDGE.lore, state.game.facts, state._raw, 20, 5, first)
    look_out(KNOWLEDGE.lore, state.game.facts, state._raw, 20, 5, second)
    assert state._raw.tobytes() == before
    assert first.tolist() == second.tolist()
    assert 0 < first.sum() < 40


@pytest.mark.parametrize(
    "options",
    [{"turn_limit": 6}, {"players": 5, "return_home": True, "turn_limit": 4}, {"board": SAFE, "turn_limit": 8}],
)
def test_a_sailor_plays_by_the_rules(options: dict[str, Any]) -> None:
    game, rng = archipel.game("kula_kula", **options), np.random.default_rng(7)
    state, own = game.new(), np.array([1], np.uint64)
    while state.mover != OVER:
        if state.mover == CHANCE:
            state = state.after(state.sample(rng))
        else:
            state = state.after(playout(LORE, game.facts[0], state.record, own))


def test_a_sailor_goes_when_the_deck_is_all_idols() -> None:
    (state,) = decisions(8, "push", 1)
    s = state.record
    s.deck[:] = 0, 0, 5
    worths = np.empty(2)
    weigh(LORE, state.game.facts[0], s, ALL_CARDS, worths)
    assert worths[0] == pytest.approx(harbours(LORE, state.game.facts[0], s, 23, np.empty(MAX_SPACES)))


def test_asking_the_oracle_is_worth_the_mean_over_the_dolphin() -> None:
    for state in decisions(9, "choose", 3, players=4):
        worths, after = np.empty(2), []
        weigh(LORE, state.game.facts[0], state.record, 3, worths)
        asked = state.after(state.encode({"do": "oracle"}))
        for number, chance in asked.chances():
            s = asked.after(number).record
            landing = np.empty(MAX_SPACES)
            idol = harbours(LORE, state.game.facts[0], s, 6, landing)
            after.append(chance * another_card(s, 24, landing, idol, 3))
        assert worths[1] == pytest.approx(sum(after))


def test_the_bot_says_what_it_is_worth_and_must_go_when_no_card_is_left() -> None:
    for state in decisions(10, "push", 4, turn_limit=30, board={"oracle": {"boat": 1, "fish": 1, "idol": 0}}):
        thought = KulaKulaBot().think(state.view(state.mover), np.random.default_rng(1))
        assert sorted(opinion.action for opinion in thought.ranking) == sorted(state.actions())
        assert thought.values[state.mover] == thought.ranking[0].value
        assert all(-1 <= value <= 1 for value in thought.values)
        assert sum(thought.values) == pytest.approx(0)


def test_the_bot_looks_out_only_where_it_is_in_doubt() -> None:
    view, rng = decisions(13, "trade", 1)[0], np.random.default_rng(1)
    assert KulaKulaBot().think(view.view(view.mover), rng).simulations == 0
    told = [KulaKulaBot(Budget(simulations=50)).think(s.view(s.mover), rng) for s in decisions(14, "choose", 20)]
    assert {thought.simulations for thought in told} == {0, 50}


def test_weights_come_with_their_recipe() -> None:
    recipe = json.loads(RECIPE.read_text(encoding="utf-8"))
    assert recipe["made_by"] == "python -m training.kula_kula"
    assert recipe["sha256"] == hashlib.sha256(WEIGHTS.read_bytes()).hexdigest()
    assert recipe["network"] == [INPUTS, HIDDEN, 1]
