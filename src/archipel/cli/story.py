"""What a viewer sees: the board, and what has happened, one line per turn including its chance outcomes."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from archipel import CHANCE

from . import screen
from .messages import Messages

if TYPE_CHECKING:
    from archipel.core.state import State

    from .sitting import Sitting


@dataclass(frozen=True)
class Eyes:
    """A viewer: a seat, a spectator (None) or, if `all_seeing`, a referee."""

    seat: int | None = None
    all_seeing: bool = False

    def show(self, state: "State") -> None:
        """Print the board."""
        shown = state.snapshot() if self.all_seeing else state.game.unaided(state.view(self.seat))
        screen.board(state.game.text(shown), state.game.marks)

    def action(self, state: "State", action: int) -> str:
        """An action as the viewer sees it."""
        return state.notation(action) if self.all_seeing else state.notation_for(action, self.seat)


REFEREE = Eyes(all_seeing=True)


def recap(sitting: "Sitting", since: int, eyes: Eyes, messages: Messages) -> Table:
    """What happened from an action on, one row per turn."""
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(min_width=max(len(messages.actor(seat, sitting.players)) for seat in range(len(sitting.players))))
    for actor, done in _turns(sitting, since):
        row = Text()
        for state, action in done:
            happened = state.mover == CHANCE
            row.append((" → " if happened else " · ") if row else "", "soft")
            row.append(eyes.action(state, action), "soft" if happened else "action")
        table.add_row(screen.named(messages.actor(actor, sitting.players)), row)
    return table


def _turns(sitting: "Sitting", since: int) -> list[tuple[int, list[tuple["State", int]]]]:
    """The turns: who acted, and the actions; chance outcomes belong to the seat that acted before."""
    turns: list[tuple[int, list[tuple[State, int]]]] = []
    for state, action in zip(sitting.states[since:], sitting.actions[since:], strict=False):
        if not turns or state.mover not in (CHANCE, turns[-1][0]):
            turns.append((state.mover, []))
        turns[-1][1].append((state, action))
    return turns
