"""Kula Kula, rule by rule: positions drawn, played, compared."""

import json
import re
from collections import Counter
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import archipel
from archipel import CHANCE, OVER
from archipel.core.state import State
from archipel.games.kula_kula import game as kula_kula
from archipel.games.kula_kula.board import BOARD
from archipel.games.kula_kula.game import KulaKula
from archipel.games.kula_kula.rules import splits, splits_below

from ..variants import NUMBERED_ISLANDS, played

KIRIWINA, KITAVA, WOODLARK, NORMANBY = 0, 2, 8, 16

ATOLL = {
    "ring": [
        {"space": 0, "island": "Motu", "kauri": 3},
        {"space": 1, "number": 7},
        {"space": 2, "island": "Rook", "kauri": 0},
        {"space": 3, "number": 4},
    ],
    "players": [3],
    "goal_kauri": {"3": 2},
    "starts": {"3": ["Motu", "Rook", "Motu"]},
    "oracle": {"boat": 2, "fish": 1, "idol": 1},
    "puka_supply": 9,
    "price": 2,
    "puka_limit_per_space": 2,
    "note": "A ring small enough to see through.",
}


def kula(**options: Any) -> KulaKula:
    game = archipel.game("kula_kula", **options)
    assert isinstance(game, KulaKula)
    return game


def position(game: KulaKula, **changes: Any) -> State:
    """The start with these changes; what shells and cards must be elsewhere for it is seen to. Nobody has counted."""
    shown = game.new().snapshot() | {"counted": False}
    for key in ("mover", "scores", "winner"):
        del shown[key]
    for key, value in changes.items():
        shown[key] = shown[key] | value if isinstance(value, dict) else value
    named = changes.get("islands", {})
    spare = sum(shown["islands"].values()) + sum(shown["kauris"]) - sum(game.board.kauri.values())
    for island in shown["islands"]:
        if island not in named:
            taken = min(spare, shown["islands"][island])
            shown["islands"][island] -= taken
            spare -= taken
    shown["supply"] = game.board.supply - sum(shown["sea"].values()) - sum(shown["pukas"])
    if "deck" not in changes:
        for kind in shown["deck"]:
            shown["deck"][kind] -= shown["discard"][kind] + shown["drawn"].count(kind)
    return game.restore(shown)


def play(state: State, actions: str) -> State:
    """Play actions as they are written, with commas between."""
    for action in actions.split(","):
        state = state.after(state.parse(action))
    return state


def legal(state: State) -> list[str]:
    return [state.notation(action) for action in state.actions()]


def refused(state: State, action: str) -> tuple[str, str]:
    with pytest.raises(archipel.IllegalAction) as caught:
        play(state, action)
    return caught.value.rule, caught.value.reason


def shown(state: State, *keys: str) -> list[Any]:
    snapshot = state.snapshot()
    return [snapshot[key] for key in keys]


# The pieces and the start.


@pytest.mark.rule("kula_kula.aim")
def test_the_score_is_the_kauri_gathered() -> None:
    state = position(kula(), kauris=[1, 3, 0])
    assert state.scores == [1, 3, 0]
    assert state.winner is None
    assert state.returns() == [0, 0, 0]


@pytest.mark.rule("kula_kula.pieces")
def test_there_are_42_cards_70_pukas_and_up_to_five_boats() -> None:
    deck, supply, sea, boats = shown(kula(players=5).new(), "deck", "supply", "sea", "boats")
    assert sum(deck.values()) == 42
    assert supply + sum(sea.values()) == 70
    assert len(boats) == 5


@pytest.mark.rule("kula_kula.ring")
def test_twelve_islands_with_a_numbered_space_between_neighbours() -> None:
    ring = kula().board.ring
    assert ring[::2] == [
        "Kiriwina", "Kitava", "Iwa", "Gawa", "Woodlark", "Misima",
        "Koyagaugau", "Tube Tube", "Normanby", "Dobu", "Amphlett", "Vakuta",
    ]  # fmt: skip
    assert ring[1::2] == list(range(1, 13))


@pytest.mark.rule("kula_kula.setup")
def test_kauri_as_numbered_and_a_puka_on_each_odd_space() -> None:
    state = kula().new()
    assert state.snapshot() == {
        "game": "kula_kula",
        "options": {
            "players": 3, "return_home": False, "board": None, "turn_limit": 500,
            "toll": "before", "dolphin": "before", "memory_aid": False,
        },
        "mover": 0,
        "phase": "choose",
        "boats": [KIRIWINA, WOODLARK, NORMANBY],
        "pukas": [0, 0, 0],
        "kauris": [0, 0, 0],
        "sea": {str(n): n % 2 for n in range(1, 13)},
        "islands": {
            "Kiriwina": 2, "Kitava": 1, "Iwa": 1, "Gawa": 1, "Woodlark": 3, "Misima": 2,
            "Koyagaugau": 1, "Tube Tube": 2, "Normanby": 2, "Dobu": 1, "Amphlett": 1, "Vakuta": 2,
        },
        "deck": {"boat": 18, "fish": 12, "idol": 12},
        "discard": {"boat": 0, "fish": 0, "idol": 0},
        "drawn": [],
        "supply": 64,
        "turn": 0,
        "counted": True,
        "scores": [0, 0, 0],
        "winner": None,
    }  # fmt: skip


@pytest.mark.rule("kula_kula.setup")
@pytest.mark.parametrize(
    ("players", "islands"),
    [
        (3, ["Kiriwina", "Woodlark", "Normanby"]),
        (4, ["Kitava", "Woodlark", "Tube Tube", "Amphlett"]),
        (5, ["Kitava", "Woodlark", "Koyagaugau", "Normanby", "Vakuta"]),
    ],
)
def test_boats_start_at_their_islands(players: int, islands: list[str]) -> None:
    game = kula(players=players)
    assert [game.board.ring[space] for space in game.new().snapshot()["boats"]] == islands


# A turn.


@pytest.mark.rule("kula_kula.turn")
def test_a_turn_is_to_sail_or_to_ask_the_oracle_clockwise_by_seat() -> None:
    state = kula().new()
    for turn in range(7):
        assert (state.mover, legal(state)) == (turn % 3, ["sail", "oracle"])
        assert shown(state, "turn") == [turn]
        state = play(state, "sail")
    assert refused(state, "stop") == (
        "kula_kula.turn",
        "Your turn has only begun: sail one space, or consult the oracle.",
    )


@pytest.mark.rule("kula_kula.sail")
def test_sailing_goes_one_space_clockwise_and_around_the_end_of_the_ring() -> None:
    state = position(kula(), boats=[23, 5, 9])
    assert shown(play(state, "sail, sail"), "boats", "turn") == [[0, 6, 9], 2]


