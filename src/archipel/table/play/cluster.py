"""Several worker processes at the same tables: one owns each table, the others pass commands on and read the log.

The log in the database is the truth. What goes through Redis are hints: that a table's log has grown, a command for
whoever looks after a table, an answer to it, who is present. Any of them may be lost: a command that is not answered
is passed on again, and every worker compares what it has with the log now and then. Redis may be away for a
while: what was to be said waits, and whoever hears again tells who is present and asks which links still work.
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
"""After how many milliseconds without an answer a command is passed on again."""
GIVEN_UP = 60_000
"""After how many milliseconds it is no more."""
PASSED = 10_000
"""How many commands may wait for answers of other workers."""
BEAT = b""
"""What a worker says to hear itself: that nothing is heard may mean that nothing happens, or that Redis is away."""
QUIET, SILENT = 1.0, 3
"""How many seconds a worker listens before it says something itself, and how many times it does before it subscribes
anew. Times, not seconds: a worker that stood still has not listened."""
_encode = msgspec.json.Encoder().encode


class _Hint(Struct, tag_field="type", omit_defaults=True):
    pass


class Grown(_Hint, tag="grown"):
    """A table's log has grown to that version."""

    table: str
    version: int


class Spoken(_Hint, tag="spoken"):
    """Something was said at a table; the number of the last remark."""

    table: str
    number: int


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
    has_looked: bool = False


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
    spectators: dict[str, str] = {}
    """Those with a name who watch, and their names."""


class Cut(_Hint, tag="cut"):
    """A link or a cookie works no more."""

    digest: str


class Shut(_Hint, tag="shut"):
    """The operator closes a table."""

    table: str


class _Waiting(Struct, gc=False):
    """A command that was passed on: since when, and when last."""

    table: str
    socket: Socket
    command: protocol.Command
    may_sit: bool
    has_looked: bool
    since: int
    last: int


class _Answer(Struct, gc=False):
    """What matters here of what a client at another worker is told."""

    type: str
    n: int = 0


_read_answer = msgspec.json.Decoder(_Answer).decode
_Heard = Grown | Spoken | Passed | Told | Here | Cut | Shut
_decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(_Heard)


class Elsewhere(Socket):
    """A client whose socket is at another worker: what it is told goes there."""

    __slots__ = ("_cluster", "_origin", "_table")

    def __init__(self, cluster: "Cluster", passed: Passed) -> None:
        super().__init__("", passed.who, passed.name, lambda *_: [])
        self.by = passed.by
        self._cluster, self._origin, self._table = cluster, passed.origin, passed.table

    def post(self, message: bytes) -> None:
        self._cluster.say(Told(self._table, self._origin, self.by, msgspec.Raw(message)))


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

    def start(self) -> None:
        """Listen, speak, and look after what must be."""
        for work in (self._listen, self._speak, self._renew, self._compare, self._pass_again):
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
                logging.event("cluster-trouble", kind=type(error).__name__)
                await asyncio.sleep(0.5)

    # Leases.

    async def owner(self, table: str) -> str:
        """Who looks after a table: we ourselves, if nobody else does."""
        now = self.hub.now()
        return await self.hub.store.lease(table, self.worker, now, now + self.hub.settings.lease)

    async def _renew(self) -> None:
        await self.renew()
        await asyncio.sleep(self.hub.settings.lease / 3000)

    async def renew(self) -> None:
        """Promise to go on looking after our tables, and find out which are still ours, or have become so."""
        await self._keep_leases()
        for live in [live for live in self.hub.lives.values() if live.owner != self.worker]:
            await self._follow(live)
        for table in await self.hub.store.orphans(self.hub.now(), 200):
            with suppress(Refusal):
                await self.hub.find(table)
        self._renewals += 1
        if self._renewals % 3 == 0:
            self._tell_who_is_here()

    async def _keep_leases(self) -> None:
        """A worker that stood still for too long has lost its tables to others: it must not show them as they were.

        And a table that we no longer have in memory is given up, for a worker whose clients are at it to take.
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
        """Take a table over if nobody looks after it any more."""
        owner = await self.owner(live.id)
        if live.gone or owner == live.owner:
            return
        await self.read(live)
        await self.read_chat(live)
        live.owner = owner
        if owner == self.worker:
            live.take_over()

    # What others say.

    def say(self, hint: _Hint) -> None:
        """Tell the others something, soon; if too much is waiting it is lost, as hints may be."""
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
        """Another worker tells who is at a table through it; a bot makes room for those who have come."""
        live.presence.heard_of(hint.origin, hint.persons, hint.watchers, hint.spectators)
        for who in hint.persons:
            live.welcome_back(who)

    async def _speak(self) -> None:
        """Say what waits; what could not be said is said when Redis is there again."""
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
        """For how many milliseconds nothing has been heard by way of Redis."""
        return int(1000 * (time.monotonic() - self._heard_at))

    async def _make_up(self) -> None:
        """For what was said while we could not hear: who is here is told anew, and links that were revoked are cut."""
        self._tell_who_is_here()
        links = {socket.link for live in self.hub.lives.values() for socket in live.sockets if socket.link}
        for digest in links:
            if await self.hub.store.link(digest, self.hub.now()) is None:
                self._hear(Cut(digest))

    def _tell_who_is_here(self) -> None:
        """Tell it now and then: what was heard long ago counts no more."""
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

    def _answer(self, live: LiveTable, hint: Passed | Told) -> None:
        if isinstance(hint, Told):
            self._passed.pop((hint.by, _read_answer(hint.message).n), None)
            for socket in live.sockets:
                if socket.by == hint.by:
                    socket.post(bytes(hint.message))
        elif live.owner == self.worker:
            live.command(Elsewhere(self, hint), hint.command, hint.may_sit, hint.has_looked)

    async def _fetch(self, passed: Passed) -> None:
        """A command came for a table that we look after but have put away: nobody is at it by way of us."""
        with suppress(Refusal, StorageError):
            if live := await self.hub.find(passed.table):
                self._answer(live, passed)

    def pass_on(
        self, table: str, socket: Socket, command: protocol.Command, may_sit: bool = False, has_looked: bool = False
    ) -> None:
        """Have a command decided by the owner of the table; it is passed on again until it is answered."""
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
        """Redis may have lost a command, or its answer: whoever looks after the table knows it again by its counter."""
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
        """By whoever looks after the table by now: perhaps we do."""
        if live.ours:
            del self._passed[key]
            live.command(waiting.socket, waiting.command, waiting.may_sit, waiting.has_looked)
        else:
            self._pass(live, waiting)

    # The log.

    async def read(self, live: LiveTable) -> None:
        """Take in what others have written to a table's log."""
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
        """Take in what was said by way of another worker."""
        remarks = await self.hub.store.remarks(live.id, live.chat.last)
        if remarks and not live.gone:
            live.chat.take(remarks)

    def _soon(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks = [task, *(task for task in self._tasks if not task.done())]

    async def _compare(self) -> None:
        """See whether a hint was lost."""
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
        """The log of a table that we follow or look after was seen at that version."""
        if live.owner == self.worker:
            self._check_own(live, version > live.table.version and not live.busy)
        elif version > live.table.version and not live.gone:
            await self.read(live)

    def _check_own(self, live: LiveTable, others_wrote: bool) -> None:
        """Whoever had a table before us may have written once more before they noticed that they had lost it: then what
        we have is old, though it is we who look after it."""
        if others_wrote and not live.gone:
            logging.event("others-wrote", table=live.id)
            self.hub.lost(live)
