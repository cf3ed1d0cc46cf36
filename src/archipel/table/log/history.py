"""The history of one game: its actions, the states they led to, and how far they can be undone."""

from copy import copy
from typing import NamedTuple

from archipel.core.learning import taught
from archipel.core.rules import CHANCE
from archipel.core.state import State

from .action_names import ActionNames
from .bot_moves import BotMove


class Step(NamedTuple):
    """An action that was played: the state before, and the state after."""

    before: State
    action: int
    after: State


class History:
    """One game from its first state on."""

    __slots__ = (
        "_ahead",
        "_undoable",
        "action_names",
        "actions",
        "bot_moves",
        "details",
        "drawn",
        "draws",
        "extras",
        "last",
        "movers",
        "state",
    )

    def __init__(self, action_names: ActionNames) -> None:
        self.action_names = action_names
        self.state: State = action_names.game.new()
        self.actions: list[int] = []
        self.movers: list[int] = []
        self.draws: list[int] = []
        self.extras: dict[int, bytes] = {}
        """Extra data by the number of its action; most games have none."""
        self.details: dict[int, tuple[int, bytes]] = {}
        """Details of computed outcomes by the number of the action, with the version of the log entry."""
        self.bot_moves: dict[int, BotMove] = {}
        """How bots came to their moves, by the number of the action."""
        self.drawn = 0
        """The number of the last draw ever made."""
        self.last: Step | None = None
        """The last action that was not taken back."""
        self._undoable: bool | None = False
        self._ahead: list[tuple[State, int, State]] = []

    def fork(self) -> "History":
        """A copy that can be played on; states are shared, since they never change."""
        other = copy(self)
        other.actions, other.movers, other.draws = list(self.actions), list(self.movers), list(self.draws)
        other.extras, other.details = dict(self.extras), dict(self.details)
        return other

    @property
    def moves(self) -> int:
        """The number of actions that were not taken back."""
        return len(self.actions)

    def act(self, action: int, draw: int = 0) -> Step:
        """Play an action, with the draw of that number if it is chance's. IllegalAction changes nothing."""
        before = self.state
        after = next((then for now, what, then in self._ahead if now is before and what == action), None)
        after = after or before.after(action)
        self.actions.append(action)
        self.movers.append(before.mover)
        self.draws.append(draw)
        self.drawn = max(self.drawn, draw)
        self.state, self._undoable = after, None
        self.last = Step(before, action, after)
        return self.last

    def ahead(self, state: State, action: int) -> State:
        """The state after an action that may be played next; cached for when it is."""
        if state is self.state:
            self._ahead.clear()
        after = state.after(action)
        self._ahead.append((state, action, after))
        return after

    def may_undo(self) -> bool:
        """True if the last action was a seat's and revealed nothing to anybody. Computed on demand."""
        if self._undoable is None and self.last:
            chance = CHANCE in (self.last.before.mover, self.state.mover)
            self._undoable = not chance and not taught(*self.last)
        return bool(self._undoable)

    def back(self, moves: int) -> None:
        """Go back to this number of actions. Draws are never repeated."""
        last, state = None, self.action_names.game.new()
        for action in self.actions[:moves]:
            last = Step(state, action, state.after(action))
            state = last.after
        del self.actions[moves:], self.movers[moves:], self.draws[moves:]
        self.extras = {number: extra for number, extra in self.extras.items() if number < moves}
        self.details = {number: detail for number, detail in self.details.items() if number < moves}
        self.bot_moves = {number: move for number, move in self.bot_moves.items() if number < moves}
        self.last, self.state, self._undoable = last, state, None

    @property
    def last_detail(self) -> tuple[int, bytes] | None:
        """The detail of the last computed outcome, and the version of its log entry."""
        return self.details[max(self.details)] if self.details else None

    def last_of(self, seats: list[int]) -> int | None:
        """How many actions came before the last one of any of these seats; None if they have not acted."""
        for moves in range(self.moves - 1, -1, -1):
            if self.movers[moves] in seats:
                return moves
        return None