@pytest.mark.rule("kula_kula.oracle")
def test_the_oracle_turns_the_dolphin_once_then_a_card() -> None:
    state = play(kula().new(), "oracle")
    assert (state.mover, shown(state, "phase")) == (CHANCE, ["dolphin"])
    assert state.chances() == [(k, 1 / 12) for k in range(12)]
    assert legal(state)[6] == "dolphin 7"
    state = play(state, "dolphin 7")
    assert (state.mover, shown(state, "phase")) == (CHANCE, ["card"])
    assert state.chances() == [(0, 18 / 42), (1, 12 / 42), (2, 12 / 42)]
    state = play(state, "card fish")
    assert (state.mover, shown(state, "phase", "drawn")) == (0, ["push", ["fish"]])
    state = play(state, "draw")
    assert shown(state, "phase", "drawn") == ["card", ["fish"]]
    assert state.chances() == [(0, 18 / 41), (1, 11 / 41), (2, 12 / 41)]


@pytest.mark.rule("kula_kula.oracle")
def test_without_the_oracle_no_card_is_drawn() -> None:
    state = kula().new()
    sentence = "You have not consulted the oracle in this turn: sail one space, or consult it."
    assert refused(state, "draw") == refused(state, "go") == ("kula_kula.oracle", sentence)


@pytest.mark.rule("kula_kula.dolphin")
def test_the_dolphin_adds_a_puka_up_to_three_and_a_fourth_clears_the_space() -> None:
    state = position(kula(), sea={"4": 2})
    state = play(state, "oracle, dolphin 4")
    assert (shown(state, "sea")[0]["4"], shown(state, "supply")) == (3, [61])
    state = play(state, "card idol, oracle, dolphin 4")
    assert (shown(state, "sea")[0]["4"], shown(state, "supply")) == (0, [64])


@pytest.mark.rule("kula_kula.dolphin")
def test_an_empty_supply_adds_nothing_but_a_fourth_clears_all_the_same() -> None:
    state = position(kula(), sea={"4": 3}, pukas=[20, 20, 20])
    assert shown(state, "supply") == [1]
    state = play(state, "oracle, dolphin 5, card idol")
    again = play(state, "oracle, dolphin 6")
    assert (shown(again, "sea")[0]["6"], shown(again, "supply")) == (0, [0])
    again = play(state, "oracle, dolphin 4")
    assert (shown(again, "sea")[0]["4"], shown(again, "supply")) == (0, [3])


@pytest.mark.rule("kula_kula.dolphin")
def test_a_boat_already_there_gets_nothing() -> None:
    state = play(position(kula(), boats=[3, 3, 5]), "oracle, dolphin 2")
    assert shown(state, "pukas") == [[0, 0, 0]]
    assert shown(state, "sea")[0]["2"] == 1


@pytest.mark.rule("kula_kula.push")
def test_go_sails_the_sum_of_all_cards_and_takes_only_on_the_last_space() -> None:
    state = play(kula().new(), "oracle, dolphin 12, card fish, draw, card boat, draw, card fish")
    assert legal(state) == ["draw", "go"]
    state = play(state, "go")
    assert shown(state, "boats", "pukas") == [[5, WOODLARK, NORMANBY], [1, 0, 0]]
    assert shown(state, "sea")[0]["1"] == 1
    assert state.mover == 1


@pytest.mark.rule("kula_kula.push")
@pytest.mark.parametrize("action", ["sail", "oracle", "trade", "stop"])
def test_with_a_card_drawn_one_may_only_draw_or_go(action: str) -> None:
    rule, reason = refused(play(kula().new(), "oracle, dolphin 1, card boat"), action)
    assert rule == "kula_kula.push"
    assert "draw another" in reason


@pytest.mark.rule("kula_kula.push")
def test_a_sum_around_the_whole_ring_lands_on_ones_own_space() -> None:
    game = kula(board=ATOLL)
    state = position(game, boats=[3, 3, 0], sea={"4": 2}, pukas=[1, 0, 0])
    state = play(state, "oracle, dolphin 7, card fish, draw, card boat, draw, card boat, go")
    assert shown(state, "boats", "pukas") == [[3, 3, 0], [2, 1, 0]]


@pytest.mark.rule("kula_kula.idol")
def test_an_idol_loses_all_cards_and_ends_the_turn_where_the_boat_is() -> None:
    state = play(kula().new(), "oracle, dolphin 2, card boat, draw, card fish, draw, card idol")
    assert (state.mover, shown(state, "boats", "drawn", "turn")) == (1, [[KIRIWINA, WOODLARK, NORMANBY], [], 1])
    assert shown(state, "discard") == [{"boat": 1, "fish": 1, "idol": 1}]


@pytest.mark.rule("kula_kula.idol")
def test_after_an_idol_nothing_is_taken_and_nothing_traded() -> None:
    state = position(kula(), pukas=[9, 0, 0])
    state = play(state, "oracle, dolphin 2, card idol")
    assert (state.mover, shown(state, "pukas", "kauris")) == (1, [[9, 0, 0], [0, 0, 0]])


@pytest.mark.rule("kula_kula.deck")
def test_drawn_cards_are_discarded_when_the_turn_ends() -> None:
    state = play(kula().new(), "oracle, dolphin 2, card boat, draw, card boat")
    assert shown(state, "discard", "drawn") == [{"boat": 0, "fish": 0, "idol": 0}, ["boat", "boat"]]
    state = play(state, "go")
    assert shown(state, "discard", "drawn") == [{"boat": 2, "fish": 0, "idol": 0}, []]
    assert shown(state, "deck") == [{"boat": 16, "fish": 12, "idol": 12}]


@pytest.mark.rule("kula_kula.deck")
def test_an_empty_deck_is_made_anew_only_when_a_card_is_due() -> None:
    game = kula(board=ATOLL)
    state = position(game, discard={"boat": 2, "fish": 1, "idol": 1})
    assert shown(state, "deck") == [{"boat": 0, "fish": 0, "idol": 0}]
    state = play(state, "oracle")
    assert shown(state, "deck") == [{"boat": 0, "fish": 0, "idol": 0}]
    state = play(state, "dolphin 7")
    assert shown(state, "deck", "discard") == [
        {"boat": 2, "fish": 1, "idol": 1},
        {"boat": 0, "fish": 0, "idol": 0},
    ]


@pytest.mark.rule("kula_kula.deck")
def test_this_turns_cards_stay_out_of_the_new_deck() -> None:
    game = kula(board=ATOLL)
    state = position(game, phase="push", drawn=["boat"], discard={"boat": 1, "fish": 1, "idol": 1})
    state = play(state, "draw")
    assert shown(state, "deck", "drawn") == [{"boat": 1, "fish": 1, "idol": 1}, ["boat"]]


@pytest.mark.rule("kula_kula.deck")
def test_with_every_card_drawn_one_must_go() -> None:
    game = kula(board={"oracle": {"boat": 1, "fish": 1, "idol": 0}})
    state = play(game.new(), "oracle, dolphin 2, card fish, draw, card boat")
    assert legal(state) == ["go"]
    assert refused(state, "draw") == (
        "kula_kula.deck",
        "All the oracle’s cards lie before you: sail their total.",
    )
    assert shown(play(state, "go"), "boats") == [[3, WOODLARK, NORMANBY]]


