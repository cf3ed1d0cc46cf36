"""A database that fails: nothing false is told, what failed is seen from outside, and the start says what is wrong."""

import asyncio
import itertools
import os
import pwd
import sqlite3
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import inspect, text
from sqlalchemy.exc import OperationalError

from archipel.cli.errors import BadInput, complaining
from archipel.table.log import decisions, events
from archipel.table.storage import Change, Conflict, StorageError, Store, Unsure, engines, health
from archipel.table.storage.backup import backup
from archipel.table.storage.migrating import migrate, revision_of
from tests.patience import PATIENCE

from .crash import Victim
from .house import Guest, House, house
from .room import NOW, Room
from .test_storage import ROW, appended, spend

SPOKE: list[events.Entry] = [events.Spoke(at=NOW, name="Ada", text="hi")]


@contextmanager
def failing_commits(store: Store, kept: bool, times: int = 1) -> Iterator[None]:
    """So many COMMITs of the writer fail: after they took effect, or before."""
    dialect = store._write.dialect
    commit, left = dialect.do_commit, [times]

    def failing(connection: Any) -> None:
        if kept or not left[0]:
            commit(connection)
        if left[0]:
            left[0] -= 1
            raise _no_fsync(store)

    dialect.do_commit = failing  # type: ignore[method-assign, assignment]
    try:
        yield
    finally:
        dialect.do_commit = commit  # type: ignore[method-assign]


def _no_fsync(store: Store) -> Exception:
    if store.url.get_backend_name() == "postgresql":
        import psycopg

        return psycopg.OperationalError("the connection is lost")
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode, error.sqlite_errorname = sqlite3.SQLITE_IOERR_FSYNC, "SQLITE_IOERR_FSYNC"
    return error


# COMMIT fails.


@pytest.mark.parametrize("kept", [True, False])
def test_a_commit_that_fails_is_settled_by_the_log(database: str, kept: bool) -> None:
    """Whether it took effect or not: afterwards each is in the log once, and is told to be."""
    rooms = [Room("stonehenge").sit_all() for _ in range(3)]

    async def evening(store: Store) -> None:
        for room in rooms:
            await store.create(room.table.setup, room.table.log, ROW, [])
        with failing_commits(store, kept):
            changes = [Change(room.table.setup.id, 3, SPOKE, {"status": "over"}, ["Bo"]) for room in rooms]
            assert await asyncio.gather(*(appended(store, change) for change in changes)) == [None] * 3
        for room in rooms:
            assert len(await store.since(room.table.setup.id, 0)) == 4
        assert len(await store.of("Bo", 10)) == 3

    spend(database, evening)


@pytest.mark.parametrize("kept", [True, False])
def test_what_cannot_be_settled_is_unsure(database: str, kept: bool) -> None:
    """As long as COMMIT fails nobody is told that anything is kept, nor that it is not."""
    table = Room("stonehenge").sit_all().table
    failed: list[Exception] = []

    async def evening(store: Store) -> None:
        store.teller.failed = failed.append
        await store.create(table.setup, table.log, ROW, [])
        with failing_commits(store, kept, times=2):
            assert isinstance(await appended(store, Change(table.setup.id, 3, SPOKE)), Unsure)
        with failing_commits(store, kept), pytest.raises(Unsure):
            await store.write(lambda connection: None)
        assert len(failed) == 2
        assert len(await store.since(table.setup.id, 0)) == (4 if kept else 3)

    spend(database, evening)


def test_another_entry_in_its_place_is_a_conflict(database: str) -> None:
    """What somebody else wrote meanwhile is not taken for ours, and not written over."""
    table = Room("stonehenge").sit_all().table

    async def evening(store: Store) -> None:
        await store.create(table.setup, table.log, ROW, [])
        theirs = Change(table.setup.id, 3, [events.Spoke(at=NOW, name="Bo", text="hello")])

        commit = store._write.dialect.do_commit

        def failing(connection: Any) -> None:
            store._write.dialect.do_commit = commit  # type: ignore[method-assign]
            connection.rollback()
            with store._write.dialect.loaded_dbapi.connect(**_arguments(store)) as other:
                _write_their_entry(other, theirs)
            raise _no_fsync(store)

        store._write.dialect.do_commit = failing  # type: ignore[method-assign, assignment]
        assert isinstance(await appended(store, Change(table.setup.id, 3, SPOKE)), Conflict)
        kept = (await store.since(table.setup.id, 3))[0]
        assert isinstance(kept, events.Spoke)
        assert kept.text == "hello"

    spend(database, evening)


