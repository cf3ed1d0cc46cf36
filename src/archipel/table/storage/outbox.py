"""Queries of notices: what people wish, their channels, whose turn it is, and the outbox."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, delete, exists, func, select, update

from ..log.turns import Turn
from .changes import KNOWN, OPEN, TOLD
from .schema import channels, cookies, notices, secrets, turns, wishes
from .store import Store

CLAIM = 120_000
"""Milliseconds for which a notice belongs to the worker that delivers it."""


class Wishes(Struct, gc=False):
    """How a person wants to be notified; times of day in minutes, in their zone."""

    who: str
    language: str = "en"
    zone: str = "UTC"
    quiet_from: int | None = None
    quiet_until: int | None = None
    digest: int | None = None
    next_digest: int | None = None
    reminders: int = 1
    away_until: int | None = None
    changed: int = 0


class Channel(Struct, gc=False):
    """One place where a person is notified."""

    id: str
    who: str
    kind: str
    address: str
    label: str
    cookie: str
    code: str
    created: int
    failing: int | None = None


class WaitingTurn(Struct, gc=False):
    """A turn of somebody who wants notices."""

    table_id: str
    who: str
    version: int
    at: int


class Notice(Struct, gc=False):
    """A notice to be delivered."""

    id: str
    channel: str
    who: str
    table_id: str
    kind: str
    body: str
    created: int
    next: int
    tries: int = 0
    claimed: int = 0


class Outbox:
    """All that is stored of notices."""

    def __init__(self, store: Store) -> None:
        self._store = store

    # Wishes and channels.

    async def wishes(self, who: str) -> Wishes | None:
        """What a person wishes; None if they never said."""
        asked = select(wishes).where(wishes.c.who == who)
        row = await self._store.read(lambda connection: connection.execute(asked).first())
        return Wishes(*row) if row else None

    async def wish(self, wanted: Wishes) -> None:
        """Store what a person wishes."""
        row = msgspec.structs.asdict(wanted)
        added = self._store.insert(wishes).values(row)
        await self._store.write(
            lambda c: c.execute(added.on_conflict_do_update(index_elements=["who"], set_=row)).rowcount
        )

    async def wishing(self, since: int) -> list[str]:
        """The persons with channels whose wishes or channels changed since then."""
        asked = select(wishes.c.who).where(wishes.c.changed >= since, exists().where(channels.c.who == wishes.c.who))
        return await self._store.read(lambda connection: list(connection.scalars(asked)))

    async def channels(self, who: str) -> list[Channel]:
        """A person's channels, the oldest first."""
        asked = select(channels).where(channels.c.who == who).order_by(channels.c.created, channels.c.id)
        return await self._store.read(lambda connection: [Channel(*row) for row in connection.execute(asked)])

    async def channel(self, name: str) -> Channel | None:
        """The channel with that id."""
        asked = select(channels).where(channels.c.id == name)
        row = await self._store.read(lambda connection: connection.execute(asked).first())
        return Channel(*row) if row else None

    async def add_channel(self, channel: Channel, wanted: Wishes) -> None:
        """Add a channel, or take over that of the same address; its person has wishes from then on."""
        row, said = msgspec.structs.asdict(channel), msgspec.structs.asdict(wanted)
        changed = {"changed": wanted.changed}

        def work(connection: Connection) -> None:
            added = self._store.insert(channels).values(row)
            connection.execute(added.on_conflict_do_update(index_elements=["id"], set_=row))
            kept = self._store.insert(wishes).values(said)
            connection.execute(kept.on_conflict_do_update(index_elements=["who"], set_=changed))

        await self._store.write(work)

    async def confirm(self, name: str) -> None:
        """A channel's address is confirmed."""
        await self._store.write(
            lambda c: c.execute(update(channels).where(channels.c.id == name), {"code": ""}).rowcount
        )

    async def remove_channel(self, name: str) -> None:
        """Delete a channel with all that waits for it."""
        await self._store.write(lambda connection: _remove(connection, name))

    # Turns.

    async def known(self, who: str, table: str) -> None:
        """A person has come to a table: they know whose turn it is, and their absence is over."""
        mine = (turns.c.who == who) & (turns.c.table_id == table)

        def work(connection: Connection) -> None:
            connection.execute(delete(turns).where(mine, turns.c.awaited == 0))
            connection.execute(update(turns).where(mine).values(state=KNOWN))

        await self._store.write(work)

    async def note(self, table: str, turn: Turn) -> None:
        """Note a turn that began before its person wanted notices: they know of it."""
        row = msgspec.structs.asdict(turn) | {"table_id": table, "awaited": 1, "state": KNOWN}
        added = self._store.insert(turns).values(row).on_conflict_do_nothing()
        await self._store.write(lambda connection: connection.execute(added).rowcount)

    async def open_turns(self, before: int, most: int) -> list[WaitingTurn]:
        """Turns that nobody has looked at, begun before then, the oldest first."""
        asked = _TURN.where(turns.c.state == OPEN, turns.c.awaited == 1, turns.c.at <= before)
        asked = asked.order_by(turns.c.at).limit(most)
        return await self._store.read(lambda connection: [WaitingTurn(*row) for row in connection.execute(asked)])

    async def due_reminders(self, now: int, most: int) -> list[WaitingTurn]:
        """Turns whose time runs out soon."""
        asked = _TURN.where(turns.c.remind_at <= now, turns.c.awaited == 1).order_by(turns.c.remind_at).limit(most)
        return await self._store.read(lambda connection: [WaitingTurn(*row) for row in connection.execute(asked)])

    async def told(self, turn: WaitingTurn, outgoing: Sequence[Notice]) -> bool:
        """Its person is notified: the notices go into the outbox in the same transaction, or none if it is not open."""
        mine = _is(turn) & (turns.c.state == OPEN)
        return await self._store.write(lambda c: self._if_changed(c, mine, {"state": TOLD}, outgoing))

    async def reminded(self, turn: WaitingTurn, outgoing: Sequence[Notice]) -> bool:
        """Its person is reminded, once."""
        mine = _is(turn) & turns.c.remind_at.is_not(None)
        return await self._store.write(lambda c: self._if_changed(c, mine, {"remind_at": None}, outgoing))

    async def waiting(self, who: str) -> list[str]:
        """The tables that wait for a person."""
        asked = select(turns.c.table_id).where(turns.c.who == who, turns.c.awaited == 1)
        return await self._store.read(lambda connection: list(connection.scalars(asked)))

    def _if_changed(self, connection: Connection, mine: Any, values: dict[str, Any], out: Iterable[Notice]) -> bool:
        changed = connection.execute(update(turns).where(mine).values(**values)).rowcount
        if changed:
            self._put(connection, out)
        return bool(changed)

    def _put(self, connection: Connection, outgoing: Iterable[Notice]) -> None:
        rows = [msgspec.structs.asdict(notice) for notice in outgoing]
        if rows:
            connection.execute(self._store.insert(notices).on_conflict_do_nothing(), rows)

    # Digests.

    async def due_digests(self, now: int, most: int) -> list[Wishes]:
        """The persons whose digest is due."""
        asked = select(wishes).where(wishes.c.next_digest <= now).limit(most)
        return await self._store.read(lambda connection: [Wishes(*row) for row in connection.execute(asked)])

    async def digested(self, wanted: Wishes, following: int, outgoing: Sequence[Notice]) -> bool:
        """A person's digest goes into the outbox, once; the next one is due at `following`."""
        mine = (wishes.c.who == wanted.who) & (wishes.c.next_digest == wanted.next_digest)

        def work(connection: Connection) -> bool:
            changed = connection.execute(update(wishes).where(mine).values(next_digest=following)).rowcount
            if changed:
                self._put(connection, outgoing)
            return bool(changed)

        return await self._store.write(work)

    # Delivering.

    async def put(self, outgoing: Sequence[Notice]) -> None:
        """Put notices into the outbox; those that are there already stay."""
        await self._store.write(lambda connection: self._put(connection, outgoing))

    async def due(self, now: int, most: int) -> list[Notice]:
        """Notices that may be delivered now, the oldest first."""
        asked = select(notices).where(notices.c.next <= now).order_by(notices.c.next).limit(most)
        return await self._store.read(lambda connection: [Notice(*row) for row in connection.execute(asked)])

    async def claim(self, notice: Notice, now: int) -> tuple[Channel, int] | None:
        """Take a notice for delivery: its channel, and how many tables wait for its person.

        None if another worker has it, or if it is not needed any more; then it is deleted. A channel whose device has
        been signed out is deleted, too.
        """
        mine = (notices.c.id == notice.id) & (notices.c.next == notice.next)

        def work(connection: Connection) -> tuple[Channel, int] | None:
            taken = update(notices).where(mine).values(next=now + CLAIM, tries=notice.tries + 1, claimed=1)
            if not connection.execute(taken).rowcount:
                return None
            row = connection.execute(select(channels).where(channels.c.id == notice.channel)).first()
            channel = Channel(*row) if row else None
            signed_in = channel and (not channel.cookie or _has_cookie(connection, channel.cookie))
            if channel and not signed_in:
                _remove(connection, channel.id)
            if not (channel and signed_in and _is_needed(connection, notice)):
                connection.execute(delete(notices).where(notices.c.id == notice.id))
                return None
            count = select(func.count()).where(turns.c.who == notice.who, turns.c.awaited == 1)
            return channel, connection.scalar(count) or 0

        return await self._store.write(work)

    async def delivered(self, notice: Notice) -> None:
        """A notice was delivered: it leaves the outbox."""

        def work(connection: Connection) -> None:
            connection.execute(delete(notices).where(notices.c.id == notice.id))
            working = (channels.c.id == notice.channel) & channels.c.failing.is_not(None)
            connection.execute(update(channels).where(working).values(failing=None))

        await self._store.write(work)

    async def failed(self, notice: Notice, now: int, again: int | None) -> None:
        """A notice could not be delivered: it is tried `again` then; None: never."""
        first = (channels.c.id == notice.channel) & channels.c.failing.is_(None)
        mine = notices.c.id == notice.id

        def work(connection: Connection) -> None:
            connection.execute(update(channels).where(first).values(failing=now))
            if again is None:
                connection.execute(delete(notices).where(mine))
            else:
                connection.execute(update(notices).where(mine).values(next=again, claimed=0))

        await self._store.write(work)

    async def release(self, now: int) -> None:
        """Take up what was being delivered when this server, the only one, ended."""
        taken = update(notices).where(notices.c.claimed == 1).values(next=now, claimed=0)
        await self._store.write(lambda connection: connection.execute(taken).rowcount)

    # Keys.

    async def secret(self, name: str, made: Callable[[], str]) -> str:
        """A key of this server, made when it is first needed; the same for all its workers."""
        asked = select(secrets.c.value).where(secrets.c.name == name)
        known = await self._store.read(lambda connection: connection.scalar(asked))
        if known:
            return str(known)
        row = {"name": name, "value": made()}

        def work(connection: Connection) -> str:
            connection.execute(self._store.insert(secrets).on_conflict_do_nothing(), row)
            return str(connection.scalar(asked))

        return await self._store.write(work)


_TURN = select(turns.c.table_id, turns.c.who, turns.c.version, turns.c.at)


def _is(turn: WaitingTurn) -> Any:
    same = (turns.c.table_id == turn.table_id) & (turns.c.who == turn.who)
    return same & (turns.c.version == turn.version) & (turns.c.awaited == 1)


def _remove(connection: Connection, name: str) -> None:
    connection.execute(delete(notices).where(notices.c.channel == name))
    connection.execute(delete(channels).where(channels.c.id == name))


def _has_cookie(connection: Connection, digest: str) -> bool:
    return connection.scalar(select(func.count()).where(cookies.c.digest == digest)) == 1


def _is_needed(connection: Connection, notice: Notice) -> bool:
    """True unless its person has come, or the turn has passed, while it waited."""
    if notice.kind not in ("turn", "remind"):
        return True
    still = (turns.c.who == notice.who) & (turns.c.table_id == notice.table_id) & (turns.c.awaited == 1)
    if notice.kind == "turn":
        still &= turns.c.state == TOLD
    return bool(connection.scalar(select(func.count()).where(still)))
