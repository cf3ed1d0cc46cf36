"""Whose turn it is once entries are stored: notices are derived from it, and it is stored with the entries."""

from collections.abc import Container, Sequence

from msgspec import Struct

from ..protocol import DaysClock
from . import events
from .clock import DAY
from .table import Table

LONGEST = DAY // 2
"""How long before time runs out a reminder comes at most, in milliseconds; on short clocks a quarter of the time."""
_CHANGES = frozenset(
    (
        events.Sat,
        events.Rose,
        events.BotSat,
        events.Started,
        events.Acted,
        events.Happened,
        events.WentBack,
        events.Ended,
        events.Removed,
        events.Closed,
    )
)


class Turn(Struct, gc=False, frozen=True):
    """A person may act at a table since that version; `remind_at`: when to remind them that their time runs out."""

    who: str
    version: int
    at: int
    remind_at: int | None = None


def turns(table: Table, entries: Sequence[events.Entry], wanted: Container[str]) -> list[Turn] | None:
    """The persons of `wanted` who may act once these entries are stored; None if that cannot have changed.

    Costs nothing where nobody at the table wants to know.
    """
    if not any(chair.who in wanted for chair in table.chairs):
        sat = (entry.who for entry in entries if isinstance(entry, events.Sat))
        if not any(who in wanted for who in sat):
            return None
    if _CHANGES.isdisjoint(map(type, entries)):
        return None
    ahead = table.played_ahead(entries)
    return [turn for turn in awaited(ahead, entries[-1].at) if turn.who in wanted]


def awaited(table: Table, now: int) -> list[Turn]:
    """Everybody who may act at a table now, with the version that asked them to."""
    persons = dict.fromkeys(table.chairs[seat].who for seat in table.actors if table.chairs[seat].kind == "person")
    return [Turn(who, table.position, now, _remind_at(table)) for who in persons if who]


def _remind_at(table: Table) -> int | None:
    clock, deadline = table.setup.clock, table.timer.deadline
    if deadline is None or not isinstance(clock, DaysClock):
        return None
    return deadline - min(LONGEST, clock.days * DAY // 4)
