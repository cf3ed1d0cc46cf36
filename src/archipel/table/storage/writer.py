"""The writer thread: takes everything that waits, writes it in one transaction, and reports what was stored.

A write is stored, not stored, or uncertain. A transaction that fails before COMMIT is not stored. If COMMIT itself
fails it may be stored all the same: SQLite's write-ahead log can contain a transaction whose fsync failed and restore
it at the next start, and PostgreSQL may have committed before the connection broke. So new log entries are written once
more: existing ones stay, and when that commits, they are stored for certain.
"""

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from sqlalchemy import Connection, Engine, RootTransaction
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError

from ..logging import log
from . import trouble

Change = TypeVar("Change")
Work = Callable[[Connection], Any]
Callback = Callable[[Any, Exception | None], None]
Outcome = tuple[Callback, Any, Exception | None]
Append = Callable[[Connection, Sequence[Change], bool], None]
"""Writes log entries with as few statements as possible; True: again, because some of them may exist already."""

BATCH = 512
"""The maximum number of writes of each kind in one transaction."""
GAP = 0.008
"""The minimum number of seconds between two transactions: a single move is written at once; among many, moves wait to
be written together, because a transaction costs as much as many moves."""


class StorageError(Exception):
    """Something could not be stored."""


class Conflict(StorageError):
    """Another process has written that version of a table's log."""


class Unsure(StorageError):
    """COMMIT failed: it may be stored, or not. The log will tell."""


class _CommitFailed(Exception):
    """COMMIT failed."""


class _Batch(NamedTuple, Generic[Change]):
    """What one transaction writes: new log entries, and then other work."""

    changes: list[tuple[Change, Callback]]
    works: list[tuple[Work, Callback]]

    def __bool__(self) -> bool:
        return bool(self.changes or self.works)

    @property
    def size(self) -> int:
        return len(self.changes) + len(self.works)

    def alone(self) -> "list[_Batch[Change]]":
        """Every write in its own batch."""
        return [_Batch([piece], []) for piece in self.changes] + [_Batch([], [piece]) for piece in self.works]

    def failed(self, error: Exception) -> list[Outcome]:
        return [(callback, None, error) for _, callback in (*self.changes, *self.works)]


class Teller:
    """Carries results from the writer's thread to the loop, once for a whole batch."""

    def __init__(self) -> None:
        self.loop: asyncio.AbstractEventLoop | None = None
        self.failed: Callable[[Exception], None] = lambda error: None
        """Called in the loop for everything that could not be stored, except conflicts."""

    def __call__(self, outcomes: list[Outcome]) -> None:
        if self.loop and not self.loop.is_closed():
            self.loop.call_soon_threadsafe(self._tell, outcomes)

    def _tell(self, outcomes: list[Outcome]) -> None:
        for callback, result, error in outcomes:
            if error and not isinstance(error, Conflict):
                self.failed(error)
            try:
                callback(result, error)
            except Exception:  # the others of the batch still wait for their results
                log.exception("telling-failed")


