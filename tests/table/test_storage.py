"""What is kept is kept, in SQLite and in PostgreSQL alike."""

import asyncio
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import text

from archipel.table import tokens
from archipel.table.log import events
from archipel.table.log.table import Table
from archipel.table.storage import Change, Conflict, KeptLink, StorageError, Store, engines
from archipel.table.storage.backup import backup
from archipel.table.storage.migrating import migrate
from archipel.table.storage.schema import metadata
from archipel.table.storage.writer import Writer

from .room import NOW, Room

ROW: dict[str, Any] = {"status": "playing", "updated": NOW, "due": None}


def spend(database: str, evening: Callable[[Store], Awaitable[None]]) -> None:
    async def run() -> None:
        store = Store(database)
        store.prepare()
        store.start()
        try:
            await evening(store)
        finally:
            await store.close()

    asyncio.run(run())


async def appended(store: Store, change: Change) -> Exception | None:
    """Append, and wait; what went wrong."""
    done: asyncio.Future[Exception | None] = asyncio.get_running_loop().create_future()
    store.append(change, lambda _, error: done.set_result(error))
    return await done


def test_a_log_comes_back_as_it_was(database: str) -> None:
    room = Room("kahuna").sit_all().play_out()
    table = room.table

    async def evening(store: Store) -> None:
        await store.create(table.setup, table.log[:5], ROW, ["Ada"])
        assert await appended(store, Change(table.setup.id, 5, table.log[5:], {"status": "over"}, ["Bo"])) is None
        kept = await store.load(table.setup.id)
        assert kept is not None
        assert kept.setup == table.setup
        assert Table(kept.setup, kept.entries).state == table.state
        assert [events.encode(entry) for entry in kept.entries] == [events.encode(entry) for entry in table.log]
        assert len(await store.since(table.setup.id, 100)) == table.version - 100
        assert await store.load("nothing") is None
        assert [row.id for row in await store.of("Bo", 10)] == [table.setup.id]
        assert await store.of("Zoe", 10) == []
        assert await store.public(10) == []

    spend(database, evening)


def test_a_version_is_written_once(database: str) -> None:
    """Whoever comes second with a version is told so, and what others write at the same time is not harmed."""
    room, other = Room("stonehenge").sit_all(), Room("stonehenge").sit_all()

    async def evening(store: Store) -> None:
        for table in (room.table, other.table):
            await store.create(table.setup, table.log, ROW, [])
        spoke: list[events.Entry] = [events.Spoke(at=NOW, name="Ada", text="hi")]
        first, second = room.table.setup.id, other.table.setup.id
        errors = await asyncio.gather(
            appended(store, Change(first, 3, spoke)),
            appended(store, Change(first, 3, spoke)),
            appended(store, Change(second, 3, spoke)),
        )
        assert [type(error) for error in errors] == [type(None), Conflict, type(None)]
        assert len(await store.since(first, 0)) == 4
        assert len(await store.since(second, 0)) == 4

    spend(database, evening)


def test_persons_and_their_devices(database: str) -> None:
    async def evening(store: Store) -> None:
        await store.add_person("who", "Ada", tokens.digest("cookie"), NOW)
        await store.add_cookie("who", tokens.digest("phone"), NOW)
        await store.rename("who", "Ada L.")
        assert await store.cookie(tokens.digest("cookie")) == ("who", "Ada L.", NOW)
        assert await store.cookie(tokens.digest("phone")) == ("who", "Ada L.", NOW)
        assert await store.cookie(tokens.digest("other")) is None

    spend(database, evening)


def test_links_work_until_they_are_revoked(database: str) -> None:
    async def evening(store: Store) -> None:
        link = KeptLink("digest", "watch", "table", None, 1, "who", NOW, NOW + 10)
        await store.add_link(link)
        assert await store.link("digest", NOW) == link
        assert await store.link("digest", NOW + 11) is None
        assert sorted(await asyncio.gather(*(store.revoke("digest") for _ in range(3)))) == [False, False, True]
        assert await store.link("digest", NOW) is None

    spend(database, evening)


def test_one_worker_at_a_time_looks_after_a_table(database: str) -> None:
    async def evening(store: Store) -> None:
        assert await store.lease("table", "one", NOW, NOW + 100) == ("one", NOW + 100)
        assert await store.lease("table", "two", NOW + 50, NOW + 150) == ("one", NOW + 100)
        assert await store.renew("one", NOW + 200) == {"table"}
        assert await store.lease("table", "two", NOW + 150, NOW + 250) == ("one", NOW + 200)
        assert await store.lease("table", "two", NOW + 201, NOW + 300) == ("two", NOW + 300)
        assert await store.renew("one", NOW + 400) == set(), "whoever stood still learns that it is another's"
        assert await store.lease("table", "one", NOW + 202, NOW + 300) == ("two", NOW + 300)
        await store.release("two")
        assert await store.lease("table", "one", NOW + 203, NOW + 300) == ("one", NOW + 300)

    spend(database, evening)


def test_what_is_due_is_found(database: str) -> None:
    async def evening(store: Store) -> None:
        for due in (None, 0, NOW, NOW + 1000):
            table = Room("stonehenge").table
            await store.create(table.setup, [], ROW | {"due": due}, [])
        assert len(await store.due(NOW, 10)) == 2
        assert len(await store.ids()) == 4

    spend(database, evening)


