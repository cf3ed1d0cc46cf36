"""Append to tables' logs in SQL: many changes with few statements."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict
from sqlalchemy import Connection, bindparam, delete, insert, or_, update

from ..log import events
from ..log.results import Met, Result
from ..log.turns import Turn
from .schema import entries, met, played, players, recordings, tables, turns
from .writer import Conflict

_ADD = insert(entries)
_KEY: dict[str, Any] = {"index_elements": ["table_id", "version"]}
OPEN, TOLD, KNOWN = range(3)
"""What is known of a turn: nobody has looked at it yet, its person was notified, its person knows."""
_FORGET = delete(turns).where(
    turns.c.table_id == bindparam("table"), or_(turns.c.state != TOLD, turns.c.who == bindparam("by"))
)
_PASS = update(turns).where(turns.c.table_id == bindparam("table")).values(awaited=0, remind_at=None)
_CHANGE = update(tables).where(tables.c.id == bindparam("table"))


class Change(Struct, gc=False):
    """New entries of a table's log after that version, and the changed columns of the table's row."""

    table: str
    version: int
    entries: Sequence[events.Entry]
    row: dict[str, Any] | None = None
    sat: Sequence[str] = ()
    recordings: Mapping[int, bytes] = {}
    """Recordings of computed chance outcomes, by the version of their entry."""
    game: str = ""
    results: Sequence[Result] = ()
    """What the histories of those who played keep of a game that has ended."""
    turns: Sequence[Turn] | None = None
    """Whose turn it is now, of those who want notices; None: that is as it was."""
    by: str = ""
    """Who brought this about: they are here."""


class Changes:
    """Writes changes; `insert` is the INSERT of the database's dialect."""

    def __init__(self, insert: Callable[..., Any]) -> None:
        self._insert = insert

    def append(self, connection: Connection, changes: Sequence[Change], again: bool = False) -> None:
        """Write all changes with one statement per database table."""
        rows = [row for change in changes for row in _rows(change)]
        if rows and not again:
            connection.execute(_ADD, rows)
        for row in rows if again else ():
            self._add_again(connection, row)
        recorded = [recording for change in changes for recording in _recordings(change)]
        if recorded:
            added = self._insert(recordings).on_conflict_do_nothing() if again else insert(recordings)
            connection.execute(added, recorded)
        changed = [change.row | {"table": change.table} for change in changes if change.row]
        if changed:
            connection.execute(_CHANGE, changed)
        sat = [{"who": who, "table_id": change.table} for change in changes for who in change.sat]
        if sat:
            connection.execute(self._insert(players).on_conflict_do_nothing(), sat)
        for change in changes:
            if change.results:
                self.note(connection, change.table, change.game, change.results)
            if change.turns is not None:
                self.turn(connection, change.table, change.turns, change.by)

    def turn(self, connection: Connection, table: str, awaited: Sequence[Turn], by: str = "") -> None:
        """Note whose turn it is at a table. Who was notified and has not come since is not notified again."""
        connection.execute(_FORGET, {"table": table, "by": by})
        connection.execute(_PASS, {"table": table})
        if awaited:
            added = self._insert(turns)
            again = {name: added.excluded[name] for name in ("version", "at", "awaited", "remind_at")}
            kept = [asdict(turn) | {"table_id": table, "awaited": 1, "state": OPEN} for turn in awaited]
            connection.execute(added.on_conflict_do_update(index_elements=["table_id", "who"], set_=again), kept)

    def note(self, connection: Connection, table: str, game: str, results: Sequence[Result]) -> None:
        """Keep results in the histories of those who played; those that are there already stay."""
        kept = [_played(table, game, result) for result in results]
        connection.execute(self._insert(played).on_conflict_do_nothing(), kept)
        opponents = [_met(table, result, opponent) for result in results for opponent in result.met]
        if opponents:
            connection.execute(self._insert(met).on_conflict_do_nothing(), opponents)

    def _add_again(self, connection: Connection, row: dict[str, Any]) -> None:
        """Add an entry that may be stored already; Conflict if a different one is.

        An existing entry is overwritten with itself: after a failed fsync it may be in the system's memory only. And
        PostgreSQL waits here until a transaction has ended that was about to add it.
        """
        added = self._insert(entries).values(row)
        ours = entries.c.body == added.excluded.body
        again = added.on_conflict_do_update(set_={"body": added.excluded.body}, where=ours, **_KEY)
        if connection.scalar(again.returning(entries.c.version)) is None:
            raise Conflict("That version of the log is written already.")


def _rows(change: Change) -> list[dict[str, Any]]:
    return [
        {"table_id": change.table, "version": version, "body": events.encode(entry).decode()}
        for version, entry in enumerate(change.entries, change.version + 1)
    ]


def _recordings(change: Change) -> list[dict[str, Any]]:
    kept = change.recordings.items()
    return [{"table_id": change.table, "version": version, "data": data} for version, data in kept]


def _played(table: str, game: str, result: Result) -> dict[str, Any]:
    row = asdict(result)
    del row["met"]
    return row | {"table_id": table, "game": game, "main": int(result.main), "rated": int(result.rated)}


def _met(table: str, result: Result, opponent: Met) -> dict[str, Any]:
    return asdict(opponent) | {"who": result.who, "table_id": table, "number": result.number, "seat": result.seat}
