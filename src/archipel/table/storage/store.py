"""All queries of the database: tables and logs, people, cookies, links, leases."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import msgspec
from msgspec import Struct
from sqlalchemy import Column, Connection, delete, func, insert, select, text, true, update
from sqlalchemy.exc import SQLAlchemyError

from ..log import events, remarks
from ..log.remarks import Remark
from ..log.setup import Setup
from ..log.turns import Turn
from . import engines, trouble
from .changes import Change, Changes
from .migrating import migrate
from .schema import chat, cookies, entries, leases, links, lookers, players, recordings, sessions, tables
from .writer import Callback, Conflict, StorageError, Teller, Writer

Result = TypeVar("Result")
MANY = 500
"""How many rows one statement asks for by name."""


class Row(Struct, gc=False):
    """A table in a list."""

    id: str
    setup: Setup
    status: str
    updated: int


class Kept(Struct, gc=False):
    """A table with its log and its last chat messages."""

    setup: Setup
    entries: list[events.Entry]
    remarks: list[Remark] = []


class KeptLink(Struct, gc=False):
    """A valid link; one for a seat belongs to the game of that number."""

    digest: str
    kind: str
    table: str | None
    seat: int | None
    game: int | None
    maker: str
    created: int
    until: int | None = None


class KeptCookie(Struct, gc=False):
    """A valid cookie: its device, and when it was last used."""

    digest: str
    created: int
    used: int
    device: str


class Store:
    """The database. Writes go through one thread; `append` calls back, everything else is awaited."""

    def __init__(self, database: str) -> None:
        self.url = engines.url_of(database)
        self._write = engines.writer(self.url)
        self._read = engines.readers(self.url)
        self._threads = ThreadPoolExecutor(engines.READERS, "reader")
        self.insert = engines.insert_of(self.url)
        self.changes = Changes(self.insert)
        self.teller = Teller()
        self.writer = Writer(self._write, self.changes.append, self.teller)

    def prepare(self) -> None:
        """Migrate the schema to this version; ValueError says why the database cannot be used."""
        try:
            migrate(self._write)
            with self._write.begin() as connection:
                connection.execute(_TOUCH)  # so that a read-only file is noticed now, not at the first move
        except SQLAlchemyError as error:
            raise ValueError(trouble.sentence(self.url, error)) from None

    def start(self) -> None:
        """Start the writer; call it within the loop in which callbacks run."""
        self.teller.loop = asyncio.get_running_loop()
        self.writer.start()

    async def close(self) -> None:
        """Write everything that waits, then stop."""
        await asyncio.to_thread(self.writer.close)
        self._threads.shutdown(wait=True, cancel_futures=True)
        self.dispose()

    def dispose(self) -> None:
        """Close all connections."""
        self._write.dispose()
        self._read.dispose()

    async def write(self, work: Callable[[Connection], Result]) -> Result:
        """Write something, and wait until it is stored."""
        done: asyncio.Future[Result] = asyncio.get_running_loop().create_future()

        def callback(result: Any, error: Exception | None) -> None:
            if not done.done():
                if error:
                    done.set_exception(error)
                else:
                    done.set_result(result)

        self.writer.put(work, callback)
        return await done

    async def read(self, work: Callable[[Connection], Result]) -> Result:
        """Read something in a thread; StorageError if the database does not answer."""

        def run() -> Result:
            try:
                with self._read.connect() as connection:
                    return work(connection)
            except SQLAlchemyError as error:
                raise StorageError(f"The database does not answer ({trouble.name(error)}).") from None

        return await asyncio.get_running_loop().run_in_executor(self._threads, run)

    # Tables and their log.

    async def create(
        self,
        setup: Setup,
        made: Sequence[events.Entry],
        row: dict[str, Any],
        sat: Iterable[str],
        turns: Sequence[Turn] = (),
    ) -> None:
        """Store a new table."""

        def work(connection: Connection) -> None:
            kept = {"id": setup.id, "setup": msgspec.json.encode(setup), "game": setup.game}
            connection.execute(insert(tables), kept | {"visibility": setup.visibility} | row)
            self.changes.append(connection, [Change(setup.id, 0, made, None, tuple(sat), turns=turns or None)])

        await self.write(work)

    def append(self, change: Change, callback: Callback) -> None:
        """Append to a log; calls `callback(None, error)` when it is stored, or failed. Conflict if that version exists
        already."""
        self.writer.append(change, callback)

    async def load(self, table: str) -> Kept | None:
        """A table with its whole log."""

        def work(connection: Connection) -> Kept | None:
            setup = connection.scalar(select(tables.c.setup).where(tables.c.id == table))
            if setup is None:
                return None
            kept = _log(connection, table, 0)
            latest = [*remarks.of_old(kept), *_remarks(connection, table, 0)]
            return Kept(_setup(setup), kept, latest[-remarks.KEPT :])

        return await self.read(work)

    async def since(self, table: str, version: int) -> list[events.Entry]:
        """The entries of a table's log after a version."""
        return await self.read(lambda connection: _log(connection, table, version))

    def say(self, table: str, remark: Remark, after: Remark | None, callback: Callback) -> None:
        """Store a chat message, and delete the oldest; calls `callback(None, error)`.

        Conflict if `after` is not the last one: several may wait to be written, and when one is lost, those behind it
        must not be stored after their clients were told to send them again.
        """
        row = {"table_id": table, "number": remark.number, "body": msgspec.json.encode(remark).decode()}
        old = (chat.c.table_id == table) & (chat.c.number <= remark.number - remarks.KEPT)

        last = select(chat.c.body).where(chat.c.table_id == table).order_by(chat.c.number.desc()).limit(1)

        def work(connection: Connection) -> None:
            body = connection.scalar(last)
            if (msgspec.json.decode(body, type=Remark) if body else None) != after:
                raise Conflict("Another chat message comes before that one.")
            connection.execute(insert(chat), row)
            connection.execute(delete(chat).where(old))

        self.writer.put(work, callback)

    async def remarks(self, table: str, since: int) -> list[Remark]:
        """The chat messages of a table after that number."""
        return await self.read(lambda connection: _remarks(connection, table, since))

    async def recording(self, table: str, version: int) -> bytes | None:
        """The recording of the outcome in the entry of that version."""
        known = recordings.c
        wanted = select(known.data).where(known.table_id == table, known.version == version)
        return await self.read(lambda connection: connection.scalar(wanted))

    async def recordings(self, table: str, since: int) -> dict[int, bytes]:
        """All recordings of a table after a version."""
        known = recordings.c
        wanted = select(known.version, known.data).where(known.table_id == table, known.version > since)
        return await self.read(lambda connection: {row[0]: row[1] for row in connection.execute(wanted)})

    async def public(self, most: int) -> list[Row]:
        """The public tables that wait for players or are being played, the latest first."""
        listed = tables.c.visibility == "public", tables.c.status.in_(("waiting", "playing"))
        wanted = _ROW.where(*listed).order_by(tables.c.updated.desc()).limit(most)
        return await self.read(lambda connection: [_row(row) for row in connection.execute(wanted)])

    async def of(self, who: str, most: int, running: bool = False) -> list[Row]:
        """The tables at which somebody has a seat, those that are not over first, then the latest; or only those."""
        mine = select(players.c.table_id).where(players.c.who == who)
        open_ = tables.c.status.in_(("waiting", "playing"))
        asked = _ROW.where(tables.c.id.in_(mine), open_ if running else true())
        wanted = asked.order_by(open_.desc(), tables.c.updated.desc()).limit(most)
        return await self.read(lambda connection: [_row(row) for row in connection.execute(wanted)])

    async def latest(self, most: int) -> list[Row]:
        """The tables that changed last, the latest first."""
        wanted = _ROW.order_by(tables.c.updated.desc()).limit(most)
        return await self.read(lambda connection: [_row(row) for row in connection.execute(wanted)])

    async def due(self, now: int, most: int) -> list[str]:
        """The tables that are due to be looked after."""
        wanted = select(tables.c.id).where(tables.c.due <= now).order_by(tables.c.due).limit(most)
        return await self.read(lambda connection: list(connection.scalars(wanted)))

    async def ids(self) -> list[str]:
        """All tables."""
        return await self.read(lambda connection: list(connection.scalars(select(tables.c.id))))

    async def probe(self) -> None:
        """Check that the database stores and returns data; StorageError if it does not.

        The write changes nothing, but takes the same path as every move: the writer's thread, COMMIT, the disk. The
        read uses the tables that every visitor needs.
        """
        await self.write(lambda connection: connection.execute(_TOUCH).rowcount)
        await self.read(lambda connection: _log(connection, connection.scalar(_LATEST) or "", 0, 1))

    # Persons.

    async def add_person(self, who: str, name: str, digest: str, now: int, device: str = "") -> None:
        """Add a person, with a cookie of that digest."""

        def work(connection: Connection) -> None:
            connection.execute(insert(sessions), {"who": who, "name": name, "created": now})
            connection.execute(insert(cookies), _cookie(who, digest, now, device))

        await self.write(work)

    async def rename(self, who: str, name: str) -> None:
        """Change a person's name."""
        await self.write(lambda c: c.execute(update(sessions).where(sessions.c.who == who), {"name": name}).rowcount)

    async def add_cookie(self, who: str, digest: str, now: int, device: str = "") -> None:
        """Add a cookie for another device."""
        await self.write(lambda c: c.execute(insert(cookies), _cookie(who, digest, now, device)).rowcount)

    async def cookie(self, digest: str) -> tuple[str, str, int] | None:
        """The person with the cookie of that digest, their name, and its last use."""
        joined = cookies.join(sessions, sessions.c.who == cookies.c.who)
        known = select(sessions.c.who, sessions.c.name, cookies.c.used).select_from(joined)
        wanted = known.where(cookies.c.digest == digest)

        def work(connection: Connection) -> tuple[str, str, int] | None:
            found = connection.execute(wanted).first()
            return (found.who, found.name, found.used) if found else None

        return await self.read(work)

    async def use_cookie(self, digest: str, now: int) -> None:
        """Note the use of a cookie."""
        await self.write(lambda c: c.execute(update(cookies).where(cookies.c.digest == digest), {"used": now}).rowcount)

    async def cookies(self, who: str) -> list[KeptCookie]:
        """A person's cookies, the last used first."""
        columns = select(cookies.c.digest, cookies.c.created, cookies.c.used, cookies.c.device)
        wanted = columns.where(cookies.c.who == who).order_by(cookies.c.used.desc(), cookies.c.created.desc())
        return await self.read(lambda connection: [KeptCookie(*row) for row in connection.execute(wanted)])

    async def end_cookies(self, digests: Sequence[str]) -> None:
        """Delete these cookies."""
        await self.write(lambda c: c.execute(delete(cookies).where(cookies.c.digest.in_(digests))).rowcount)

    async def end_unused(self, before: int) -> int:
        """Delete cookies last used before then; return their number."""
        return await self.write(lambda c: c.execute(delete(cookies).where(cookies.c.used < before)).rowcount)

    async def name(self, who: str) -> str:
        """What somebody is called."""
        wanted = select(sessions.c.name).where(sessions.c.who == who)
        return await self.read(lambda connection: connection.scalar(wanted) or "")

    async def tables_of(self, who: str) -> int:
        """The number of tables at which a person has, or had, a seat."""
        wanted = select(func.count()).select_from(players).where(players.c.who == who)
        return await self.read(lambda connection: connection.scalar(wanted) or 0)

    # Links.

    async def add_link(self, link: KeptLink) -> None:
        """Add a link."""
        row = msgspec.structs.asdict(link)
        row["table_id"] = row.pop("table")
        await self.write(lambda c: c.execute(insert(links), row).rowcount)

    async def replace_link(self, link: KeptLink) -> None:
        """Make a link work instead of all others of its kind by its maker."""
        row = msgspec.structs.asdict(link)
        row["table_id"] = row.pop("table")

        def work(connection: Connection) -> None:
            connection.execute(delete(links).where(links.c.maker == link.maker, links.c.kind == link.kind))
            connection.execute(insert(links), row)

        await self.write(work)

    async def link(self, digest: str, now: int) -> KeptLink | None:
        """The link with that digest, if it is valid."""

        def work(connection: Connection) -> KeptLink | None:
            found = connection.execute(select(links).where(links.c.digest == digest)).first()
            return _working(found, now) if found else None

        return await self.read(work)

    async def links(self, table: str, now: int) -> list[KeptLink]:
        """The valid links of a table, the newest first."""

        def work(connection: Connection) -> list[KeptLink]:
            found = connection.execute(
                select(links).where(links.c.table_id == table).order_by(links.c.created.desc(), links.c.digest)
            )
            return [link for row in found if (link := _working(row, now))]

        return await self.read(work)

    async def revoke(self, digest: str) -> bool:
        """Delete a link; True if it was valid until now. Of several concurrent calls, one gets True."""
        removed = await self.write(lambda c: c.execute(delete(links).where(links.c.digest == digest)).rowcount)
        return bool(removed)

    async def ended(self, digests: Sequence[str], now: int) -> set[str]:
        """Those of these digests that no valid link and no cookie has any more."""

        def work(connection: Connection) -> set[str]:
            kept: set[str] = set()
            for first in range(0, len(digests), MANY):
                part = digests[first : first + MANY]
                valid = (links.c.until.is_(None)) | (links.c.until >= now)
                kept.update(connection.scalars(select(links.c.digest).where(links.c.digest.in_(part), valid)))
                kept.update(connection.scalars(select(cookies.c.digest).where(cookies.c.digest.in_(part))))
            return set(digests) - kept

        return await self.read(work)

    async def add_looker(self, who: str, table: str) -> None:
        """Note that a person watches a player's hand at a table."""
        row = {"who": who, "table_id": table}
        await self.write(lambda c: c.execute(self.insert(lookers).on_conflict_do_nothing(), row).rowcount)

    async def has_looked(self, who: str, table: str) -> bool:
        """True if a person has watched a player's hand at this table."""
        wanted = select(lookers.c.who).where(lookers.c.who == who, lookers.c.table_id == table)
        return await self.read(lambda connection: connection.scalar(wanted)) is not None

    # Several workers.

    async def versions(self, wanted: Sequence[str]) -> dict[str, int]:
        """The versions of the logs of these tables."""
        return await self._last(entries.c.table_id, entries.c.version, wanted)

    async def spoken(self, wanted: Sequence[str]) -> dict[str, int]:
        """The numbers of the last chat messages of these tables."""
        return await self._last(chat.c.table_id, chat.c.number, wanted)

    async def _last(self, table: Column[str], number: Column[int], wanted: Sequence[str]) -> dict[str, int]:
        """The highest number per table: one index lookup each, however long the log is."""
        last = select(func.max(number)).where(table == tables.c.id).scalar_subquery()
        asked = select(tables.c.id, last.label("last")).where(tables.c.id.in_(wanted))
        found = await self.read(lambda c: {row.id: row.last for row in c.execute(asked)}) if wanted else {}
        return {name: last for name, last in found.items() if last is not None}

    async def orphans(self, now: int, most: int) -> list[str]:
        """The tables that are due to be looked after and have no owner."""
        joined = tables.outerjoin(leases, (leases.c.table_id == tables.c.id) & (leases.c.until >= now))
        alone = (tables.c.due <= now) & leases.c.table_id.is_(None)
        wanted = select(tables.c.id).select_from(joined).where(alone).limit(most)
        return await self.read(lambda connection: list(connection.scalars(wanted)))

    async def lease(self, table: str, worker: str, now: int, until: int) -> tuple[str, int]:
        """Become the owner of a table unless it has one; return the owner, and the end of the lease."""

        def work(connection: Connection) -> tuple[str, int]:
            free = (leases.c.worker == worker) | (leases.c.until < now)
            made = self.insert(leases).values(table_id=table, worker=worker, until=until)
            taken = {"worker": worker, "until": until}
            connection.execute(made.on_conflict_do_update(index_elements=["table_id"], set_=taken, where=free))
            row = connection.execute(select(leases.c.worker, leases.c.until).where(leases.c.table_id == table)).one()
            return row.worker, row.until

        return await self.write(work)

    async def renew(self, worker: str, until: int) -> set[str]:
        """Extend the ownership of all our tables; return which they are, because some may have been lost."""
        longer = update(leases).where(leases.c.worker == worker).values(until=until).returning(leases.c.table_id)
        return await self.write(lambda connection: set(connection.scalars(longer)))

    async def release(self, worker: str, table: str | None = None) -> None:
        """Give up the ownership of one table, or of all."""
        mine = (
            leases.c.worker == worker if table is None else (leases.c.worker == worker) & (leases.c.table_id == table)
        )
        await self.write(lambda c: c.execute(delete(leases).where(mine)).rowcount)


