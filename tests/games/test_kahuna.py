"""Kahuna, rule by rule: positions are drawn, played and compared."""

from collections import Counter
from math import comb
from typing import Any

import numpy as np
import pytest

import archipel
from archipel import AmbiguousAction, IllegalAction, InvalidAction, State

ISLANDS = ["ALOA", "BARI", "COCO", "DUDA", "ELAI", "FAAA", "GOLA", "HUNA", "IFFI", "JOJO", "KAHU", "LALE"]


def dealt(**options: Any) -> State:
    """After a fixed deal: A B C to seat 0, D E F to seat 1, G H I open."""
    state = archipel.game("kahuna", **options).new()
    for card in ISLANDS[:9]:
        state = play(state, f"deal {card}")
    return state


def position(hands: list[str], options: dict[str, Any] | None = None, **changes: Any) -> State:
    """A drawn position: hands and piles as words, the deck has the rest."""
    state = dealt(**(options or {}))
    drawn = state.snapshot() | {"hands": [sorted(hand.split()) for hand in hands], "open": []}
    for key, value in changes.items():
        if key in ("bridges", "stones", "hidden_discard", "shown", "known", "maybe", "laid"):
            drawn[key] = [sorted(names.split()) for names in value]
        elif key in ("open", "discard"):
            drawn[key] = sorted(value.split())
        else:
            drawn[key] = value
    used = Counter(drawn["open"] + drawn["discard"])
    for pile in drawn["hands"] + drawn["hidden_discard"]:
        used.update(pile)
    drawn["deck"] = sorted((Counter(ISLANDS * 2) - used).elements())
    if "deck" in changes:
        rest = Counter(drawn["deck"]) - Counter(changes["deck"].split())
        drawn["discard"] = sorted([*drawn["discard"], *rest.elements()])
        drawn["deck"] = sorted(changes["deck"].split())
    for derived in ("stones", "since"):
        if derived not in changes:
            drawn.pop(derived)
    return state.game.restore(drawn)


def play(state: State, *notation: str) -> State:
    for text in notation:
        state = state.after(state.parse(text))
    return state


def refused(state: State, text: str, rule: str) -> str:
    with pytest.raises(IllegalAction) as refusal:
        state.after(state.parse(text))
    assert refusal.value.rule == f"kahuna.{rule}"
    return refusal.value.reason


def can(state: State, text: str) -> bool:
    return state.parse(text) in state.actions()


def look(state: State, *keys: str) -> list[Any]:
    drawn = state.snapshot()
    return [drawn[key] for key in keys]


@pytest.mark.rule("kahuna.material")
def test_twelve_islands_twenty_seven_lines() -> None:
    from archipel.games.kahuna import board

    assert list(board.ISLANDS) == ISLANDS
    assert len(board.LINES) == len(set(board.LINES)) == 27
    assert list(board.LINES) == sorted(board.LINES)
    assert dict(zip(ISLANDS, board.DEGREE.tolist(), strict=True)) == {
        "ALOA": 3, "BARI": 5, "COCO": 4, "DUDA": 4, "ELAI": 6, "FAAA": 5,
        "GOLA": 4, "HUNA": 5, "IFFI": 5, "JOJO": 5, "KAHU": 5, "LALE": 3,
    }  # fmt: skip


@pytest.mark.rule("kahuna.setup")
@pytest.mark.rule("kahuna.deck")
def test_nine_cards_are_dealt_one_by_one() -> None:
    state = archipel.game("kahuna").new()
    assert state.mover == archipel.CHANCE
    assert state.chances() == [(card, 2 / 24) for card in range(12)]
    state = play(state, "deal ALOA")
    assert state.chances()[0] == (0, 1 / 23)
    state = play(state, "deal ALOA", "deal BARI")
    assert refused(state, "deal ALOA", "deck") == "No ALOA card is left in the deck."
    state = play(state, "deal COCO", "deal COCO", "deal DUDA", "deal LALE", "deal LALE", "deal KAHU")
    assert look(state, "hands", "open", "mover") == [
        [["ALOA", "ALOA", "BARI"], ["COCO", "COCO", "DUDA"]],
        ["KAHU", "LALE", "LALE"],
        0,
    ]
    assert len(state.snapshot()["deck"]) == 15


