"""A copy of everything that is kept, as one SQLite file, while the server goes on."""

from pathlib import Path

from sqlalchemy import Connection, insert, select

from . import engines
from .migrating import migrate
from .schema import metadata

ROWS = 1000


def backup(database: str, target: Path) -> int:
    """Copy a database, as it is at one moment, into a new SQLite file; how many log entries it has."""
    if target.exists():
        raise ValueError(f"{target} is there already: choose another name.")
    url = engines.url_of(database)
    if url.get_backend_name() == "sqlite" and not Path(url.database or "").is_file():
        raise ValueError(f"No tables are kept in {url.database}.")
    source = engines.readers(url)
    beside = target.with_name(f".{target.name}.part")
    beside.unlink(missing_ok=True)
    copy = engines.writer(engines.url_of(str(beside)))
    try:
        migrate(copy)
        with source.connect() as reading, copy.begin() as writing:
            entries = _copy(reading, writing)
        whole = copy.raw_connection()
        whole.cursor().execute("PRAGMA journal_mode=DELETE")  # one file, nothing beside it
        whole.close()
    finally:
        source.dispose()
        copy.dispose()
    beside.replace(target)
    return entries


def _copy(reading: Connection, writing: Connection) -> int:
    if reading.dialect.name == "postgresql":
        reading.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
    entries = 0
    for table in metadata.sorted_tables:
        if table.name == "leases":
            continue
        for rows in reading.execution_options(stream_results=True).execute(select(table)).mappings().partitions(ROWS):
            writing.execute(insert(table), [dict(row) for row in rows])
            entries += len(rows) if table.name == "entries" else 0
    return entries
