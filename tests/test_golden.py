"""Whole games, as text, must stay as they are."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

import archipel

from .golden.make import FOLDER, GAMES, play, told


@pytest.mark.parametrize("name", GAMES)
def test_the_game_is_still_the_same(name: str) -> None:
    assert (FOLDER / f"{name}.txt").read_text("utf-8") == told(*GAMES[name]), "look at what `make golden` changes"


def test_no_file_is_left_over() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(GAMES)


@pytest.mark.parametrize("game", archipel.GAMES)
def test_the_golden_games_show_every_verb(game: str) -> None:
    """Each verb of a game's vocabulary occurs in one of its golden games."""
    verbs = set()
    for name, options, seed in GAMES.values():
        if name == game:
            verbs |= {state.decode(action)["do"] for state, action in play(name, options, seed) if action is not None}
    known = {
        "kahuna": {"bridge", "cut", "refill", "discard", "draw", "pass", "deal"},
        "krakatoa": {"keep", "reroll", "throw", "land"},
        "kula_kula": {"sail", "oracle", "dolphin", "card", "draw", "go", "trade", "stop"},
        "stonehenge": {"place", "claim", "done"},
    }
    assert verbs == known[game]


Json = dict[str, Any]
SCENES: dict[str, list[Callable[[Json, Json, Json], bool]]] = {
    "kahuna": [
        lambda before, action, after: after["round"] > before["round"],
        lambda before, action, after: after["last_turns"] == 1,
        lambda before, action, after: after["winner"] is not None and action["do"] == "pass",
        lambda before, action, after: after["winner"] is not None and [] in after["bridges"],
        lambda before, action, after: action["do"] == "bridge" and _bridges(after) < _bridges(before),
    ],
    "krakatoa": [
        lambda before, action, after: action.get("touched") is False,
        lambda before, action, after: after["boxes_left"] < before["boxes_left"],
        lambda before, action, after: ["xx", "xx"] in after["marks"],
        lambda before, action, after: 1 < len(after["order"]) < len(before["order"]),
        lambda before, action, after: isinstance(after["winner"], list),
    ],
    "kula_kula": [
        lambda before, action, after: action.get("card") == "idol",
        lambda before, action, after: sum(after["deck"].values()) > sum(before["deck"].values()),
        lambda before, action, after: action["do"] == "dolphin" and after["supply"] > before["supply"],
        lambda before, action, after: after["winner"] is not None and action["do"] == "trade",
        lambda before, action, after: isinstance(after["winner"], list),
    ],
    "stonehenge": [
        lambda before, action, after: after["scores"][1 - before["mover"]] > before["scores"][1 - before["mover"]],
        lambda before, action, after: len(after.get("revealed", [])) > len(before.get("revealed", [])) + 1,
        lambda before, action, after: after["winner"] is not None and action["do"] == "claim",
        lambda before, action, after: after["winner"] is not None and len(after["cells"]) < 18,
        lambda before, action, after: action["do"] == "done" and len(after["cells"]) == 18,
    ],
}
"""What must happen in a golden game of each, told from two states and the action between them."""


def _bridges(shown: Json) -> int:
    return sum(map(len, shown["bridges"]))


@pytest.mark.parametrize("game", archipel.GAMES)
def test_the_golden_games_show_what_is_rare(game: str) -> None:
    unseen = list(SCENES[game])
    for name, options, seed in GAMES.values():
        if name == game:
            whole = [(state.snapshot(), state.decode(action or 0)) for state, action in play(name, options, seed)]
            for (before, action), (after, _) in pairwise(whole):
                unseen = [scene for scene in unseen if not scene(before, action, after)]
    assert [SCENES[game].index(scene) for scene in unseen] == []
