"""Several processes at the same tables: one looks after each, the others pass commands on and read the log.

The log in the database is the truth. What goes through Redis are hints: that a table's log has grown, a command for
whoever looks after a table, an answer to it, who is present. Any of them may be lost: a command that is not answered
is sent again by its client, and every worker compares what it has with the log now and then.
"""

import asyncio
import secrets
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from . import log, logs, protocol
from .decisions import Refusal
from .live import Live
from .sockets import Socket

if TYPE_CHECKING:
    from .hub import Hub

CHANNEL = "archipel"
_encode = msgspec.json.Encoder().encode


class _Hint(Struct, tag_field="type", omit_defaults=True):
    pass


class Grown(_Hint, tag="grown"):
    """A table's log has grown to that version."""

    table: str
    version: int


class Passed(_Hint, tag="passed"):
    """A command for the worker that looks after the table, and the worker that waits for an answer."""

    table: str
    to: str
    origin: str
    who: str
    name: str
    by: str
    may_sit: bool
    command: protocol.Command


class Told(_Hint, tag="told"):
    """What a client at another worker is to be told."""

    table: str
    to: str
    by: str
    message: msgspec.Raw


class Here(_Hint, tag="here"):
    """Who is at a table by way of a worker."""

    table: str
    origin: str
    persons: list[str]
    watchers: int


class Cut(_Hint, tag="cut"):
    """A link has been revoked."""

    digest: str


_decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(Grown | Passed | Told | Here | Cut)


class Elsewhere(Socket):
    """A client whose socket is at another worker: what it is told goes there."""

    __slots__ = ("_cluster", "_origin", "_table")

    def __init__(self, cluster: "Cluster", passed: Passed) -> None:
        super().__init__("", passed.who, passed.name, lambda _: b"")
        self.by = passed.by
        self._cluster, self._origin, self._table = cluster, passed.origin, passed.table

    def post(self, message: bytes) -> None:
        self._cluster.say(Told(self._table, self._origin, self.by, msgspec.Raw(message)))


class Cluster:
    """This worker among the others."""

    def __init__(self, hub: "Hub", url: str) -> None:
        from redis.asyncio import Redis

        self.hub = hub
        self.worker = secrets.token_hex(8)
        self._redis = Redis.from_url(url)
        self._outbox: asyncio.Queue[bytes] = asyncio.Queue(10_000)
        self._tasks: list[asyncio.Task[None]] = []
        self._reading: set[str] = set()

    def start(self) -> None:
        """Listen, speak, and look after what must be."""
        for work in (self._listen, self._speak, self._renew, self._compare):
            self._tasks.append(asyncio.ensure_future(self._forever(work)))

    async def close(self) -> None:
        """Give all tables up, for others to take."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        with suppress(Exception):
            await self.hub.store.release(self.worker)
        with suppress(Exception):
            await self._redis.aclose()

    async def _forever(self, work: Any) -> None:
        """Whatever fails here is tried again: Redis may go and come back."""
        while True:
            try:
                await work()
            except asyncio.CancelledError:
                raise
            except Exception as error:
                logs.event("cluster-trouble", kind=type(error).__name__)
                await asyncio.sleep(0.5)

    # Leases.

    async def owner(self, table: str) -> str:
        """Who looks after a table: we ourselves, if nobody else does."""
        now = self.hub.now()
        return await self.hub.store.lease(table, self.worker, now, now + self.hub.settings.lease)

    async def _renew(self) -> None:
        settings = self.hub.settings
        await self.hub.store.renew(self.worker, self.hub.now() + settings.lease)
        for live in [live for live in self.hub.lives.values() if live.owner != self.worker]:
            await self._follow(live)
        for table in await self.hub.store.orphans(self.hub.now(), 200):
            with suppress(Refusal):
                await self.hub.find(table)
        await asyncio.sleep(settings.lease / 3000)

    async def _follow(self, live: Live) -> None:
        """Take a table over if nobody looks after it any more."""
        owner = await self.owner(live.id)
        if live.gone or owner == live.owner:
            return
        await self.read(live)
        live.owner = owner
        if owner == self.worker:
            self.hub.take_over(live)

    # What others say.

    def say(self, hint: _Hint) -> None:
        """Tell the others something, soon; if too much is waiting it is lost, as hints may be."""
        with suppress(asyncio.QueueFull):
            self._outbox.put_nowait(_encode(hint))

    async def _speak(self) -> None:
        message = await self._outbox.get()
        pipe = self._redis.pipeline(transaction=False)
        pipe.publish(CHANNEL, message)
        while not self._outbox.empty():
            pipe.publish(CHANNEL, self._outbox.get_nowait())
        await pipe.execute()

    async def _listen(self) -> None:
        async with self._redis.pubsub() as heard:
            await heard.subscribe(CHANNEL)
            async for message in heard.listen():
                if message["type"] == "message":
                    self._hear(_decoder.decode(message["data"]))

    def _hear(self, hint: Any) -> None:
        if isinstance(hint, Cut):
            self.hub.cut(hint.digest)
            return
        live = self.hub.lives.get(hint.table)
        if live is None:
            return
        if isinstance(hint, Grown):
            if live.owner != self.worker and hint.version > live.table.version:
                self._read_soon(live)
        elif isinstance(hint, Here):
            if hint.origin != self.worker:
                live.heard_of(hint.origin, hint.persons, hint.watchers)
        elif hint.to == self.worker:
            self._answer(live, hint)

    def _answer(self, live: Live, hint: Passed | Told) -> None:
        if isinstance(hint, Told):
            for socket in live.sockets:
                if socket.by == hint.by:
                    socket.post(bytes(hint.message))
        elif live.owner == self.worker:
            self.hub.command(live, Elsewhere(self, hint), hint.command, hint.may_sit)

    def pass_on(self, live: Live, socket: Socket, command: protocol.Command, may_sit: bool) -> None:
        """Have a command decided by whoever looks after the table."""
        self.say(Passed(live.id, live.owner, self.worker, socket.who, socket.name, socket.by, may_sit, command))

    # The log.

    async def read(self, live: Live) -> None:
        """Take in what others have written to a table's log."""
        if live.id in self._reading:
            return
        self._reading.add(live.id)
        try:
            since = live.table.version
            entries = await self.hub.store.since(live.id, since)
            fell = any(isinstance(entry, log.Happened) and entry.fall for entry in entries)
            ways = await self.hub.store.ways(live.id, since) if fell else {}
            if entries and not live.gone:
                live.take(entries, ways)
        finally:
            self._reading.discard(live.id)

    def _read_soon(self, live: Live) -> None:
        if live.id not in self._reading:
            task = asyncio.ensure_future(self.read(live))
            self._tasks = [task, *(task for task in self._tasks if not task.done())]

    async def _compare(self) -> None:
        """See whether a hint was lost."""
        await asyncio.sleep(1.0)
        followed = {live.id: live for live in self.hub.lives.values() if live.owner != self.worker}
        for table, version in (await self.hub.store.versions(list(followed))).items():
            if version > followed[table].table.version and not followed[table].gone:
                await self.read(followed[table])
