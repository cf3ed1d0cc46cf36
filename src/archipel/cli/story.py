"""What a seat sees: the board before it, and what has happened, a line a turn with what chance brought in it."""

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
    """Eyes of a seat, of a spectator (None) or, if `all_seeing`, of a referee."""

    seat: int | None = None
    all_seeing: bool = False

    def show(self, state: "State") -> None:
        """Print the board."""
        shown = state.snapshot() if self.all_seeing else state.game.unaided(state.view(self.seat))
        screen.board(state.game.text(shown), state.game.marks)

    def action(self, state: "State", action: int) -> str:
        """What is done in a state."""
        return state.notation(action) if self.all_seeing else state.told(action, self.seat)


REFEREE = Eyes(all_seeing=True)


def told(sitting: "Sitting", since: int, eyes: Eyes, messages: Messages) -> Table:
    """What was done from a certain action on, one row for each turn."""
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
    """Who acted, and what was done then; chance outcomes belong to the seat that acted before."""
    turns: list[tuple[int, list[tuple[State, int]]]] = []
    for state, action in zip(sitting.states[since:], sitting.actions[since:], strict=False):
        if not turns or state.mover not in (CHANCE, turns[-1][0]):
            turns.append((state.mover, []))
        turns[-1][1].append((state, action))
    return turns
