"""Positions in which dice are thrown, and aims that can be taken in them."""

from typing import Any

import numpy as np

import archipel
from archipel import CHANCE, OVER, State
from archipel.games.krakatoa.board import DICE
from archipel.games.krakatoa.dice import Aim, InvalidAim, Throw, Thrower, Tray

OPTIONS: list[dict[str, Any]] = [
    {"players": players, "teams": teams, "game": game}
    for players, teams in ((2, False), (3, False), (4, False), (4, True))
    for game in ("advanced", "basic")
]


def landing(action: str = "", **keys: Any) -> State:
    """All nine are in the air; or after this action, with these keys changed, what is thrown then."""
    position = {
        "game": "krakatoa",
        "phase": "throw" if action else "land",
        "round": 3,
        "throw": 2 if action else 1,
        "order": [0, 1],
        "dice": "YRB RRB RBB" if action else None,
        "totals": [152, 120],
        "marks": [["", ""], ["", ""]],
        "boxes_left": 3,
    }
    state = archipel.game("krakatoa").restore(position | keys)
    return state.after(state.parse(action)) if action else state


def an_aim(tray: Tray, thrown: str, at: str, rng: np.random.Generator) -> Aim:
    """At the die, from any side that there is room on, of any strength."""
    table = tray.without(die for die in DICE if die.startswith(thrown))
    while True:
        try:
            return Aim.at(table, at, rng.uniform(0, 360), rng.uniform(40, 200))
        except InvalidAim:
            continue


def throws(
    thrower: Thrower, state: State, rng: np.random.Generator, most: int = 1000
) -> list[tuple[State, Aim | None, Throw]]:
    """A game from this state on, every landing by the thrower and all else at random: the throws."""
    made: list[tuple[State, Aim | None, Throw]] = []
    aim, tray = None, None
    while state.mover != OVER and len(made) < most:
        if state.mover == CHANCE:
            throw = thrower.throw(state, aim, rng, tray)
            made.append((state, aim, throw))
            tray, aim = throw.tray, None
            state = state.after(throw.landing)
            continue
        action = int(rng.choice(state.actions()))
        said = state.decode(action)
        if said["do"] == "throw":
            tray = tray or Tray.laid(state.snapshot()["dice"])
            aim = an_aim(tray, said["set"], said["at"], rng)
        state = state.after(action)
    return made