def _arguments(store: Store) -> dict[str, Any]:
    return dict(store._write.dialect.create_connect_args(store.url)[1]) | (
        {"database": store.url.database} if store.url.get_backend_name() == "sqlite" else {}
    )


def _write_their_entry(connection: Any, change: Change) -> None:
    body = events.encode(change.entries[0]).decode()
    connection.execute(
        f"INSERT INTO entries (table_id, version, body) VALUES ('{change.table}', {change.version + 1}, '{body}')"
    )


@pytest.mark.parametrize("kept", [True, False])
@pytest.mark.parametrize("times", [1, 2])
def test_a_player_is_told_the_truth(tmp_path: Path, kept: bool, times: int) -> None:
    """A move whose COMMIT fails is acknowledged at once, or when its player comes again and sends it again."""

    async def evening(here: House) -> None:
        ada = await here.guest("Ada")
        table = await ada.table("stonehenge", [{"kind": "me"}, {"kind": "here", "name": "Kim"}])
        move = {"type": "act", "n": 1, "at": 3, "action": "6@K"}
        with failing_commits(here.hub.store, kept, times):
            async with ada.at(table, eye=0, client="the-same-tab") as a:
                await a.send(move)
                answer = await a.until(lambda m: m["type"] in ("ack", "refused", "goodbye"))
        assert answer["type"] == ("ack" if times == 1 else "goodbye")
        async with ada.at(table, eye=0, client="the-same-tab") as a:
            await a.send(move)
            answer = await a.until(lambda m: m["type"] in ("ack", "refused", "goodbye"))
            assert (answer["type"], answer["version"]) == ("ack", 4)
        entries = await here.hub.store.since(table, 0)
        assert [type(entry) for entry in entries[3:]] == [events.Acted]

    asyncio.run(_spend(tmp_path, evening))


async def _spend(folder: Path, evening: Callable[[House], Any]) -> None:
    async with house(folder / "tables.sqlite3") as here:
        await evening(here)


def test_a_table_where_only_bots_wait_is_taken_up_again(tmp_path: Path) -> None:
    """Nobody comes again by himself: the server does."""

    async def evening(here: House) -> None:
        ada = await here.guest("Ada")
        table = await ada.table("stonehenge", [{"kind": "me"}, {"kind": "bot", "level": "beachcomber"}])
        live = await here.hub.find(table)
        assert live is not None
        here.hub.lost(live)
        assert table not in here.hub.lives
        while table not in here.hub.lives:
            await asyncio.sleep(0.05)

    asyncio.run(asyncio.wait_for(_spend(tmp_path, evening), PATIENCE))


def test_a_database_that_fails_as_a_whole_is_asked_once(tmp_path: Path) -> None:
    """A batch of moves does not wait for a locked file once for each of them."""
    rooms = [Room("stonehenge").table for _ in range(4)]

    async def evening(store: Store) -> None:
        for table in rooms:
            await store.create(table.setup, [], ROW, [])
        asked: list[int] = []

        def append(_: Any, changes: Sequence[Change], again: bool) -> None:
            asked.append(len(changes))
            raise _locked()

        store.writer._append = append
        store.writer._next_at = time.monotonic() + 0.2  # they are written together
        errors = await asyncio.gather(*(appended(store, Change(table.setup.id, 0, SPOKE)) for table in rooms))
        assert [type(error) for error in errors] == [StorageError] * 4
        assert asked == [4]

    spend(str(tmp_path / "tables.sqlite3"), evening)


def _locked() -> Exception:
    driver = sqlite3.OperationalError("database is locked")
    driver.sqlite_errorcode, driver.sqlite_errorname = sqlite3.SQLITE_BUSY, "SQLITE_BUSY"
    return OperationalError("", {}, driver)


# Seen from outside.


