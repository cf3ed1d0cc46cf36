"""Several worker processes at the same tables: one owns each table, the others forward commands and read the log.

The log in the database is authoritative. Messages through Redis are hints: that a table's log has grown, a command for
a table's owner, the answer to it, who is present. Any of them may be lost: a command without an answer is forwarded
again, and every worker compares its tables with the log now and then. Redis may be unavailable for a while: messages
wait, and a worker that reconnects reports who is present and checks which links still work.
"""

import asyncio
import time
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any

import msgspec
from msgspec import Struct

from .. import entropy, logging, protocol
from ..log import events
from ..log.decisions import Refusal
from ..storage import StorageError
from .hub import Hub
from .live_table import LiveTable
from .peers import Peers
from .sockets import Socket

CHANNEL = "archipel"
AGAIN = 1_000
"""Milliseconds without an answer after which a command is forwarded again."""
GIVEN_UP = 60_000
"""Milliseconds after which it is given up."""
PASSED = 10_000
"""How many commands may wait for answers of other workers."""
BEAT = b""
"""A worker's message to itself: silence may mean that nothing happens, or that Redis is unavailable."""
QUIET, SILENT = 1.0, 3
"""Seconds of silence before a worker sends a message to itself, and how many such messages it sends before it
subscribes again. A count, not seconds: a worker that was suspended has not listened."""
_encode = msgspec.json.Encoder().encode


class _Hint(Struct, tag_field="type", omit_defaults=True):
    pass


class Grown(_Hint, tag="grown"):
    """A table's log has grown to that version."""

    table: str
    version: int


class Spoken(_Hint, tag="spoken"):
    """A table has a new chat message; its number."""

    table: str
    number: int


class Passed(_Hint, tag="passed"):
    """A command for the owner of the table, and the worker that waits for the answer."""

    table: str
    to: str
    origin: str
    who: str
    name: str
    by: str
    may_sit: bool
    command: protocol.Command
    has_looked: bool = False


class Answered(_Hint, tag="told"):
    """A message for a client at another worker."""

    table: str
    to: str
    by: str
    message: msgspec.Raw


class Here(_Hint, tag="here"):
    """Who is at a table through a worker."""

    table: str
    origin: str
    persons: list[str]
    watchers: int
    spectators: dict[str, str] = {}
    """The spectators with a name, and their names."""


class Cut(_Hint, tag="cut"):
    """A link or a cookie was revoked."""

    digest: str


class Shut(_Hint, tag="shut"):
    """The operator closes a table."""

    table: str


class _Waiting(Struct, gc=False):
    """A forwarded command: when it was first and last sent."""

    table: str
    socket: Socket
    command: protocol.Command
    may_sit: bool
    has_looked: bool
    since: int
    last: int


class _Answer(Struct, gc=False):
    """The part of a message to a client at another worker that matters here."""

    type: str
    n: int = 0


_read_answer = msgspec.json.Decoder(_Answer).decode
_Heard = Grown | Spoken | Passed | Answered | Here | Cut | Shut
_decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(_Heard)


class Elsewhere(Socket):
    """A client whose socket is at another worker, to which messages are forwarded."""

    __slots__ = ("_cluster", "_origin", "_table")

    def __init__(self, cluster: "Cluster", passed: Passed) -> None:
        super().__init__("", passed.who, passed.name, lambda *_: [])
        self.by = passed.by
        self._cluster, self._origin, self._table = cluster, passed.origin, passed.table

    def post(self, message: bytes) -> None:
        self._cluster.say(Answered(self._table, self._origin, self.by, msgspec.Raw(message)))


