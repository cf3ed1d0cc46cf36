"""Krakatoa: throws drawn as letters, played, and the sheet compared."""

import json
import re
from collections import Counter
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import archipel
from archipel import CHANCE, OVER, AmbiguousAction, IllegalAction, InvalidAction, State
from archipel.games.krakatoa import picture, rules
from archipel.games.krakatoa.rules import MARKS

QUIET = "YRB RRB RBB"
"""An Ace and two fiascos in three colours: one point, and no mark by itself."""
SCRATCH = f"{QUIET} scratch"
QUIET_TURN = (QUIET, *[SCRATCH] * 4)
TWO_POINTS_TURN = ("YYR RRB RBB", *["YYR RRB RBB scratch"] * 4)

OPTIONS: list[dict[str, Any]] = [
    {"players": players, "teams": teams, "game": game}
    for players, teams in ((2, False), (3, False), (4, False), (4, True))
    for game in ("advanced", "basic")
]


def new(**options: Any) -> State:
    return archipel.game("krakatoa", **options).new()


def play(state: State, *words: str) -> State:
    """Play what is written, chance included."""
    for word in words:
        state = state.after(state.parse(word))
    return state


def land(state: State, *landings: str) -> State:
    """Let these landings come, while every seat keeps its first throw and then takes the first aim it has."""
    for landing in landings:
        while state.mover >= 0:
            state = state.after(state.actions()[0])
        state = play(state, landing)
    return state


def keep(state: State) -> State:
    return play(state, "keep")


def started(*throwoff: str, **options: Any) -> State:
    """Round 1, after a throw-off that seat 0 wins unless it is written here."""
    seats = 2 if options.get("teams") else options.get("players", 2)
    return land(new(**options), *(throwoff or ("YRB", *["RRB"] * (seats - 1))))


def at(options: dict[str, Any] | None = None, **keys: Any) -> State:
    """A position in the third round of two players, seat 0 about to throw ash; or with other keys, that one."""
    game = archipel.game("krakatoa", **(options or {}))
    position = {
        "game": "krakatoa",
        "phase": "throw",
        "round": 3,
        "throw": 4,
        "order": [0, 1],
        "dice": QUIET,
        "totals": [152, 120],
        "marks": [["", ""], ["", ""]],
        "boxes_left": 3,
    }
    return game.restore(position | keys)


def last_throw(options: dict[str, Any] | None = None, **keys: Any) -> State:
    """Seat 0 has thrown lava for the last time in round 6, and it has not landed."""
    aim = {"set": "lava", "at": "ash1"}
    return at(options, **({"phase": "land", "round": 6, "throw": 5, "thrower": 0, "aim": aim} | keys))


def sheet(state: State) -> dict[str, Any]:
    shown = state.snapshot()
    return {key: shown[key] for key in ("totals", "marks")}


# The rules, in the order of their page.


@pytest.mark.rule("krakatoa.goal")
def test_six_rounds_and_the_most_points() -> None:
    state = land(started(), *QUIET_TURN, *TWO_POINTS_TURN)
    for _ in range(5):
        assert state.snapshot()["order"] == [1, 0]
        state = land(state, *TWO_POINTS_TURN, *QUIET_TURN)
    assert state.mover == OVER
    assert state.scores == [6, 12]
    assert state.winner == 1
    assert state.returns() == [-1, 1]


@pytest.mark.rule("krakatoa.players")
def test_two_to_four_play() -> None:
    assert [new(players=n).game.seats for n in (2, 3, 4)] == [2, 3, 4]
    assert new().game.options == {"players": 2, "teams": False, "game": "advanced"}
    for wrong in ({"players": 5}, {"players": "2"}, {"game": "blue"}, {"teams": 1}, {"seats": 2}):
        with pytest.raises(ValueError, match="krakatoa"):
            new(**wrong)


@pytest.mark.rule("krakatoa.dice")
def test_letters_stay_as_they_landed() -> None:
    state = play(started(), "BRY YRB BYR")
    assert state.snapshot()["dice"] == "BRY YRB BYR"
    state = play(state, "keep", "ash>lava1", "BRY BYR RBY scratch")
    assert state.snapshot()["dice"] == "BRY BYR RBY"


@pytest.mark.rule("krakatoa.points")
@pytest.mark.parametrize(
    ("letters", "points"),
    [("YYY", 10), ("RRR", 5), ("BBB", 3), ("YBY", 2), ("RYY", 2), ("BYR", 1), ("RRY", 1), ("RBB", 0), ("RBR", 0)],
)
def test_what_a_set_scores(letters: str, points: int) -> None:
    for sets in ("{} YRB RBB", "YRB {} RBB", "RBB YRB {}"):
        state = keep(play(started(game="basic"), sets.format(letters)))
        assert state.scores == [points + 1, 0]


@pytest.mark.rule("krakatoa.throw-off")
def test_the_highest_throw_off_begins() -> None:
    state = new(players=3)
    assert (state.mover, state.snapshot()["phase"], state.snapshot()["order"]) == (CHANCE, "throwoff", [0, 1, 2])
    state = play(state, "RRB", "YYB", "BBB")
    shown = state.snapshot()
    assert (shown["phase"], shown["round"], shown["throw"], shown["dice"]) == ("land", 1, 1, None)
    assert shown["order"] == [2, 0, 1]
    assert shown["marks"] == [["", ""], ["x", ""], ["xx", ""]]
    assert shown["totals"] == [0, 0, 0]


