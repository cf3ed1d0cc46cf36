"""The conversation with one browser over its WebSocket: hello, then commands, until either side closes."""

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, get_args

import msgspec

from archipel.core.errors import sentence

from .. import logging, protocol, tokens
from ..limits import Bucket
from ..log import views
from ..log.decisions import Refusal
from ..log.table import Table
from ..people import links
from ..people.sessions import Person
from ..play.hub import Hub
from ..play.live_table import LiveTable
from ..play.sockets import Socket
from ..storage import StorageError
from .websocket_protocol import LARGEST, WebSocketProtocol

HELLO = 10.0
"""Seconds that a browser may take to send hello."""
PACES = {"instant": 0.0, "quick": 0.35, "human": 1.0}
"""The bots' pace, as a share of the time that a person would take."""
PATIENCE = 100
"""How many messages above the rate limit are forgiven."""
VERSIONS_END = 1 << 31
"""The database stores versions with 32 bits."""
BACKLOG = 32
BACKLOG_BYTES = 64 * 1024
"""How many messages may wait for one before them, and how many bytes; after that nothing more is read."""
POLICY = 1008
LATER = 1013
FAILED = 1011
_COMMANDS = frozenset(get_args(protocol.Command))
_decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(protocol.ClientMessage)
Slow = Coroutine[Any, Any, None]


