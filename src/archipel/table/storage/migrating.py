"""Migrate a database to this version's schema.

An empty database gets the schema directly, and a current one is left alone: Alembic, which is slow to import, is needed
for an older one only.
"""

from pathlib import Path

from sqlalchemy import Connection, Engine, inspect, text

from .schema import metadata

_LOCK = 0x41524348
"""An arbitrary number for PostgreSQL's advisory lock: its holder migrates, the others wait."""
_REVISIONS = "alembic_version"
"""The table in which Alembic stores the revision of the schema."""
HEAD = "head"


def migrate(engine: Engine, revision: str = HEAD) -> None:
    """Run the missing migrations up to a revision; ValueError if the database is newer than this program."""
    with engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
        known, found = _revisions(), revision_of(connection)
        if found and found not in known:
            raise ValueError(f"The database has schema {found}, which is newer than this version of Archipel.")
        if revision != HEAD:
            _upgrade(connection, revision)
        elif not inspect(connection).get_table_names():
            _create(connection, known[-1])
        elif found != known[-1]:
            _upgrade(connection, revision)


def revision_of(connection: Connection) -> str | None:
    """The revision of a database's schema; None if it is not one of ours."""
    if not inspect(connection).has_table(_REVISIONS):
        return None
    found: str | None = connection.execute(text(f"SELECT version_num FROM {_REVISIONS}")).scalar()
    return found


def _revisions() -> list[str]:
    """All revisions, the newest last, from the names of their modules."""
    return sorted(path.stem[1:] for path in (Path(__file__).parent / "migrations" / "versions").glob("v*.py"))


def _create(connection: Connection, revision: str) -> None:
    """Create all tables, and store their revision as Alembic does."""
    metadata.create_all(connection)
    connection.execute(
        text(f"CREATE TABLE {_REVISIONS} (version_num VARCHAR(32) NOT NULL CONSTRAINT {_REVISIONS}_pkc PRIMARY KEY)")
    )
    connection.execute(text(f"INSERT INTO {_REVISIONS} VALUES (:revision)"), {"revision": revision})


def _upgrade(connection: Connection, revision: str) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "archipel.table.storage:migrations")
    config.attributes["connection"] = connection
    command.upgrade(config, revision)
