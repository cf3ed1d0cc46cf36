"""Everything that is asked of the database, in the table's own words."""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, bindparam, delete, func, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import SQLAlchemyError

from .. import log
from ..setup import Setup
from . import engines
from .migrating import migrate
from .schema import cookies, entries, leases, links, players, sessions, tables, throws
from .writer import StorageError, Told, Writer

Result = TypeVar("Result")


class Change(Struct, gc=False):
    """New entries of a table's log, after that version; and what of the table itself has changed with them."""

    table: str
    version: int
    entries: Sequence[log.Entry]
    row: dict[str, Any] | None = None
    sat: Sequence[str] = ()
    ways: Mapping[int, bytes] = {}
    """Trajectories of dice, by the version of their entry."""


class Row(Struct, gc=False):
    """A table in a list."""

    id: str
    setup: Setup
    status: str
    updated: int


class Kept(Struct, gc=False):
    """A table with its log."""

    setup: Setup
    entries: list[log.Entry]


class KeptLink(Struct, gc=False):
    """A link that works: a seat's is of the game of that number."""

    digest: str
    kind: str
    table: str | None
    seat: int | None
    game: int | None
    maker: str
    created: int
    until: int | None = None


class _Append:
    """Adding to a log, as work for the writer: many such are written together."""

    __slots__ = ("_change", "_store", "together")

    def __init__(self, store: "Store", change: Change) -> None:
        self._store = store
        self._change = change
        self.together = store.append_all

    def __call__(self, connection: Connection) -> None:
        self._store._append(connection, [self._change])