@pytest.mark.rule("krakatoa.throw-off")
def test_those_tied_for_the_highest_throw_again() -> None:
    state = play(new(players=4), "YYB", "RRB", "YBY", "YYR")
    assert state.snapshot()["order"] == [0, 2, 3]
    assert state.snapshot()["marks"] == [["", ""]] * 4
    state = play(state, "RRB", "BBB")
    assert state.snapshot()["throwoff"] == ["RRB", "RRB", "BBB", "YYR"]
    state = play(state, "BBB")
    assert state.snapshot()["order"] == [2, 3]
    state = play(state, "RBB", "YRB")
    assert state.snapshot()["order"] == [3, 0, 1, 2]
    assert state.snapshot()["marks"] == [["", ""]] * 4, (
        "only the last throw-off marks, and these were fiascos and an Ace"
    )


@pytest.mark.rule("krakatoa.throw-off")
def test_the_last_throw_off_marks_better_or_worse() -> None:
    state = play(new(), "YYY", "YYY", "YYB", "RRR")
    assert state.snapshot()["order"] == [1, 0]
    assert state.snapshot()["marks"] == [["x", ""], ["xx", ""]]


@pytest.mark.rule("krakatoa.rounds")
def test_a_round_is_five_throws_for_each() -> None:
    state = started()
    throws = []
    while state.snapshot()["round"] == 1:
        shown = state.snapshot()
        if shown["phase"] == "land":
            throws.append((shown["thrower"], shown["throw"]))
        state = land(state, QUIET if shown["throw"] == 1 else SCRATCH)
        state = keep(state) if state.snapshot()["phase"] == "decide" else state
        if state.mover >= 0:
            state = state.after(state.actions()[0])
    assert throws == [(seat, n) for seat in (0, 1) for n in (1, 2, 3, 4, 5)]


@pytest.mark.rule("krakatoa.rounds")
def test_the_dice_are_taken_up_for_the_next_turn() -> None:
    state = land(started(), *QUIET_TURN)
    shown = state.snapshot()
    assert (shown["thrower"], shown["throw"], shown["phase"], shown["dice"]) == (1, 1, "land", None)


@pytest.mark.rule("krakatoa.order")
def test_the_leader_begins_the_next_round() -> None:
    state = land(started(), *QUIET_TURN, *TWO_POINTS_TURN)
    assert state.snapshot()["totals"] == [1, 2]
    assert state.snapshot()["order"] == [1, 0]


@pytest.mark.rule("krakatoa.order")
def test_if_level_who_was_earlier_begins() -> None:
    state = land(started("RRB", "RRB", "RRB", "RRB", "RBB", "BBR", "YBB", "RRB", players=4))
    assert state.snapshot()["order"] == [2, 3, 0, 1]
    state = land(state, *QUIET_TURN, *TWO_POINTS_TURN, *QUIET_TURN, *TWO_POINTS_TURN)
    assert state.snapshot()["totals"] == [1, 2, 1, 2]
    assert state.snapshot()["order"] == [3, 0, 1, 2], "3 was earlier than 1, and 0 sits next to 3"


@pytest.mark.rule("krakatoa.throws")
def test_any_set_then_steam_ash_lava() -> None:
    state = keep(play(started(), QUIET))
    for thrown in ({"steam", "ash", "lava"}, {"steam"}, {"ash"}, {"lava"}):
        options = [state.decode(action) for action in state.actions()]
        assert {option["set"] for option in options} == thrown
        assert len(options) == 6 * len(thrown)
        state = land(state, SCRATCH)


@pytest.mark.rule("krakatoa.throws")
def test_another_set_is_refused() -> None:
    with pytest.raises(IllegalAction) as refused:
        play(at(), "lava>ash1")
    assert refused.value.rule == "krakatoa.throws"
    assert refused.value.reason == "Throw 4 is with ash, not with lava."


@pytest.mark.rule("krakatoa.first-throw")
def test_keep_scores_the_first_throw() -> None:
    state = play(started(), "YYY RRB YBB")
    assert state.snapshot()["phase"] == "decide"
    assert state.mover == 0
    assert state.scores == [0, 0]
    state = keep(state)
    assert state.scores == [11, 0]
    assert (state.snapshot()["phase"], state.snapshot()["throw"]) == ("throw", 2)


@pytest.mark.rule("krakatoa.first-throw")
def test_a_reroll_stands() -> None:
    state = play(started(), "YYY RRB YBB", "reroll")
    shown = state.snapshot()
    assert (shown["phase"], shown["throw"], shown["dice"], shown["rerolled"]) == ("land", 1, None, True)
    assert shown["totals"] == [0, 0]
    state = play(state, QUIET)
    assert (state.snapshot()["phase"], state.snapshot()["throw"]) == ("throw", 2)
    assert state.scores == [1, 0]


@pytest.mark.rule("krakatoa.first-throw")
def test_only_the_first_throw_is_kept_or_rerolled() -> None:
    with pytest.raises(IllegalAction, match="Only the first throw"):
        play(at(), "reroll")
    with pytest.raises(IllegalAction, match="keep them or reroll them") as refused:
        play(started(), QUIET, "ash>lava1")
    assert refused.value.rule == "krakatoa.first-throw"


