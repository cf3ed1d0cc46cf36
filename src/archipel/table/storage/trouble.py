"""Database errors: a short name for the logs, and one sentence for the person who starts the server."""

import sqlite3

from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as NoConnection

_WHOLE = frozenset(
    (
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_NOTADB,
    )
)
_STATES = "08", "53", "57", "58"
"""PostgreSQL's classes of errors: no connection, no resources, operator intervention, system error."""

_SENTENCES = {
    sqlite3.SQLITE_BUSY: "{place} is locked by another program.",
    sqlite3.SQLITE_LOCKED: "{place} is locked by another program.",
    sqlite3.SQLITE_READONLY: "{place} is read-only: the server must be able to write to it.",
    sqlite3.SQLITE_IOERR: "{place} cannot be read or written: the disk fails ({name}).",
    sqlite3.SQLITE_CORRUPT: "{place} is damaged: restore it from a backup.",
    sqlite3.SQLITE_FULL: "{place} cannot grow: the disk is full.",
    sqlite3.SQLITE_CANTOPEN: "{place} cannot be opened: check the folder and its permissions.",
    sqlite3.SQLITE_NOTADB: "{place} is not an SQLite database.",
}


def name(error: BaseException) -> str:
    """A database error in one word, without any data: SQLITE_FULL, 57P01, OperationalError."""
    driver = error.orig if isinstance(error, DBAPIError) else None
    found = getattr(driver, "sqlite_errorname", None) or getattr(driver, "sqlstate", None)
    return str(found or type(driver or error).__name__)


def concerns_all(error: BaseException) -> bool:
    """True if the database as a whole has failed, so that every other write would fail too."""
    if not isinstance(error, DBAPIError):
        return isinstance(error, NoConnection)
    state, code = getattr(error.orig, "sqlstate", None) or "", _code(error)
    no_answer = isinstance(error, OperationalError) and not (state or code)
    return no_answer or error.connection_invalidated or code in _WHOLE or state.startswith(_STATES)


def sentence(url: URL, error: SQLAlchemyError) -> str:
    """Why a database cannot be used, in one sentence without its password."""
    if url.get_backend_name() == "sqlite":
        text = _SENTENCES.get(_code(error), "{place} cannot be used ({name}).")
        return text.format(place=url.database, name=name(error))
    place = f"PostgreSQL at {url.host or 'this machine'}{f':{url.port}' if url.port else ''}"
    if getattr(getattr(error, "orig", None), "sqlstate", None) == "42501":
        return f"{place} does not let {url.username} make tables in {url.database}."
    return f"{place} cannot be used: {_last_line(error)}."


def _code(error: BaseException) -> int:
    """SQLite's primary error code; 0 if there is none."""
    code = getattr(getattr(error, "orig", None), "sqlite_errorcode", None) or 0
    return int(code) & 0xFF


def _last_line(error: SQLAlchemyError) -> str:
    """The driver's own message, without the statement."""
    text = str(getattr(error, "orig", None) or type(error).__name__).strip()
    lines = [line.strip() for line in text.splitlines() if "failed:" in line or "FATAL" in line] or text.splitlines()
    return (lines[-1].rpartition("failed: ")[2] if lines else "no answer").rstrip(".")