class Conversation:
    """One socket at one table. Most messages are handled at once; those that need the database delay the rest."""

    __slots__ = (
        "_backlog",
        "_chat",
        "_connection",
        "_excess",
        "_left",
        "_messages",
        "_passed",
        "_refused",
        "_slow",
        "_table",
        "_wait",
        "hub",
        "live",
        "socket",
    )

    def __init__(
        self,
        hub: Hub,
        connection: WebSocketProtocol,
        address: str,
        person: Person,
        table: str,
        left: Callable[[], None],
    ) -> None:
        loop = asyncio.get_running_loop()
        self.hub = hub
        self.live: LiveTable | None = None
        self.socket = Socket(address, person.who, person.name, self._resync, connection)
        self.socket.session = person.cookie
        self._connection = connection
        self._table = table
        self._left = left
        self._messages = Bucket(3 * hub.settings.messages, hub.settings.messages, loop.time())
        self._chat = Bucket(6, 0.5, loop.time())
        self._excess = 0
        self._passed = 0
        """The highest counter of a forwarded command."""
        self._refused = 0
        """The highest counter of a command that was refused because of the rate limit."""
        self._backlog: deque[bytes] = deque()
        self._slow: asyncio.Task[None] | None = None
        self._wait: asyncio.TimerHandle | None = loop.call_later(HELLO, self.socket.close, POLICY)

    def _resync(self, socket: Socket, everything: bool) -> list[bytes]:
        return self.live.resync(socket, everything) if self.live else []

    # The connection.

    def frames(self) -> Bucket:
        """How many frames the browser may send: for its messages, control frames, and everything that is forgiven."""
        messages = self.hub.settings.messages
        return Bucket(3 * messages + 2 * PATIENCE, 2 * messages, asyncio.get_running_loop().time())

    def heard(self, raw: bytes) -> None:
        """A message has arrived; one that is sent again while its first copy still waits is that copy."""
        if raw in self._backlog:
            return
        self._backlog.append(raw)
        if self._slow is None:
            self._go_on()
        elif len(self._backlog) >= BACKLOG or sum(map(len, self._backlog)) >= BACKLOG_BYTES:
            self._connection.hold(True)

    def writable(self) -> None:
        """The browser has read what it was sent."""
        self.socket.flush()

    def gone(self) -> None:
        """The browser has disconnected."""
        self._greeted()
        self._backlog.clear()
        if self._slow:
            self._slow.cancel()
        if self.live:
            self.live.leave(self.socket)
        self._left()

    def _go_on(self) -> None:
        while self._backlog and self._slow is None:
            try:
                slow = self._hear(self._backlog.popleft())
            except Refusal as refusal:
                self._end(refusal)
            else:
                self._slow = asyncio.ensure_future(self._finish(slow)) if slow else None

    async def _finish(self, slow: Slow) -> None:
        """Wait for what takes longer, then continue."""
        try:
            await slow
        except (Refusal, StorageError) as error:
            self._end(error)
        except Exception:
            logging.log.exception("socket-failed")
            self.socket.close(FAILED)
        self._slow = None
        self._connection.hold(False)
        self._go_on()

    def _end(self, error: Refusal | StorageError) -> None:
        self._backlog.clear()
        if isinstance(error, Refusal):
            self.socket.tell(protocol.trouble(error.rule, error.reason))
            self.socket.close(POLICY)
        else:
            self.socket.tell(protocol.Goodbye("table.not-kept", 1_000))
            self.socket.close(LATER)

    def _greeted(self) -> None:
        if self._wait:
            self._wait.cancel()
            self._wait = None

    # Hello.

    async def _greet(self, raw: bytes) -> None:
        hello = _understood(raw)
        if not isinstance(hello, protocol.Hello):
            raise Refusal("table.hello-first", "Say hello first.")
        self._greeted()
        link = await links.find(self.hub, hello.link) if hello.link else None
        live = await self.hub.find(self._table)
        if live is None:
            raise Refusal("table.no-such-table", "There is no such table.")
        socket = self.socket
        socket.by = tokens.digest(f"{socket.who} {hello.client}")[:16]
        socket.pace = PACES[hello.pace]
        if links.bars(live, socket.who, link):
            raise Refusal("table.removed", "The host has removed you from this table.")
        if link and link.table == self._table and link.kind != "seat":
            if link.kind == "shoulder" and socket.who:
                await self.hub.store.add_looker(socket.who, live.id)
            live.let_in(socket, link)
        elif not (_welcome(live, socket) or (link and link.table == self._table)):
            raise Refusal("table.link-needed", "You need a link to this table.")
        live.presence.check_room(socket)
        self.live = live
        if not socket.link:
            mine = live.table.seats_of(socket.who)
            socket.eye = hello.eye if hello.eye in mine else live.usual_eye(socket)
        self._welcome(live, hello)
        live.join(socket)

    def _welcome(self, live: LiveTable, hello: protocol.Hello) -> None:
        socket = self.socket
        about = views.about(live.table)
        socket.tell(protocol.Welcome(protocol.PROTOCOL, about, live.table.commit, self.hub.now()))
        socket.tell(live.yours(socket))
        socket.post(views.caught_up(live.views, hello.since, hello.hash, socket.eye))
        for message in live.chat.messages(hello.heard or 0):
            socket.post(message)

    # Messages.

    def _hear(self, raw: bytes) -> Slow | None:
        """Handle a message, or return what must be awaited."""
        if self.live is None:
            return self._greet(raw)
        self.hub.metrics.messages += 1
        now = asyncio.get_running_loop().time()
        allowed = self._messages.take(now)
        try:
            message = _understood(raw)
        except Refusal as refusal:
            self._count_excess()
            self.socket.tell(protocol.trouble(refusal.rule, refusal.reason))
            return None
        if isinstance(message, protocol.Chat):
            allowed = self._chat.take(now) and allowed
        if not allowed or self._passed < getattr(message, "n", 0) <= self._refused:
            self._too_fast(self.live, message)
        elif type(message) in _COMMANDS:
            return self._command(self.live, message)
        elif isinstance(message, protocol.AskRecording):
            return self._show_recording(self.live, message.v)
        else:
            self._other(self.live, message)
        return None

    def _too_fast(self, live: LiveTable, message: Any) -> None:
        self._count_excess()
        rule, reason = "table.too-fast", "That is too much at once; slow down."
        n = getattr(message, "n", None)
        if n is not None and (n <= self._passed or live.knows(self.socket.by, n)):
            return  # it was sent again and may be stored: a refusal would be wrong, and an answer is on its way
        if n is None or self.hub.peers.worker:  # another worker may have it from an earlier connection
            self.socket.tell(protocol.trouble(rule, reason))
            return
        self._refused = max(self._refused, n)  # what was refused once is not stored when it is sent again
        self.socket.tell(protocol.refused(n, rule, reason))

    def _count_excess(self) -> None:
        self.hub.metrics.limited += 1
        self._excess += 1
        if self._excess > PATIENCE:
            raise Refusal("table.too-fast", "That was too much; come back later.")

    def _command(self, live: LiveTable, command: Any) -> Slow | None:
        self._passed = max(self._passed, command.n)
        if self.socket.link and not isinstance(command, protocol.Chat | protocol.AskAnalysis):
            self.socket.tell(protocol.refused(command.n, "table.looking-on", "You are only watching."))
        elif isinstance(command, protocol.Sit) and (command.link or self._takes_over(live.table, command.seat)):
            return self._sit(live, command)
        else:
            live.command(self.socket, command)
        return None

    def _takes_over(self, table: Table, seat: int) -> bool:
        """True if somebody asks for a seat that another person left in a running game."""
        return table.playing and seat < table.seats and not table.owns(self.socket.who, seat)

    async def _sit(self, live: LiveTable, command: protocol.Sit) -> None:
        opened, who = False, self.socket.who
        with suppress(Refusal):
            if command.link:
                opened = links.opens(await links.find(self.hub, command.link), live, command.seat, who)
        looked = self._takes_over(live.table, command.seat) and await self.hub.store.has_looked(who, live.id)
        live.command(self.socket, command, opened, looked)

    def _other(self, live: LiveTable, message: Any) -> None:
        if isinstance(message, protocol.Ping):
            self.socket.tell(protocol.Pong(message.sent, self.hub.now()))
        elif isinstance(message, protocol.Look):
            self._look(live, message.seat)
        else:
            self.socket.tell(protocol.trouble("table.hello-once", "You have said hello already."))

    async def _show_recording(self, live: LiveTable, version: int) -> None:
        data = await self.hub.store.recording(live.id, version) if version < VERSIONS_END else None
        if data:
            self.socket.tell(protocol.Recording(version, views.in_letters(data)))
        else:
            self.socket.tell(protocol.trouble("table.no-such-throw", "Nothing is recorded of that version."))

    def _look(self, live: LiveTable, seat: int | None) -> None:
        if self.socket.link or (seat is not None and seat not in live.table.seats_of(self.socket.who)):
            self.socket.tell(protocol.trouble("table.not-your-seat", "That seat is not yours."))
        else:
            live.look(self.socket, seat)


def _welcome(live: LiveTable, socket: Socket) -> bool:
    """True if somebody may come without a link."""
    setup = live.table.setup
    mine = live.table.seats_of(socket.who)
    return setup.visibility == "public" or bool(mine) or socket.who == setup.host != ""


def _understood(raw: bytes) -> Any:
    if len(raw) > LARGEST:
        raise Refusal("table.too-long", sentence("A message has at most {n} bytes.", n=LARGEST))
    try:
        return _decoder.decode(raw)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise Refusal("table.not-understood", "That is no message that the table understands.") from None