@pytest.mark.rule("krakatoa.aim")
def test_one_aims_at_a_die_of_another_set() -> None:
    state = at(throw=2)
    aims = [state.decode(action) for action in state.actions()]
    assert len(aims) == 18
    assert all(not aim["at"].startswith(aim["set"]) for aim in aims)
    assert aims[0] == {"do": "throw", "set": "steam", "at": "ash1"}
    assert aims[-1] == {"do": "throw", "set": "lava", "at": "ash3"}
    with pytest.raises(InvalidAction, match="no such 'throw'"):
        state.encode({"do": "throw", "set": "ash", "at": "ash1"})
    assert play(state, "ash>lava2").snapshot()["aim"] == {"set": "ash", "at": "lava2"}


@pytest.mark.rule("krakatoa.aim")
def test_touching_any_die_is_enough() -> None:
    state = play(at(), "ash>lava2", "BBB RRB RBB touched")
    assert state.scores[0] == 155


@pytest.mark.rule("krakatoa.scratch")
def test_a_scratch_scores_nothing_and_spends_its_mark() -> None:
    state = play(at(marks=[["xx", ""], ["x", ""]]), "ash>lava2", "YRB YYY RBB scratch")
    assert sheet(state) == {"totals": [152, 120], "marks": [["", ""], ["x", ""]]}


@pytest.mark.rule("krakatoa.scratch")
def test_a_scratch_leaves_the_second_mark_of_an_eruption() -> None:
    state = at(dice="YYY RRR BBB", marks=[["x", "x"], ["", ""]])
    state = play(state, "ash>lava2", "YYY RRR BBB scratch")
    assert sheet(state) == {"totals": [152, 120], "marks": [["x", ""], ["", ""]]}


@pytest.mark.rule("krakatoa.scratch")
def test_a_scratch_leaves_the_table_as_it_was() -> None:
    state = play(at(dice="YYB YRR RRR"), "ash>lava2")
    for still in ("YYB BBB RRR scratch", "BYY YRR RRR scratch", "YBY RYR RRR scratch"):
        assert play(state, still).scores == [152, 120]
    for moved, said in (("YBB YRR RRR", "steam still shows YYB"), ("YYB YRR RRB", "lava still shows RRR")):
        with pytest.raises(IllegalAction, match=said) as refused:
            play(state, f"{moved} scratch")
        assert refused.value.rule == "krakatoa.scratch"
        assert play(state, f"{moved} touched").scores[0] > 152


@pytest.mark.rule("krakatoa.score")
@pytest.mark.parametrize(("mark", "gain"), [("", 13), ("x", 26), ("xx", 52)])
def test_the_three_sets_are_added_and_multiplied(mark: str, gain: int) -> None:
    state = at(totals=[151, 120], marks=[[mark, ""], ["", ""]])
    assert play(state, "ash>lava1", "YYY YBY RYB touched").scores == [151 + gain, 120]


@pytest.mark.rule("krakatoa.marks")
def test_marks_add_up_and_stop_at_xx() -> None:
    rumble_and_minor_quake = play(at(totals=[152, 0]), "ash>lava1", "RRB BBB RBB touched")
    assert sheet(rumble_and_minor_quake) == {"totals": [155, 0], "marks": [["xx", ""], ["", ""]]}
    rumble_and_major_quake = play(at(totals=[157, 0]), "ash>lava1", "RRB BBB RBB touched")
    assert sheet(rumble_and_major_quake) == {"totals": [160, 0], "marks": [["xx", ""], ["", ""]]}
    after_an_eruption = at(totals=[200, 0], dice="YYY RRR BBB", marks=[["x", "x"], ["", ""]])
    assert sheet(play(after_an_eruption, "ash>lava1", "RRB BBB RBB touched"))["marks"][0] == ["xx", ""]


@pytest.mark.rule("krakatoa.marks")
def test_marks_of_the_last_throw_wait_for_the_next_round() -> None:
    state = at(throw=5, totals=[150, 20])
    state = play(state, "lava>ash1", "RRB BBB RBB touched")
    assert sheet(state) == {"totals": [153, 20], "marks": [["x", ""], ["", ""]]}
    state = keep(land(state, *QUIET_TURN, "YYR RRB RBB"))
    assert state.snapshot()["round"] == 4
    assert sheet(state) == {"totals": [157, 21], "marks": [["", ""], ["", ""]]}


@pytest.mark.rule("krakatoa.quakes")
@pytest.mark.parametrize(
    ("before", "mark"),
    [(10, "x"), (98, "x"), (132, "x"), (99, "xx"), (19, "xx"), (139, "xx"), (179, "xx"), (109, ""), (100, ""), (8, "")],
)
def test_quakes(before: int, mark: str) -> None:
    state = play(at(totals=[before, 0], order=[0, 1]), "ash>lava1", f"{QUIET} touched")
    assert sheet(state) == {"totals": [before + 1, 0], "marks": [[mark, ""], ["", ""]]}


@pytest.mark.rule("krakatoa.quakes")
def test_no_quake_unless_the_total_changes() -> None:
    state = play(at(totals=[160, 0]), "ash>lava1", "RRB RBB RBB touched")
    assert sheet(state) == {"totals": [160, 0], "marks": [["x", ""], ["", ""]]}, "a minor rumble and nothing else"


@pytest.mark.rule("krakatoa.rumbles")
@pytest.mark.parametrize(
    ("faces", "mark"),
    [
        ("RRB RBB RBB", "x"),
        ("RRB BBB RBB", "x"),
        ("RRR BBB RBB", "xx"),
        ("YYY YYY RRR", "xx"),
        ("BBB YYY BBB", "xx"),
        ("YYB YBB BBB", "x"),
        ("YRB BBB BBB", ""),
        ("RRB BBB RBY", ""),
    ],
)
def test_rumbles(faces: str, mark: str) -> None:
    state = play(at(totals=[1, 0]), "ash>lava1", f"{faces} touched")
    assert sheet(state)["marks"][0] == [mark, ""]