@pytest.mark.rule("kula_kula.deck")
def test_a_kind_that_the_deck_has_not_cannot_be_turned_up() -> None:
    state = play(position(kula(board=ATOLL), discard={"fish": 1}), "oracle, dolphin 4")
    assert legal(state) == ["card boat", "card idol"]
    assert refused(state, "card fish") == (
        "kula_kula.deck",
        "There is no fish left in the deck: another card is turned up.",
    )


# Landing.


@pytest.mark.rule("kula_kula.landing")
def test_toll_first_then_the_pukas_then_the_trade() -> None:
    # With nothing at hand no toll is paid, though three Pukas lie there.
    state = play(position(kula(), boats=[0, 1, 5], sea={"1": 3}), "sail")
    assert shown(state, "pukas", "boats") == [[3, 0, 0], [1, 1, 5]]
    # The toll leaves too few for a trade.
    state = play(position(kula(), boats=[1, 2, 5], pukas=[3, 0, 0]), "sail")
    assert (state.mover, shown(state, "pukas", "phase")) == (1, [[2, 1, 0], "choose"])


@pytest.mark.rule("kula_kula.toll")
def test_one_puka_to_each_boat_there_the_next_seat_first() -> None:
    game = kula(players=4)
    there = {"boats": [5, 4, 5, 5], "sea": {"3": 0}, "turn": 1}
    assert shown(play(position(game, **there, pukas=[0, 5, 0, 0]), "sail"), "pukas") == [[1, 2, 1, 1]]
    assert shown(play(position(game, **there, pukas=[0, 2, 0, 0]), "sail"), "pukas") == [[0, 0, 1, 1]]
    assert shown(play(position(game, **there, pukas=[7, 0, 7, 7]), "sail"), "pukas") == [[7, 0, 7, 7]]


@pytest.mark.rule("kula_kula.pukas")
def test_all_pukas_of_the_space_are_taken() -> None:
    state = play(position(kula(), sea={"1": 3}, pukas=[1, 0, 0]), "sail")
    assert shown(state, "pukas", "supply") == [[4, 0, 0], 61]
    assert shown(state, "sea")[0]["1"] == 0


@pytest.mark.rule("kula_kula.trade")
def test_three_pukas_buy_a_kauri_as_often_as_one_can_and_likes() -> None:
    state = play(position(kula(), boats=[7, 0, 2], pukas=[8, 0, 0]), "sail")
    assert (state.mover, legal(state), shown(state, "phase", "supply")) == (0, ["trade", "stop"], ["trade", 56])
    once = play(state, "trade")
    assert shown(once, "pukas", "kauris", "supply", "phase") == [[5, 0, 0], [1, 0, 0], 59, "trade"]
    twice = play(once, "trade")
    assert shown(twice, "pukas", "kauris", "turn", "phase") == [[2, 0, 0], [2, 0, 0], 1, "choose"]
    assert shown(twice, "islands")[0]["Woodlark"] == 1
    assert shown(play(once, "stop"), "pukas", "turn", "phase") == [[5, 0, 0], 1, "choose"]


@pytest.mark.rule("kula_kula.trade")
@pytest.mark.parametrize(("pukas", "kauri"), [(2, 3), (9, 0)])
def test_nobody_is_asked_when_no_trade_is_possible(pukas: int, kauri: int) -> None:
    game = kula()
    state = position(game, boats=[7, 0, 2], pukas=[pukas, 0, 0], islands={"Woodlark": kauri}, kauris=[0, 3 - kauri, 0])
    assert shown(play(state, "sail"), "phase", "turn") == ["choose", 1]


@pytest.mark.rule("kula_kula.trade")
def test_the_cards_of_the_turn_lie_open_while_one_trades() -> None:
    state = position(kula(), boats=[6, 0, 2], pukas=[3, 0, 0])
    state = play(state, "oracle, dolphin 2, card fish, go")
    assert shown(state, "phase", "drawn") == ["trade", ["fish"]]
    assert shown(play(state, "stop"), "drawn", "discard") == [[], {"boat": 0, "fish": 1, "idol": 0}]


@pytest.mark.rule("kula_kula.trade")
def test_one_trades_on_landing_and_not_otherwise() -> None:
    state = position(kula(), pukas=[9, 0, 0])
    assert refused(state, "trade") == (
        "kula_kula.trade",
        "You trade when you land on an island: sail one space, or consult the oracle.",
    )
    trading = play(position(kula(), boats=[7, 0, 2], pukas=[3, 0, 0]), "sail")
    for action in ("sail", "oracle", "draw", "go"):
        assert refused(trading, action)[0] == "kula_kula.trade"


# Winning.


@pytest.mark.rule("kula_kula.win")
@pytest.mark.parametrize(("players", "goal"), [(3, 6), (4, 5), (5, 4)])
def test_the_goal_wins_at_once_in_the_middle_of_the_turn(players: int, goal: int) -> None:
    game = kula(players=players)
    nothing = [0] * (players - 1)
    state = position(
        game, boats=[6, 1, 1, 1, 1][:players], pukas=[9, *nothing], kauris=[goal - 1, *nothing], islands={"Woodlark": 3}
    )
    state = play(state, "oracle, dolphin 2, card fish, go, trade")
    assert (state.mover, state.winner, state.actions()) == (OVER, 0, [])
    assert shown(state, "phase", "drawn", "turn", "pukas") == ["over", ["fish"], 0, [6, *nothing]]
    assert state.returns() == [1, *[-1 / (players - 1)] * (players - 1)]


@pytest.mark.rule("kula_kula.return-home")
def test_enough_kauri_must_be_brought_home() -> None:
    game = kula(return_home=True)
    state = position(game, boats=[20, 9, 9], pukas=[6, 0, 0], kauris=[5, 0, 0], islands={"Vakuta": 2}, sea={"11": 0})
    away = play(state, "oracle, dolphin 2, card fish, go, trade")
    assert (away.winner, shown(away, "kauris", "phase")) == (None, [[6, 0, 0], "trade"])
    more = play(away, "trade")
    assert (more.winner, shown(more, "kauris", "turn")) == (None, [[7, 0, 0], 1])
    home = play(away, "stop, oracle, dolphin 2, card idol, oracle, dolphin 2, card idol")
    home = play(home, "oracle, dolphin 4, card fish, go")
    assert (home.winner, shown(home, "boats", "phase", "drawn")) == (0, [[0, 9, 9], "over", ["fish"]])


@pytest.mark.rule("kula_kula.return-home")
def test_home_with_enough_is_won_on_landing_with_no_trade_asked_after_the_toll() -> None:
    game = kula(return_home=True)
    there = {"boats": [23, 0, 9], "islands": {"Kiriwina": 2}}
    state = play(position(game, **there, pukas=[4, 0, 0], kauris=[6, 0, 0]), "sail")
    assert (state.winner, shown(state, "pukas", "phase")) == (0, [[3, 1, 0], "over"])
    state = play(position(game, **there, pukas=[4, 0, 0], kauris=[5, 0, 0]), "sail")
    assert (state.winner, legal(state)) == (None, ["trade", "stop"])
    assert play(state, "trade").winner == 0