def test_health_writes_and_reads(tmp_path: Path) -> None:
    """A server whose disk takes nothing says so, logs it, counts it, and is well again afterwards."""
    lines: list[str] = []
    victim = Victim(str(tmp_path / "tables.sqlite3"), heard=lines.append)

    async def evening() -> None:
        guest = Guest(victim.port)
        assert await guest.get("/healthz") == (200, {"status": "ok"})
        assert (await guest.post("/api/session", {"name": "Ada"}))[0] == 201
        victim.limit(0)
        for _ in range(20):
            status, said = await guest.post("/api/tables", {"game": "stonehenge", "chairs": [{"kind": "me"}] * 2})
            assert status == 503, said
        status, said = await _until_other(guest, 200)
        assert status == 503
        assert said["status"] == "failing"
        assert "SQLITE_IOERR" in said["why"]
        _, page = await guest.get("/metrics")
        figures = dict(line.split() for line in page.decode().splitlines() if not line.startswith("#"))
        assert float(figures["archipel_writes_failed_total"]) >= 20
        victim.limit(None)
        assert await _until_other(guest, 503) == (200, {"status": "ok"})

    victim.start()
    try:
        asyncio.run(asyncio.wait_for(evening(), PATIENCE))
    finally:
        victim.kill()
    failures = [line for line in lines if "write-failed" in line]
    assert failures
    assert len(failures) < 20
    assert all("SQLITE_IOERR" in line for line in failures)


async def _until_other(guest: Guest, status: int) -> tuple[int, Any]:
    """Health once it is no longer as it was: an answer holds for a moment."""
    while (answer := await guest.get("/healthz"))[0] == status:
        await asyncio.sleep(0.05)
    return answer


def test_health_sees_a_damaged_file(tmp_path: Path) -> None:
    async def evening(here: House) -> None:
        ada = await here.guest("Ada")
        await ada.table("stonehenge", [{"kind": "me"}, {"kind": "here", "name": "Kim"}])
        assert await here.hub.health.trouble() == ""
        path = engines.file_of(here.hub.store.url)
        assert path is not None
        with sqlite3.connect(path) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()
        with path.open("r+b") as file:
            file.seek(4096)
            file.write(b"\xff" * (path.stat().st_size - 4096))
        await asyncio.sleep(health.FRESH)
        assert "SQLITE_CORRUPT" in await here.hub.health.trouble()

    asyncio.run(_spend(tmp_path, evening))


def test_health_is_asked_of_the_disk_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def evening(here: House) -> None:
        probes, probe = itertools.count(), here.hub.store.probe
        monkeypatch.setattr(here.hub.store, "probe", lambda: (next(probes), probe())[1])
        assert set(await asyncio.gather(*(here.hub.health.trouble() for _ in range(50)))) == {""}
        assert next(probes) == 1

    asyncio.run(_spend(tmp_path, evening))


def test_a_database_that_does_not_answer_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "PATIENCE", 0.05)

    async def evening(here: House) -> None:
        with sqlite3.connect(here.hub.store.url.database or "", isolation_level=None) as other:
            other.execute("BEGIN IMMEDIATE")
            assert await here.hub.health.trouble() == "The database does not answer."
            other.execute("ROLLBACK")
        other.close()

    asyncio.run(_spend(tmp_path, evening))


# The start.


def prepared(path: Path) -> Path:
    """A database that nobody uses."""
    store = Store(str(path))
    store.prepare()
    store.dispose()
    return path


def start_of(database: str) -> str:
    """What is said when a store cannot be prepared."""
    with pytest.raises(ValueError, match=r"\.$") as said:
        Store(database).prepare()
    return str(said.value)


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    path = tmp_path / "tables.sqlite3"
    path.write_text("Dear diary, today we played. " * 100)
    assert start_of(str(path)) == f"{path} is not an SQLite database."


def test_a_damaged_file(tmp_path: Path) -> None:
    path = prepared(tmp_path / "tables.sqlite3")
    with path.open("r+b") as file:
        file.seek(100)
        file.write(b"\xff" * (path.stat().st_size - 100))
    assert start_of(str(path)) == f"{path} is damaged: restore it from a backup."


