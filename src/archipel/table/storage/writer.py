"""The one thread that writes: it takes all that is waiting, writes it in one transaction, and tells when it is kept."""

import threading
import time
from collections import deque
from collections.abc import Callable
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, Engine, RootTransaction
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError

Work = Callable[[Connection], Any]
"""One with an attribute `together` is of a kind that is done faster together with others of its kind."""
Told = Callable[[Any, Exception | None], None]

BATCH = 512
"""How many pieces of work one transaction takes at most."""
GAP = 0.008
"""How many seconds after one transaction the next begins at the earliest: alone, a move is written at once; among many
it waits for others to be written with, for a transaction costs as much as many moves."""


class StorageError(Exception):
    """What was to be kept could not be kept."""


class Conflict(StorageError):
    """Somebody else has written that version of a table's log."""


class Unsure(StorageError):
    """The connection was lost meanwhile: it may be kept, or not. The log will tell."""


class Writer:
    """Group commit. `tell` is called in the thread, with what each piece of work gave or why it was not done."""

    def __init__(self, engine: Engine, tell: Callable[[list[tuple[Told, Any, Exception | None]]], None]) -> None:
        self._engine = engine
        self._tell = tell
        self._waiting: deque[tuple[Work, Told]] = deque()
        self._wake = threading.Condition()
        self._closing = False
        self._connection: Connection | None = None
        self._next_at = 0.0
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
        self.commits = 0
        self.works = 0

    def start(self) -> None:
        self._thread.start()

    def put(self, work: Work, told: Told) -> None:
        """Have something written; `told(result, error)` says when it is kept."""
        with self._wake:
            if self._closing:
                raise StorageError("The table is closing.")
            self._waiting.append((work, told))
            self._wake.notify()

    def close(self) -> None:
        """Write what is waiting, then end."""
        with self._wake:
            self._closing = True
            self._wake.notify()
        if self._thread.is_alive():
            self._thread.join()

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    def _run(self) -> None:
        while batch := self._next():
            self._tell(self._write(batch))
            batch.clear()  # whoever waited is not kept in memory until there is more to write
        self._hang_up()

    def _next(self) -> list[tuple[Work, Told]]:
        with self._wake:
            self._wake.wait_for(lambda: self._waiting or self._closing)
        if not self._closing:
            time.sleep(max(0.0, self._next_at - time.monotonic()))
        self._next_at = time.monotonic() + GAP
        with self._wake:
            return [self._waiting.popleft() for _ in range(min(BATCH, len(self._waiting)))]

    def _write(self, batch: list[tuple[Work, Told]]) -> list[tuple[Told, Any, Exception | None]]:
        """All in one transaction; if that fails, each in one of its own, so that one does not spoil the others."""
        try:
            results = self._commit([work for work, _ in batch])
        except SQLAlchemyError as error:
            if len(batch) > 1:
                return [told for piece in batch for told in self._write([piece])]
            return [(batch[0][1], None, _said(error))]
        except Exception as error:
            return [(told, None, error) for _, told in batch]
        return [(told, result, None) for (_, told), result in zip(batch, results, strict=True)]

    def _commit(self, works: list[Work]) -> list[Any]:
        """On a connection that is kept open; one that turns out to be lost is opened anew, as long as that is safe."""
        known = self._connection is not None
        try:
            transaction, results = self._prepared(works)
        except DBAPIError as error:
            if not (known and error.connection_invalidated):
                raise
            transaction, results = self._prepared(works)
        try:
            transaction.commit()
        except BaseException:
            self._hang_up()
            raise
        self.commits += 1
        self.works += len(works)
        return results

    def _prepared(self, works: list[Work]) -> tuple[RootTransaction, list[Any]]:
        """All of it done, but not yet for good."""
        try:
            self._connection = connection = self._connection or self._engine.connect()
            transaction = connection.begin()
            return transaction, [result for group in _groups(works) for result in _done(connection, group)]
        except BaseException:
            self._hang_up()
            raise

    def _hang_up(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()


def _groups(works: list[Work]) -> list[list[Work]]:
    """Neighbours that are done together, in order."""
    return [list(group) for _, group in groupby(works, lambda work: getattr(work, "together", None) or id(work))]


def _done(connection: Connection, group: list[Work]) -> list[Any]:
    together = getattr(group[0], "together", None)
    if together is None:
        return [work(connection) for work in group]
    together(connection, group)
    return [None] * len(group)


def _said(error: SQLAlchemyError) -> StorageError:
    if isinstance(error, IntegrityError):
        return Conflict("That version of the log is written already.")
    if isinstance(error, DBAPIError) and error.connection_invalidated:
        return Unsure("The connection to the database was lost.")
    why = type(error.orig).__name__ if isinstance(error, DBAPIError) else type(error).__name__
    return StorageError(f"The database did not take it ({why}).")