@pytest.mark.rule("kula_kula.return-home")
def test_anothers_home_is_not_ones_own() -> None:
    game = kula(return_home=True)
    state = play(position(game, boats=[7, 9, 9], kauris=[6, 0, 0]), "sail")
    assert (state.winner, state.mover) == (None, 1)


@pytest.mark.rule("kula_kula.turn-limit")
@pytest.mark.parametrize(
    ("kauris", "pukas", "winner", "returns"),
    [
        ([1, 2, 1], [5, 0, 5], 1, [-0.5, 1, -0.5]),
        ([2, 2, 1], [1, 3, 5], 1, [-0.5, 1, -0.5]),
        ([2, 2, 1], [3, 3, 5], [0, 1], [0.25, 0.25, -0.5]),
        ([2, 1, 2], [0, 9, 0], [0, 2], [0.25, -0.5, 0.25]),
        ([0, 0, 0], [4, 4, 4], [0, 1, 2], [0, 0, 0]),
    ],
)
def test_at_the_limit_most_kauri_then_most_pukas_else_shared(
    kauris: list[int], pukas: list[int], winner: Any, returns: list[float]
) -> None:
    game = kula(turn_limit=2)
    state = position(game, boats=[1, 3, 5], turn=5, kauris=kauris, pukas=pukas)
    state = play(state, "oracle, dolphin 2, card boat, draw, card idol")
    assert (state.mover, state.winner, state.returns()) == (OVER, winner, returns)
    assert shown(state, "turn", "phase", "drawn") == [6, "over", []]


@pytest.mark.rule("kula_kula.turn-limit")
def test_one_turn_each() -> None:
    state = play(kula(turn_limit=1, players=4).new(), "sail, sail, sail, sail")
    assert (state.mover, shown(state, "pukas"), state.winner) == (OVER, [[0, 1, 0, 1]], [1, 3])


@pytest.mark.rule("kula_kula.turn-limit")
@pytest.mark.parametrize("limit", [0, -1, 1.5, "500", True, None, 400_000_001])
def test_a_turn_limit_is_a_whole_number_from_1(limit: Any) -> None:
    with pytest.raises(ValueError, match="'turn_limit' must be a whole number from 1"):
        kula(turn_limit=limit)


@pytest.mark.rule("kula_kula.end")
def test_nothing_can_be_done_when_it_is_over() -> None:
    state = play(kula(turn_limit=1).new(), "sail, sail, sail")
    for action in range(6):
        with pytest.raises(archipel.IllegalAction, match="over") as caught:
            state.after(action)
        assert caught.value.rule == "kula_kula.end"


# Words.


@pytest.mark.rule("kula_kula.actions")
def test_actions_are_six_verbs_and_what_chance_does() -> None:
    state = kula().new()
    for number, verb in enumerate(("sail", "oracle", "draw", "go", "trade", "stop")):
        assert state.encode({"do": verb}) == state.parse(f" {verb.upper()} ") == number
        assert (state.decode(number), state.notation(number)) == ({"do": verb}, verb)
    spin = play(state, "oracle")
    assert spin.encode({"do": "dolphin", "number": 12}) == spin.parse("dolphin 12") == 11
    card = play(spin, "dolphin 12")
    assert [card.decode(k)["card"] for k in range(3)] == ["boat", "fish", "idol"]


@pytest.mark.rule("kula_kula.actions")
@pytest.mark.parametrize(
    "action", [{"do": "row"}, {"do": "sail", "by": 1}, {"do": "dolphin", "number": 1}, "sail", None, {}, {"do": ["go"]}]
)
def test_what_is_no_action(action: Any) -> None:
    with pytest.raises(archipel.InvalidAction):
        kula().new().encode(action)


@pytest.mark.rule("kula_kula.actions")
def test_numbers_that_are_no_action() -> None:
    state = kula().new()
    for at, number in ((state, 6), (state, -1), (play(state, "oracle"), 12), (play(state, "oracle, dolphin 1"), 3)):
        with pytest.raises(archipel.IllegalAction, match="no action number") as caught:
            at.after(number)
        assert caught.value.rule == "kula_kula.actions"


# A board of one's own.


@pytest.mark.rule("kula_kula.board")
def test_the_rest_of_a_board_is_as_printed() -> None:
    game = kula(board={"price": 1})
    assert game.options["board"] == {"price": 1}
    state = play(position(game, boats=[7, 0, 2], pukas=[2, 0, 0]), "sail, trade")
    assert shown(state, "pukas", "kauris", "supply") == [[1, 0, 0], [1, 0, 0], 63]
    assert archipel.game(game.name, **game.options) == game
    assert kula(board=None).options["board"] is None


@pytest.mark.rule("kula_kula.board")
def test_a_whole_board_of_ones_own() -> None:
    game = kula(board=ATOLL)
    state = game.new()
    assert shown(state, "boats", "sea", "islands", "supply") == [
        [0, 2, 0],
        {"7": 1, "4": 0},
        {"Motu": 3, "Rook": 0},
        8,
    ]
    spin = play(state, "oracle")
    assert legal(spin) == ["dolphin 7", "dolphin 4"]
    assert [shown(play(spin, f"dolphin {n}"), "sea") for n in (7, 4)] == [[{"7": 2, "4": 0}], [{"7": 1, "4": 1}]]
    full = position(game, sea={"7": 2})
    assert shown(play(full, "oracle, dolphin 7"), "sea", "supply") == [{"7": 0, "4": 0}, 9]
    state = play(position(game, boats=[3, 1, 1], pukas=[5, 0, 0]), "sail, trade, trade")
    assert (state.winner, shown(state, "kauris", "pukas")) == (0, [[2, 0, 0], [1, 0, 0]])


@pytest.mark.rule("kula_kula.board")
def test_the_largest_board() -> None:
    ring: list[dict[str, Any]] = [{"space": 0, "island": "Motu", "kauri": 99}]
    ring += [{"space": k, "number": 2 * k} for k in range(1, 64)]
    game = kula(
        players=5,
        return_home=True,
        board={
            "ring": ring,
            "starts": {"5": ["Motu"] * 5},
            "oracle": {"boat": 120, "fish": 120, "idol": 120},
            "puka_supply": 9999,
        },
    )
    state = play(
        game.new(), "oracle, dolphin 126" + ", card fish, draw" * 119 + ", card fish" + ", draw, card boat" * 120
    )
    assert shown(state, "drawn") == [["fish"] * 120 + ["boat"] * 120]
    assert game.restore(state.snapshot()) == state
    assert shown(play(state, "go"), "boats", "drawn") == [[360 % 64, 0, 0, 0, 0], []]


def island(space: Any, name: Any = "Motu", kauri: Any = 1) -> dict[str, Any]:
    return {"space": space, "island": name, "kauri": kauri}