@pytest.mark.rule("kahuna.example")
@pytest.mark.rule("kahuna.control")
@pytest.mark.rule("kahuna.cut")
def test_the_worked_example_of_both_rule_texts() -> None:
    state = position(
        ["BARI ALOA", "HUNA HUNA ELAI"],
        bridges=[
            "ALOA-DUDA DUDA-ELAI DUDA-HUNA ELAI-HUNA BARI-ELAI BARI-FAAA",
            "ALOA-BARI ALOA-HUNA HUNA-IFFI HUNA-LALE ELAI-FAAA ELAI-IFFI ELAI-JOJO",
        ],
        stones=["DUDA", "ALOA HUNA"],
        open="COCO COCO LALE",
    )
    state = play(state, "BARI>DUDA")
    assert look(state, "stones") == [[["BARI", "DUDA"], ["HUNA"]]]
    assert "ALOA-BARI" not in state.snapshot()["bridges"][1]
    state = play(state, "ALOA>BARI")
    assert look(state, "stones") == [[["ALOA", "BARI", "DUDA"], []]]
    assert "ALOA-HUNA" not in state.snapshot()["bridges"][1]
    state = play(state, "draw COCO", "deal LALE")
    state = play(state, "x ELAI-HUNA (HUNA HUNA)", "ELAI>HUNA")
    assert look(state, "stones") == [[["ALOA", "BARI"], ["ELAI", "HUNA"]]]
    assert look(state, "bridges") == [
        [
            ["ALOA-BARI", "ALOA-DUDA", "BARI-DUDA", "BARI-FAAA"],
            ["ELAI-FAAA", "ELAI-HUNA", "ELAI-IFFI", "ELAI-JOJO", "HUNA-IFFI", "HUNA-LALE"],
        ]
    ]


@pytest.mark.rule("kahuna.turn")
@pytest.mark.rule("kahuna.draw")
def test_a_turn_is_any_number_of_cards_and_one_draw() -> None:
    state = play(dealt(), "ALOA>DUDA", "BARI>FAAA", "COCO>KAHU", "draw deck")
    assert look(state, "mover", "turn", "passed") == [archipel.CHANCE, 0, False]
    state = play(state, "deal LALE")
    assert (state.mover, look(state, "hands")) == (1, [[["LALE"], ["DUDA", "ELAI", "FAAA"]]])
    state = play(state, "draw GOLA")
    assert look(state, "hands", "open", "mover") == [
        [["LALE"], ["DUDA", "ELAI", "FAAA", "GOLA"]],
        ["HUNA", "IFFI"],
        archipel.CHANCE,
    ]
    state = play(state, "deal LALE")
    assert look(state, "open", "mover") == [["HUNA", "IFFI", "LALE"], 0]
    assert refused(state, "draw KAHU", "draw") == "No KAHU lies in the open row."


@pytest.mark.rule("kahuna.draw")
def test_with_an_empty_deck_only_open_cards_are_drawn_and_not_replaced() -> None:
    state = position(["ALOA", "BARI"], open="COCO LALE", deck="")
    assert refused(state, "draw deck", "draw") == "The deck is empty: draw one of the open cards."
    state = play(state, "draw COCO")
    assert look(state, "open", "mover") == [["LALE"], 1]


@pytest.mark.rule("kahuna.hand")
@pytest.mark.rule("kahuna.build")
def test_a_bridge_needs_its_card_and_a_free_line() -> None:
    state = dealt()
    assert refused(state, "DUDA>ALOA", "hand") == "You hold no DUDA card."
    state = play(state, "ALOA>BARI")
    assert look(state, "bridges", "discard") == [[["ALOA-BARI"], []], ["ALOA"]]
    assert refused(state, "BARI>ALOA", "build") == "ALOA-BARI already has a bridge."
    assert refused(state, "discard LALE", "hand")


@pytest.mark.rule("kahuna.control")
def test_half_is_not_enough_and_a_further_bridge_strips_nothing() -> None:
    state = position(["COCO COCO BARI", "ELAI"], bridges=["BARI-COCO", "COCO-GOLA"], open="LALE")
    state = play(state, "COCO>KAHU")
    assert look(state, "stones") == [[[], []]]  # two of four
    state = play(state, "COCO>FAAA")
    assert look(state, "stones", "bridges") == [
        [["COCO"], []],
        [["BARI-COCO", "COCO-FAAA", "COCO-KAHU"], []],
    ]
    held = position(
        ["ALOA BARI", "GOLA"], bridges=["COCO-FAAA COCO-KAHU BARI-COCO", "COCO-GOLA GOLA-JOJO"], mover=1, open="LALE"
    )
    assert look(held, "stones") == [[["COCO"], []]]
    more = position(
        ["GOLA COCO", "ALOA"], bridges=["COCO-FAAA COCO-KAHU BARI-COCO", "GOLA-JOJO FAAA-GOLA"], open="LALE"
    )
    more = play(more, "COCO>GOLA")
    assert look(more, "bridges")[0][1] == ["FAAA-GOLA", "GOLA-JOJO"]


@pytest.mark.rule("kahuna.control")
def test_one_bridge_wins_both_ends_and_strips_them_together() -> None:
    state = position(
        ["ALOA", "KAHU"],
        bridges=["ALOA-DUDA BARI-DUDA BARI-ELAI", "ALOA-HUNA BARI-COCO BARI-FAAA"],
        open="LALE",
    )
    state = play(state, "ALOA>BARI")
    assert look(state, "stones", "bridges") == [
        [["ALOA", "BARI"], []],
        [["ALOA-BARI", "ALOA-DUDA", "BARI-DUDA", "BARI-ELAI"], []],
    ]


