"""One browser connected to a table: the person, the view it gets, and the messages that wait to be sent."""

import asyncio
from collections.abc import Callable, Iterable
from typing import Protocol

import msgspec

from .. import protocol
from ..log.decisions import Caller
from ..log.views import Eye
from ..storage import KeptLink

QUEUE = 64
"""How many messages may wait for a slow reader before they are dropped and the whole view is sent instead."""
QUEUE_BYTES = 128 * 1024
"""How many bytes may wait for a slow reader; a single message may be longer."""

_encode = msgspec.json.Encoder().encode


Retell = Callable[["Socket", bool], list[bytes]]
"""Returns the whole view for a socket; with everything else that it should know, if messages were dropped."""


class Connection(Protocol):
    """The network side of a socket."""

    paused: bool
    """The other side does not read: nothing may be sent now."""

    def send(self, messages: Iterable[bytes]) -> None:
        """Send some messages in one write."""

    def close(self, code: int, reason: str = "") -> None:
        """Close the connection after everything was sent."""


class Socket:
    """A connection to one table. `post` never waits: everything posted in one iteration of the loop is sent
    together."""

    __slots__ = (
        "_bytes",
        "_closing",
        "_connection",
        "_due",
        "_lost",
        "_owed",
        "_queue",
        "_retell",
        "address",
        "by",
        "eye",
        "link",
        "name",
        "pace",
        "session",
        "shoulder",
        "who",
    )

    def __init__(self, address: str, who: str, name: str, retell: Retell, connection: Connection | None = None) -> None:
        self.address = address
        self.who = who
        self.name = name
        self.by = ""
        self.eye: Eye = None
        self.link: str = ""
        """The digest of the link by which the socket watches."""
        self.shoulder: KeptLink | None = None
        """That link, if it shows its maker's hand."""
        self.pace = 1.0
        """The bots' pace, as a share of the time that a person would take."""
        self.session = ""
        """The digest of its session cookie."""
        self._retell = retell
        self._connection = connection
        self._queue: list[bytes] = []
        self._bytes = 0
        self._due = False
        self._owed = False
        """The whole view is to be sent once, in the state it has when it is sent."""
        self._lost = False
        """Messages were dropped: everything must be sent again."""
        self._closing: tuple[int, str] | None = None

    @property
    def whose(self) -> str:
        """The key for taking turns when many people want something: one per address."""
        return self.address or self.who

    def caller(self, may_sit: bool = False, has_looked: bool = False) -> Caller:
        """Who sends this socket's commands."""
        return Caller(self.who, self.name, self.by, may_sit, has_looked)

    def post(self, message: bytes) -> None:
        """Queue a message; if too many are waiting, all are dropped and the whole view will follow."""
        if self._is_full(message):
            self.flush()
        if self._is_full(message):
            self._drop()
        if not self._lost:
            self._queue.append(message)
            self._bytes += len(message)
        self._soon()

    def _is_full(self, message: bytes) -> bool:
        return bool(self._queue) and (len(self._queue) >= QUEUE or self._bytes + len(message) > QUEUE_BYTES)

    def _drop(self) -> None:
        self._queue.clear()
        self._bytes = 0
        self._lost = True

    def update(self, message: bytes) -> None:
        """Queue an update, unless the whole view will follow anyway."""
        if not self._owed:
            self.post(message)

    def show(self) -> None:
        """Queue the whole view, once, however often this is called before it is sent."""
        self._owed = True
        self._soon()

    def tell(self, message: protocol.ServerMessage) -> None:
        """Queue a message."""
        self.post(_encode(message))

    def close(self, code: int, reason: str = "") -> None:
        """Close the socket once everything queued has been sent."""
        self._closing = self._closing or (code, reason)
        self._soon()

    def _soon(self) -> None:
        if self._connection and not self._due:
            self._due = True
            asyncio.get_running_loop().call_soon(self.flush)

    def flush(self) -> None:
        """Send what is queued, unless the reader is too slow: then the connection calls again."""
        self._due = False
        if self._connection is None or self._connection.paused:
            return
        if self._owed or self._lost:
            self._queue += self._retell(self, self._lost)
            self._owed = self._lost = False
        if self._queue:
            self._connection.send(self._queue)
            self._queue.clear()
            self._bytes = 0
        if self._closing:
            self._connection.close(*self._closing)