def sea(space: Any, number: Any = 1) -> dict[str, Any]:
    return {"space": space, "number": number}


BAD_BOARDS: list[tuple[Any, str]] = [
    ([], "'board' must be null or an object"),
    ("ATOLL", "'board' must be null or an object"),
    ({"rng": 1}, "no key 'rng'; its keys are note, ring"),
    ({1: 1}, "no key 1"),
    ({"note": None}, "'note' must be text, not None"),
    ({"ring": {}}, "'ring' must be a list of spaces"),
    ({"ring": []}, "'ring' must have 2 to 64 spaces, not 0"),
    ({"ring": [island(0)] + [sea(k, k) for k in range(1, 65)]}, "'ring' must have 2 to 64 spaces, not 65"),
    ({"ring": [island(0), island(1, "Rook")]}, "'ring' must have a numbered space"),
    ({"ring": [sea(0, 1), sea(1, 2)]}, "'ring' must have an island"),
    ({"ring": [island(0), 7]}, "must be an object with space and island and kauri, or space and number, at space 1"),
    ({"ring": [island(0), {"space": 1}]}, "at space 1, not {'space': 1}"),
    ({"ring": [island(0), {"space": 1, "number": 1, "kauri": 2}]}, "'ring' must be an object with space and number"),
    ({"ring": [island(1), sea(0)]}, "'space' must be 0 at place 0, not 1"),
    ({"ring": [island(0), sea(True)]}, "'space' must be 1 at place 1, not True"),
    ({"ring": [island(0), sea(1, 0)]}, "'number' of space 1, not 0"),
    ({"ring": [island(0), sea(1, "1")]}, "'number' of space 1, not '1'"),
    ({"ring": [island(0), sea(1, 5), sea(2, 5)]}, "'ring' has two spaces of number 5"),
    ({"ring": [island(0), island(1), sea(2)]}, "'ring' has two islands of the name 'Motu'"),
    ({"ring": [island(0, ""), sea(1)]}, "'island' of space 0, not ''"),
    ({"ring": [island(0, 5), sea(1)]}, "'island' of space 0, not 5"),
    ({"ring": [island(0, "Mo\x00tu"), sea(1)]}, "'island' of space 0"),
    ({"ring": [island(0, kauri=-1), sea(1)]}, "'kauri' of Motu, not -1"),
    ({"ring": [island(0, kauri=1.0), sea(1)]}, "'kauri' of Motu, not 1.0"),
    ({"players": 3}, "'players' must be a list"),
    ({"players": []}, "'players' must be a list"),
    ({"players": [3, 6]}, "'players' must name 3, 4 or 5, each once, not 6"),
    ({"players": [3, 3]}, "'players' must name 3, 4 or 5, each once, not 3"),
    ({"players": [4, 5]}, "option 'players' is 3, but the board's 'players' offers 4 or 5"),
    ({"goal_kauri": 6}, "'goal_kauri' must be an object"),
    ({"goal_kauri": {"3": 0}}, "'goal_kauri' must be a whole number from 1 to 9999 for 3 players, not 0"),
    ({"goal_kauri": {"3": 6, "2": 6}}, "'goal_kauri' must have entries for"),
    ({"goal_kauri": {3: 6}}, "'goal_kauri' must have entries for"),
    ({"goal_kauri": {"4": 6}}, "'goal_kauri' has no entry for 3 players"),
    ({"starts": []}, "'starts' must be an object"),
    ({"starts": {"3": "Kiriwina"}}, "'starts' must be a list of 3 islands for 3 players"),
    ({"starts": {"3": ["Kitava"]}}, "'starts' must be a list of 3 islands for 3 players"),
    ({"starts": {"3": ["Kitava", "Iwa", 3]}}, "'starts' must be a list of 3 islands for 3 players"),
    ({"starts": {"3": ["Kitava", "Iwa", "Atlantis"]}}, "'starts' for 3 players must be islands of the ring"),
    ({"starts": {"3": BOARD["starts"]["3"], "4": ["Iwa"]}}, "'starts' must be a list of 4 islands for 4 players"),
    ({"ring": [island(0), sea(1)]}, "'starts' for 3 players must be islands of the ring, not 'Kiriwina'"),
    ({"oracle": {"boat": 1, "fish": 1}}, "'oracle' must be an object with boat and fish and idol"),
    ({"oracle": {"boat": 1, "fish": 1, "idol": 1, "whale": 1}}, "'oracle' must be an object with boat"),
    ({"oracle": {"boat": 0, "fish": 0, "idol": 0}}, "'oracle' must have a card"),
    ({"oracle": {"boat": -1, "fish": 1, "idol": 1}}, "'oracle' must be a whole number from 0 to 120 for boat, not -1"),
    ({"oracle": {"boat": 1, "fish": 121, "idol": 1}}, "'oracle' must be a whole number from 0 to 120 for fish"),
    ({"puka_supply": 5}, "'puka_supply' must be at least 6, a Puka for each odd space, not 5"),
    ({"puka_supply": 10_000}, "'puka_supply' must be a whole number from 0 to 9999"),
    ({"puka_supply": "70"}, "'puka_supply' must be a whole number from 0 to 9999"),
    ({"price": 0}, "'price' must be a whole number from 1 to 9999, not 0"),
    ({"price": None}, "'price' must be a whole number from 1 to 9999, not None"),
    ({"puka_limit_per_space": 0}, "'puka_limit_per_space' must be a whole number from 1 to 99, not 0"),
    ({"puka_limit_per_space": 100}, "'puka_limit_per_space' must be a whole number from 1 to 99, not 100"),
]  # fmt: skip


@pytest.mark.rule("kula_kula.board")
@pytest.mark.parametrize(("board", "sentence"), BAD_BOARDS)
def test_a_board_that_cannot_be_is_refused_with_the_key_and_what_is_wrong(board: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=re.escape(sentence)) as caught:
        kula(board=board)
    assert str(caught.value).startswith("kula_kula: ")
    assert str(caught.value).endswith(".")


@pytest.mark.rule("kula_kula.board")
def test_a_board_need_only_fit_the_players_of_the_game() -> None:
    ring = [island(0), sea(1)]
    game = kula(board={"ring": ring, "starts": {"3": ["Motu"] * 3, "4": ["Kitava"] * 4}})
    assert shown(game.new(), "boats") == [[0, 0, 0]]
    with pytest.raises(ValueError, match="option 'players' must be 3 or 4 or 5"):
        kula(players=2)


# What is hidden.


@pytest.mark.rule("kula_kula.screens")
def test_a_seat_sees_everything_but_the_others_pukas() -> None:
    state = position(kula(), pukas=[3, 1, 4], kauris=[1, 0, 2])
    everything = state.snapshot()
    for seat, pukas in ((0, [3, None, None]), (1, [None, 1, None]), (2, [None, None, 4]), (None, [None] * 3)):
        assert state.view(seat) == everything | {"seat": seat, "pukas": pukas}