@pytest.mark.rule("krakatoa.eruptions")
@pytest.mark.parametrize(("faces", "mark"), [("YYY RRR BBB", "x"), ("BBB YYY RRR", "x"), ("BBB BBB BBB", "xx")])
def test_eruptions_mark_two_throws(faces: str, mark: str) -> None:
    state = play(at(totals=[3, 0], throw=3), "steam>lava1", f"{faces} touched")
    assert sheet(state)["marks"][0] == [mark, mark]
    state = play(state, "ash>lava1", f"{QUIET} touched")
    assert sheet(state)["marks"][0] == [mark, ""]
    state = play(state, "lava>ash1", "YRB RBB YRB touched")
    assert sheet(state)["marks"][0] == ["", ""]
    assert state.snapshot()["thrower"] == 1


@pytest.mark.rule("krakatoa.eruptions")
def test_one_eruption_after_another() -> None:
    state = play(at(totals=[1, 0], throw=3), "steam>lava1", "YYY RRR BBB touched", "ash>lava1", "YYY RRR BBB touched")
    assert sheet(state) == {"totals": [1 + 18 + 36, 0], "marks": [["xx", "x"], ["", ""]]}


@pytest.mark.rule("krakatoa.eruptions")
def test_three_volcanoes_in_two_colours_are_no_eruption() -> None:
    state = play(at(totals=[1, 0]), "ash>lava1", "YYY YYY RRR touched")
    assert sheet(state)["marks"][0] == ["xx", ""]


@pytest.mark.rule("krakatoa.example")
def test_the_worked_example() -> None:
    state = play(at(totals=[152, 100]), "ash>lava1", "YYB YRR RRR touched")
    assert sheet(state) == {"totals": [160, 100], "marks": [["xx", ""], ["", ""]]}
    state = play(state, "lava>ash1", "RRB BBB RBB touched")
    assert sheet(state) == {"totals": [172, 100], "marks": [["x", ""], ["", ""]]}


@pytest.mark.rule("krakatoa.bonus-boxes")
def test_a_mark_after_the_last_throw_is_thrown_at_once() -> None:
    state = play(last_throw(), "RRB RBB RBB touched")
    shown = state.snapshot()
    assert (state.mover, shown["phase"], shown["throw"], shown["boxes_left"]) == (0, "throw", 6, 3)
    assert len(state.actions()) == 18
    state = play(state, "ash>lava1")
    assert state.snapshot()["boxes_left"] == 3
    state = play(state, "YYB RBB RRB touched")
    shown = state.snapshot()
    assert (shown["totals"], shown["boxes_left"]) == ([156, 120], 2)
    assert (shown["thrower"], shown["throw"], shown["phase"], shown["dice"]) == (1, 1, "land", None)


@pytest.mark.rule("krakatoa.bonus-boxes")
def test_all_players_share_three_boxes() -> None:
    state = play(last_throw(), "YYY RRR BBB touched", "ash>lava1", "RRB RBB RBB touched", "ash>lava1")
    assert state.snapshot()["throw"] == 7
    state = play(state, f"{QUIET} touched")
    assert state.snapshot()["boxes_left"] == 1
    state = play(land(state, QUIET, *[SCRATCH] * 3, "YYY RRR BBB touched"), "steam>ash1", "YYY RRR BBB touched")
    shown = state.snapshot()
    assert (state.mover, shown["boxes_left"], shown["throw"]) == (OVER, 0, 6)
    assert shown["marks"][1] == ["xx", "x"], "marked, but no box is left"
    assert shown["dice"] == "YYY RRR BBB"


@pytest.mark.rule("krakatoa.bonus-boxes")
def test_no_player_gets_a_fourth_box() -> None:
    state = play(last_throw(), "BBB BBB BBB touched")
    for throw in (6, 7, 8):
        assert state.snapshot()["throw"] == throw
        state = play(state, "ash>lava1", "BBB BBB BBB touched")
    assert state.snapshot()["thrower"] == 1
    assert state.snapshot()["marks"][0] == ["xx", "xx"]
    state = land(state, QUIET, *[SCRATCH] * 3, "BBB BBB BBB touched")
    assert state.mover == OVER
    assert state.snapshot()["throw"] == 5


@pytest.mark.rule("krakatoa.bonus-boxes")
def test_a_scratch_in_a_bonus_box_uses_it_up() -> None:
    state = play(last_throw(), "RRB RBB RBB touched", "ash>lava1", "RRB RBB RBB scratch")
    assert state.snapshot()["boxes_left"] == 2
    assert state.snapshot()["thrower"] == 1


@pytest.mark.rule("krakatoa.more-players")
def test_three_go_on_clockwise_and_share_the_boxes() -> None:
    state = started("RRB", "YRB", "RRB", players=3)
    assert state.snapshot()["order"] == [1, 2, 0]
    state = land(state, *QUIET_TURN, *QUIET_TURN, *TWO_POINTS_TURN)
    assert state.snapshot()["order"] == [0, 1, 2]
    assert state.snapshot()["boxes_left"] == 3
    sheets = {"totals": [152, 100, 90], "marks": [["", ""]] * 3, "order": [0, 1, 2]}
    state = last_throw({"players": 3}, **sheets)
    for _ in range(3):
        state = play(land(state, "RRB RBB RBB touched"), "ash>lava1", "YYB RBB RRB touched")
        if state.mover != OVER:
            state = land(state, QUIET, *[SCRATCH] * 3)
            state = state.after(state.actions()[0])
    assert state.mover == OVER
    assert state.snapshot()["boxes_left"] == 0


