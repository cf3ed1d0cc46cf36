"""A conversation with one browser over its socket: hello, then commands, until either side goes."""

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, get_args

import msgspec

from archipel.core.errors import sentence

from . import door, links, logs, protocol, tokens
from .decisions import Refusal
from .hub import Hub
from .limits import Bucket
from .line import LARGEST, Line
from .live import Live
from .sessions import Person
from .sockets import Socket
from .storage import StorageError

HELLO = 10.0
"""How many seconds a browser may take to say hello."""
PATIENCE = 100
"""How many messages too many are forgiven."""
WAYS_END = 1 << 31
"""The database counts versions with 32 bits."""
BACKLOG = 32
"""How many messages may wait until one before them is dealt with."""
POLICY = 1008
LATER = 1013
FAILED = 1011
_COMMANDS = frozenset(get_args(protocol.Command))
_decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(protocol.ClientMessage)
Slow = Coroutine[Any, Any, None]


class Talk:
    """One socket at one table. Most messages are dealt with at once; those that need the database hold the rest up."""

    __slots__ = (
        "_backlog",
        "_chat",
        "_excess",
        "_left",
        "_line",
        "_messages",
        "_slow",
        "_table",
        "_wait",
        "hub",
        "live",
        "socket",
    )

    def __init__(
        self, hub: Hub, line: Line, address: str, person: Person, table: str, left: Callable[[], None]
    ) -> None:
        loop = asyncio.get_running_loop()
        self.hub = hub
        self.live: Live | None = None
        self.socket = Socket(address, person.who, person.name, self._whole, line)
        self._line = line
        self._table = table
        self._left = left
        self._messages = Bucket(3 * hub.settings.messages, hub.settings.messages, loop.time())
        self._chat = Bucket(6, 0.5, loop.time())
        self._excess = 0
        self._backlog: deque[bytes] = deque()
        self._slow: asyncio.Task[None] | None = None
        self._wait: asyncio.TimerHandle | None = loop.call_later(HELLO, self.socket.close, POLICY)

    def _whole(self, socket: Socket) -> bytes:
        return self.live.door.whole(socket.eye) if self.live else b""

    # The line.

    def heard(self, said: bytes) -> None:
        """The browser says something."""
        self._backlog.append(said)
        if self._slow is None:
            self._go_on()
        elif len(self._backlog) >= BACKLOG:
            self._line.hold(True)

    def writable(self) -> None:
        """The browser has taken in what it was sent."""
        self.socket.flush()

    def gone(self) -> None:
        """The browser has gone."""
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
        """Wait for what takes longer, then go on."""
        try:
            await slow
        except (Refusal, StorageError) as error:
            self._end(error)
        except Exception:
            logs.log.exception("socket-failed")
            self.socket.close(FAILED)
        self._slow = None
        self._line.hold(False)
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

    async def _greet(self, said: bytes) -> None:
        hello = _understood(said)
        if not isinstance(hello, protocol.Hello):
            raise Refusal("table.hello-first", "Say hello first.")
        self._greeted()
        link = await links.find(self.hub, hello.link) if hello.link else None
        live = await self.hub.find(self._table)
        if live is None:
            raise Refusal("table.no-such-table", "There is no such table.")
        socket = self.socket
        socket.by = tokens.digest(f"{socket.who} {hello.client}")[:16]
        if link and link.table == self._table and link.kind != "seat":
            self.hub.through(live, socket, link)
        elif not (_welcome(live, socket) or (link and link.table == self._table)):
            raise Refusal("table.link-needed", "You need a link to this table.")
        self.live = live
        if not socket.link:
            mine = live.table.seats_of(socket.who)
            socket.eye = hello.eye if hello.eye in mine else live.usual_eye(socket)
        self._welcome(live, hello)
        live.join(socket)

    def _welcome(self, live: Live, hello: protocol.Hello) -> None:
        socket = self.socket
        about = door.about(live.table)
        socket.tell(protocol.Welcome(protocol.PROTOCOL, about, live.table.commit, self.hub.now()))
        socket.tell(live.yours(socket))
        socket.post(door.caught_up(live.door, hello.since, hello.hash, socket.eye))

    # Messages.

    def _hear(self, said: bytes) -> Slow | None:
        """Deal with a message, or say what must be waited for."""
        if self.live is None:
            return self._greet(said)
        self.hub.metrics.message()
        now = asyncio.get_running_loop().time()
        allowed = self._messages.take(now)
        try:
            message = _understood(said)
        except Refusal as refusal:
            self._count_excess()
            self.socket.tell(protocol.trouble(refusal.rule, refusal.reason))
            return None
        if isinstance(message, protocol.Chat):
            allowed = self._chat.take(now) and allowed
        if not allowed:
            self._too_fast(message)
        elif type(message) in _COMMANDS:
            return self._command(self.live, message)
        elif isinstance(message, protocol.AskThrow):
            return self._show_throw(self.live, message.v)
        else:
            self._other(self.live, message)
        return None

    def _too_fast(self, message: Any) -> None:
        self._count_excess()
        rule, reason = "table.too-fast", "That is too much at once; slow down."
        n = getattr(message, "n", None)
        self.socket.tell(protocol.trouble(rule, reason) if n is None else protocol.refused(n, rule, reason))

    def _count_excess(self) -> None:
        self.hub.metrics.limited()
        self._excess += 1
        if self._excess > PATIENCE:
            raise Refusal("table.too-fast", "That was too much; come back later.")

    def _command(self, live: Live, command: Any) -> Slow | None:
        if self.socket.link and not isinstance(command, protocol.Chat | protocol.AskAnalysis):
            self.socket.tell(protocol.refused(command.n, "table.looking-on", "You are only looking on."))
        elif isinstance(command, protocol.Sit) and command.link:
            return self._sit(live, command, command.link)
        else:
            self.hub.command(live, self.socket, command)
        return None

    async def _sit(self, live: Live, command: protocol.Sit, link: str) -> None:
        opened = False
        with suppress(Refusal):
            opened = links.opens(await links.find(self.hub, link), live, command.seat)
        self.hub.command(live, self.socket, command, opened)

    def _other(self, live: Live, message: Any) -> None:
        if isinstance(message, protocol.Ping):
            self.socket.tell(protocol.Pong(message.sent, self.hub.now()))
        elif isinstance(message, protocol.Look):
            self._look(live, message.seat)
        else:
            self.socket.tell(protocol.trouble("table.hello-once", "You have said hello already."))

    async def _show_throw(self, live: Live, version: int) -> None:
        way = await self.hub.store.way(live.id, version) if version < WAYS_END else None
        if way:
            self.socket.tell(protocol.Thrown(version, door.in_letters(way)))
        else:
            self.socket.tell(protocol.Trouble("table.no-such-throw", "No throw is kept of that version."))

    def _look(self, live: Live, seat: int | None) -> None:
        if self.socket.link or (seat is not None and seat not in live.table.seats_of(self.socket.who)):
            self.socket.tell(protocol.trouble("table.not-your-seat", "That seat is not yours."))
        else:
            live.look(self.socket, seat)


def _welcome(live: Live, socket: Socket) -> bool:
    """May somebody come without a link?"""
    setup = live.table.setup
    mine = live.table.seats_of(socket.who)
    return setup.visibility == "public" or bool(mine) or socket.who == setup.host != ""


def _understood(said: bytes) -> Any:
    if len(said) > LARGEST:
        raise Refusal("table.too-long", sentence("A message has at most {n} bytes.", n=LARGEST))
    try:
        return _decoder.decode(said)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise Refusal("table.not-understood", "That is no message that the table understands.") from None