def others_splits(state: State, seat: int | None) -> list[tuple[int, ...]]:
    """All ways in which the Pukas may lie, for all that the seat sees: found by trying every one."""
    view = state.view(seat)
    found = []
    total = sum(state.snapshot()["pukas"])
    hidden = [n is None for n in view["pukas"]]
    for split in product(
        *(range(total + 1) if unknown else [n] for unknown, n in zip(hidden, view["pukas"], strict=True))
    ):
        if sum(split) == total:
            try:
                world = state.game.restore(state.snapshot() | {"pukas": list(split)})
            except ValueError:
                continue
            if world.view(seat) == view:
                found.append(split)
    return found


def assert_imagined_evenly(state: State, seat: int | None, draws: int = 1200) -> None:
    """Every split that fits is imagined as often as any other: a chi-square far from its tail, with a fixed seed."""
    rng = np.random.default_rng(12)
    fitting = others_splits(state, seat)
    counts = Counter(tuple(state.imagine(seat, rng).snapshot()["pukas"]) for _ in range(draws))
    assert set(counts) <= set(fitting)
    expected = draws / len(fitting)
    chi = sum((counts[split] - expected) ** 2 / expected for split in fitting)
    assert chi <= len(fitting) - 1 + 4 * (2 * len(fitting)) ** 0.5


@pytest.mark.rule("kula_kula.screens")
@pytest.mark.parametrize("seat", [0, 1, None])
def test_every_split_of_the_others_pukas_is_imagined_as_likely(seat: int | None) -> None:
    state = position(kula(players=4), pukas=[2, 1, 0, 4])
    assert len(others_splits(state, seat)) == {0: 21, 1: 28, None: 120}[seat]
    assert_imagined_evenly(state, seat)


@pytest.mark.rule("kula_kula.screens")
@pytest.mark.parametrize("seat", [0, 1, None])
def test_who_is_asked_to_trade_is_known_to_have_the_price(seat: int | None) -> None:
    state = play(position(kula(), boats=[7, 0, 2], pukas=[4, 2, 3]), "sail")
    assert len(others_splits(state, seat)) == {0: 6, 1: 5, None: 28}[seat]
    assert_imagined_evenly(state, seat)


TIES = [
    ([1, 1, 0], [3, 1, 2]),
    ([1, 1, 0], [2, 2, 3]),
    ([0, 0, 0], [2, 2, 1]),
    ([0, 0, 0], [3, 1, 1]),
    ([0, 0, 0], [2, 2, 2]),
    ([0, 0, 0], [0, 0, 0]),
    ([2, 1, 1], [0, 3, 3]),
    ([1, 0, 1, 1], [1, 2, 3, 0]),
    ([1, 1, 1, 1], [2, 0, 2, 1]),
    ([0, 1, 1, 1, 0], [1, 1, 1, 1, 1]),
    ([0, 1, 1, 1, 0], [1, 2, 0, 1, 1]),
]


def ended(kauris: list[int], pukas: list[int]) -> State:
    game = kula(players=len(kauris), turn_limit=1)
    return position(game, phase="over", turn=len(kauris), kauris=kauris, pukas=pukas)


@pytest.mark.rule("kula_kula.screens")
@pytest.mark.parametrize(("kauris", "pukas"), TIES)
def test_pukas_that_decided_the_game_are_imagined_to_decide_it_so(kauris: list[int], pukas: list[int]) -> None:
    state = ended(kauris, pukas)
    for seat in (*range(len(kauris)), None):
        assert_imagined_evenly(state, seat, draws=600)


@pytest.mark.rule("kula_kula.screens")
def test_what_a_seat_cannot_know_changes_nothing_for_it() -> None:
    game = kula(players=4)
    for seat, pukas, other in ((0, [2, 5, 0, 1], [2, 0, 6, 0]), (None, [2, 5, 0, 1], [0, 0, 0, 8])):
        a, b = position(game, pukas=pukas), position(game, pukas=other)
        assert a.view(seat) == b.view(seat)
        assert a.actions() == b.actions()
        imagined = [[s.imagine(seat, np.random.default_rng(k)) for k in range(20)] for s in (a, b)]
        assert imagined[0] == imagined[1]


@pytest.mark.rule("kula_kula.screens")
@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"pukas": [0, 0, 0]}, "does not tell the other seats' Pukas"),
        ({"pukas": [None, None, None]}, "must be a whole number"),
        ({"pukas": [0, None]}, "must be a list of 3"),
        ({"supply": 70}, "but the view shows 6 more"),
        ({"supply": "64"}, "must be a whole number"),
        ({"sea": {"1": []}}, "must be a whole number"),
        ({"turn": None}, "turn must be a whole number"),
        ({"kauris": ["0", 0, 0]}, "kauris must be a whole number"),
        ({"seat": 3}, "seat must be a whole number from 0 to 2"),
        ({"phase": "trade"}, "seat 0 cannot trade"),
    ],
)
def test_a_view_that_cannot_be(change: dict[str, Any], sentence: str) -> None:
    game = kula()
    with pytest.raises(ValueError, match=sentence):
        game.imagine(position(game).view(0) | change, np.random.default_rng(1))


@pytest.mark.rule("kula_kula.screens")
@pytest.mark.parametrize(
    ("winner", "sentence"),
    [
        (None, "winner must be"),
        ("0", "winner must be"),
        (4, "winner must be"),
        ([0, 1], "cannot have made"),
        ([0, 0], "cannot have made"),
        (2, "cannot have made"),
    ],
)
def test_a_winner_that_cannot_be(winner: Any, sentence: str) -> None:
    state = ended([1, 1, 0], [2, 1, 0])
    view = state.view(1) | {"winner": winner, "pukas": [None, 2, None]}
    with pytest.raises(ValueError, match=sentence):
        state.game.imagine(view, np.random.default_rng(1))


def test_splits_are_counted_right() -> None:
    for total, screens, losers, most in product(range(6), range(4), range(4), range(4)):
        if losers <= screens:
            shares = [range(most) if k < losers else range(total + 1) for k in range(screens)]
            found = [split for split in product(*shares) if sum(split) == total]
            assert splits_below(total, screens, losers, most) == len(found)
    assert splits(70, 5) == 1_150_626
    assert splits(-1, 3) == 0


# Snapshots.