class Store:
    """The database. Writing goes through one thread; `append` calls back, the rest is awaited."""

    def __init__(self, database: str) -> None:
        self.url = engines.url_of(database)
        self._write = engines.writer(self.url)
        self._read = engines.readers(self.url)
        self._threads = ThreadPoolExecutor(engines.READERS, "reader")
        self.writer = Writer(self._write, self._tell)
        self._loop: asyncio.AbstractEventLoop | None = None
        self.append_all = lambda connection, works: self._append(connection, [work._change for work in works])
        self._insert = postgresql.insert if self.url.get_backend_name() == "postgresql" else sqlite.insert

    def prepare(self) -> None:
        """Bring the schema to this version."""
        migrate(self._write)

    def start(self) -> None:
        """Begin to write; within the loop that is to be told."""
        self._loop = asyncio.get_running_loop()
        self.writer.start()

    async def close(self) -> None:
        """Write what is waiting, then end."""
        await asyncio.to_thread(self.writer.close)
        self._threads.shutdown(wait=True, cancel_futures=True)
        self._write.dispose()
        self._read.dispose()

    def _tell(self, results: list[tuple[Told, Any, Exception | None]]) -> None:
        """From the writer's thread to the loop: once for a whole batch."""
        if self._loop and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(_tell_all, results)

    async def write(self, work: Callable[[Connection], Result]) -> Result:
        """Have something written, and wait until it is kept."""
        done: asyncio.Future[Result] = asyncio.get_running_loop().create_future()

        def told(result: Any, error: Exception | None) -> None:
            if not done.done():
                if error:
                    done.set_exception(error)
                else:
                    done.set_result(result)

        self.writer.put(work, told)
        return await done

    async def read(self, work: Callable[[Connection], Result]) -> Result:
        """Read something in a thread; StorageError if the database does not answer."""

        def run() -> Result:
            try:
                with self._read.connect() as connection:
                    return work(connection)
            except SQLAlchemyError as error:
                raise StorageError(f"The database does not answer ({type(error).__name__}).") from None

        return await asyncio.get_running_loop().run_in_executor(self._threads, run)

    # Tables and their log.

    async def create(self, setup: Setup, made: Sequence[log.Entry], row: dict[str, Any], sat: Iterable[str]) -> None:
        """Keep a new table."""

        def work(connection: Connection) -> None:
            kept = {"id": setup.id, "setup": msgspec.json.encode(setup), "game": setup.game}
            connection.execute(insert(tables), kept | {"visibility": setup.visibility} | row)
            self._append(connection, [Change(setup.id, 0, made, None, tuple(sat))])

        await self.write(work)

    def append(self, change: Change, told: Told) -> None:
        """Add to a log; `told(None, error)` when it is kept, or not. Conflict if that version is written already."""
        self.writer.put(_Append(self, change), told)

    def _append(self, connection: Connection, changes: Sequence[Change]) -> None:
        """All of them with one statement for each table that they touch."""
        rows = [row for change in changes for row in _rows(change)]
        if rows:
            connection.execute(_ADD, rows)
        ways = [way for change in changes for way in _ways(change)]
        if ways:
            connection.execute(insert(throws), ways)
        changed = [change.row | {"table": change.table} for change in changes if change.row]
        if changed:
            connection.execute(_CHANGE, changed)
        sat = [{"who": who, "table_id": change.table} for change in changes for who in change.sat]
        if sat:
            connection.execute(self._insert(players).on_conflict_do_nothing(), sat)

    async def load(self, table: str) -> Kept | None:
        """A table with its whole log."""

        def work(connection: Connection) -> Kept | None:
            setup = connection.scalar(select(tables.c.setup).where(tables.c.id == table))
            return None if setup is None else Kept(_setup(setup), _log(connection, table, 0))

        return await self.read(work)

    async def since(self, table: str, version: int) -> list[log.Entry]:
        """What a table's log has after a version."""
        return await self.read(lambda connection: _log(connection, table, version))

    async def way(self, table: str, version: int) -> bytes | None:
        """The trajectory of the throw that the entry of that version tells of."""
        wanted = select(throws.c.way).where(throws.c.table_id == table, throws.c.version == version)
        return await self.read(lambda connection: connection.scalar(wanted))

    async def ways(self, table: str, since: int) -> dict[int, bytes]:
        """All trajectories of a table after a version."""
        wanted = select(throws.c.version, throws.c.way).where(throws.c.table_id == table, throws.c.version > since)
        return await self.read(lambda connection: {row.version: row.way for row in connection.execute(wanted)})

    async def public(self, most: int) -> list[Row]:
        """The public tables that wait or are being played, the latest first."""
        listed = tables.c.visibility == "public", tables.c.status != "over"
        wanted = _ROW.where(*listed).order_by(tables.c.updated.desc()).limit(most)
        return await self.read(lambda connection: [_row(row) for row in connection.execute(wanted)])

    async def of(self, who: str, most: int) -> list[Row]:
        """The tables at which somebody has a seat, the latest first."""
        mine = select(players.c.table_id).where(players.c.who == who)
        wanted = _ROW.where(tables.c.id.in_(mine)).order_by(tables.c.updated.desc()).limit(most)
        return await self.read(lambda connection: [_row(row) for row in connection.execute(wanted)])

    async def due(self, now: int, most: int) -> list[str]:
        """Tables that somebody must look after by now."""
        wanted = select(tables.c.id).where(tables.c.due <= now).order_by(tables.c.due).limit(most)
        return await self.read(lambda connection: list(connection.scalars(wanted)))

    async def ids(self) -> list[str]:
        """All tables."""
        return await self.read(lambda connection: list(connection.scalars(select(tables.c.id))))

    async def is_there(self) -> None:
        """See that the database answers; StorageError if it does not."""
        await self.read(lambda connection: connection.scalar(select(1)))

    # Persons.

    async def add_person(self, who: str, name: str, digest: str, now: int) -> None:
        """Somebody is new here, with a cookie of that digest."""

        def work(connection: Connection) -> None:
            connection.execute(insert(sessions), {"who": who, "name": name, "created": now})
            connection.execute(insert(cookies), {"digest": digest, "who": who, "created": now})

        await self.write(work)

    async def rename(self, who: str, name: str) -> None:
        """Somebody plays under another name from now on."""
        await self.write(lambda c: c.execute(update(sessions).where(sessions.c.who == who), {"name": name}).rowcount)

    async def add_cookie(self, who: str, digest: str, now: int) -> None:
        """Somebody uses another device too."""
        await self.write(lambda c: c.execute(insert(cookies), {"digest": digest, "who": who, "created": now}).rowcount)

    async def person(self, digest: str) -> tuple[str, str] | None:
        """Who has the cookie of that digest, and his name."""
        joined = cookies.join(sessions, sessions.c.who == cookies.c.who)
        wanted = select(sessions.c.who, sessions.c.name).select_from(joined).where(cookies.c.digest == digest)

        def work(connection: Connection) -> tuple[str, str] | None:
            found = connection.execute(wanted).first()
            return (found.who, found.name) if found else None

        return await self.read(work)

    # Links.

    async def add_link(self, link: KeptLink) -> None:
        """Make a link work."""
        row = msgspec.structs.asdict(link)
        row["table_id"] = row.pop("table")
        await self.write(lambda c: c.execute(insert(links), row).rowcount)

    async def link(self, digest: str, now: int) -> KeptLink | None:
        """The link of that digest, if it works."""

        def work(connection: Connection) -> KeptLink | None:
            found = connection.execute(select(links).where(links.c.digest == digest)).first()
            return _working(found, now) if found else None

        return await self.read(work)

    async def links(self, table: str, now: int) -> list[KeptLink]:
        """The links of a table that work, the newest first."""

        def work(connection: Connection) -> list[KeptLink]:
            found = connection.execute(
                select(links).where(links.c.table_id == table).order_by(links.c.created.desc(), links.c.digest)
            )
            return [link for row in found if (link := _working(row, now))]

        return await self.read(work)

    async def revoke(self, digest: str) -> bool:
        """Make a link work no more; did it until now? Of several who ask at once one is told so."""
        removed = await self.write(lambda c: c.execute(delete(links).where(links.c.digest == digest)).rowcount)
        return bool(removed)

    # Several workers.

    async def versions(self, wanted: Sequence[str]) -> dict[str, int]:
        """How long the logs of these tables are."""
        counted = select(entries.c.table_id, func.max(entries.c.version).label("version"))
        asked = counted.where(entries.c.table_id.in_(wanted)).group_by(entries.c.table_id)
        return await self.read(lambda c: {row.table_id: row.version for row in c.execute(asked)}) if wanted else {}

    async def orphans(self, now: int, most: int) -> list[str]:
        """Tables that somebody must look after by now, and nobody does."""
        joined = tables.outerjoin(leases, (leases.c.table_id == tables.c.id) & (leases.c.until >= now))
        alone = (tables.c.due <= now) & leases.c.table_id.is_(None)
        wanted = select(tables.c.id).select_from(joined).where(alone).limit(most)
        return await self.read(lambda connection: list(connection.scalars(wanted)))

    async def lease(self, table: str, worker: str, now: int, until: int) -> str:
        """Take a table under one's care unless somebody else has it; who has it now."""

        def work(connection: Connection) -> str:
            free = (leases.c.worker == worker) | (leases.c.until < now)
            made = self._insert(leases).values(table_id=table, worker=worker, until=until)
            taken = {"worker": worker, "until": until}
            connection.execute(made.on_conflict_do_update(index_elements=["table_id"], set_=taken, where=free))
            owner = connection.scalar(select(leases.c.worker).where(leases.c.table_id == table))
            return str(owner)

        return await self.write(work)

    async def renew(self, worker: str, until: int) -> None:
        """Promise to look after all one's tables for longer."""
        await self.write(
            lambda c: c.execute(update(leases).where(leases.c.worker == worker), {"until": until}).rowcount
        )

    async def release(self, worker: str, table: str | None = None) -> None:
        """Look after a table no more, or after none."""
        mine = (
            leases.c.worker == worker if table is None else (leases.c.worker == worker) & (leases.c.table_id == table)
        )
        await self.write(lambda c: c.execute(delete(leases).where(mine)).rowcount)