@pytest.mark.parametrize("first", ["0001", "0003", "head"])
def test_migrations_lead_to_the_schema(database: str, first: str) -> None:
    """From any revision; an empty database gets the schema at once."""
    engine = engines.writer(engines.url_of(database))
    migrate(engine, first)
    migrate(engine)
    migrate(engine)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection)
        assert compare_metadata(context, metadata) == []
        assert context.get_current_heads() == ("0006",)
    engine.dispose()


def test_a_new_database_is_made_as_migrations_make_it(tmp_path: Path) -> None:
    def made(name: str, first: str) -> list[Any]:
        engine = engines.writer(engines.url_of(str(tmp_path / name)))
        migrate(engine, first)
        migrate(engine)
        with engine.connect() as connection:
            tables = connection.exec_driver_sql("SELECT name, ncol, wr, strict FROM pragma_table_list ORDER BY 1").all()
            columns = [
                connection.exec_driver_sql(
                    f"SELECT name, type, \"notnull\", pk FROM pragma_table_info('{table.name}')"
                ).all()
                for table in tables
            ]
        engine.dispose()
        return [tables, columns]

    assert made("new", "head") == made("old", "0001")


def test_a_current_database_needs_no_alembic(tmp_path: Path) -> None:
    code = (
        "import sys; from archipel.table.storage import Store\n"
        f"store = Store({str(tmp_path / 'new.sqlite3')!r}); store.prepare(); store.prepare(); store.dispose()\n"
        "print(sorted({'alembic', 'mako', 'sqlalchemy.dialects.postgresql'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_database_of_the_future_is_left_alone(database: str) -> None:
    engine = engines.writer(engines.url_of(database))
    migrate(engine)
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(ValueError, match="newer"):
        migrate(engine)
    engine.dispose()


def test_sqlite_writes_through_to_the_disk(tmp_path: Path) -> None:
    engine = engines.writer(engines.url_of(str(tmp_path / "t.sqlite3")))
    with engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
    engine.dispose()


@pytest.mark.parametrize("database", ["mysql://x/y", "://"])
def test_databases_that_cannot_be(database: str) -> None:
    with pytest.raises(ValueError, match=r"database|kept in"):
        engines.url_of(database)


def test_many_pieces_of_work_are_kept_together(tmp_path: Path) -> None:
    """While one transaction is being written the next gathers."""
    engine = engines.writer(engines.url_of(str(tmp_path / "t.sqlite3")))
    told = threading.Semaphore(0)
    order: list[int] = []

    def tell(results: list[Any]) -> None:
        for done, _, error in results:
            assert error is None
            done(None, None)

    writer: Writer[None] = Writer(engine, lambda *_: None, tell)
    for number in range(600):

        def done(_: Any, error: Exception | None, number: int = number) -> None:
            order.append(number)
            told.release()

        writer.put(lambda connection: None, done)
    writer.start()
    for _ in range(600):
        assert told.acquire(timeout=20)
    assert order == list(range(600))
    assert writer.commits == 2
    writer.close()
    with pytest.raises(StorageError):
        writer.put(lambda connection: None, lambda _, error: None)
    engine.dispose()


def test_work_that_fails_is_told_and_the_rest_is_kept(database: str) -> None:
    async def evening(store: Store) -> None:
        table = Room("stonehenge").table
        await store.create(table.setup, [], ROW, [])
        broken = store.write(lambda connection: connection.execute(text("SELECT * FROM nowhere")).all())
        fine = appended(store, Change(table.setup.id, 0, [events.Resumed(at=NOW)]))
        results = await asyncio.gather(broken, fine, return_exceptions=True)
        assert isinstance(results[0], StorageError)
        assert "nowhere" not in str(results[0])
        assert results[1] is None

    spend(database, evening)


def test_a_backup_holds_everything(database: str, tmp_path: Path) -> None:
    room = Room("kahuna").sit_all().play_out(most=30)
    target = tmp_path / "copy.sqlite3"

    async def evening(store: Store) -> None:
        await store.create(room.table.setup, room.table.log, ROW, ["Ada"])
        await store.add_person("who", "Ada", "digest", NOW)
        assert await asyncio.to_thread(backup, database, target) == room.table.version

    spend(database, evening)

    async def later(store: Store) -> None:
        kept = await store.load(room.table.setup.id)
        assert kept is not None
        assert Table(kept.setup, kept.entries).state == room.table.state
        assert await store.cookie("digest") == ("who", "Ada", NOW)

    spend(str(target), later)
    with pytest.raises(ValueError, match="already"):
        backup(database, target)


def test_ended_links_and_cookies_are_found(database: str) -> None:
    async def evening(store: Store) -> None:
        await store.add_person("ada", "Ada", "cookie", NOW, "")
        for digest, until in (("link", None), ("late", NOW + 10)):
            await store.add_link(KeptLink(digest, "watch", "table", None, None, "ada", NOW, until))
        many = [f"other {number}" for number in range(1_200)]
        asked = ["cookie", "link", "late", *many]
        assert await store.ended(asked, NOW) == set(many)
        assert await store.ended(asked, NOW + 11) == {*many, "late"}
        await store.revoke("link")
        await store.end_cookies(["cookie"])
        assert await store.ended(asked, NOW) == {*many, "cookie", "link"}

    spend(database, evening)