BAD_SNAPSHOTS: list[tuple[dict[str, Any], str]] = [
    ({"phase": "swim"}, "phase knows no 'swim'"),
    ({"turn": -1}, "turn must be a whole number from 0 to 1499"),
    ({"turn": 1500}, "turn must be a whole number from 0 to 1499"),
    ({"turn": 1}, "'mover' is 0, but the rest makes it 1"),
    ({"boats": [0, 8]}, "boats must be a list of 3"),
    ({"boats": [0, 8, 24]}, "boats of seat 2 must be a whole number from 0 to 23"),
    ({"pukas": [1, 0, 0]}, "There are 70 Pukas in all, but the snapshot has 71"),
    ({"pukas": [0, None, 0]}, "pukas of seat 1 must be a whole number"),
    ({"kauris": [1, 0, 0]}, "There are 19 Kauri in all, but the snapshot has 20"),
    ({"sea": {"1": 1}}, "has no '2'"),
    ({"sea": {str(n): 4 for n in range(1, 13)}}, "space 1 must be a whole number from 0 to 3"),
    ({"islands": []}, "islands must be an object"),
    ({"islands": BOARD["oracle"]}, "has no 'Kiriwina'"),
    ({"supply": 65}, "There are 70 Pukas in all"),
    ({"deck": {"boat": 18, "fish": 12}}, "has no 'idol'"),
    ({"deck": {"boat": 18, "fish": 12, "idol": 11}}, "There are 12 idol cards in all, but the snapshot has 11"),
    ({"drawn": ["whale"]}, "drawn knows no 'whale'"),
    ({"drawn": ["boat"], "deck": {"boat": 17, "fish": 12, "idol": 12}}, "'drawn' must be empty in phase 'choose'"),
    ({"drawn": ["idol"], "deck": {"boat": 18, "fish": 12, "idol": 11}, "phase": "push"}, "An idol ends the turn"),
    ({"phase": "push"}, "no card is drawn"),
    ({"phase": "trade"}, "seat 0 cannot trade"),
    ({"phase": "over"}, "seat 0 has not won"),
    ({"phase": "dolphin"}, "'mover' is 0, but the rest makes it -1"),
    ({"deck": {"boat": 0, "fish": 0, "idol": 0}, "discard": BOARD["oracle"], "phase": "card"}, "made anew"),
    ({"winner": 0}, "'winner' is 0, but the rest makes it None"),
    ({"scores": [1, 0, 0]}, "'scores' is"),
    ({"tide": "high"}, "A snapshot of kula_kula has no 'tide'"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "sentence"), BAD_SNAPSHOTS)
def test_a_snapshot_that_cannot_be_is_refused(change: dict[str, Any], sentence: str) -> None:
    game = kula()
    with pytest.raises(ValueError, match=re.escape(sentence)):
        game.restore(game.new().snapshot() | change)


@pytest.mark.parametrize(
    "key", ["phase", "turn", "boats", "pukas", "kauris", "sea", "islands", "deck", "drawn", "supply"]
)
def test_a_snapshot_must_be_whole(key: str) -> None:
    snapshot = kula().new().snapshot()
    del snapshot[key]
    with pytest.raises(ValueError, match=f"has no '{key}'"):
        kula().restore(snapshot)


def test_who_has_enough_kauri_must_have_won() -> None:
    with pytest.raises(ValueError, match="Seat 1 has Kauri enough"):
        position(kula(), kauris=[0, 6, 0])
    with pytest.raises(ValueError, match="Seat 1 has Kauri enough"):
        position(kula(), kauris=[0, 6, 0], phase="over")
    with pytest.raises(ValueError, match="only have won at an island"):
        position(kula(), kauris=[6, 0, 0], phase="over", boats=[1, 8, 16])
    with pytest.raises(ValueError, match="'drawn' must be empty"):
        position(kula(turn_limit=1), phase="over", turn=3, drawn=["boat"])


# Whole games.


SMALL = ATOLL | {
    "players": [3, 4, 5],
    "goal_kauri": {"3": 2, "4": 2, "5": 1},
    "starts": {str(n): ["Motu", "Rook", "Motu", "Rook", "Rook"][:n] for n in (3, 4, 5)},
    "oracle": {"boat": 1, "fish": 1, "idol": 0},
}


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("return_home", [False, True])
@pytest.mark.parametrize(("board", "turn_limit"), [(None, 3), (SMALL, 1), (SMALL, 12)])
def test_every_state_of_a_random_game_keeps_the_promises(
    players: int, return_home: bool, board: Any, turn_limit: int
) -> None:
    game = kula(players=players, return_home=return_home, board=board, turn_limit=turn_limit)
    rng = np.random.default_rng(3)
    state = game.new()
    while state.mover != OVER:
        actions = state.actions()
        for action in range(-1, 14):
            if action in actions:
                assert state.encode(state.decode(action)) == state.parse(state.notation(action)) == action
            else:
                with pytest.raises(archipel.IllegalAction) as caught:
                    state.after(action)
                assert caught.value.rule.removeprefix("kula_kula.") in anchors("en")
        assert game.restore(json.loads(json.dumps(state.snapshot()))) == state
        for seat in (*range(game.seats), None):
            assert state.imagine(seat, rng).view(seat) == state.view(seat)
        state = state.after(state.sample(rng) if state.mover == CHANCE else int(rng.choice(actions)))
    assert game.restore(state.snapshot()) == state
    assert sum(state.returns()) == pytest.approx(0)


# Pictures.


def test_the_start_in_a_terminal() -> None:
    state = play(kula().new(), "oracle, dolphin 3, card fish")
    assert (
        str(state)
        == """\
  12                            |  Kiriwina    **    <0>
  Vakuta      **                |   1          o
  11          o                 |  Kitava      *
  Amphlett    *                 |   2
  10                            |  Iwa         *
  Dobu        *                 |   3          oo
   9          o                 |  Gawa        *
  Normanby    **    <2>         |   4
   8                            |  Woodlark    ***   <1>
  Tube Tube   **                |   5          o
   7          o                 |  Misima      **
  Koyagaugau  *                 |   6

  deck 18 boat 11 fish 12 idol   discard 0 boat 0 fish 0 idol   drawn fish
  supply 63
  <0> 0 of 6 Kauri, 0 Pukas
  <1> 0 of 6 Kauri, 0 Pukas
  <2> 0 of 6 Kauri, 0 Pukas
  seat 0 may draw again or go 2"""
    )


def test_a_view_is_drawn_without_what_it_hides() -> None:
    state = position(kula(), pukas=[2, 31, 1])
    words = state.game.text(state.view(0))
    assert "<0> 0 of 6 Kauri, 2 Pukas\n  <1> 0 of 6 Kauri, ? Pukas" in words
    chart = ElementTree.fromstring(state.game.svg(state.view(None)))
    assert [element.text for element in chart.iter()].count("?") == 3
    assert "31" not in {element.text for element in chart.iter()}


CHARTS: list[tuple[Callable[[], State], str]] = [
    (lambda: kula().new(), "seat 0 may sail or ask the oracle"),
    (lambda: play(kula().new(), "sail, oracle"), "the dolphin turns for seat 1"),
    (lambda: play(kula().new(), "oracle, dolphin 1"), "a card is turned up for seat 0"),
    (lambda: play(position(kula(), boats=[7, 0, 2], pukas=[3, 0, 0]), "sail"), "seat 0 may trade or stop"),
    (lambda: ended([1, 0, 0], [5, 6, 7]), "seat 0 has won"),
    (lambda: ended([0, 0, 0], [1, 1, 1]), "seats 0, 1 and 2 share the win"),
    (lambda: kula(board=ATOLL, return_home=True).new(), "seat 0 may sail or ask the oracle"),
]


