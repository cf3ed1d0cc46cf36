"""Krakatoa reckoned out, against the engine: by sequences of faces, and by many landings."""

from collections import Counter
from itertools import product
from typing import Any

import numpy as np
import pytest

import archipel
from archipel import CHANCE, OVER
from archipel.bots.expert import ExpertBot
from archipel.core.state import State
from archipel.games.krakatoa.board import LETTER, SCALE
from archipel.games.krakatoa.bot.exact.faces import BAG, BAGS, PAIRS, marked, model, table_of
from archipel.games.krakatoa.bot.exact.player import chances, points
from archipel.games.krakatoa.bot.exact.sheet import KEPT, computed, sheet
from archipel.games.krakatoa.bot.expert import ExactBot
from archipel.games.krakatoa.rules import TARGETS, target_in


def position(**changes: Any) -> State:
    """A turn in mid-game, with changes."""
    game = archipel.game("krakatoa", game=changes.pop("game", "advanced"))
    snapshot = {
        "phase": "throw",
        "round": 3,
        "throw": 5,
        "order": [1, 0],
        "mover": 1,
        "thrower": 1,
        "dice": "YRB RRB YYB",
        "totals": [70, 85],
        "marks": [["", ""], ["", ""]] if game.options["game"] == "basic" else [["", ""], ["x", ""]],
        "boxes_left": 0 if game.options["game"] == "basic" else 3,
    }
    snapshot |= {"game": "krakatoa", "options": game.options, "rerolled": False, "aim": None, "winner": None}
    snapshot |= {"throwoff": [None, None]} | changes
    snapshot["scores"] = snapshot["totals"]
    return game.restore(snapshot)


def die_chances(facts: Any, role: int, letter: int) -> list[float]:
    yellow, red = (int(limit) / SCALE for limit in facts.turns[role, letter])
    return [yellow, red - yellow, 1 - red]