class Cluster(Peers):
    """This worker among the others."""

    def __init__(self, hub: Hub, url: str) -> None:
        from redis.asyncio import Redis

        self.hub = hub
        self.worker = entropy.token_hex(8)
        self._redis = Redis.from_url(url)
        self._outbox: asyncio.Queue[bytes] = asyncio.Queue(10_000)
        self._tasks: list[asyncio.Task[None]] = []
        self._reading: set[str] = set()
        self._passed: dict[tuple[str, int], _Waiting] = {}
        self._unsent: list[bytes] = []
        self._heard_at = time.monotonic()
        self._renewals = 0
        self._leases: dict[str, tuple[tuple[str, int], int]] = {}
        """The leases of others, and since when they have been as they are."""

    def start(self) -> None:
        """Start listening, sending and the periodic chores."""
        for work in (self._listen, self._speak, self._renew, self._compare, self._pass_again):
            self._tasks.append(asyncio.ensure_future(self._forever(work)))

    async def close(self) -> None:
        """Release all tables for other workers."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        with suppress(Exception):
            await self.hub.store.release(self.worker)
        with suppress(Exception):
            await self._redis.aclose()

    async def _forever(self, work: Any) -> None:
        """Run something again and again: Redis may fail and come back."""
        while True:
            try:
                await work()
            except asyncio.CancelledError:
                raise
            except Exception as error:
                logging.event("cluster-trouble", kind=type(error).__name__)
                await asyncio.sleep(0.5)

    # Leases.

    async def owner(self, table: str) -> str:
        """The owner of a table; this worker becomes the owner if there is none.

        A lease that nobody renews any more ends in time even if its owner's clock was ahead.
        """
        store, lease, now = self.hub.store, self.hub.settings.lease, self.hub.now()
        found = await store.lease(table, self.worker, now, now + lease)
        if found[0] == self.worker:
            self._leases.pop(table, None)
            return self.worker
        known, since = self._leases.get(table, (None, 0))
        if known != found:
            self._leases[table] = found, self.hub.monotonic()
        elif self.hub.monotonic() - since > lease:
            found = await store.lease(table, self.worker, found[1] + 1, now + lease)
        return found[0]

    async def _renew(self) -> None:
        await self.renew()
        await asyncio.sleep(self.hub.settings.lease / 3000)

    async def renew(self) -> None:
        """Renew the leases of our tables, and find out which are still ours, or have become so."""
        await self._keep_leases()
        for live in [live for live in self.hub.lives.values() if live.owner != self.worker]:
            await self._follow(live)
        for table in await self.hub.store.orphans(self.hub.now(), 200):
            with suppress(Refusal):
                await self.hub.find(table)
        self._leases = {table: known for table, known in self._leases.items() if table in self.hub.lives}
        self._renewals += 1
        if self._renewals % 3 == 0:
            await self._make_up()

    async def _keep_leases(self) -> None:
        """A worker that was suspended for too long has lost its tables: it must not show them as they were.

        A table that is no longer in memory here is released for a worker that has clients at it.
        """
        ours = [live for live in self.hub.lives.values() if live.owner == self.worker]
        owned = await self.hub.store.renew(self.worker, self.hub.now() + self.hub.settings.lease)
        for live in ours:
            if live.id not in owned and not live.gone:
                logging.event("lease-lost", table=live.id)
                self.hub.lost(live)
        for table in owned:
            if not self.hub.has(table):
                await self.hub.store.release(self.worker, table)

    async def _follow(self, live: LiveTable) -> None:
        """Take over a table that has no owner any more."""
        owner = await self.owner(live.id)
        if live.gone or owner == live.owner:
            return
        await self.read(live)
        await self.read_chat(live)
        live.owner = owner
        if owner == self.worker:
            live.take_over()

    # Messages.

    def say(self, hint: _Hint) -> None:
        """Send a message to the other workers soon; if too many are waiting it is dropped, as hints may be."""
        with suppress(asyncio.QueueFull):
            self._outbox.put_nowait(_encode(hint))

    def grown(self, table: str, version: int) -> None:
        self.say(Grown(table, version))

    def spoken(self, table: str, number: int) -> None:
        self.say(Spoken(table, number))

    def here(self, table: str, persons: list[str], watchers: int, spectators: dict[str, str]) -> None:
        self.say(Here(table, self.worker, persons, watchers, spectators))

    def cut(self, digest: str) -> None:
        self.say(Cut(digest))

    def shut(self, table: str) -> None:
        self.say(Shut(table))

    def _note_others(self, live: LiveTable, hint: Here) -> None:
        """Another worker reports who is at a table through it; a bot makes room for those who have come."""
        live.presence.heard_of(hint.origin, hint.persons, hint.watchers, hint.spectators)
        for who in hint.persons:
            live.welcome_back(who)

    async def _speak(self) -> None:
        """Send what is waiting; what could not be sent is sent when Redis is back."""
        if not self._unsent:
            self._unsent.append(await self._outbox.get())
        while not self._outbox.empty():
            self._unsent.append(self._outbox.get_nowait())
        pipe = self._redis.pipeline(transaction=False)
        for message in self._unsent:
            pipe.publish(CHANNEL, message)
        await pipe.execute()
        self._unsent.clear()

    async def _listen(self) -> None:
        async with self._redis.pubsub() as heard:
            await heard.subscribe(CHANNEL)
            quiet = 0
            while quiet < SILENT:
                message = await heard.get_message(timeout=QUIET)
                if message is None:
                    quiet += 1
                    self._beat()
                    continue
                quiet, self._heard_at = 0, time.monotonic()
                if message["type"] == "subscribe":
                    await self._make_up()
                elif message["data"] != BEAT:
                    self._hear(_decoder.decode(message["data"]))
        raise ConnectionError("Redis says nothing.")

    def _beat(self) -> None:
        with suppress(asyncio.QueueFull):
            self._outbox.put_nowait(BEAT)

    @property
    def silence(self) -> int:
        """Milliseconds since the last message through Redis."""
        return int(1000 * (time.monotonic() - self._heard_at))

    async def _make_up(self) -> None:
        """Catch up after missing messages: report who is here, and disconnect those whose link or cookie has ended."""
        self._tell_who_is_here()
        sockets = [socket for live in self.hub.lives.values() for socket in live.sockets]
        digests = {digest for socket in sockets for digest in (socket.link, socket.session) if digest}
        for digest in await self.hub.store.ended(sorted(digests), self.hub.now()):
            self.hub.cut_here(digest)

    def _tell_who_is_here(self) -> None:
        """Report it now and then: old reports expire."""
        for live in self.hub.lives.values():
            if live.sockets:
                live.presence.tell_peers()

    def _hear(self, hint: Any) -> None:
        if isinstance(hint, Cut):
            self.hub.cut_here(hint.digest)
            return
        live = self.hub.lives.get(hint.table)
        if live is None:
            if isinstance(hint, Passed) and hint.to == self.worker:
                self._soon(self._fetch(hint))
            return
        if isinstance(hint, Grown):
            if hint.version > live.table.version and live.id not in self._reading:
                self._soon(self._compare_log(live, hint.version))
        elif isinstance(hint, Spoken):
            if live.owner != self.worker and hint.number > live.chat.last:
                self._soon(self.read_chat(live))
        elif isinstance(hint, Here):
            if hint.origin != self.worker:
                self._note_others(live, hint)
        elif isinstance(hint, Shut):
            live.shut()
        elif hint.to == self.worker:
            self._answer(live, hint)

    def _answer(self, live: LiveTable, hint: Passed | Answered) -> None:
        if isinstance(hint, Answered):
            self._passed.pop((hint.by, _read_answer(hint.message).n), None)
            for socket in live.sockets:
                if socket.by == hint.by:
                    socket.post(bytes(hint.message))
        elif live.owner == self.worker:
            live.command(Elsewhere(self, hint), hint.command, hint.may_sit, hint.has_looked)

    async def _fetch(self, passed: Passed) -> None:
        """A command arrived for a table that we own but have dropped from memory, because nobody is at it through
        us."""
        with suppress(Refusal, StorageError):
            if live := await self.hub.find(passed.table):
                self._answer(live, passed)

    def pass_on(
        self, table: str, socket: Socket, command: protocol.Command, may_sit: bool = False, has_looked: bool = False
    ) -> None:
        """Let the owner of the table decide a command; it is forwarded again until it is answered."""
        now = self.hub.monotonic()
        waiting = _Waiting(table, socket, command, may_sit, has_looked, now, now)
        if len(self._passed) < PASSED:
            self._passed[socket.by, command.n] = waiting
        if live := self.hub.lives.get(table):
            self._pass(live, waiting)

    def _pass(self, live: LiveTable, waiting: _Waiting) -> None:
        socket, may_sit, command, has_looked = waiting.socket, waiting.may_sit, waiting.command, waiting.has_looked
        who, name, by = socket.who, socket.name, socket.by
        self.say(Passed(live.id, live.owner, self.worker, who, name, by, may_sit, command, has_looked))

    async def _pass_again(self) -> None:
        """Redis may have lost a command, or its answer: the owner recognises it by its counter."""
        await asyncio.sleep(AGAIN / 4000)
        now = self.hub.monotonic()
        for key, waiting in list(self._passed.items()):
            live = self.hub.lives.get(waiting.table)
            if (
                live is None
                or waiting.socket not in live.sockets
                or now - waiting.since > GIVEN_UP
                or live.table.answered(*key) is not None
            ):
                del self._passed[key]
            elif now - waiting.last >= AGAIN:
                waiting.last = now
                self._decide_again(key, live, waiting)

    def _decide_again(self, key: tuple[str, int], live: LiveTable, waiting: _Waiting) -> None:
        """Let the current owner of the table decide: it may be this worker by now."""
        if live.ours:
            del self._passed[key]
            live.command(waiting.socket, waiting.command, waiting.may_sit, waiting.has_looked)
        else:
            self._pass(live, waiting)

    # The log.

    async def read(self, live: LiveTable) -> None:
        """Read new entries of a table's log that others have written."""
        if live.id in self._reading:
            return
        self._reading.add(live.id)
        try:
            since = live.table.version
            entries = await self.hub.store.since(live.id, since)
            computed = any(isinstance(entry, events.Happened) and entry.detail for entry in entries)
            recordings = await self.hub.store.recordings(live.id, since) if computed else {}
            if entries and not live.gone:
                live.take(entries, recordings)
        finally:
            self._reading.discard(live.id)

    async def read_chat(self, live: LiveTable) -> None:
        """Read new chat messages that came through another worker."""
        remarks = await self.hub.store.remarks(live.id, live.chat.last)
        if remarks and not live.gone:
            live.chat.take(remarks)

    def _soon(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks = [task, *(task for task in self._tasks if not task.done())]

    async def _compare(self) -> None:
        """Check whether a hint was lost."""
        await asyncio.sleep(1.0)
        lives = dict(self.hub.lives)
        for table, version in (await self.hub.store.versions(list(lives))).items():
            await self._compare_log(lives[table], version)
        for table, number in (await self.hub.store.spoken(list(lives))).items():
            live = lives[table]
            if live.owner == self.worker:
                self._check_own(live, number > live.chat.last and not live.chat.busy)
            elif number > live.chat.last:
                await self.read_chat(live)

    async def _compare_log(self, live: LiveTable, version: int) -> None:
        """Compare a table in memory with the version of its log in the database."""
        if live.owner == self.worker:
            self._check_own(live, version > live.table.version and not live.busy)
        elif version > live.table.version and not live.gone:
            await self.read(live)

    def _check_own(self, live: LiveTable, others_wrote: bool) -> None:
        """The previous owner of a table may have written once more before it noticed the loss: then our copy is
        outdated although we own the table."""
        if others_wrote and not live.gone:
            logging.event("others-wrote", table=live.id)
            self.hub.lost(live)