_ADD = insert(entries)
_CHANGE = update(tables).where(tables.c.id == bindparam("table"))
_ROW = select(tables.c.id, tables.c.setup, tables.c.status, tables.c.updated)


def _rows(change: Change) -> list[dict[str, Any]]:
    return [
        {"table_id": change.table, "version": version, "body": log.encode(entry).decode()}
        for version, entry in enumerate(change.entries, change.version + 1)
    ]


def _ways(change: Change) -> list[dict[str, Any]]:
    return [{"table_id": change.table, "version": version, "way": way} for version, way in change.ways.items()]


def _tell_all(results: list[tuple[Told, Any, Exception | None]]) -> None:
    for told, result, error in results:
        told(result, error)


def _setup(kept: bytes) -> Setup:
    return msgspec.json.decode(kept, type=Setup)


def _log(connection: Connection, table: str, since: int) -> list[log.Entry]:
    later = (entries.c.table_id == table) & (entries.c.version > since)
    bodies = connection.scalars(select(entries.c.body).where(later).order_by(entries.c.version))
    return [log.decode(body) for body in bodies]


def _row(row: Any) -> Row:
    return Row(row.id, _setup(row.setup), row.status, row.updated)


def _working(row: Any, now: int) -> KeptLink | None:
    """The link of a row, unless its time is over."""
    if row.until is not None and row.until < now:
        return None
    fields = dict(row._mapping)
    fields["table"] = fields.pop("table_id")
    return KeptLink(**fields)


__all__ = ["Change", "Kept", "KeptLink", "Row", "StorageError", "Store"]
