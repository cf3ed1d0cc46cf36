"""What seats are shown of states and actions: what they may know, and nothing else."""

from typing import Any

import numpy as np
import pytest

import archipel
from archipel import CHANCE, OVER
from archipel.core.state import State

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("kahuna", {}),
    ("kahuna", {"edition": "tilsit"}),
    ("kahuna", {"open_cards": True, "guarded": True}),
    ("krakatoa", {}),
    ("kula_kula", {"turn_limit": 12}),
    ("stonehenge", {}),
    ("stonehenge", {"hidden": True}),
    ("stonehenge", {"claims": "manual"}),
]
WORLDS = 3


def steps(name: str, options: dict[str, Any], rng: np.random.Generator) -> list[tuple[State, int]]:
    """A random game: its states, and what was done in each."""
    state, played = archipel.game(name, **options).new(), []
    while state.mover != OVER:
        action = state.sample(rng) if state.mover == CHANCE else int(rng.choice(state.actions()))
        played.append((state, action))
        state = state.after(action)
    return played


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_boards_show_a_seat_only_its_view(name: str, options: dict[str, Any]) -> None:
    rng = np.random.default_rng(1)
    for state, _ in steps(name, options, rng)[::3]:
        for seat in (None, *range(state.game.seats)):
            twin = state.imagine(seat, rng)
            assert state.game.text(state.view(seat)) == twin.game.text(twin.view(seat))
            assert state.game.svg(state.view(seat)) == twin.game.svg(twin.view(seat))


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_actions_that_look_the_same_are_told_the_same(name: str, options: dict[str, Any]) -> None:
    """In every world that a seat may imagine, whatever leads to what it sees next is told in the same words."""
    rng = np.random.default_rng(2)
    for state, action in steps(name, options, rng)[::2]:
        for seat in (None, *range(state.game.seats)):
            if seat == state.mover:
                continue
            seen, told = state.after(action).view(seat), state.notation_for(action, seat)
            for _ in range(WORLDS):
                world = state.imagine(seat, rng)
                for other in _possible(world):
                    if world.after(other).view(seat) == seen:
                        assert world.notation_for(other, seat) == told


def _possible(world: State) -> list[int]:
    try:
        return world.actions()
    except NotImplementedError:
        return []


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_whoever_acts_knows_what_he_does(name: str, options: dict[str, Any]) -> None:
    for state, action in steps(name, options, np.random.default_rng(3)):
        if state.mover != CHANCE:
            assert state.notation_for(action, state.mover) == state.notation(action)


def test_a_druid_that_lies_face_down() -> None:
    state = archipel.game("stonehenge", hidden=True).new()
    action = state.parse("6@K")
    assert [state.notation_for(action, seat) for seat in (0, 1, None)] == ["6@K", "?@K", "?@K"]


def test_a_druid_that_is_turned_up_at_once() -> None:
    state = archipel.game("stonehenge", hidden=True).new()
    state = state.after(state.parse("6@N"))
    assert state.notation_for(state.parse("5@R"), 0) == "5@R"


def test_cards_that_are_dealt_and_discarded() -> None:
    state = archipel.game("kahuna").new()
    told = []
    for card in ("ALOA", "BARI", "COCO", "DUDA", "ELAI", "FAAA", "GOLA", "HUNA", "IFFI"):
        action = state.parse(f"deal {card}")
        told.append(state.notation_for(action, 0))
        state = state.after(action)
    assert told == ["deal ALOA", "deal BARI", "deal COCO", *["deal ?"] * 3, "deal GOLA", "deal HUNA", "deal IFFI"]
    assert state.notation_for(state.parse("discard ALOA"), 1) == "discard ?"
    state = state.after(state.parse("draw GOLA"))
    assert state.notation_for(state.parse("deal JOJO"), 1) == "deal JOJO"


def test_a_card_that_is_drawn_from_the_deck() -> None:
    state = archipel.game("kahuna").new()
    for card in ("ALOA", "BARI", "COCO", "DUDA", "ELAI", "FAAA", "GOLA", "HUNA", "IFFI"):
        state = state.after(state.parse(f"deal {card}"))
    state = state.after(state.parse("draw deck"))
    assert [state.notation_for(state.parse("deal JOJO"), seat) for seat in (0, 1, None)] == [
        "deal JOJO",
        "deal ?",
        "deal ?",
    ]