@pytest.mark.rule("krakatoa.teams")
def test_partners_take_turns_and_share_a_sheet() -> None:
    state = play(new(players=4, teams=True), "RRB", "YYB")
    shown = state.snapshot()
    assert (shown["order"], shown["totals"], shown["marks"]) == ([1, 0], [0, 0], [["", ""], ["x", ""]])
    state = land(state, *QUIET_TURN, QUIET, *[SCRATCH] * 3, "RRB RBB RBB touched")
    shown = state.snapshot()
    assert (shown["round"], shown["order"]) == (2, [3, 2]), "side 1 leads 2 to 1, and its second partner throws"
    assert shown["scores"] == [1, 2, 1, 2]
    assert shown["marks"] == [["x", ""], ["", ""]], "seat 2 inherits what seat 0 earned"
    state = land(state, *QUIET_TURN, *QUIET_TURN)
    assert state.snapshot()["totals"] == [3, 3]
    assert state.snapshot()["order"] == [1, 0], "level: side 1 was earlier"


@pytest.mark.rule("krakatoa.teams")
def test_the_second_partner_throws_the_bonus_and_both_win() -> None:
    state = last_throw({"players": 4, "teams": True}, order=[2, 3], thrower=2)
    state = play(state, "RRB RBB RBB touched")
    assert state.mover == 2
    state = land(play(state, "ash>lava1", "YYB RBB RRB touched"), *QUIET_TURN)
    assert state.winner == [0, 2]
    assert state.scores == [156, 121, 156, 121]
    assert state.returns() == pytest.approx([1 / 3, -1 / 3, 1 / 3, -1 / 3])


@pytest.mark.rule("krakatoa.teams")
def test_teams_are_for_four() -> None:
    with pytest.raises(ValueError, match="'teams' needs 'players' to be 4"):
        new(teams=True)


@pytest.mark.rule("krakatoa.end")
def test_level_players_share_the_win() -> None:
    sheets = {"totals": [120, 100, 121], "marks": [["", ""]] * 3, "order": [2, 0, 1], "thrower": 1}
    state = play(last_throw({"players": 3}, **sheets | {"totals": [121, 120, 121]}), f"{QUIET} touched")
    assert state.mover == OVER
    assert state.winner == [0, 1, 2]
    assert state.returns() == [0, 0, 0]
    state = play(last_throw({"players": 3}, **sheets), f"{QUIET} touched")
    assert state.winner == 2
    assert state.returns() == [-0.5, -0.5, 1]
    assert state.actions() == []


@pytest.mark.rule("krakatoa.end")
def test_nothing_follows_the_end() -> None:
    state = play(last_throw(order=[1, 0], totals=[20, 200]), SCRATCH)
    shown = state.snapshot()
    assert (shown["phase"], shown["round"], shown["throw"], shown["order"]) == ("over", 6, 5, [1, 0])
    assert shown["dice"] == QUIET
    with pytest.raises(IllegalAction, match="over") as refused:
        play(state, "keep")
    assert refused.value.rule == "krakatoa.end"


@pytest.mark.rule("krakatoa.basic")
def test_the_basic_game_has_no_marks_and_no_boxes() -> None:
    state = started("YYY", "BBB", game="basic")
    assert state.snapshot()["boxes_left"] == 0
    state = keep(play(state, "YYY YYY YYY"))
    state = land(state, *["YYY YYY YYY touched"] * 3, "RRR YYY YYY touched")
    assert sheet(state) == {"totals": [4 * 30 + 25, 0], "marks": [["", ""], ["", ""]]}
    state = last_throw({"game": "basic"}, order=[1, 0], totals=[20, 150], boxes_left=0)
    assert play(state, "RRB RBB RBB touched").mover == OVER


@pytest.mark.rule("krakatoa.throwers")
def test_landings_are_typed_in_or_drawn_never_listed() -> None:
    for state in (new(), started(), play(at(), "ash>lava1")):
        with pytest.raises(NotImplementedError):
            state.actions()
        with pytest.raises(NotImplementedError):
            state.chances()
        assert state.after(state.sample(np.random.default_rng(1))) != state


def drawn(state: State, times: int = 20_000) -> list[dict[str, Any]]:
    rng = np.random.default_rng(1883)
    return [state.decode(state.sample(rng)) for _ in range(times)]


@pytest.mark.rule("krakatoa.throwers")
def test_thrown_dice_show_every_face_equally_often() -> None:
    for state in (new(), started()):
        shown = Counter("".join(landing["faces"].replace(" ", "") for landing in drawn(state)))
        for letter, faces in (("Y", 3), ("R", 4), ("B", 5)):
            assert shown[letter] / shown.total() == pytest.approx(faces / 12, abs=0.008)


@pytest.mark.rule("krakatoa.throwers")
@pytest.mark.parametrize("target", ["lava1", "lava2", "lava3", "steam2"])
def test_the_model_turns_the_table_as_measured(target: str) -> None:
    """A turned die shows another letter with 9, 8 or 7 of its eleven other faces."""
    before = {f"{name}{n}": letter for name in ("steam", "lava") for n, letter in ((1, "Y"), (2, "R"), (3, "B"))}
    landings = drawn(play(at(dice="YRB YYY YRB"), f"ash>{target}"))
    scratches = sum(not landing["touched"] for landing in landings)
    assert scratches / len(landings) == pytest.approx(0.06, abs=0.007)
    for die, letter in before.items():
        turns = 0.77 if die == target else 0.27
        others = {"Y": 9, "R": 8, "B": 7}[letter]
        place = (0 if die.startswith("steam") else 8) + int(die[-1]) - 1
        changed = sum(landing["faces"][place] != letter for landing in landings)
        assert changed / len(landings) == pytest.approx(turns * others / 11, abs=0.015), die