@pytest.mark.rule("kahuna.cut")
@pytest.mark.rule("kahuna.hand")
def test_a_cut_takes_two_cards_of_the_ends() -> None:
    state = position(["ELAI HUNA HUNA", "ALOA"], bridges=["", "ELAI-HUNA ELAI-IFFI"], open="LALE")
    assert can(state, "x ELAI-HUNA (ELAI HUNA)")
    assert can(state, "x ELAI-HUNA (HUNA HUNA)")
    assert refused(state, "x ELAI-HUNA (ELAI ELAI)", "hand") == "You do not hold two ELAI cards."
    assert refused(state, "x ALOA-BARI (ALOA BARI)", "cut") == "Your opponent has no bridge on ALOA-BARI."
    state = play(state, "x ELAI-HUNA (ELAI HUNA)")
    assert look(state, "bridges", "discard", "hands") == [
        [[], ["ELAI-IFFI"]],
        ["ELAI", "HUNA"],
        [["HUNA"], ["ALOA"]],
    ]
    with pytest.raises(InvalidAction):
        state.encode({"do": "cut", "cards": ["HUNA", "ELAI"], "line": "ELAI-HUNA"})  # not sorted
    with pytest.raises(InvalidAction):
        state.encode({"do": "cut", "cards": ["KAHU", "KAHU"], "line": "ELAI-HUNA"})


@pytest.mark.rule("kahuna.discard")
def test_iello_discards_face_down_in_a_turn_without_play() -> None:
    state = play(dealt(), "discard ALOA")
    assert look(state, "hidden_discard", "discard") == [[["ALOA"], []], []]
    assert refused(state, "BARI>ALOA", "discard").startswith("You have discarded face down")
    assert state.view(1)["hidden_discard"] == [1, []]
    assert {state.notation(a).split()[0] for a in state.actions()} == {"discard", "draw", "pass"}
    played = play(dealt(), "ALOA>BARI")
    assert refused(played, "discard BARI", "discard").startswith("You have played a card")


@pytest.mark.rule("kahuna.discard")
@pytest.mark.rule("kahuna.editions")
def test_tilsit_discards_face_up_at_any_time() -> None:
    state = play(dealt(edition="tilsit"), "ALOA>BARI", "discard BARI", "COCO>KAHU")
    assert look(state, "hidden_discard", "discard") == [[[], []], ["ALOA", "BARI", "COCO"]]


@pytest.mark.rule("kahuna.hand-limit")
def test_nobody_draws_a_sixth_card() -> None:
    state = position(["ALOA ALOA BARI BARI COCO", "LALE"], open="KAHU")
    reason = refused(state, "draw deck", "hand-limit")
    assert reason == "You already hold five cards: play or discard one before you draw."
    assert refused(state, "draw KAHU", "hand-limit") == reason
    assert can(play(state, "discard ALOA"), "draw deck")


@pytest.mark.rule("kahuna.pass")
def test_iello_passes_with_any_hand_but_not_after_a_pass() -> None:
    state = play(dealt(), "pass")
    assert look(state, "passed", "mover") == [True, 1]
    assert refused(state, "pass", "pass") == "Your opponent has just passed: you may not pass now."
    state = play(state, "draw deck")
    assert look(state, "passed") == [True]  # the turn ends when the card has fallen
    assert look(play(state, "deal ALOA"), "passed") == [False]


@pytest.mark.rule("kahuna.pass")
@pytest.mark.rule("kahuna.editions")
def test_tilsit_passes_only_with_five_cards() -> None:
    tilsit = {"edition": "tilsit"}
    assert refused(dealt(edition="tilsit"), "pass", "pass").startswith("You may pass only while you hold five")
    full = position(["ALOA ALOA BARI BARI COCO", "LALE"], tilsit, open="KAHU")
    assert can(full, "pass")
    assert not can(position(["ALOA ALOA BARI BARI COCO", "LALE"], tilsit, open="KAHU", passed=True), "pass")
    assert not can(play(full, "ALOA>BARI"), "pass")


@pytest.mark.rule("kahuna.supplies")
def test_twenty_five_bridges_are_a_limit_and_ten_stones_are_not() -> None:
    from archipel.games.kahuna.board import LINES

    all_but_two = " ".join(line for line in LINES if line not in ("ALOA-BARI", "KAHU-LALE"))
    state = position(["ALOA", "KAHU"], bridges=[all_but_two, ""], open="LALE")
    assert refused(state, "ALOA>BARI", "supplies") == "All your 25 bridges are on the board."
    assert len(state.snapshot()["stones"][0]) == 12
    guarded = position(
        ["ALOA BARI", "KAHU"],
        {"guarded": True},
        bridges=[all_but_two, "ALOA-BARI"],
        open="LALE",
    )
    assert refused(play(guarded, "x ALOA-BARI"), "refill", "supplies") == "All your 25 bridges are on the board."