class Writer(Generic[Change]):
    """Group commit. `tell` is called in the thread, with the result or error of each write."""

    def __init__(self, engine: Engine, append: Append[Change], tell: Callable[[list[Outcome]], None]) -> None:
        self._engine = engine
        self._append = append
        self._tell = tell
        self._changes: deque[tuple[Change, Callback]] = deque()
        self._works: deque[tuple[Work, Callback]] = deque()
        self._wake = threading.Condition()
        self._closing = False
        self._connection: Connection | None = None
        self._next_at = 0.0
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
        self.commits = 0
        self.works = 0

    def start(self) -> None:
        self._thread.start()

    def append(self, change: Change, callback: Callback) -> None:
        """Append entries to a log, together with all others that wait; calls `callback(None, error)` when they are
        stored."""
        with self._wake:
            self._check_open()
            self._changes.append((change, callback))
            self._wake.notify()

    def put(self, work: Work, callback: Callback) -> None:
        """Write something else; calls `callback(result, error)` when it is stored."""
        with self._wake:
            self._check_open()
            self._works.append((work, callback))
            self._wake.notify()

    def _check_open(self) -> None:
        if self._closing:
            raise StorageError("The table is closing.")

    def close(self) -> None:
        """Write everything that waits, then stop."""
        with self._wake:
            self._closing = True
            self._wake.notify()
        if self._thread.is_alive():
            self._thread.join()

    @property
    def waiting(self) -> int:
        return len(self._changes) + len(self._works)

    def _run(self) -> None:
        while batch := self._next():
            self._tell(self._write(batch))
            del batch  # so that callbacks are not kept in memory until there is more to write
        self._hang_up()

    def _next(self) -> _Batch[Change]:
        with self._wake:
            self._wake.wait_for(lambda: self._changes or self._works or self._closing)
        if not self._closing:
            time.sleep(max(0.0, self._next_at - time.monotonic()))
        self._next_at = time.monotonic() + GAP
        with self._wake:
            return _Batch(_taken(self._changes), _taken(self._works))

    def _write(self, batch: _Batch[Change]) -> list[Outcome]:
        """All writes in one transaction; if one of them fails, each in its own."""
        try:
            results = self._commit(batch)
        except _CommitFailed as failed:
            return self._settled(batch, failed.__cause__ or failed)
        except Exception as error:
            if batch.size > 1 and not trouble.concerns_all(error):
                return [outcome for piece in batch.alone() for outcome in self._write(piece)]
            return batch.failed(_described(error))
        kept: list[Outcome] = [(callback, None, None) for _, callback in batch.changes]
        return kept + [(callback, result, None) for (_, callback), result in zip(batch.works, results, strict=True)]

    def _settled(self, batch: _Batch[Change], error: BaseException) -> list[Outcome]:
        """After a failed COMMIT: the result of each write, as far as it can be found out now."""
        unsure = Unsure(f"The database failed at COMMIT ({trouble.name(error)}).")
        outcomes: list[Outcome] = [(callback, None, unsure) for _, callback in batch.works]
        for number, (change, callback) in enumerate(batch.changes):
            try:
                self._commit(_Batch([(change, callback)], []), again=True)
            except Conflict as conflict:
                outcomes.append((callback, None, conflict))
            except Exception:  # the database is still unavailable: nothing more can be found out
                return outcomes + [(callback, None, unsure) for _, callback in batch.changes[number:]]
            else:
                outcomes.append((callback, None, None))
        return outcomes

    def _commit(self, batch: _Batch[Change], again: bool = False) -> list[Any]:
        """Write on a connection that is kept open; a lost one is reopened as long as that is safe."""
        known = self._connection is not None
        try:
            transaction, results = self._prepared(batch, again)
        except DBAPIError as error:
            if not (known and error.connection_invalidated):
                raise
            transaction, results = self._prepared(batch, again)
        try:
            transaction.commit()
        except Exception as error:
            self._hang_up(broken=True)
            raise _CommitFailed from error
        self.commits += 1
        self.works += batch.size
        return results

    def _prepared(self, batch: _Batch[Change], again: bool) -> tuple[RootTransaction, list[Any]]:
        """Execute all writes without committing."""
        try:
            self._connection = connection = self._connection or self._engine.connect()
            transaction = connection.begin()
            if batch.changes:
                self._append(connection, [change for change, _ in batch.changes], again)
            return transaction, [work(connection) for work, _ in batch.works]
        except BaseException:
            self._hang_up()
            raise

    def _hang_up(self, broken: bool = False) -> None:
        """Return the connection; a broken one is closed, and its transaction rolled back."""
        connection, self._connection = self._connection, None
        if connection is not None:
            if broken:
                connection.invalidate()
            connection.close()


Piece = TypeVar("Piece")


def _taken(waiting: deque[Piece]) -> list[Piece]:
    return [waiting.popleft() for _ in range(min(BATCH, len(waiting)))]


def _described(error: Exception) -> Exception:
    """Why a write failed, as one of our own errors."""
    if isinstance(error, IntegrityError):
        return Conflict("That version of the log is written already.")
    if isinstance(error, StorageError) or not isinstance(error, SQLAlchemyError):
        return error
    return StorageError(f"The database did not take it ({trouble.name(error)}).")
