"""What actions brought about, as the story of a game tells it: checked against the positions before and after."""

from typing import Any

import numpy as np
import pytest

import archipel
from archipel.core.state import State

KAHUNA: dict[str, Any] = {
    "round": 2,
    "mover": 0,
    "bridges": [
        ["ALOA-DUDA", "BARI-ELAI", "BARI-FAAA", "DUDA-ELAI", "DUDA-HUNA", "ELAI-HUNA"],
        ["ALOA-BARI", "ALOA-HUNA", "ELAI-FAAA", "ELAI-IFFI", "ELAI-JOJO", "HUNA-IFFI", "HUNA-LALE"],
    ],
    "stones": [["DUDA"], ["ALOA", "HUNA"]],
    "hands": [["ALOA", "DUDA", "KAHU"], ["ELAI", "HUNA", "HUNA"]],
    "shown": [[], []],
    "open": ["COCO", "GOLA", "LALE"],
    "deck": ["ALOA", "BARI", "COCO", "ELAI", "FAAA", "JOJO", "KAHU"],
    "discard": ["BARI", "DUDA", "FAAA", "GOLA", "IFFI", "IFFI", "JOJO", "LALE"],
    "hidden_discard": [[], []],
    "scores": [0, 1],
    "passed": False,
    "last_turns": None,
}


def told(state: State, *notations: str) -> list[Any]:
    """Play these actions; what each brought about."""
    found = []
    for notation in notations:
        action = state.parse(notation)
        after = state.after(action)
        found.append(state.game.written(state, action, after))
        state = after
    return found


def test_kahuna_tells_of_islands_and_bridges() -> None:
    game = archipel.game("kahuna")
    state = game.restore({"game": "kahuna", "options": game.options} | KAHUNA)
    assert told(state, "DUDA>BARI", "ALOA>BARI", "draw GOLA", "deal JOJO", "x ELAI-HUNA (HUNA HUNA)", "ELAI>HUNA") == [
        {"won": ["BARI"], "lost": ["ALOA"], "stripped": ["ALOA-BARI"]},
        {"won": ["ALOA"], "lost": ["HUNA"], "stripped": ["ALOA-HUNA"]},
        None,
        None,
        None,
        {"won": ["ELAI", "HUNA"], "lost": ["DUDA"], "stripped": ["BARI-ELAI", "DUDA-ELAI", "DUDA-HUNA"]},
    ]


def test_stonehenge_tells_of_lines_and_of_druids_that_are_turned_up() -> None:
    assert told(archipel.game("stonehenge").new(), "3@A", "1@B") == [None, {"claimed": [["AB", 0]]}]
    hidden = archipel.game("stonehenge", hidden=True).new()
    assert told(hidden, "3@A", "1@B")[1] == {"claimed": [["AB", 0]], "revealed": [["A", 0, 3], ["B", 1, 1]]}


def test_kula_kula_tells_of_landings_tolls_idols_and_the_dolphin() -> None:
    state = archipel.game("kula_kula", players=3).new()
    assert told(state, "sail", "oracle", "dolphin 4", "card fish", "draw", "card idol") == [
        {"at": 1, "toll": [], "pukas": 1},
        None,
        {"lies": 1},
        None,
        None,
        {"lost": ["fish"]},
    ]
    crowd = {"starts": {"3": ["Kiriwina", "Kiriwina", "Woodlark"]}}
    together = archipel.game("kula_kula", players=3, board=crowd).new()
    assert told(together, "sail", "sail")[1] == {"at": 1, "toll": [0], "pukas": 0}


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("name", ["kahuna", "kula_kula", "stonehenge"])
def test_a_story_follows_from_what_everybody_sees(name: str, seed: int) -> None:
    """Whatever is hidden from an spectator, the story is the same: it gives nothing away."""
    game = archipel.game(name)
    rng = np.random.default_rng(seed)
    state = game.new()
    while state.mover != archipel.OVER:
        chance = state.mover == archipel.CHANCE
        action = state.sample(rng) if chance else int(rng.choice(state.actions()))
        other = game.imagine(state.view(None), rng)
        if not game.unseen(state, action, None) and other.is_legal(action):
            said = game.written(state, action, state.after(action))
            assert game.written(other, action, other.after(action)) == said
        state = state.after(action)
