"""One browser's socket: who is behind it, through whose eyes it looks, and what is still to be sent to it."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

import msgspec

from . import protocol
from .decisions import Caller
from .door import Eye

QUEUE = 64
"""How many messages may wait for a slow reader before they are dropped and the whole view is sent instead."""

Send = Callable[[str], Awaitable[None]]
_encode = msgspec.json.Encoder().encode


class Socket:
    """A connection to one table. `post` never waits; `drain` sends what was posted."""

    __slots__ = ("_closing", "_lost", "_queue", "_wake", "address", "by", "eye", "link", "name", "resync", "who")

    def __init__(self, address: str, who: str, name: str, resync: Callable[["Socket"], str]) -> None:
        self.address = address
        self.who = who
        self.name = name
        self.by = ""
        self.eye: Eye = None
        self.link: str = ""
        """The digest of the link by which the socket looks on."""
        self.resync = resync
        self._queue: deque[str] = deque()
        self._wake: asyncio.Future[None] | None = None
        self._lost = False
        self._closing: tuple[int, str] | None = None

    def caller(self, may_sit: bool = False) -> Caller:
        """Who sends this socket's commands."""
        return Caller(self.who, self.name, self.by, may_sit)

    def post(self, message: str) -> None:
        """Have something sent; if too much is waiting already, all of it is dropped, for the whole view to follow."""
        if len(self._queue) >= QUEUE:
            self._queue.clear()
            self._lost = True
        if not self._lost:
            self._queue.append(message)
        self._awake()

    def tell(self, message: protocol.ServerMessage) -> None:
        """Have a message sent."""
        self.post(_encode(message).decode())

    def close(self, code: int, reason: str = "") -> None:
        """Close the socket once what is waiting has been sent."""
        self._closing = self._closing or (code, reason)
        self._awake()

    def _awake(self) -> None:
        if self._wake and not self._wake.done():
            self._wake.set_result(None)

    async def drain(self, send: Send) -> tuple[int, str]:
        """Send what is posted until the socket is to be closed; the code to close it with."""
        while True:
            while self._queue:
                await send(self._queue.popleft())
            if self._lost:
                self._lost = False
                await send(self.resync(self))
            elif self._closing:
                return self._closing
            elif not self._queue:
                self._wake = asyncio.get_running_loop().create_future()
                await self._wake
                self._wake = None
