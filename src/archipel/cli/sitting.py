"""A game that is being played at this terminal: what was done, and what may be taken back."""

from typing import TYPE_CHECKING

import numpy as np

from archipel.core.record import Record

if TYPE_CHECKING:
    from archipel.core.game import Game
    from archipel.core.state import State

WORLDS = 16
"""How many worlds a seat is asked to imagine before it is said to have learned nothing."""


class Sitting:
    """The states and actions so far. `players` says who sits at each seat, `people` which of them are persons."""

    def __init__(self, game: "Game", players: list[str], people: list[int]) -> None:
        self.players = players
        self.people = people
        self.states = [game.new()]
        self.actions: list[int] = []
        self._floor = 0

    @property
    def state(self) -> "State":
        return self.states[-1]

    def play(self, action: int) -> None:
        """Do something, or let it happen; IllegalAction changes nothing."""
        before, after = self.state, self.state.after(action)
        self.actions.append(action)
        self.states.append(after)
        if before.mover not in self.people or learned(before, action):
            self.bar_undo()
        elif len(self.actions) > 1 and self.states[-3].mover != before.mover:
            self._floor = len(self.actions) - 1

    def bar_undo(self) -> None:
        """What was done until now stands."""
        self._floor = len(self.actions)

    def may_undo(self) -> bool:
        """Has nobody learned anything, and nobody else acted, since the last action?"""
        return len(self.actions) > self._floor

    def undo(self) -> str:
        """Take the last action back; its notation."""
        self.states.pop()
        return self.state.notation(self.actions.pop())

    def record(self) -> Record:
        return Record.of(self.states, self.actions, self.players)


def learned(before: "State", action: int) -> bool:
    """Did the mover see anything that could have turned out otherwise, for all that he knew before?"""
    seat = before.mover
    if not hides(before, seat):
        return False
    seen = before.after(action).view(seat)
    rng = np.random.default_rng(0)
    return any(before.imagine(seat, rng).after(action).view(seat) != seen for _ in range(WORLDS))


def hides(state: "State", seat: int | None) -> bool:
    """Is there anything in the state that the seat may not know?"""
    view = state.view(seat)
    return any(view.get(key) != value for key, value in state.snapshot().items())
