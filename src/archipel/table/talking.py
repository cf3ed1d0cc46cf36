"""A conversation with one browser over its socket: hello, then commands, until either side goes."""

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from typing import Any, get_args

import msgspec

from . import door, links, protocol, tokens
from .decisions import Refusal
from .hub import Hub
from .limits import Bucket
from .live import Live
from .sessions import Person
from .sockets import Socket
from .storage import StorageError

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

LARGEST = 16 * 1024
HELLO = 10.0
"""How many seconds a browser may take to say hello."""
PATIENCE = 100
"""How many messages too many are forgiven."""
WAYS_END = 1 << 31
"""The database counts versions with 32 bits."""
POLICY = 1008
LATER = 1013
_COMMANDS = get_args(protocol.Command)
_decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(protocol.ClientMessage)


class Gone(Exception):
    """The browser has gone."""


class Talk:
    """One socket at one table."""

    def __init__(self, hub: Hub, receive: Receive, send: Send, address: str, person: Person) -> None:
        self.hub = hub
        self._receive = receive
        self._send = send
        now = asyncio.get_running_loop().time()
        self._messages = Bucket(3 * hub.settings.messages, hub.settings.messages, now)
        self._chat = Bucket(6, 0.5, now)
        self._excess = 0
        self.socket = Socket(address, person.who, person.name, self._whole)
        self.live: Live

    def _whole(self, socket: Socket) -> str:
        return self.live.door.whole(socket.eye).decode()

    async def run(self, table: str) -> None:
        """Talk until one side goes."""
        writing = asyncio.ensure_future(self._write())
        try:
            await self._greet(table)
            while True:
                await self._hear(await self._next())
        except Refusal as refusal:
            self.socket.tell(protocol.Trouble(refusal.rule, refusal.reason))
            self.socket.close(POLICY)
            await writing
        except StorageError:
            self.socket.tell(protocol.Goodbye("table.not-kept", 1_000))
            self.socket.close(LATER)
            await writing
        except (TimeoutError, Gone):
            pass
        finally:
            if hasattr(self, "live"):
                self.live.leave(self.socket)
            writing.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await writing

    async def _write(self) -> None:
        send = self._send

        async def text(message: str) -> None:
            await send({"type": "websocket.send", "text": message})

        code, reason = await self.socket.drain(text)
        await send({"type": "websocket.close", "code": code, "reason": reason})

    async def _next(self) -> str | bytes:
        message = await self._receive()
        if message["type"] == "websocket.disconnect":
            raise Gone
        said: str | bytes = message.get("text") or message.get("bytes") or ""
        return said

    # Hello.

    async def _greet(self, table: str) -> None:
        hello = _understood(await asyncio.wait_for(self._next(), HELLO))
        if not isinstance(hello, protocol.Hello):
            raise Refusal("table.hello-first", "Say hello first.")
        link = await links.find(self.hub, hello.link) if hello.link else None
        live = await self.hub.find(table)
        if live is None:
            raise Refusal("table.no-such-table", "There is no such table.")
        socket = self.socket
        socket.by = tokens.digest(f"{socket.who} {hello.client}")[:16]
        if link and link.table == table and link.kind != "seat":
            self.hub.through(live, socket, link)
        elif not (_welcome(live, socket) or (link and link.table == table)):
            raise Refusal("table.link-needed", "You need a link to this table.")
        self.live = live
        if not socket.link:
            mine = live.table.seats_of(socket.who)
            socket.eye = hello.eye if hello.eye in mine else live.usual_eye(socket)
        self._welcome(hello)
        live.join(socket)

    def _welcome(self, hello: protocol.Hello) -> None:
        live, socket = self.live, self.socket
        about = door.about(live.table)
        socket.tell(protocol.Welcome(protocol.PROTOCOL, about, live.table.commit, self.hub.now()))
        socket.tell(live.yours(socket))
        socket.post(door.caught_up(live.door, hello.since, hello.hash, socket.eye).decode())

    # Messages.

    async def _hear(self, said: str | bytes) -> None:
        self.hub.metrics.message()
        now = asyncio.get_running_loop().time()
        allowed = self._messages.take(now)
        try:
            message = _understood(said)
        except Refusal as refusal:
            self._count_excess()
            self.socket.tell(protocol.Trouble(refusal.rule, refusal.reason))
            return
        if isinstance(message, protocol.Chat):
            allowed = self._chat.take(now) and allowed
        if not allowed:
            self._too_fast(message)
        elif isinstance(message, _COMMANDS):
            await self._command(message)
        elif isinstance(message, protocol.AskThrow):
            await self._show_throw(message.v)
        else:
            self._other(message)

    def _too_fast(self, message: Any) -> None:
        self._count_excess()
        rule, reason = "table.too-fast", "That is too much at once; slow down."
        n = getattr(message, "n", None)
        self.socket.tell(protocol.Trouble(rule, reason) if n is None else protocol.Refused(n, rule, reason))

    def _count_excess(self) -> None:
        self.hub.metrics.limited()
        self._excess += 1
        if self._excess > PATIENCE:
            raise Refusal("table.too-fast", "That was too much; come back later.")

    async def _command(self, command: Any) -> None:
        if self.socket.link and not isinstance(command, protocol.Chat):
            self.socket.tell(protocol.Refused(command.n, "table.looking-on", "You are only looking on."))
            return
        opened = False
        if isinstance(command, protocol.Sit) and command.link:
            with suppress(Refusal):
                opened = links.opens(await links.find(self.hub, command.link), self.live, command.seat)
        self.hub.command(self.live, self.socket, command, opened)

    def _other(self, message: Any) -> None:
        if isinstance(message, protocol.Ping):
            self.socket.tell(protocol.Pong(message.sent, self.hub.now()))
        elif isinstance(message, protocol.Look):
            self._look(message.seat)
        else:
            self.socket.tell(protocol.Trouble("table.hello-once", "You have said hello already."))

    async def _show_throw(self, version: int) -> None:
        way = await self.hub.store.way(self.live.id, version) if version < WAYS_END else None
        if way:
            self.socket.tell(protocol.Thrown(version, door.in_letters(way)))
        else:
            self.socket.tell(protocol.Trouble("table.no-such-throw", "No throw is kept of that version."))

    def _look(self, seat: int | None) -> None:
        if self.socket.link or (seat is not None and seat not in self.live.table.seats_of(self.socket.who)):
            self.socket.tell(protocol.Trouble("table.not-your-seat", "That seat is not yours."))
        else:
            self.live.look(self.socket, seat)


def _welcome(live: Live, socket: Socket) -> bool:
    """May somebody come without a link?"""
    setup = live.table.setup
    mine = live.table.seats_of(socket.who)
    return setup.visibility == "public" or bool(mine) or socket.who == setup.host != ""


def _understood(said: str | bytes) -> Any:
    if len(said) > LARGEST:
        raise Refusal("table.too-long", "A message has at most 16384 bytes.")
    try:
        return _decoder.decode(said)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise Refusal("table.not-understood", "That is no message that the table understands.") from None
