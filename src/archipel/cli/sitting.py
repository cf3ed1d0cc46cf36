"""A game in progress at this terminal: what was played, and what can be undone."""

from typing import TYPE_CHECKING

from archipel.core.learning import learned
from archipel.core.record import Record

if TYPE_CHECKING:
    from archipel.core.game import Game
    from archipel.core.state import State


class Sitting:
    """The states and actions so far. `players` has a name per seat, `people` the seats of persons."""

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
        """Play an action or a chance outcome; IllegalAction changes nothing."""
        before, after = self.state, self.state.after(action)
        self.actions.append(action)
        self.states.append(after)
        if before.mover not in self.people or learned(before, action, after, before.mover):
            self.bar_undo()
        elif len(self.actions) > 1 and self.states[-3].mover != before.mover:
            self._floor = len(self.actions) - 1

    def bar_undo(self) -> None:
        """Make everything played so far final."""
        self._floor = len(self.actions)

    def may_undo(self) -> bool:
        """True if no other seat has acted or learned anything since the last action."""
        return len(self.actions) > self._floor

    def undo(self) -> str:
        """Undo the last action; return its notation."""
        self.states.pop()
        return self.state.notation(self.actions.pop())

    def record(self) -> Record:
        return Record.of(self.states, self.actions, self.players)
