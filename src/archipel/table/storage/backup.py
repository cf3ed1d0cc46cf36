"""Copy the whole database into one SQLite file while the server runs.

The copy has the schema of the database: an older one is copied as it is, because people back up before an upgrade.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection, Engine, MetaData, insert, select
from sqlalchemy.engine import URL
from sqlalchemy.exc import SQLAlchemyError

from . import engines, trouble
from .migrating import migrate, revision_of

ROWS = 1000
_LEFT_OUT = "leases", "alembic_version"
"""Ownership of tables is of no use later; the schema's revision is written by migrating."""


def backup(database: str, target: Path) -> int:
    """Copy a database, as it is at one moment, into a new SQLite file; return the number of log entries."""
    if target.exists():
        raise ValueError(f"{target} is there already: choose another name.")
    url = engines.url_of(database)
    path = engines.file_of(url)
    if path and not path.is_file():
        raise ValueError(f"No tables are kept in {path}.")
    beside = target.with_name(f".{target.name}.part")
    beside.unlink(missing_ok=True)
    try:
        with _opened(url, engines.readers) as source, source.connect() as reading:
            entries = _copied(reading, engines.url_of(str(beside)))
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)
    return entries


@contextmanager
def _opened(url: URL, engine_of: Callable[[URL], Engine]) -> Iterator[Engine]:
    """An engine for the duration of a `with` block; ValueError says what is wrong with the database."""
    engine = engine_of(url)
    try:
        yield engine
    except SQLAlchemyError as error:
        raise ValueError(trouble.sentence(url, error)) from None
    finally:
        engine.dispose()


def _copied(reading: Connection, target: URL) -> int:
    if reading.dialect.name == "postgresql":
        reading.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
    revision = revision_of(reading)
    if revision is None:
        raise ValueError(f"No tables are kept in {reading.engine.url.database}.")
    with _opened(target, engines.writer) as copy:
        migrate(copy, revision)
        with copy.begin() as writing:
            entries = _filled(reading, writing)
        whole = copy.raw_connection()
        whole.cursor().execute("PRAGMA journal_mode=DELETE")  # one file, without a separate write-ahead log
        whole.close()
    return entries


def _filled(reading: Connection, writing: Connection) -> int:
    """Copy every table of the copy's schema; return the number of log entries."""
    schema = MetaData()
    schema.reflect(writing)
    entries = 0
    for table in schema.sorted_tables:
        if table.name in _LEFT_OUT:
            continue
        for rows in reading.execution_options(stream_results=True).execute(select(table)).mappings().partitions(ROWS):
            writing.execute(insert(table), [dict(row) for row in rows])
            entries += len(rows) if table.name == "entries" else 0
    return entries
