"""Whole games as text that a person reads: `python -m tests.golden.make` writes them anew."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import archipel
from archipel.core.state import State

FOLDER = Path(__file__).parent

GAMES: dict[str, tuple[str, dict[str, Any], int]] = {
    "kahuna-iello": ("kahuna", {}, 3),
    "kahuna-tilsit": ("kahuna", {"edition": "tilsit"}, 6),
    "kahuna-guarded-open": ("kahuna", {"guarded": True, "open_cards": True}, 5),
    "kahuna-choose-state": ("kahuna", {"open_cards": True, "open_copy": "choose", "sudden_end": "state"}, 4),
    "kahuna-handicap": ("kahuna", {"edition": "tilsit", "handicap": [0, 3]}, 3),
    "krakatoa-advanced": ("krakatoa", {}, 1),
    "krakatoa-three": ("krakatoa", {"players": 3}, 35),
    "krakatoa-basic": ("krakatoa", {"game": "basic", "players": 3}, 4),
    "krakatoa-teams": ("krakatoa", {"players": 4, "teams": True}, 88),
    "kula-kula-three": ("kula_kula", {}, 3),
    "kula-kula-four": ("kula_kula", {"players": 4, "turn_limit": 20}, 6),
    "kula-kula-five-home": ("kula_kula", {"players": 5, "return_home": True}, 4),
    "stonehenge-auto": ("stonehenge", {}, 2),
    "stonehenge-manual": ("stonehenge", {"claims": "manual"}, 16),
    "stonehenge-hidden": ("stonehenge", {"hidden": True}, 1),
}
"""The game, its options, and the seed of the random play; the seeds were chosen for what happens in them."""

SMALL = 18
"""Lines of a small board."""
EAGER = {"bridge", "cut", "refill", "trade", "oracle", "go"}
"""What these players like to do, so that much happens."""


def play(name: str, options: dict[str, Any], seed: int) -> Iterator[tuple[State, int | None]]:
    """Every state of a random game with the action that is taken in it, None in the last."""
    rng = np.random.default_rng(seed)
    state = archipel.game(name, **options).new()
    while state.mover != archipel.OVER:
        action = state.sample(rng) if state.mover == archipel.CHANCE else _eager(state, rng)
        yield state, action
        state = state.after(action)
    yield state, None


def _eager(state: State, rng: np.random.Generator) -> int:
    actions = state.actions()
    liked = [action for action in actions if state.decode(action)["do"] in EAGER]
    choices = liked if liked and rng.random() < 0.6 else actions
    return choices[rng.integers(len(choices))]


def told(name: str, options: dict[str, Any], seed: int) -> str:
    """The whole game: each action in its notation; the board whenever another seat is to act, and in the end.

    A board that takes little room is shown before every choice.
    """
    lines = [f"{name} {json.dumps(options)}, seed {seed}", ""]
    acting: int | None = None
    for number, (state, action) in enumerate(play(name, options, seed)):
        board = str(state)
        chooses = state.mover != archipel.CHANCE
        if action is None or (chooses and (state.mover != acting or board.count("\n") < SMALL)):
            acting = state.mover
            lines += ["", board, f"  scores {state.scores}", ""]
        if action is not None:
            who = "chance" if state.mover == archipel.CHANCE else f"seat {state.mover}"
            lines.append(f"{number + 1:4} {who}: {state.notation(action)}")
        else:
            lines.append(f"winner {state.winner}, returns {state.returns()}")
    return "\n".join(line.rstrip() for line in lines) + "\n"


if __name__ == "__main__":
    for file, game in GAMES.items():
        (FOLDER / f"{file}.txt").write_text(told(*game), "utf-8")