def near_the_end(round_: int, **changes: Any) -> State:
    """Seat 0 is about to take the last card."""
    fresh: dict[str, Any] = {"round": round_, "open": "LALE", "deck": "", "mover": 0}
    return position(["ALOA BARI", "COCO"], **(fresh | changes))


@pytest.mark.rule("kahuna.rounds")
@pytest.mark.rule("kahuna.aim")
def test_the_first_two_rounds_score_one_and_two() -> None:
    state = play(
        near_the_end(1, bridges=["ALOA-BARI ALOA-DUDA", "KAHU-LALE"], hidden_discard=["", "DUDA"]), "draw LALE"
    )
    assert look(state, "round", "scores", "mover", "open", "discard", "hidden_discard") == [
        2, [1, 0], archipel.CHANCE, [], [], [[], []],
    ]  # fmt: skip
    assert len(state.snapshot()["deck"]) == 20
    state = play(state, "deal DUDA", "deal DUDA", "deal ELAI")
    assert look(state, "mover", "hands", "bridges") == [
        1,
        [["ALOA", "BARI", "LALE"], ["COCO"]],
        [["ALOA-BARI", "ALOA-DUDA"], ["KAHU-LALE"]],
    ]
    assert play(near_the_end(2, bridges=["", "KAHU-LALE IFFI-LALE"]), "draw LALE").scores == [0, 2]
    level = near_the_end(2, bridges=["ALOA-BARI ALOA-DUDA", "KAHU-LALE IFFI-LALE"])
    assert play(level, "draw LALE").scores == [0, 0]


@pytest.mark.rule("kahuna.last-turns")
@pytest.mark.rule("kahuna.pass")
@pytest.mark.rule("kahuna.discard")
def test_the_third_round_ends_with_a_last_turn_each() -> None:
    state = play(near_the_end(3, bridges=["ALOA-BARI ALOA-DUDA", "KAHU-LALE"], scores=[0, 2]), "draw LALE")
    assert look(state, "mover", "last_turns", "round") == [1, 2, 3]
    assert refused(state, "draw deck", "last-turns") == "Nothing is left to draw: pass to end your turn."
    assert refused(state, "discard COCO", "discard") == "Nothing is left to draw: nobody discards any more."
    state = play(state, "pass")
    assert look(state, "mover", "last_turns") == [0, 1]
    state = play(state, "BARI>FAAA", "pass")  # allowed though the opponent has just passed
    assert look(state, "mover", "last_turns", "scores", "winner") == [archipel.OVER, None, [1, 2], 1]


@pytest.mark.rule("kahuna.end")
@pytest.mark.parametrize(
    ("bridges", "scores", "winner"),
    [
        (["ALOA-BARI ALOA-DUDA", "KAHU-LALE"], [0, 0], 0),
        (["ALOA-BARI ALOA-DUDA", "KAHU-LALE"], [0, 1], 0),  # level on points: the third scoring
        (["ALOA-BARI", "KAHU-LALE GOLA-KAHU"], [0, 0], 1),  # no stones: more bridges
        (["ALOA-BARI", "KAHU-LALE"], [0, 0], [0, 1]),
        (["ALOA-BARI", "KAHU-LALE"], [1, 2], 1),
    ],
)
def test_who_wins_in_the_end(bridges: list[str], scores: list[int], winner: Any) -> None:
    state = play(near_the_end(3, bridges=bridges, scores=scores), "draw LALE", "pass", "pass")
    assert state.winner == winner
    assert state.returns() == ([0.0, 0.0] if winner == [0, 1] else [1.0, -1.0] if winner == 0 else [-1.0, 1.0])


@pytest.mark.rule("kahuna.sudden-end")
def test_taking_the_last_bridge_wins_in_rounds_two_and_three() -> None:
    cutting: dict[str, Any] = {"bridges": ["", "ELAI-HUNA"], "open": "LALE"}
    assert play(position(["ELAI HUNA", "ALOA"], round=1, **cutting), "x ELAI-HUNA").mover == 0
    won = play(position(["ELAI HUNA", "ALOA"], round=2, scores=[0, 1], **cutting), "x ELAI-HUNA")
    assert (won.winner, won.scores) == (0, [0, 1])
    strip = position(["ALOA", "KAHU"], round=3, bridges=["ALOA-DUDA", "ALOA-HUNA"], open="LALE")
    assert play(strip, "ALOA>BARI").winner == 0
    last = position(["ALOA", "KAHU"], round=3, bridges=["ALOA-DUDA", "ALOA-HUNA"], deck="", last_turns=1)
    assert look(play(last, "ALOA>BARI"), "winner", "last_turns") == [0, None]
    none_before = position(["ALOA", "KAHU"], round=2, bridges=["", ""], open="LALE")
    assert play(none_before, "ALOA>BARI").winner is None


