"""Stonehenge, rule by rule: positions are played, drawn and compared."""

from collections import Counter
from itertools import permutations
from typing import Any

import numpy as np
import pytest

import archipel
from archipel import IllegalAction, InvalidAction, Series, State

LINES = [
    "AB",
    "CDE",
    "FGHI",
    "JKLMN",
    "OPQR",
    "ACFJ",
    "BDGKO",
    "EHLP",
    "IMQ",
    "NR",
    "BEIN",
    "ADHMR",
    "CGLQ",
    "FKP",
    "JO",
]


def play(state: State, *notation: str) -> State:
    for text in " ".join(notation).replace("claim ", "claim_").split():
        state = state.after(state.parse(text.replace("_", " ")))
    return state


def new(**options: Any) -> State:
    return archipel.game("stonehenge", **options).new()


def refused(state: State, text: str, rule: str) -> str:
    with pytest.raises(IllegalAction) as refusal:
        state.after(state.parse(text))
    assert refusal.value.rule == f"stonehenge.{rule}"
    return refusal.value.reason


FULL = "6@A 1@B 5@C 1@D 4@E 2@F 3@G 2@H 3@I 3@J 2@K 3@L 2@M 4@N 1@O 5@P 1@Q 6@R"


@pytest.mark.rule("stonehenge.aim")
@pytest.mark.rule("stonehenge.end")
def test_the_eighth_megalith_wins_at_once() -> None:
    state = new()
    for text in FULL.split():
        if state.mover == archipel.OVER:
            break
        state = play(state, text)
    assert state.mover == archipel.OVER
    assert max(state.scores) == 8
    assert state.winner == state.scores.index(8)
    assert state.returns() == ([1.0, -1.0] if state.winner == 0 else [-1.0, 1.0])
    assert refused(state, "1@A", "end") == "The game is over."


@pytest.mark.rule("stonehenge.board")
def test_fifteen_lines_cross_at_eighteen_cells() -> None:
    from archipel.games.stonehenge import board

    assert list(board.LINES) == LINES
    on_lines = Counter(cell for line in LINES for cell in line)
    assert on_lines == dict.fromkeys("ABCDEFGHIJKLMNOPQR", 3)
    for line in LINES:
        xs, ys = zip(*(board.XY[cell] for cell in line), strict=True)
        steps = {(b - a, d - c) for a, b, c, d in zip(xs, xs[1:], ys, ys[1:], strict=False)}
        assert len(steps) == 1, f"{line} is not straight"


@pytest.mark.rule("stonehenge.druids")
def test_each_has_nine_druids_and_places_only_those_left() -> None:
    state = new()
    assert state.snapshot()["hands"] == [[1, 1, 2, 2, 3, 3, 4, 5, 6]] * 2
    state = play(state, "6@A 6@B")
    assert refused(state, "6@C", "druids") == "You have no druid of value 6 left."
    assert state.snapshot()["hands"] == [[1, 1, 2, 2, 3, 3, 4, 5]] * 2


@pytest.mark.rule("stonehenge.turn")
@pytest.mark.rule("stonehenge.place")
def test_players_place_in_turn_on_empty_cells() -> None:
    state = new()
    assert state.mover == 0
    state = play(state, "6@K")
    assert state.mover == 1
    assert state.snapshot()["cells"] == {"K": [0, 6]}
    assert refused(state, "1@K", "place") == "Cell K is taken: choose an empty one."


@pytest.mark.rule("stonehenge.domination")
def test_a_full_line_goes_to_the_higher_sum() -> None:
    assert play(new(), "3@A 2@B").snapshot()["megaliths"] == {"AB": 0}
    assert play(new(), "2@A 3@B").snapshot()["megaliths"] == {"AB": 1}