@pytest.mark.parametrize(("drawn", "words"), CHARTS)
def test_a_chart_names_every_island_and_says_how_it_stands(drawn: Callable[[], State], words: str) -> None:
    state = drawn()
    assert str(state).endswith(words)
    chart = ElementTree.fromstring(state._repr_svg_())
    said = [element.text for element in chart.iter() if element.text]
    assert f"Kula Kula: {words}" in said
    assert set(state.snapshot()["islands"]) <= set(said)


# The rules page.


def anchors(language: str) -> list[str]:
    page = Path(kula_kula.__file__).with_name(f"rules.{language}.md").read_text("utf-8")
    return re.findall(r"^##.*\{#([a-z-]+)\}$", page, re.MULTILINE)


def test_both_pages_have_the_same_rules_and_every_rule_a_test() -> None:
    assert anchors("en") == anchors("fr")
    tested = {
        mark.args[0].removeprefix("kula_kula.")
        for test in globals().values()
        for mark in getattr(test, "pytestmark", [])
        if mark.name == "rule"
    }
    assert tested == set(anchors("en"))


# Rulings that people dispute


@pytest.mark.rule("kula_kula.toll-after")
def test_a_toll_that_comes_last_is_paid_from_what_was_taken() -> None:
    at_sea = {"boats": [KIRIWINA, KIRIWINA + 1, NORMANBY], "sea": {"1": 2}}
    before, after = (play(position(kula(toll=toll), **at_sea), "sail") for toll in ("before", "after"))
    assert before.snapshot()["pukas"] == [2, 0, 0]
    assert after.snapshot()["pukas"] == [1, 1, 0]


@pytest.mark.rule("kula_kula.toll-after")
def test_a_toll_that_comes_last_waits_for_the_trades() -> None:
    start = position(kula(toll="after"), boats=[KIRIWINA - 1 + 24, KIRIWINA, KIRIWINA], pukas=[4, 0, 0])
    asked = play(start, "sail")
    assert (asked.mover, asked.snapshot()["pukas"]) == (0, [4, 0, 0])
    assert play(asked, "stop").snapshot()["pukas"] == [2, 1, 1]
    assert play(asked, "trade").snapshot()["pukas"] == [0, 1, 0]
    near = position(kula(toll="after"), boats=[WOODLARK - 1, WOODLARK, WOODLARK], pukas=[4, 0, 0], kauris=[5, 0, 0])
    won = play(near, "sail, trade")
    assert (won.winner, won.snapshot()["pukas"]) == (0, [1, 0, 0])


@pytest.mark.rule("kula_kula.dolphin-after")
def test_a_dolphin_that_comes_last_turns_after_landing_and_trades() -> None:
    start = position(kula(dolphin="after"), boats=[KIRIWINA - 2 + 24, WOODLARK, NORMANBY], pukas=[3, 0, 0])
    assert start.after(start.parse("oracle")).snapshot()["phase"] == "card"
    asked = play(start, "oracle, card fish, go")
    assert asked.snapshot()["phase"] == "trade"
    turning = play(asked, "stop")
    assert (turning.snapshot()["phase"], turning.snapshot()["drawn"]) == ("dolphin", ["fish"])
    ended = play(turning, "dolphin 2")
    assert (ended.mover, ended.snapshot()["sea"]["2"], ended.snapshot()["drawn"]) == (1, 1, [])


@pytest.mark.rule("kula_kula.dolphin-after")
def test_a_dolphin_that_comes_last_turns_after_an_idol_too_and_not_after_sailing() -> None:
    start = position(kula(dolphin="after"))
    stopped = play(start, "oracle, card boat, draw, card idol")
    assert (stopped.snapshot()["phase"], stopped.snapshot()["drawn"]) == ("dolphin", ["boat", "idol"])
    assert stopped.game.restore(stopped.snapshot()) == stopped
    ended = play(stopped, "dolphin 4")
    assert (ended.mover, ended.snapshot()["discard"]) == (1, {"boat": 1, "fish": 0, "idol": 1})
    assert play(start, "sail").mover == 1
    with pytest.raises(ValueError, match="no card is drawn"):
        start.game.restore({**start.snapshot(), "phase": "dolphin", "mover": -1})


@pytest.mark.rule("kula_kula.numbered-islands")
def test_a_numbered_island_gets_pukas_and_gives_them_before_trading() -> None:
    game = kula(board=NUMBERED_ISLANDS)
    start = game.new()
    assert start.snapshot()["sea"] == {"3": 1, "7": 1, "2": 0, "4": 0, "5": 1}
    assert start.snapshot()["supply"] == 6
    pointed = play(start, "oracle, dolphin 4")
    assert pointed.snapshot()["sea"]["4"] == 1
    near = position(game, boats=[4, 3, 4], pukas=[1, 0, 0])
    landed = play(near, "sail")
    assert landed.snapshot()["pukas"] == [2, 0, 0]
    assert landed.snapshot()["phase"] == "trade"
    assert landed.snapshot()["sea"]["3"] == 0
    assert "Iwa 3" in str(start)


@pytest.mark.rule("kula_kula.numbered-islands")
@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"number": 7}, "two spaces of number 7"),
        ({"number": 0}, "as the 'number' of space 0"),
        ({"number": 3, "reef": 1}, "must be an object"),
    ],
)
def test_an_island_number_that_cannot_be(change: dict[str, Any], sentence: str) -> None:
    ring = [NUMBERED_ISLANDS["ring"][0] | change, *NUMBERED_ISLANDS["ring"][1:]]
    with pytest.raises(ValueError, match=sentence):
        kula(board=NUMBERED_ISLANDS | {"ring": ring})


# Memory


@pytest.mark.rule("kula_kula.memory")
@pytest.mark.parametrize("options", [{}, {"players": 5, "toll": "after"}, {"dolphin": "after", "return_home": True}])
def test_whoever_counts_from_the_start_knows_every_puka(options: dict[str, Any]) -> None:
    rng = np.random.default_rng(5)
    for state, _ in played(kula(turn_limit=60, **options), seed=5):
        for seat in (None, *range(state.game.seats)):
            assert state.view(seat)["pukas"] == state.snapshot()["pukas"]
            assert state.imagine(seat, rng) == state == state.redealt(seat, rng)


@pytest.mark.rule("kula_kula.memory")
def test_people_are_shown_what_they_could_count_only_with_the_memory_aid() -> None:
    for aid, shown in ((False, [None, 0, None]), (True, [0, 0, 0])):
        game = kula(memory_aid=aid)
        assert game.unaided(game.new().view(1))["pukas"] == shown
        assert game.new().view(1)["pukas"] == [0, 0, 0]


@pytest.mark.rule("kula_kula.memory")
def test_an_old_snapshot_tells_nobody_the_pukas_of_others() -> None:
    old = {key: value for key, value in kula().new().snapshot().items() if key not in ("counted", "options")}
    assert kula().restore(old).view(0)["pukas"] == [0, None, None]