@pytest.mark.rule("krakatoa.throwers")
def test_a_drawn_scratch_turns_nothing() -> None:
    state = play(at(dice="YRB YYY BBR"), "ash>lava1")
    still = [landing["faces"] for landing in drawn(state, 2000) if not landing["touched"]]
    assert still
    assert all(faces.startswith("YRB ") and faces.endswith(" BBR") for faces in still)
    assert len({faces[4:7] for faces in still}) > 5


# The words.


@pytest.mark.rule("krakatoa.actions")
@pytest.mark.parametrize(
    ("moment", "written", "action"),
    [
        (lambda: play(started(), QUIET), "keep", {"do": "keep"}),
        (lambda: play(started(), QUIET), "reroll", {"do": "reroll"}),
        (lambda: at(), "ash>lava2", {"do": "throw", "set": "ash", "at": "lava2"}),
        (lambda: new(), "YRB", {"do": "land", "faces": "YRB"}),
        (lambda: started(), "YYB YRR RRR", {"do": "land", "faces": "YYB YRR RRR"}),
        (
            lambda: play(at(), "ash>lava2"),
            "YYB YRR RRR touched",
            {"do": "land", "faces": "YYB YRR RRR", "touched": True},
        ),
        (
            lambda: play(at(), "ash>lava2"),
            "BRY YRR BRB scratch",
            {"do": "land", "faces": "BRY YRR BRB", "touched": False},
        ),
    ],
)
def test_words(moment: Callable[[], State], written: str, action: dict[str, Any]) -> None:
    state = moment()
    number = state.encode(action)
    assert state.decode(number) == action
    assert state.notation(number) == written
    sloppy = "  " + written.lower().replace(">", " > ").replace(" ", "  ")
    assert state.parse(written) == state.parse(sloppy) == number


@pytest.mark.rule("krakatoa.actions")
def test_short_notation() -> None:
    assert at().notation(at().parse("lava2")) == "ash>lava2"
    assert play(at(), "lava2").parse("yyby rrrrr touched") == play(at(), "lava2").parse("YYB YRR RRR touched")
    with pytest.raises(AmbiguousAction, match="steam>lava2 or ash>lava2"):
        at(throw=2).parse("lava2")


@pytest.mark.rule("krakatoa.actions")
@pytest.mark.parametrize(
    "action",
    [
        None,
        [],
        {},
        {"do": "keep"},
        {"do": ["land"]},
        {"do": "land"},
        {"do": "land", "faces": QUIET},
        {"do": "land", "faces": QUIET, "touched": 1},
        {"do": "land", "faces": QUIET, "touched": None},
        {"do": "land", "faces": QUIET, "touched": True, "seat": 0},
        {"do": "land", "faces": QUIET, "touched": True, 7: 0},
        {"do": "land", "faces": QUIET.lower(), "touched": True},
        {"do": "land", "faces": QUIET.replace(" ", ""), "touched": True},
        {"do": "land", "faces": QUIET.replace(" ", "  "), "touched": True},
        {"do": "land", "faces": f"{QUIET} ", "touched": True},
        {"do": "land", "faces": "YRB", "touched": True},
        {"do": "land", "faces": "YRB RRB RBG", "touched": True},
        {"do": "land", "faces": ["YRB", "RRB", "RBB"], "touched": True},
        {"do": "land", "faces": 7, "touched": True},
    ],
)
def test_what_is_no_landing(action: Any) -> None:
    with pytest.raises(InvalidAction, match=r"\.$"):
        play(at(), "ash>lava1").encode(action)


@pytest.mark.rule("krakatoa.actions")
def test_only_an_aimed_throw_touches() -> None:
    for state, faces in ((new(), "YRB"), (started(), QUIET)):
        with pytest.raises(InvalidAction, match="takes faces, and nothing else"):
            state.encode({"do": "land", "faces": faces, "touched": True})
        with pytest.raises(InvalidAction, match="write it like"):
            state.parse(f"{faces} touched")
    with pytest.raises(InvalidAction, match="scratch' or "):
        play(at(), "ash>lava1").parse(QUIET)


@pytest.mark.rule("krakatoa.actions")
def test_numbers_that_are_no_action() -> None:
    for state, count in ((new(), 27), (started(), 3**9), (play(at(), "ash>lava1"), 2 * 3**9), (at(), 20)):
        for number in (-1, count, count + 1, 1 << 60):
            with pytest.raises(IllegalAction) as refused:
                state.after(number)
            assert refused.value.rule == "krakatoa.actions"


# Snapshots.


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_a_random_game_keeps_every_promise(options: dict[str, Any]) -> None:
    state = new(**options)
    rng = np.random.default_rng(1982)
    while state.mover != OVER:
        check_snapshot(state, rng)
        action = state.sample(rng) if state.mover == CHANCE else check_actions(state, rng)
        assert state.encode(json.loads(json.dumps(state.decode(action)))) == action
        assert state.parse(state.notation(action)) == action
        state = state.after(action)
    check_snapshot(state, rng)
    assert sum(state.returns()) == pytest.approx(0)