@pytest.mark.rule("stonehenge.domination")
def test_level_on_a_full_line_whoever_placed_last_loses_it() -> None:
    assert play(new(), "5@A 5@B").snapshot()["megaliths"] == {"AB": 0}
    assert play(new(), "1@L 5@B 5@A").snapshot()["megaliths"] == {"AB": 1}


@pytest.mark.rule("stonehenge.domination")
def test_the_example_a_line_is_won_before_it_is_full() -> None:
    """Six against one, two cells free; the opponent still has 3, 2 and 1 in hand."""
    moves = "6@F 1@G 1@A 6@B 1@D 5@E 2@J 4@K".replace(" ", " done ") + " done"
    state = play(new(claims="manual"), moves)
    assert state.snapshot()["hands"][1] == [1, 2, 2, 3, 3]
    assert refused(state, "claim FGHI", "domination").startswith("You do not dominate line FGHI")
    state = play(state, "2@N done 3@M done 3@O done 2@P done")
    assert state.snapshot()["hands"][1] == [1, 2, 3]
    assert play(state, "claim FGHI").snapshot()["megaliths"] == {"FGHI": 0}


@pytest.mark.rule("stonehenge.claims")
def test_automatic_claims_mark_the_movers_lines_then_the_opponents() -> None:
    state = play(new(), "1@A 6@B")
    assert state.snapshot()["megaliths"] == {"AB": 1}
    assert state.scores == [0, 1]
    assert refused(state, "claim AB", "claims").startswith("Megaliths are placed for you")
    assert refused(state, "done", "claims").startswith("Megaliths are placed for you")


@pytest.mark.rule("stonehenge.claims")
@pytest.mark.rule("stonehenge.turn")
def test_manual_claims_wait_for_their_owners_turn() -> None:
    state = play(new(claims="manual"), "5@A")
    assert state.mover == 0
    assert [state.notation(a) for a in state.actions()] == ["done"]
    assert refused(state, "1@B", "turn") == "You have placed your druid for this turn: claim a line or say done."
    state = play(state, "done 1@B")
    assert refused(state, "claim AB", "domination")  # it is the opponent's, and not his turn
    state = play(state, "done")
    assert refused(state, "done", "turn") == "Place a druid before you end your turn."
    state = play(state, "claim AB")
    assert (state.mover, state.scores) == (0, [1, 0])
    assert refused(state, "claim AB", "claims") == "Line AB already has a megalith."
    state = play(state, "4@N done 1@R done")
    assert refused(play(state, "1@C"), "1@D", "turn")
    assert play(state, "1@C claim NR").scores == [2, 0]  # claimed after placing as well


@pytest.mark.rule("stonehenge.full-board")
def test_on_a_full_board_everything_must_be_claimed_before_done() -> None:
    state = new(claims="manual")
    for text in FULL.split():
        state = play(state, text, "done") if text != "6@R" else play(state, text)
    assert refused(state, "done", "full-board") == "The board is full: claim every line that is yours first."
    while state.mover != archipel.OVER:
        assert refused(state, "1@A", "turn" if state.snapshot()["placed"] else "full-board")
        state = state.after(state.actions()[0])
    assert max(state.scores) == 8


@pytest.mark.rule("stonehenge.hidden")
def test_face_down_druids_are_seen_by_their_owner_until_a_line_is_full() -> None:
    state = play(new(hidden=True), "6@A 5@K 1@J 2@F")
    mine, theirs, spectator = state.view(0), state.view(1), state.view(None)
    assert mine["cells"] == {"A": [0, 6], "F": [1, None], "J": [0, 1], "K": [1, None]}
    assert theirs["cells"] == {"A": [0, None], "F": [1, 2], "J": [0, None], "K": [1, 5]}
    assert spectator["cells"] == {"A": [0, None], "F": [1, None], "J": [0, None], "K": [1, None]}
    assert (mine["hands"], theirs["hands"]) == ([[1, 2, 2, 3, 3, 4, 5], 7], [7, [1, 1, 2, 3, 3, 4, 6]])
    assert state.snapshot()["megaliths"] == {}
    state = play(state, "3@C")
    assert state.snapshot()["megaliths"] == {"ACFJ": 0}
    assert state.snapshot()["revealed"] == ["A", "C", "F", "J"]
    assert state.view(0)["cells"] == {"A": [0, 6], "C": [0, 3], "F": [1, 2], "J": [0, 1], "K": [1, None]}
    with pytest.raises(ValueError, match="cannot be 'manual' with 'hidden'"):
        new(hidden=True, claims="manual")