@pytest.mark.rule("kahuna.guarded")
def test_guarded_no_building_at_the_opponents_islands() -> None:
    bridges = ["COCO-GOLA", "ALOA-BARI ALOA-DUDA"]
    state = position(["HUNA DUDA", "KAHU"], {"guarded": True}, bridges=bridges, open="LALE")
    assert refused(state, "HUNA>ALOA", "guarded").startswith("Your opponent holds an island at an end of ALOA-HUNA")
    assert can(state, "DUDA>HUNA")
    assert can(position(["HUNA DUDA", "KAHU"], bridges=bridges, open="LALE"), "HUNA>ALOA")


@pytest.mark.rule("kahuna.guarded")
def test_guarded_a_cut_may_be_refilled_at_once() -> None:
    options = {"guarded": True}
    state = position(["ALOA BARI DUDA", "KAHU"], options, bridges=["ALOA-DUDA", "ALOA-BARI ALOA-HUNA"], open="LALE")
    assert refused(state, "refill", "guarded") == "You may refill a line only right after you have cut it."
    cut = play(state, "x ALOA-BARI")
    assert look(cut, "stones", "refill") == [[[], []], "ALOA-BARI"]
    filled = play(cut, "refill")
    assert look(filled, "stones", "bridges") == [[["ALOA"], []], [["ALOA-BARI", "ALOA-DUDA"], []]]
    assert look(filled, "refill") == [None]
    assert refused(play(cut, "DUDA>HUNA"), "refill", "guarded")
    held = position(["ALOA BARI", "KAHU"], options, bridges=["", "ALOA-BARI ALOA-HUNA ALOA-DUDA"], open="LALE")
    assert refused(play(held, "x ALOA-BARI"), "refill", "guarded").startswith("Your opponent holds an island")
    basic = position(["ALOA BARI", "KAHU"], bridges=["", "ALOA-BARI"], open="LALE")
    assert refused(play(basic, "x ALOA-BARI"), "refill", "guarded") == "A cut is refilled only in the guarded game."


@pytest.mark.rule("kahuna.open-cards")
def test_open_cards_stay_face_up_and_go_first() -> None:
    state = play(dealt(open_cards=True), "draw GOLA", "deal LALE")
    assert look(state, "shown", "hands") == [
        [["GOLA"], []],
        [["ALOA", "BARI", "COCO", "GOLA"], ["DUDA", "ELAI", "FAAA"]],
    ]
    assert state.view(1)["shown"] == [["GOLA"], []]
    twice = position(["GOLA GOLA ALOA", "KAHU"], {"open_cards": True}, shown=["GOLA", ""], open="LALE")
    assert look(play(twice, "GOLA>JOJO"), "shown") == [[[], []]]
    laid = play(twice, "discard GOLA")
    assert look(laid, "shown", "hidden_discard", "laid") == [[[], []], [["GOLA"], []], [["GOLA"], []]]
    for seed in range(20):
        assert laid.imagine(1, np.random.default_rng(seed)).snapshot()["hidden_discard"] == [["GOLA"], []]


@pytest.mark.rule("kahuna.handicap")
def test_a_handicap_is_built_after_the_deal_without_cards() -> None:
    state = dealt(handicap=[0, 3])
    assert (state.mover, state.snapshot()["phase"]) == (1, "handicap")
    assert refused(state, "ALOA>BARI", "handicap") == "First build your handicap: 3 more without a card."
    state = play(state, "free ALOA-BARI", "ALOA-DUDA")
    assert look(state, "stones", "mover") == [[[], ["ALOA"]], 1]
    assert refused(state, "free ALOA-BARI", "build") == "ALOA-BARI already has a bridge."
    state = play(state, "free KAHU-LALE")
    assert look(state, "mover", "phase", "hands") == [0, "turn", [["ALOA", "BARI", "COCO"], ["DUDA", "ELAI", "FAAA"]]]
    assert refused(state, "free GOLA-JOJO", "handicap").startswith("A bridge without a card is a handicap")
    for wrong in ([1, 1], [4, 0], [0], "20", [True, 0], None):
        with pytest.raises(ValueError, match="handicap"):
            archipel.game("kahuna", handicap=wrong)


@pytest.mark.rule("kahuna.hidden")
def test_a_view_counts_what_it_hides() -> None:
    view = dealt().view(0)
    assert view["hands"] == [["ALOA", "BARI", "COCO"], 3]
    assert (view["deck"], view["hidden_discard"], view["open"]) == (15, [[], 0], ["GOLA", "HUNA", "IFFI"])
    assert dealt().view(None)["hands"] == [3, 3]


