"""Connections to the database, made to keep what they are told to."""

from pathlib import Path
from typing import Any

from sqlalchemy import Engine, create_engine, event, make_url
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError

READERS = 4
WAL = 8_000
"""After so many pages what is in the log beside the database goes into the database: commits wait meanwhile, so that it
is done in large portions."""


def url_of(database: str) -> URL:
    """The URL of a database: SQLite (a path will do) or PostgreSQL. ValueError if it is neither."""
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
    return _engine(url, 1, "BEGIN IMMEDIATE")


def readers(url: URL) -> Engine:
    """The engine of those who read."""
    return _engine(url, READERS, "BEGIN")


def _engine(url: URL, size: int, begin: str) -> Engine:
    if url.get_backend_name() != "sqlite":
        return create_engine(url, pool_size=size, max_overflow=0, pool_pre_ping=True)
    if url.database:
        Path(url.database).parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(url, pool_size=size, max_overflow=0)
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "begin", lambda connection: connection.connection.driver_connection.execute(begin))
    return engine


def _prepare(connection: Any, _: Any) -> None:
    connection.isolation_level = None  # we say BEGIN ourselves
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=10000", f"wal_autocheckpoint={WAL}"):
        connection.execute(f"PRAGMA {pragma}")
