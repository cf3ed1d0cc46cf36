"""Whole games, as text, must stay as they are."""

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