def check_snapshot(state: State, rng: np.random.Generator) -> None:
    snapshot = json.loads(json.dumps(state.snapshot()))
    assert state.game.restore(snapshot) == state
    for seat in (None, *range(state.game.seats)):
        view = state.view(seat)
        assert view == snapshot | {"seat": seat}
        assert state.game.imagine(view, rng) == state
    assert picture.standing(snapshot) in str(state)
    assert state._repr_svg_().endswith("</svg>")


def check_actions(state: State, rng: np.random.Generator) -> int:
    legal = state.actions()
    for action in range(state.game.action_count):
        if action not in legal:
            with pytest.raises(IllegalAction) as refused:
                state.after(action)
            assert refused.value.rule.removeprefix("krakatoa.") in anchors("en")
            assert refused.value.reason.endswith(".")
    return int(rng.choice(legal))


def test_the_rulebook_keys_are_enough_where_a_seat_is_to_act() -> None:
    keys = ("game", "mover", "phase", "round", "throw", "order", "dice", "totals", "marks", "boxes_left", "winner")
    for state in (at(), play(started(), QUIET), play(last_throw(), "RRB RBB RBB touched")):
        snapshot = state.snapshot()
        assert state.game.restore({key: snapshot[key] for key in keys}) == state
    assert new().game.restore({key: new().snapshot()[key] for key in keys}) == new()


def test_a_throw_off_can_be_restored_midway() -> None:
    state = play(new(players=3), "YYB", "RRB", "YBY", "RRB")
    assert state.game.restore(state.snapshot()) == state
    assert play(state.game.restore(state.snapshot()), "YRB").snapshot()["order"] == [2, 0, 1]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"phase": "fly"}, "phase knows no 'fly'"),
        ({"round": 7}, "round must be"),
        ({"round": 0}, "round must be"),
        ({"throw": 6}, "throw must be a whole number from 2 to 5"),
        ({"throw": True}, "throw must be"),
        ({"order": [0, 0]}, "order of round 3 cannot be"),
        ({"order": [0]}, "order of round 3 cannot be"),
        ({"order": None}, "order must be a list"),
        ({"thrower": 2}, "thrower knows no 2"),
        ({"mover": 5}, "thrower knows no 5"),
        ({"mover": CHANCE, "thrower": 0}, "'mover' is -1"),
        ({"dice": None}, "dice must be written like"),
        ({"dice": "YRB YRB"}, "dice must be written like"),
        ({"aim": {"set": "ash", "at": "lava1"}}, "'aim' is"),
        ({"rerolled": True}, "'rerolled' is"),
        ({"throwoff": ["YRB", None]}, "'throwoff' is"),
        ({"totals": [152]}, "list of 2"),
        ({"totals": [152, -1]}, "totals must be"),
        ({"totals": [99_999, 0]}, "totals must be"),
        ({"totals": [100, 120]}, "Seat 1 leads on totals and should have begun round 3"),
        ({"marks": [["xxx", ""], ["", ""]]}, "marks knows no 'xxx'"),
        ({"marks": [["", "x"], ["", ""]]}, "comes from an eruption"),
        ({"marks": [["x", "x"], ["", ""]]}, "dice show YRB RRB RBB"),
        ({"boxes_left": 2}, "'boxes_left' is 2"),
        ({"scores": [1, 2]}, "'scores' is"),
        ({"winner": 0}, "'winner' is 0"),
        ({"volcano": 1}, "has no 'volcano'"),
        ({"phase": "over"}, "round must be a whole number from 6 to 6"),
        ({"phase": "land"}, "has no 'aim'"),
        ({"phase": "land", "aim": {"set": "lava", "at": "ash1"}}, "Throw 4 is with ash"),
        ({"phase": "land", "aim": {"set": "ash", "at": "ash1"}}, "aim knows no"),
        ({"phase": "throwoff", "round": 0, "throw": 0}, "'dice' is"),
        ({"round": 6, "throw": 6}, "needs a mark and a box"),
        ({"round": 6, "throw": 5, "boxes_left": 4}, "'boxes_left' is 4"),
        ({"round": 6, "throw": 2, "mover": 1, "marks": [["x", ""], ["", ""]]}, "Seat 0 has a mark and must use"),
        ({"phase": "over", "round": 6, "throw": 5, "marks": [["", ""], ["x", ""]]}, "Seat 1 has a mark and must use"),
        ({"phase": "over", "round": 6, "throw": 5, "thrower": 0}, "'thrower' is 0"),
    ],
    ids=str,
)
def test_snapshots_that_cannot_be(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        at(None, **wrong)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"order": [1, 0]}, "order of the throw-off cannot be"),
        ({"order": [2]}, "order of the throw-off cannot be"),
        ({"order": [0, 2]}, "throwoff knows no None"),
        ({"thrower": 1}, "throwoff knows no None"),
        ({"throwoff": ["YRB", "YYB", "YRB"]}, "Only seats that are level"),
        ({"throwoff": ["YRB", "YRB", "Y"]}, "throwoff knows no 'Y'"),
        ({"marks": [["x", ""], ["", ""], ["", ""]]}, "'marks' is"),
        ({"totals": [1, 0, 0]}, "'totals' is"),
    ],
    ids=str,
)
def test_throw_offs_that_cannot_be(wrong: dict[str, Any], said: str) -> None:
    state = new(players=3)
    with pytest.raises(ValueError, match=re.escape(said)):
        state.game.restore(state.snapshot() | wrong)