_TOUCH = text("UPDATE alembic_version SET version_num = version_num")
_LATEST = select(tables.c.id).order_by(tables.c.due.desc()).limit(1)
_ROW = select(tables.c.id, tables.c.setup, tables.c.status, tables.c.updated)


def _cookie(who: str, digest: str, now: int, device: str) -> dict[str, Any]:
    return {"digest": digest, "who": who, "created": now, "used": now, "device": device}


def _setup(kept: bytes) -> Setup:
    return msgspec.json.decode(kept, type=Setup)


def _log(connection: Connection, table: str, since: int, most: int | None = None) -> list[events.Entry]:
    later = (entries.c.table_id == table) & (entries.c.version > since)
    bodies = connection.scalars(select(entries.c.body).where(later).order_by(entries.c.version).limit(most))
    return [events.decode(body) for body in bodies]


def _remarks(connection: Connection, table: str, since: int) -> list[Remark]:
    later = (chat.c.table_id == table) & (chat.c.number > since)
    bodies = connection.scalars(select(chat.c.body).where(later).order_by(chat.c.number))
    return [msgspec.json.decode(body, type=Remark) for body in bodies]


def _row(row: Any) -> Row:
    return Row(row.id, _setup(row.setup), row.status, row.updated)


def _working(row: Any, now: int) -> KeptLink | None:
    """The link of a row, unless it has expired."""
    if row.until is not None and row.until < now:
        return None
    fields = dict(row._mapping)
    fields["table"] = fields.pop("table_id")
    return KeptLink(**fields)


__all__ = ["Kept", "KeptLink", "Row", "StorageError", "Store"]
