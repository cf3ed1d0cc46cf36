"""Bringing a database to this version's schema."""

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, text

_LOCK = 0x41524348
"""Any number of our own: whoever holds PostgreSQL's lock of it migrates, the others wait."""


def migrate(engine: Engine, revision: str = "head") -> None:
    """Run the migrations that the database lacks, up to a revision; ValueError if it is of a newer version than this
    program."""
    with engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
        config = Config()
        config.set_main_option("script_location", "archipel.table.storage:migrations")
        config.attributes["connection"] = connection
        script = ScriptDirectory.from_config(config)
        _check(connection, script)
        command.upgrade(config, revision)


def revision_of(connection: Connection) -> str | None:
    """The revision of a database's schema; None if it has none of ours."""
    return MigrationContext.configure(connection).get_current_revision()


def _check(connection: Connection, script: ScriptDirectory) -> None:
    known = {revision.revision for revision in script.walk_revisions()}
    for revision in MigrationContext.configure(connection).get_current_heads():
        if revision not in known:
            raise ValueError(f"The database has schema {revision}, which is newer than this version of Archipel.")