def landings(state: State) -> list[tuple[int, float]]:
    """Every landing of an aimed throw, sequence by sequence, with its chance."""
    facts, s = state.game.facts[0], state.record
    fresh = [3 / 12, 4 / 12, 5 / 12]
    dice = []
    for k in range(3):
        for die in range(3):
            thrown = k == s.aim // TARGETS
            dice.append(fresh if thrown else die_chances(facts, int(die == target_in(s, k)), LETTER[s.dice[k], die]))
    touches = int(facts.touches) / SCALE
    found = []
    for letters in product(range(3), repeat=9):
        chance, number = touches, 0
        for die, letter in enumerate(letters):
            chance *= dice[die][letter]
            number = 3 * number + letter
        found.append((2 * number + 1, chance))
    table = [int(letter) for k in range(3) for letter in LETTER[s.dice[k]]]
    for letters in product(range(3), repeat=3):
        faces = table.copy()
        faces[3 * (s.aim // TARGETS) : 3 * (s.aim // TARGETS) + 3] = letters
        number = sum(letter * 3 ** (8 - i) for i, letter in enumerate(faces))
        found.append((2 * number, (1 - touches) * float(np.prod([fresh[letter] for letter in letters]))))
    return found


def test_pairs_of_marks_are_numbered() -> None:
    assert [marked(*pair) for pair in PAIRS] == list(range(len(PAIRS)))


def test_chances_of_bags_sum_to_one() -> None:
    found = model(archipel.game("krakatoa").facts[0])
    assert found.touches == pytest.approx(0.94, abs=1e-6)
    assert found.thrown.sum() == pytest.approx(1)
    assert found.thrown[BAGS.index("YYY")] == pytest.approx(1 / 64)
    for letter in range(3):
        for n, bag in enumerate(BAGS):
            assert found.jolted[letter, n].sum() == pytest.approx(1.0 if "YRB"[letter] in bag else 0.0)
    assert found.jolted[3].sum(axis=1) == pytest.approx(1)


@pytest.mark.parametrize(("dice", "throw"), [("YRB RRB YYB", "lava>steam1"), ("YYY RRR BBB", "lava>ash2")])
def test_bags_fall_as_often_as_reckoned(dice: str, throw: str) -> None:
    state = position(dice=dice)
    landing = state.after(state.parse(throw))
    found, s = model(state.game.facts[0]), landing.record
    rng, count = np.random.default_rng(1), 20_000
    fell: list[Counter[int]] = [Counter(), Counter(), Counter()]
    for _ in range(count):
        number = landing.sample(rng)
        for k, set_number in enumerate((number // 2 // 729, number // 2 // 27 % 27, number // 2 % 27)):
            fell[k][int(BAG[set_number])] += 1
    for k in range(3):
        die = target_in(s, k)
        letter = LETTER[s.dice[k], die] if die in (0, 1, 2) else 3
        lies = np.eye(len(BAGS))[BAG[s.dice[k]]]
        expected = found.touches * found.jolted[letter, BAG[s.dice[k]]] + (1 - found.touches) * lies
        expected = found.thrown if k == 2 else expected
        for bag in range(len(BAGS)):
            error = 4.5 * np.sqrt(expected[bag] * (1 - expected[bag]) / count) + 1e-9
            assert fell[k][bag] / count == pytest.approx(expected[bag], abs=error)


@pytest.mark.parametrize(
    ("kind", "throw", "changes"),
    [
        ("basic", "lava>steam1", {}),
        ("basic", "lava>ash3", {"round": 6, "dice": "YYR BBB YYY"}),
        ("advanced", "lava>ash2", {}),
        ("advanced", "lava>steam3", {"round": 2, "dice": "RRB RRR BBB", "marks": [["", ""], ["xx", ""]]}),
    ],
)
def test_points_of_a_throw_are_those_of_all_its_sequences(kind: str, throw: str, changes: dict[str, Any]) -> None:
    state = position(game=kind, **changes)
    to_come = sheet(kind == "advanced").points(6 - changes.get("round", 3))
    expected = 0.0
    aimed = state.after(state.parse(throw))
    for landing, chance in landings(aimed):
        s = aimed.after(landing).record
        total = int(s.totals[1])
        expected += chance * (total - 85 + to_come[marked(*s.marks[1]), total % 100])
    assert points(state)[state.parse(throw)] == pytest.approx(expected, abs=1e-9)


def test_the_chance_to_win_with_the_last_throw_is_that_of_all_its_sequences() -> None:
    state = position(round=6, order=[0, 1], totals=[97, 85], marks=[["", ""], ["x", ""]], boxes_left=0)
    action = state.parse("lava>ash1")
    aimed = state.after(action)
    expected = sum(chance * (aimed.after(landing).returns()[1] + 1) / 2 for landing, chance in landings(aimed))
    assert 0 < expected < 1
    assert chances(state)[action] == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize(
    "changes",
    [
        {"phase": "decide", "throw": 1, "dice": "YRB RRB YBB"},
        {"throw": 2, "marks": [["", ""], ["", ""]]},
        {"throw": 3, "dice": "RRR YYB BBB"},
        {"throw": 4, "marks": [["", ""], ["x", "x"]], "dice": "YYY RRR BBB"},
        {"round": 6, "throw": 5, "marks": [["", ""], ["xx", ""]]},
        {"round": 6, "throw": 6, "boxes_left": 3},
    ],
)
def test_an_action_is_worth_what_its_landings_are(changes: dict[str, Any]) -> None:
    """The best action's points are the mean of what is had after it has landed, over many landings."""
    state = position(**changes)
    worths = points(state)
    action = max(worths, key=lambda a: worths[a])
    rng, after = np.random.default_rng(2), []
    for _ in range(150):
        landed = state.after(action)
        if landed.mover == CHANCE and (landed.record.throw_no == state.record.throw_no):
            landed = landed.after(landed.sample(rng))
        after.append(landed.scores[1] - 85 + _to_come(landed, state))
    error = 4.5 * np.std(after) / np.sqrt(len(after)) + 1e-6
    assert worths[action] == pytest.approx(np.mean(after), abs=error)


def _to_come(landed: State, before: State) -> float:
    """What the thrower still has to expect."""
    s = landed.record
    if landed.mover == 1 and s.round_no == before.record.round_no:
        return max(points(landed).values())
    rounds = 6 - int(before.record.round_no)
    return float(sheet(True).points(rounds)[marked(*s.marks[1]), int(s.totals[1]) % 100])


def test_a_whole_game_brings_what_is_reckoned() -> None:
    """Three basic games: six totals, whose spread is about 20."""
    rng, totals = np.random.default_rng(5), []
    for _ in range(3):
        state = archipel.game("krakatoa", game="basic").new()
        while state.mover != OVER:
            if state.mover == CHANCE:
                state = state.after(state.sample(rng))
            else:
                worths = points(state)
                state = state.after(max(worths, key=lambda a: worths[a]))
        totals += state.scores
    assert np.mean(totals) == pytest.approx(sheet(False).points(6)[0, 0], abs=4.5 * 20 / np.sqrt(len(totals)))


def test_more_points_are_harder_to_reach() -> None:
    for turns in range(7):
        reach = sheet(True).reach(turns)
        assert reach[:, 0] == pytest.approx(1)
        assert (np.diff(reach) <= 1e-9).all()
    assert (sheet(True).reach(2)[0, :200] >= sheet(True).reach(1)[0, :200] - 1e-9).all()


def test_tables_are_read_whatever_the_order_of_letters() -> None:
    same = [position(dice=dice) for dice in ("YRB RRB YYB", "BRY RBR BYY")]
    assert len({table_of(state.record.dice) for state in same}) == 1
    first, second = (points(state) for state in same)
    assert sorted(first.values()) == pytest.approx(sorted(second.values()))


def test_who_cannot_lose_any_more_still_plays_for_points() -> None:
    state = position(round=6, order=[0, 1], totals=[0, 85], throw=2)
    worths = chances(state)
    assert max(worths.values()) > min(worths.values()) >= 1


@pytest.mark.parametrize("options", [{}, {"game": "basic"}, {"players": 3}, {"players": 4, "teams": True}])
def test_the_expert_reckons(options: dict[str, Any]) -> None:
    state, rng = archipel.game("krakatoa", **options).new(), np.random.default_rng(4)
    while state.mover == CHANCE:
        state = state.after(state.sample(rng))
    view = state.view(state.mover)
    expert = ExpertBot()
    assert isinstance(expert.mind(view), ExactBot)
    thought = ExactBot().think(view, rng)
    assert {opinion.action for opinion in thought.ranking} == set(state.actions())
    assert thought.ranking[0].value == max(opinion.value for opinion in thought.ranking)
    assert all(-1 <= opinion.value <= 1.01 for opinion in thought.ranking)
    assert expert.choose(view, rng) == thought.action
    assert sum(thought.values) == pytest.approx(0)


def test_the_kept_values_are_those_that_come_out() -> None:
    assert np.frombuffer(KEPT.read_bytes()) == pytest.approx(np.frombuffer(computed()), abs=1e-12)