# Pictures and pages.


def test_the_text_picture() -> None:
    assert str(play(at(marks=[["x", ""], ["", ""]]), "ash>lava2")) == "\n".join(
        [
            "  round 3 of 6:  1 all  2 any  3 steam  [4 ash]  5 lava",
            "",
            "  steam  Y R B    Ace         1",
            "  ash    in hand",
            "  lava   R (B) B  fiasco      0",
            "",
            "  > seat 0    152   next throw x, then -",
            "    seat 1    120",
            "  bonus boxes left: 3",
            "  round 3, throw 4: seat 0 has thrown ash at lava2",
        ]
    )


def test_the_drawn_picture_tells_colours_by_letter_and_aims() -> None:
    drawing = play(at(), "ash>lava2")._repr_svg_()
    assert drawing.startswith("<svg")
    assert "Krakatoa: round 3, throw 4: seat 0 has thrown ash at lava2" in drawing
    assert len(re.findall(">[YRB]</text>", drawing)) == 6
    assert "prefers-color-scheme:dark" in drawing


def page(language: str) -> str:
    return (resources.files("archipel.games.krakatoa") / f"rules.{language}.md").read_text("utf-8")


def anchors(language: str) -> list[str]:
    return re.findall(r"^## .* \{#([a-z-]+)\}$", page(language), re.MULTILINE)


def test_both_pages_have_the_same_rules() -> None:
    assert anchors("en") == anchors("fr")
    assert len(anchors("en")) == len(set(anchors("en"))) == len(re.findall(r"^#+ ", page("en"), re.MULTILINE)) - 1


def test_every_rule_has_a_test() -> None:
    covered = set(re.findall(r'mark\.rule\("krakatoa\.([a-z-]+)"\)', Path(__file__).read_text("utf-8")))
    assert covered == set(anchors("en"))


# The sheet.


def written(state: State, word: str) -> dict[str, Any] | None:
    """What the players write down when this is played."""
    action = state.parse(word)
    return state.game.written(state, action, state.after(action))


def test_a_throw_is_written_into_its_box_with_the_mark_that_it_spent() -> None:
    state = keep(land(started("YYR", "RRB"), "YYB YYB YRB"))
    state = land(state, "YYB YYB YYY touched")
    aimed = play(state, "steam>ash1")
    assert written(aimed, "YYB YYB YYY touched") == {
        "side": 0, "seat": 0, "round": 1, "throw": 3, "mark": "x", "points": 28, "total": 52,
        "touched": True, "quake": "", "rumble": "x", "eruption": "",
    }  # fmt: skip


def test_a_first_throw_is_written_once_it_stands() -> None:
    state = started()
    assert written(state, QUIET) is None
    state = land(state, QUIET)
    kept = written(state, "keep")
    assert kept is not None
    assert kept["points"] == 1
    assert written(state, "reroll") is None
    again = written(play(state, "reroll"), "YYB YYB YYB")
    assert again is not None
    assert (again["throw"], again["points"], again["rumble"]) == (1, 6, "x")


def test_a_scratch_spends_its_mark_and_earns_none() -> None:
    state = keep(land(started("RRB", "YYY"), "YYY YYY YYB"))
    state = play(state, state.notation(state.actions()[0]))
    scratched = written(state, f"{state.snapshot()['dice']} scratch")
    assert scratched is not None
    assert (scratched["seat"], scratched["mark"], scratched["points"]) == (1, "xx", 0)
    assert not scratched["touched"]
    assert not scratched["quake"] + scratched["rumble"] + scratched["eruption"]


@pytest.mark.parametrize("options", OPTIONS)
def test_the_sheet_adds_up_to_the_totals(options: dict[str, Any]) -> None:
    rng = np.random.default_rng(5)
    state, totals, boxes = new(**options), Counter[int](), list[tuple[int, int, int]]()
    while state.mover != OVER:
        action = state.sample(rng) if state.mover == CHANCE else int(rng.choice(state.actions()))
        after = state.after(action)
        box = state.game.written(state, action, after)
        if box:
            totals[box["side"]] += box["points"]
            assert box["total"] == totals[box["side"]]
            boxes.append((box["side"], box["round"], box["throw"]))
        state = after
    assert [totals[side] for side in range(len(state.snapshot()["totals"]))] == state.snapshot()["totals"]
    assert len(set(boxes)) == len(boxes) >= 30 * len(totals)


@pytest.mark.parametrize("options", OPTIONS)
def test_what_is_written_down_is_what_the_rules_say_of_the_dice(options: dict[str, Any]) -> None:
    game, rng = archipel.game("krakatoa", **options), np.random.default_rng(7)
    state, boxes = game.new(), 0
    while state.mover != OVER:
        action = state.sample(rng) if state.mover == CHANCE else int(rng.choice(state.actions()))
        after = state.after(action)
        box = game.written(state, action, after)
        if box:
            boxes += 1
            dice = state.record
            if state.mover == CHANCE:
                rules.show(dice, action >> 1 if state.plain.aim >= 0 else action)
            counts = box["touched"] and options["game"] == "advanced"
            marks = [MARKS[mark(dice)] if counts else "" for mark in (rules.rumble, rules.eruption)]
            assert [box["rumble"], box["eruption"]] == marks
            assert box["side"] == rules.side_of(game.facts[0], box["seat"])
            assert box["points"] == after.plain.totals[box["side"]] - state.plain.totals[box["side"]]
        state = after
    assert boxes