@pytest.mark.rule("stonehenge.hidden")
def test_imagined_druids_are_shuffled_as_cards_are() -> None:
    """Two face-down druids of nine unseen: every ordered pair of the nine is as likely."""
    state = play(new(hidden=True), "6@A 5@K 1@J 2@F")
    rng = np.random.default_rng(5)
    seen: Counter[tuple[int, int]] = Counter()
    draws = 7200
    for _ in range(draws):
        cells = state.imagine(0, rng).snapshot()["cells"]
        seen[cells["K"][1], cells["F"][1]] += 1
    pairs = Counter(permutations([1, 1, 2, 2, 3, 3, 4, 5, 6], 2))
    chi = sum((seen[pair] - draws * n / 72) ** 2 / (draws * n / 72) for pair, n in pairs.items())
    assert set(seen) == set(pairs)
    assert chi < len(pairs) + 5 * (2 * len(pairs)) ** 0.5


@pytest.mark.rule("stonehenge.series")
def test_a_series_adds_megaliths_and_changes_seats() -> None:
    final = new()
    for text in FULL.split():
        final = final if final.mover == archipel.OVER else play(final, text)
    series = Series()
    assert series.seating() == [0, 1]
    series.add(final)
    assert series.points == final.scores
    assert series.seating() == [1, 0]
    series.add(final)
    assert series.points == [sum(final.scores)] * 2
    assert series.leaders == [0, 1]
    with pytest.raises(ValueError, match="not over"):
        series.add(new())


@pytest.mark.rule("stonehenge.actions")
def test_what_is_no_action() -> None:
    state = new()
    assert state.encode({"do": "place", "druid": 6, "cell": "K"}) == state.parse(" 6@k ")
    for wrong in (
        {"do": "place", "druid": 7, "cell": "K"},
        {"do": "place", "druid": True, "cell": "K"},
        {"do": "place", "druid": 1.0, "cell": "K"},
        {"do": "place", "druid": 1, "cell": "k"},
        {"do": "claim", "line": "BA"},
        {"do": "claim"},
    ):
        with pytest.raises(InvalidAction):
            state.encode(wrong)
    with pytest.raises(IllegalAction) as refusal:
        state.after(state.game.action_count)
    assert refusal.value.rule == "stonehenge.actions"


def test_snapshots_that_cannot_be() -> None:
    game = archipel.game("stonehenge")
    good = play(game.new(), "6@A 1@B 2@C").snapshot()
    for changes, sentence in (
        ({"cells": good["cells"] | {"D": [0, 6]}}, "Seat 0 must have 1 druids of value 6"),
        ({"hands": [[1], good["hands"][1]]}, "Seat 0 must have 2 druids of value 1"),
        ({"cells": good["cells"] | {"Z": [0, 1]}}, "knows no 'Z'"),
        ({"mover": 0}, "'mover' is 0"),
        ({"megaliths": {}}, "Seat 0 dominates AB"),
        ({"megaliths": {"AB": 0, "CDE": 1}}, "does not dominate"),
        ({"scores": [5, 0]}, "'scores' is"),
        ({"more": 1}, "no 'more'"),
        ({"options": {"hidden": True, "claims": "auto"}}, "made with options"),
        ({"game": "kahuna"}, "is of 'kahuna'"),
    ):
        with pytest.raises(ValueError, match=sentence):
            game.restore(good | changes)
