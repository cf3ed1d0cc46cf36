"""Database connections with durable settings; SQLite files that only their owner can read."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout
from sqlalchemy import Engine, create_engine, event, make_url
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError

READERS = 4
WAL = 8_000
"""The number of pages after which the write-ahead log is moved into the database: large, because commits wait
meanwhile."""
PATIENCE = 10_000
"""Milliseconds to wait for another program that has locked an SQLite file."""
FOLDER, FILE, OTHERS = 0o700, 0o600, 0o007
"""A database holds the seeds of running games: only its owner may read it."""


def url_of(database: str) -> URL:
    """The URL of a database: SQLite (a path is enough) or PostgreSQL. ValueError if it is neither."""
    if "://" not in database:
        return URL.create("sqlite", database=str(Path(database).expanduser()))
    try:
        url = make_url(database)
    except ArgumentError:
        raise ValueError("The database must be a path, or a URL like postgresql://user@host/name.") from None
    backend = url.get_backend_name()
    if backend not in ("sqlite", "postgresql"):
        raise ValueError(f"Tables are kept in sqlite or postgresql, not in {backend}.")
    return url.set(drivername="postgresql+psycopg") if backend == "postgresql" else url


def writer(url: URL) -> Engine:
    """The engine of the one thread that writes."""
    if path := file_of(url):
        _keep_private(path)
    return _engine(url, 1, "BEGIN IMMEDIATE")


def readers(url: URL) -> Engine:
    """The engine of those who read."""
    return _engine(url, READERS, "BEGIN")


def _engine(url: URL, size: int, begin: str) -> Engine:
    if url.get_backend_name() != "sqlite":
        return create_engine(url, pool_size=size, max_overflow=0, pool_pre_ping=True)
    engine = create_engine(url, pool_size=size, max_overflow=0)
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql(begin))
    return engine


def _prepare(connection: Any, _: Any) -> None:
    connection.isolation_level = None  # transactions are begun explicitly
    connection.execute(f"PRAGMA busy_timeout={PATIENCE}")
    for pragma in ("journal_mode=WAL", "synchronous=FULL", f"wal_autocheckpoint={WAL}"):
        connection.execute(f"PRAGMA {pragma}")


def insert_of(url: URL) -> Callable[..., Any]:
    """The INSERT of this database's dialect, which supports ON CONFLICT; the other dialect is not imported."""
    if url.get_backend_name() == "postgresql":
        from sqlalchemy.dialects import postgresql

        return postgresql.insert
    from sqlalchemy.dialects import sqlite

    return sqlite.insert


def file_of(url: URL) -> Path | None:
    """The file of an SQLite database; None if it has none."""
    if url.get_backend_name() != "sqlite" or not url.database or url.database.startswith((":memory:", "file:")):
        return None
    return Path(url.database)


def _keep_private(path: Path) -> None:
    """Make the file private to its owner. If everybody can read it, all others lose access; if it was opened to a group
    on purpose, it stays as it is. SQLite's other files get the same permissions."""
    _make_folder(path)
    if not path.exists():
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, FILE))
    if sys.platform == "win32":
        return  # in a private folder the file is private
    for file in (path, *(path.with_name(path.name + end) for end in ("-wal", "-shm"))):
        if file.exists() and file.stat().st_mode & OTHERS and file.stat().st_uid == os.geteuid():
            file.chmod(FILE)


def _make_folder(path: Path) -> None:
    path.parent.mkdir(FOLDER, parents=True, exist_ok=True)


@contextmanager
def one_server(url: URL) -> Iterator[None]:
    """Lock an SQLite file for one server, with a lock file that is released when the process ends; ValueError if it is
    taken.

    Two servers on one file would each show outdated tables.
    """
    path = file_of(url)
    if path is None:
        yield
        return
    _make_folder(path)
    lock = FileLock(path.with_name(path.name + ".lock"), mode=FILE)
    try:
        lock.acquire(blocking=False)
    except Timeout:
        raise ValueError(
            f"Another server is using {path}: stop it first, or give this one a database of its own (--database FILE)."
        ) from None
    try:
        yield
    finally:
        lock.release()