@pytest.mark.rule("kahuna.memory")
def test_a_card_taken_from_the_open_row_is_known_until_played() -> None:
    state = play(dealt(), "draw GOLA", "deal LALE")
    assert state.view(1)["known"] == [["GOLA"], []]
    for seed in range(20):
        assert "GOLA" in state.imagine(1, np.random.default_rng(seed)).snapshot()["hands"][0]
    state = play(state, "draw HUNA", "deal LALE")
    assert look(state, "known") == [[["GOLA"], ["HUNA"]]]
    assert look(play(state, "GOLA>JOJO"), "known") == [[[], ["HUNA"]]]
    tilsit = play(dealt(edition="tilsit"), "draw GOLA", "deal LALE", "draw deck", "deal KAHU", "discard GOLA")
    assert look(tilsit, "known", "maybe") == [[[], []], [[], []]]


@pytest.mark.rule("kahuna.memory")
def test_after_a_face_down_discard_it_is_in_the_hand_or_there() -> None:
    state = play(dealt(), "draw GOLA", "deal LALE", "draw deck", "deal KAHU", "discard ALOA")
    assert look(state, "known", "maybe") == [[[], []], [["GOLA"], []]]
    where: Counter[tuple[bool, bool]] = Counter()
    rng = np.random.default_rng(3)
    for _ in range(400):
        world = state.imagine(1, rng).snapshot()
        where["GOLA" in world["hands"][0], "GOLA" in world["hidden_discard"][0]] += 1
    assert where[False, False] == 0
    assert where[True, False] > where[False, True] > 0
    assert look(play(state, "draw IFFI", "deal LALE"), "known", "maybe") == [[["IFFI"], []], [["GOLA"], []]]


@pytest.mark.rule("kahuna.memory")
def test_it_is_only_among_the_discards_laid_down_since() -> None:
    """Two face-down discards, but only one since ELAI and FAAA were taken: they cannot both be there."""
    state = archipel.game("kahuna").new()
    state = play(state, *(f"deal {card}" for card in ["ALOA", "ALOA", "BARI", *ISLANDS[2:4], "COCO", *ISLANDS[4:7]]))
    state = play(
        state, "discard ALOA", "draw ELAI", "deal HUNA", "pass", "draw FAAA", "deal IFFI", "pass", "discard BARI"
    )
    assert look(state, "maybe", "since") == [[["ELAI", "FAAA"], []], [[1, 1], []]]
    rng = np.random.default_rng(2)
    worlds = [state.imagine(1, rng).snapshot() for _ in range(1500)]
    held = Counter(len({"ELAI", "FAAA"} & set(world["hands"][0])) for world in worlds)
    assert set(held) == {1, 2}
    state = play(state, "draw deck", "deal JOJO", "pass", "discard ALOA")
    assert look(state, "since") == [[[2, 2], []]]


@pytest.mark.rule("kahuna.memory")
def test_at_the_shuffle_uncertain_knowledge_is_forgotten() -> None:
    state = near_the_end(
        1, hidden_discard=["DUDA", ""], maybe=["ALOA", ""], known=["BARI", ""], bridges=["ALOA-BARI", "KAHU-LALE"]
    )
    assert look(play(state, "draw LALE"), "known", "maybe") == [[["BARI", "LALE"], []], [[], []]]


@pytest.mark.rule("kahuna.memory")
def test_imagined_hands_follow_the_exact_odds() -> None:
    """Three unseen cards of the opponent among eighteen unseen: P(no second copy of a given card) by counting."""
    state = dealt()
    rng = np.random.default_rng(11)
    draws = 4000
    with_alo = sum("ALOA" in state.imagine(0, rng).snapshot()["hands"][1] for _ in range(draws))
    expected = 1 - comb(17, 3) / comb(18, 3)  # one ALOA is in my hand: one of the 18 unseen cards
    assert abs(with_alo / draws - expected) < 4 * (expected * (1 - expected) / draws) ** 0.5


@pytest.mark.rule("kahuna.memory")
def test_people_are_shown_what_they_could_remember_only_with_the_memory_aid() -> None:
    for aid, shown in ((True, [["GOLA"], []]), (False, [[], []])):
        state = play(dealt(memory_aid=aid), "draw GOLA", "deal LALE")
        assert state.game.unaided(state.view(1))["known"] == shown
        assert state.view(1)["known"] == [["GOLA"], []]
    opened = play(dealt(open_cards=True, memory_aid=False), "draw GOLA", "deal LALE")
    assert opened.game.unaided(opened.view(1))["known"] == [["GOLA"], []]


# Rulings that players dispute


