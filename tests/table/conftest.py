"""Where the tests keep their tables: in SQLite, and in PostgreSQL where it is installed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from . import servers


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    with servers.postgresql() as url:
        yield url


@pytest.fixture(scope="session")
def redis() -> Iterator[str]:
    with servers.redis() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database of either kind."""
    if request.param == "sqlite":
        return str(tmp_path / "tables.sqlite3")
    url: str = request.getfixturevalue("postgresql")
    return emptied(url)


def emptied(url: str) -> str:
    """The database, with nothing in it."""
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")
    return url
