"""A simulated disk: SQLite in memory behind the real store, where COMMIT may fail before or after it took effect,
take effect later than anybody thinks, or be the last thing that a process does.
"""

import asyncio
import sqlite3
from collections.abc import Callable
from functools import cache
from typing import Any

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.pool import NullPool, StaticPool

from archipel.table.storage import engines
from archipel.table.storage.migrating import migrate
from archipel.table.storage.store import Store

from .loop import PROCESS, Process

NOT_KEPT, KEPT, CUT_BEFORE, CUT_AFTER, LATE, KILLED = "not-kept", "kept", "cut-before", "cut-after", "late", "killed"
COMMIT_FAULTS = (NOT_KEPT, KEPT, CUT_BEFORE, CUT_AFTER, LATE, KILLED)
DATABASE = "file:simulated"
"""No file: every connection leads to the simulated disk."""
Statement = tuple[str, Any, bool]


class Killed(BaseException):
    """The process died in the middle of a transaction."""


class Disk:
    """What is kept, and what goes wrong with it. `committed` is called after every COMMIT that took effect."""

    current: "Disk"

    def __init__(self, committed: Callable[[], None]) -> None:
        self.kept = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        _empty().backup(self.kept)
        self.fault: Callable[[Process | None], str] = lambda process: ""
        """What goes wrong with this COMMIT, if anything."""
        self.down: Callable[[Process | None], bool] = lambda process: False
        """Does the database not answer this process now?"""
        self.later: Callable[[Callable[[], None]], None] = lambda work: None
        """Have something happen some time later."""
        self._committed = committed
        Disk.current = self

    def commit(self, statements: list[Statement], process: Process | None) -> None:
        fault = self.fault(process) if statements else ""
        if fault in (NOT_KEPT, CUT_BEFORE, LATE, KILLED):
            self.kept.rollback()
        else:
            self.kept.commit()
            self._committed()
        if fault == LATE:
            done = list(statements)
            self.later(lambda: self._commit_late(done))
        if fault == KILLED:
            raise Killed
        if fault in (CUT_BEFORE, CUT_AFTER, LATE):
            raise sqlite3.ProgrammingError("Cannot operate on a closed database.")  # how SQLite says: disconnected
        if fault:
            raise sqlite3.OperationalError("disk I/O error")

    def _commit_late(self, statements: list[Statement]) -> None:
        """The server did what its client had given up, unless somebody else has meanwhile."""
        try:
            self.kept.execute("BEGIN")
            for text, parameters, many in statements:
                (self.kept.executemany if many else self.kept.execute)(text, parameters)
        except sqlite3.IntegrityError:
            self.kept.rollback()
        else:
            self.kept.commit()
            self._committed()


class Wire:
    """A connection to the database, as SQLAlchemy uses one."""

    def __init__(self) -> None:
        self._disk, self._process = Disk.current, PROCESS.get()
        self._statements: list[Statement] = []
        self.isolation_level: str | None = None
        self.closed = False

    def cursor(self) -> "Pen":
        pen = self._disk.kept.cursor(Pen)
        pen.wire = self
        return pen

    def execute(self, text: str, parameters: Any = ()) -> sqlite3.Cursor:
        return self.cursor().execute(text, parameters)

    def wrote(self, text: str, parameters: Any, many: bool) -> None:
        if self._disk.down(self._process):
            raise sqlite3.OperationalError("disk I/O error")
        if text.startswith(("INSERT", "UPDATE", "DELETE")):
            self._statements.append((text, list(parameters) if many else parameters, many))

    def create_function(self, *_: Any, **__: Any) -> None:
        """SQLAlchemy's own; nothing here needs it."""

    def commit(self) -> None:
        statements, self._statements = self._statements, []
        self._disk.commit(statements, self._process)

    def rollback(self) -> None:
        self._statements.clear()
        self._disk.kept.rollback()

    def close(self) -> None:
        self.rollback()


class Pen(sqlite3.Cursor):
    """A cursor that remembers what it wrote."""

    wire: Wire

    def execute(self, text: str, parameters: Any = ()) -> "Pen":
        self.wire.wrote(text, parameters, many=False)
        super().execute(text, parameters)
        return self

    def executemany(self, text: str, parameters: Any) -> "Pen":
        parameters = list(parameters)
        self.wire.wrote(text, parameters, many=True)
        super().executemany(text, parameters)
        return self


@cache
def _empty() -> sqlite3.Connection:
    """A database with the schema of this version and nothing in it."""
    engine = create_engine("sqlite://", poolclass=StaticPool)
    migrate(engine)
    kept: Any = engine.raw_connection().driver_connection
    assert isinstance(kept, sqlite3.Connection)
    return kept


@cache
def _engine(begin: str) -> Engine:
    """As the store's own, but for the connections: shared by all worlds, for compiling statements takes time."""
    engine = engines._engine(engines.url_of(DATABASE), 1, begin)
    pool: Any = engine.pool
    engine.pool = NullPool(pool._creator, _dispatch=pool.dispatch, dialect=engine.dialect)
    event.listen(engine, "do_connect", lambda *_: Wire())
    return engine


class Thread:
    """The writer's thread as callbacks: it is the condition that wakes the real writer, and its turns are the thread's.

    `died` is called when a COMMIT was the last thing that its process did.
    """

    def __init__(self, writer: Any, delay: Callable[[], float], died: Callable[[], None]) -> None:
        self._writer, self._delay, self._died = writer, delay, died
        self._due = False
        writer._wake = self
        writer.start = lambda: None
        writer.close = self._close

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        pass

    def wait_for(self, condition: Callable[[], object]) -> None:
        """There is always something to do when it is its turn."""
        assert condition()

    def notify(self) -> None:
        if not self._due:
            self._due = True
            loop = asyncio.get_running_loop()
            loop.call_at(max(loop.time() + self._delay(), self._writer._next_at), self._turn)

    def _turn(self) -> None:
        self._due = False
        try:
            results = self._writer._write(self._writer._next())
        except Killed:
            self._died()
            return
        asyncio.get_running_loop().call_later(self._delay(), self._writer._tell, results)
        if self._writer.waiting:
            self.notify()

    def _close(self) -> None:
        self._writer._closing = True
        while self._writer.waiting:
            self._turn()


def store(delay: Callable[[], float], died: Callable[[], None]) -> Store:
    """The real store on the simulated disk."""
    made = Store(DATABASE)
    made._write, made._read = _engine("BEGIN IMMEDIATE"), _engine("BEGIN")
    made.writer._engine = made._write
    Thread(made.writer, delay, died)
    return made