def bare_opponent(**options: Any) -> State:
    """Round 2, the opponent's last bridge was removed in round 1: seat 0 is to play, and LALE can be drawn."""
    bridges = ["ALOA-BARI", "KAHU-LALE"]
    first = position(["KAHU LALE GOLA", "JOJO"], options, bridges=bridges, open="LALE", deck="")
    second = play(first, "x KAHU-LALE (KAHU LALE)", "draw LALE", "deal KAHU", "deal LALE", "deal IFFI")
    assert look(second, "round", "mover", "bare", "bridges") == [2, 1, [False, True], [["ALOA-BARI"], []]]
    return play(second, "pass")


@pytest.mark.rule("kahuna.sudden-state")
@pytest.mark.parametrize("end", [["draw KAHU", "deal ELAI"], ["draw deck", "deal ELAI"]])
def test_who_has_lost_all_bridges_loses_when_the_others_turn_ends(end: list[str]) -> None:
    assert play(bare_opponent(), *end).winner is None
    ended = play(bare_opponent(sudden_end="state"), *end)
    assert (ended.winner, ended.mover, ended.returns()) == (0, archipel.OVER, [1.0, -1.0])
    assert ended.game.restore(ended.snapshot()).snapshot() == ended.snapshot()


@pytest.mark.rule("kahuna.sudden-state")
def test_a_bridge_of_ones_own_turn_comes_in_time() -> None:
    state = bare_opponent(sudden_end="state")
    passing = position(["KAHU", "JOJO GOLA"], {"sudden_end": "state"}, round=2, mover=1, open="LALE", bare=[True, True])
    built = play(passing, "GOLA>JOJO")
    assert look(built, "bare") == [[True, False]]
    assert play(built, "pass").winner == 1
    assert play(passing, "pass").winner == 1  # both are without: who ends the turn wins
    assert state.view(1)["bare"] == [False, True]


@pytest.mark.rule("kahuna.sudden-state")
def test_who_never_had_a_bridge_loses_nothing_nor_anybody_in_round_one() -> None:
    cards: dict[str, Any] = {"bridges": ["ALOA-BARI", ""], "open": "LALE"}
    never = position(["KAHU", "JOJO"], {"sudden_end": "state"}, round=2, bare=[False, False], **cards)
    assert play(never, "pass").winner is None
    early = position(["KAHU", "JOJO"], {"sudden_end": "state"}, bare=[False, True], **cards)
    assert play(early, "pass").winner is None


@pytest.mark.rule("kahuna.sudden-state")
def test_the_last_turn_ends_the_game_so_before_it_is_scored() -> None:
    last: dict[str, Any] = {"round": 3, "mover": 1, "last_turns": 1, "bridges": ["ALOA-BARI ALOA-DUDA", ""], "deck": ""}
    scored = play(position(["KAHU", "JOJO"], **last, bare=[False, True]), "pass")
    assert (scored.winner, scored.scores) == (0, [1, 0])
    last |= {"mover": 0, "last_turns": 2}
    ended = play(position(["KAHU", "JOJO"], {"sudden_end": "state"}, **last, bare=[False, True]), "pass")
    assert (ended.winner, ended.scores) == (0, [0, 0])


@pytest.mark.rule("kahuna.open-copy")
def test_with_the_option_the_player_chooses_which_copy_goes() -> None:
    options = {"open_cards": True, "open_copy": "choose"}
    twice = position(["GOLA GOLA ALOA", "KAHU"], options, shown=["GOLA", ""], open="LALE")
    assert look(play(twice, "GOLA>JOJO hidden"), "shown", "hands") == [[["GOLA"], []], [["ALOA", "GOLA"], ["KAHU"]]]
    assert look(play(twice, "GOLA>JOJO"), "shown", "hands") == [[[], []], [["ALOA", "GOLA"], ["KAHU"]]]
    laid = twice.encode({"do": "discard", "card": "GOLA", "hidden": True})
    assert twice.notation(laid) == "discard GOLA hidden"
    assert look(twice.after(laid), "shown", "laid", "hidden_discard") == [[["GOLA"], []], [[], []], [["GOLA"], []]]
    assert look(play(twice, "discard GOLA"), "shown", "laid") == [[[], []], [["GOLA"], []]]
    alone = play(twice, "discard GOLA hidden")
    assert "hidden" not in {key for action in alone.actions() for key in alone.decode(action)}


@pytest.mark.rule("kahuna.open-copy")
def test_the_opponent_cannot_tell_hidden_discards_apart() -> None:
    options = {"open_cards": True, "open_copy": "choose"}
    twice = position(["GOLA GOLA ALOA", "KAHU"], options, shown=["GOLA", ""], open="LALE")
    hidden, other = twice.parse("discard GOLA hidden"), twice.parse("discard ALOA")
    assert twice.notation_for(hidden, 1) == twice.notation_for(other, 1) == "discard ?"
    assert twice.game.unseen(twice, hidden, 1) == twice.game.unseen(twice, other, 1) == ("card", "hidden")
    assert twice.after(hidden).view(1) == twice.after(other).view(1)
    assert twice.notation_for(hidden, 0) == "discard GOLA hidden"