def test_a_locked_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "PATIENCE", 10)
    path = prepared(tmp_path / "tables.sqlite3")
    with sqlite3.connect(path, isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        assert start_of(str(path)) == f"{path} is locked by another program."
    other.close()


def test_a_folder_in_place_of_the_file(tmp_path: Path) -> None:
    assert start_of(str(tmp_path)) == f"{tmp_path} cannot be opened: check the folder and its permissions."


def test_no_postgresql(tmp_path: Path) -> None:
    said = start_of("postgresql://ada:secret@127.0.0.1:1/tables")
    assert said == "PostgreSQL at 127.0.0.1:1 cannot be used: Connection refused."


def test_no_such_database(postgresql: str) -> None:
    said = start_of(postgresql.rpartition("/")[0] + "/nowhere")
    assert said.startswith("PostgreSQL at 127.0.0.1:")
    assert 'database "nowhere" does not exist' in said


@contextmanager
def somebody_else() -> Iterator[None]:
    """Be nobody for a while, where we are root, whom no permission stops."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(pwd.getpwnam("nobody").pw_uid)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


@pytest.mark.parametrize("folder", [0o777, 0o555])
def test_a_read_only_file(folder: int) -> None:
    with tempfile.TemporaryDirectory(prefix="archipel-") as name:
        path = prepared(Path(name) / "tables.sqlite3")
        path.chmod(0o444)
        path.parent.chmod(folder)
        with somebody_else():
            assert start_of(str(path)) == f"{path} is read-only: the server must be able to write to it."


def test_a_folder_that_may_not_be_written() -> None:
    with tempfile.TemporaryDirectory(prefix="archipel-") as name:
        path = Path(name) / "new" / "tables.sqlite3"
        path.parent.parent.chmod(0o555)
        with somebody_else(), pytest.raises(BadInput, match=r"new: Permission denied\.$"), complaining():
            Store(str(path))


def test_serve_says_it_in_one_sentence(tmp_path: Path) -> None:
    """Also with several workers, of which none is started then."""
    path = tmp_path / "tables.sqlite3"
    path.write_text("Dear diary, today we played. " * 100)
    gone = ["--database", "postgresql://ada:secret@127.0.0.1:1/tables"]
    for given in (["--database", str(path)], gone, [*gone, "--workers", "2", "--redis", "redis://127.0.0.1:1"]):
        command = [sys.executable, "-m", "archipel", "serve", "--no-browser", "--port", "0", *given]
        ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
        assert ran.returncode == 2
        assert len(ran.stderr.strip().splitlines()) == 1, ran.stderr
        assert "secret" not in ran.stderr


def test_one_server_for_each_file(tmp_path: Path) -> None:
    """The second is told so; a server that is killed leaves no lock behind."""
    path = tmp_path / "tables.sqlite3"
    command = [sys.executable, "-m", "archipel", "serve", "--no-browser", "--port", "0", "--database", str(path)]
    victim = Victim(str(path))
    victim.start()
    try:
        ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
        assert ran.returncode == 2
        assert ran.stderr.replace("\n", " ").startswith(f"Another server is using {path}: stop it first")
        victim.kill()
        victim.start()
    finally:
        victim.kill()


# Private files.


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_databases_are_for_their_owner_alone(tmp_path: Path) -> None:
    path, copy = tmp_path / "kept" / "tables.sqlite3", tmp_path / "copy.sqlite3"
    before = os.umask(0)
    try:
        asyncio.run(
            _looked_at(path, {"tables.sqlite3", "tables.sqlite3-wal", "tables.sqlite3-shm", "tables.sqlite3.lock"})
        )
        backup(str(path), copy)
    finally:
        os.umask(before)
    assert mode(path.parent) == 0o700
    assert mode(copy) == 0o600


async def _looked_at(path: Path, names: set[str]) -> None:
    async with house(path) as here:
        await here.guest("Ada")
        assert {file.name: mode(file) for file in path.parent.iterdir()} == dict.fromkeys(names, 0o600)


def test_what_everybody_could_read_is_closed(tmp_path: Path) -> None:
    """What was opened to a group on purpose stays so."""
    path = tmp_path / "tables.sqlite3"
    for before, after in ((0o644, 0o600), (0o640, 0o640), (0o666, 0o600)):
        prepared(path).chmod(before)
        prepared(path)
        assert mode(path) == after


# Backups.


def test_an_older_schema_is_copied_as_it_is(database: str, tmp_path: Path) -> None:
    """And a newer program can serve from the copy, as from the database itself."""
    target = tmp_path / "copy.sqlite3"
    engine = engines.writer(engines.url_of(database))
    migrate(engine, "0001")
    body = events.encode(SPOKE[0]).decode()
    with engine.begin() as connection:
        connection.execute(text("INSERT INTO entries (table_id, version, body) VALUES ('t', 1, :body)"), {"body": body})
        connection.execute(text("INSERT INTO leases VALUES ('t', 'worker', 1)"))
    engine.dispose()
    assert backup(database, target) == 1
    copy = engines.readers(engines.url_of(str(target)))
    with copy.connect() as connection:
        assert revision_of(connection) == "0001"
        assert "throws" not in inspect(connection).get_table_names()
        assert connection.scalar(text("SELECT count(*) FROM leases")) == 0
    copy.dispose()

    async def evening(store: Store) -> None:
        assert await store.since("t", 0) == SPOKE

    spend(str(target), evening)


def test_what_cannot_be_backed_up(tmp_path: Path) -> None:
    diary, empty = tmp_path / "diary.txt", tmp_path / "empty.sqlite3"
    diary.write_text("Dear diary, today we played. " * 100)
    sqlite3.connect(empty).executescript("CREATE TABLE other (x)").connection.close()
    with pytest.raises(ValueError, match="is not an SQLite database"):
        backup(str(diary), tmp_path / "copy.sqlite3")
    with pytest.raises(ValueError, match="No tables are kept"):
        backup(str(empty), tmp_path / "copy.sqlite3")
    with pytest.raises(ValueError, match="Connection refused"):
        backup("postgresql://127.0.0.1:1/x", tmp_path / "copy.sqlite3")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["diary.txt", "empty.sqlite3"]


@pytest.mark.parametrize("fault", ["nothing", "error"])
def test_a_command_is_answered_even_if_its_decision_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    """It was kept as waiting: whoever sent it again, also on a new connection, was never answered."""

    def decide(*_: Any) -> list[events.Entry]:
        if fault == "error":
            raise ArithmeticError("a mistake of ours")
        return []

    async def evening(here: House) -> None:
        ada = await here.guest("Ada")
        table = await ada.table("stonehenge", [{"kind": "me"}, {"kind": "here", "name": "Kim"}])
        async with ada.at(table, eye=0) as a:
            with monkeypatch.context() as mistaken:
                mistaken.setattr(decisions, "decide", decide)
                await a.send({"type": "act", "n": 1, "at": 3, "action": "6@K"})
                answer = await a.until(lambda m: m["type"] in ("ack", "refused"))
            assert (answer["type"], answer["n"], answer["rule"]) == ("refused", 1, "table.trouble")
            await a.send({"type": "act", "n": 2, "at": 3, "action": "6@K"})
            answer = await a.until(lambda m: m["type"] in ("ack", "refused"))
            assert (answer["type"], answer["n"]) == ("ack", 2)

    asyncio.run(asyncio.wait_for(_spend(tmp_path, evening), PATIENCE))


def test_a_bot_whose_choice_fails_is_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    failures = [ArithmeticError("a mistake of ours")]
    real = decisions.bot_acts

    def bot_acts(*arguments: Any) -> list[events.Entry]:
        if failures:
            raise failures.pop()
        return real(*arguments)

    monkeypatch.setattr(decisions, "bot_acts", bot_acts)

    async def evening(here: House) -> None:
        ada = await here.guest("Ada")
        table = await ada.table("stonehenge", [{"kind": "bot", "level": "beachcomber"}, {"kind": "me"}])
        async with ada.at(table, eye=1) as a:
            await a.until(lambda m: any(e["kind"] == "acted" for e in m.get("entries", ())))

    asyncio.run(asyncio.wait_for(_spend(tmp_path, evening), PATIENCE))
    assert not failures


def test_an_error_at_one_table_leaves_the_others_of_its_batch_alone(tmp_path: Path) -> None:
    """Results were told one after the other, and those behind one that failed were never told."""

    async def evening(store: Store) -> None:
        def fail(*_: Any) -> None:
            raise ArithmeticError("a mistake of ours")

        told: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        store.writer._tell([(fail, None, None), (lambda result, _: told.set_result(result), "kept", None)])
        assert await told == "kept"

    spend(f"sqlite:///{tmp_path / 'tables.sqlite3'}", evening)
