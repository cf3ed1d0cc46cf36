"""One browser's socket: who is behind it, through whose eyes it looks, and what is still to be sent to it."""

import asyncio
from collections.abc import Callable

import msgspec

from . import protocol
from .decisions import Caller
from .door import Eye
from .line import Line

QUEUE = 64
"""How many messages may wait for a slow reader before they are dropped and the whole view is sent instead."""

_encode = msgspec.json.Encoder().encode


class Socket:
    """A connection to one table. `post` never waits: what was posted in one turn of the loop goes out together."""

    __slots__ = (
        "_closing",
        "_due",
        "_line",
        "_lost",
        "_queue",
        "address",
        "by",
        "eye",
        "link",
        "name",
        "resync",
        "who",
    )

    def __init__(
        self, address: str, who: str, name: str, resync: Callable[["Socket"], bytes], line: Line | None = None
    ) -> None:
        self.address = address
        self.who = who
        self.name = name
        self.by = ""
        self.eye: Eye = None
        self.link: str = ""
        """The digest of the link by which the socket looks on."""
        self.resync = resync
        self._line = line
        self._queue: list[bytes] = []
        self._due = False
        self._lost = False
        self._closing: tuple[int, str] | None = None

    def caller(self, may_sit: bool = False) -> Caller:
        """Who sends this socket's commands."""
        return Caller(self.who, self.name, self.by, may_sit)

    def post(self, message: bytes) -> None:
        """Have something sent; if too much is waiting already, all of it is dropped, for the whole view to follow."""
        if len(self._queue) >= QUEUE:
            self.flush()
        if len(self._queue) >= QUEUE:
            self._queue.clear()
            self._lost = True
        if not self._lost:
            self._queue.append(message)
        self._soon()

    def tell(self, message: protocol.ServerMessage) -> None:
        """Have a message sent."""
        self.post(_encode(message))

    def close(self, code: int, reason: str = "") -> None:
        """Close the socket once what is waiting has been sent."""
        self._closing = self._closing or (code, reason)
        self._soon()

    def _soon(self) -> None:
        if self._line and not self._due:
            self._due = True
            asyncio.get_running_loop().call_soon(self.flush)

    def flush(self) -> None:
        """Send what waits, unless the reader is too slow: then the line calls again."""
        self._due = False
        if self._line is None or self._line.paused:
            return
        if self._lost:
            self._lost = False
            self._queue.append(self.resync(self))
        if self._queue:
            self._line.send(self._queue)
            self._queue.clear()
        if self._closing:
            self._line.close(*self._closing)