@pytest.mark.rule("kahuna.open-copy")
def test_a_cut_uses_the_hidden_copy_of_every_card_held_both_ways() -> None:
    options = {"open_cards": True, "open_copy": "choose"}
    cards: dict[str, Any] = {"bridges": ["", "ELAI-HUNA KAHU-LALE"], "open": "LALE"}
    state = position(["ELAI ELAI HUNA HUNA", "KAHU"], options, shown=["ELAI HUNA", ""], **cards)
    assert look(play(state, "x ELAI-HUNA (ELAI HUNA) hidden"), "shown") == [[["ELAI", "HUNA"], []]]
    assert look(play(state, "x ELAI-HUNA (ELAI HUNA)"), "shown") == [[[], []]]
    one = position(["ELAI ELAI HUNA", "KAHU"], options, shown=["ELAI HUNA", ""], **cards)
    assert look(play(one, "x ELAI-HUNA (ELAI HUNA) hidden"), "shown") == [[["ELAI"], []]]
    for both in (["ELAI", "ELAI"], ["HUNA", "HUNA"]):
        with pytest.raises(InvalidAction):
            state.encode({"do": "cut", "cards": both, "line": "ELAI-HUNA", "hidden": True})


@pytest.mark.rule("kahuna.open-copy")
def test_a_copy_is_chosen_only_where_there_are_two_kinds() -> None:
    options = {"open_cards": True, "open_copy": "choose"}
    twice = position(["GOLA GOLA ALOA", "KAHU"], options, shown=["GOLA", ""], open="LALE")
    assert refused(twice, "discard ALOA hidden", "open-copy").startswith("You choose a copy only of a card")
    assert refused(play(twice, "discard ALOA"), "GOLA>JOJO hidden", "discard").startswith("You have discarded")
    first = position(["GOLA GOLA ALOA", "KAHU"], {"open_cards": True}, shown=["GOLA", ""], open="LALE")
    assert refused(first, "discard GOLA hidden", "open-copy").startswith("Which of two copies goes")
    closed = position(["GOLA GOLA ALOA", "KAHU"], {"open_copy": "choose"}, open="LALE")
    assert refused(closed, "discard GOLA hidden", "open-copy").startswith("Which of two copies goes")


def test_a_snapshot_of_an_older_version_lacks_the_newer_options() -> None:
    old = dealt().snapshot()
    for newer in ("sudden_end", "open_copy", "memory_aid"):
        del old["options"][newer]
    del old["bare"]
    assert dealt().game.restore(old).snapshot() == dealt().snapshot()
    with pytest.raises(ValueError, match="made with options"):
        archipel.game("kahuna", sudden_end="state").restore(old)


@pytest.mark.rule("kahuna.actions")
def test_notation_and_what_is_no_action() -> None:
    state = position(["ELAI HUNA HUNA", "ALOA"], bridges=["", "ELAI-HUNA"], open="LALE")
    with pytest.raises(AmbiguousAction, match="x ELAI-HUNA"):
        state.parse("x elai-huna")
    assert state.notation(state.parse("huna-duda")) == "HUNA>DUDA"
    assert state.notation(state.parse("draw")) == "draw deck"
    for wrong in (
        {"do": "bridge", "card": "ALOA", "line": "BARI-ALOA"},
        {"do": "bridge", "card": "KAHU", "line": "ALOA-BARI"},
        {"do": "draw", "from": None},
        {"do": "deal", "card": "ALOA"},
        {"do": "pass", "card": "ALOA"},
    ):
        with pytest.raises(InvalidAction):
            state.encode(wrong)
    with pytest.raises(IllegalAction) as refusal:
        state.after(state.game.action_count)
    assert refusal.value.rule == "kahuna.actions"


def test_snapshots_that_cannot_be() -> None:
    state = dealt()
    good = state.snapshot()
    for changes, sentence in (
        ({"hands": [["ALOA"], good["hands"][1]]}, "two of each island"),
        ({"hands": [["ALOA"] * 3, good["hands"][1]]}, "only two ALOA"),
        ({"bridges": [["ALOA-BARI"], ["ALOA-BARI"]]}, "Two bridges"),
        ({"bridges": [["ALOA-BARI", "ALOA-DUDA"], []]}, "'stones' is"),
        ({"bridges": [["ALOA-LALE"], []]}, "knows no 'ALOA-LALE'"),
        ({"mover": -1}, "'mover' is"),
        ({"round": 4}, "round must be"),
        ({"known": [["KAHU"], []]}, "known to have"),
        ({"last_turns": 2}, "last turns come"),
        ({"shown": [["ALOA"], []]}, "open_cards"),
        ({"passed": 1}, "true or false"),
        ({"winner": 0}, "'winner' is"),
    ):
        with pytest.raises(ValueError, match=sentence):
            state.game.restore(good | changes)
