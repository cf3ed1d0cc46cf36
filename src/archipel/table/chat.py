"""What is said at a table: the last remarks, kept beside the log, so that talking never stands in the way of a game."""

from collections import deque
from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

from . import decisions, protocol
from .decisions import Refusal
from .limits import Bucket, Buckets
from .remarks import KEPT, Remark
from .sockets import Socket
from .storage import Conflict, Unsure

if TYPE_CHECKING:
    from .live import Live

KEPT_BYTES = 32 * 1024
"""How many bytes of them it remembers; fewer remarks if they are long."""
WAITING = 16
"""How many remarks may wait until they are kept."""
_encode = msgspec.json.Encoder().encode


class Chat:
    """The remarks of one table, and how many more there may be."""

    def __init__(self, live: "Live", remarks: Iterable[Remark]) -> None:
        self._live = live
        self._remarks: deque[Remark] = deque()
        self._bytes = 0
        self._waiting: dict[tuple[str, int], Socket] = {}
        self._number = 0
        now = live.hub.monotonic() / 1000
        self._each = Buckets(6, 0.5, most=1_000)
        """Each person's remarks, by however many sockets."""
        self._spectators = Bucket(12, 1.0, now)
        """Those of all spectators together: they do not drown the players."""
        for remark in remarks:
            self._remember(remark)

    @property
    def last(self) -> int:
        """The number of the last remark that is kept."""
        return self._remarks[-1].number if self._remarks else 0

    @property
    def busy(self) -> bool:
        """Is a remark being written?"""
        return bool(self._waiting)

    def _remember(self, remark: Remark) -> None:
        self._remarks.append(remark)
        self._bytes += remark.size
        self._number = max(self._number, remark.number)
        while len(self._remarks) > KEPT or self._bytes > KEPT_BYTES:
            self._bytes -= self._remarks.popleft().size

    # What is told.

    def told(self, since: int = 0) -> list[bytes]:
        """The message for somebody who has heard everything up to that number; none if there is nothing new."""
        remarks = [remark for remark in self._remarks if remark.number > since]
        return [_said(remarks)] if remarks else []

    def take(self, remarks: list[Remark]) -> None:
        """Take in remarks that are kept, and tell everybody."""
        new = [remark for remark in remarks if remark.number > self.last]
        for remark in new:
            self._remember(remark)
        if new:
            said = _said(new)
            for socket in self._live.sockets:
                socket.post(said)

    # What is said.

    def knows(self, by: str, n: int) -> bool:
        """Is this command of a client among the remarks, or about to be?"""
        return (by, n) in self._waiting or self._keeps(by, n)

    def _keeps(self, by: str, n: int) -> bool:
        return any(remark.by == by and remark.n == n for remark in self._remarks)

    def speak(self, socket: Socket, command: protocol.Chat) -> None:
        """Keep a remark, then tell everybody; a command that was sent before is only answered again."""
        key = socket.by, command.n
        if self._keeps(*key):
            socket.tell(protocol.Ack(command.n, self._live.table.version))
        elif key in self._waiting:
            self._waiting[key] = socket  # whoever sent it again is answered
        else:
            try:
                self._keep(key, socket, self._remark(socket, command))
            except Refusal as refusal:
                socket.tell(protocol.refused(command.n, refusal.rule, refusal.reason))

    def _remark(self, socket: Socket, command: protocol.Chat) -> Remark:
        live = self._live
        if not live.fresh(socket, command.n):
            raise Refusal("table.counter-used", "That command was answered before; send a new one.")
        name, text, seat = decisions.remark(live.table, socket.caller(), command)
        if len(self._waiting) >= WAITING:
            raise Refusal("table.busy", "Too much is happening at this table.")
        now = live.hub.monotonic() / 1000
        if not (self._each.take(socket.who, now) and (seat is not None or self._spectators.take(now))):
            live.hub.metrics.limited()
            raise Refusal("table.too-fast", "That is too much at once; slow down.")
        self._number += 1
        return Remark(self._number, live.hub.now(), name, text, seat, socket.by, command.n)

    def _keep(self, key: tuple[str, int], socket: Socket, remark: Remark) -> None:
        self._waiting[key] = socket
        self._live.hub.store.say(self._live.id, remark, lambda _, error: self._kept(key, remark, error))

    def _kept(self, key: tuple[str, int], remark: Remark, error: Exception | None) -> None:
        live, socket = self._live, self._waiting.pop(key)
        if live.gone:
            return
        if isinstance(error, Conflict | Unsure):
            live.hub.lost(live)
        elif error:
            socket.tell(protocol.refused(remark.n, "table.not-kept", "The table could not keep that; try again."))
        else:
            socket.tell(protocol.Ack(remark.n, live.table.version))
            self.take([remark])
            live.hub.spoken(live)


def _said(remarks: Iterable[Remark]) -> bytes:
    return _encode(
        protocol.Said([protocol.Remark(one.number, one.at, one.name, one.text, one.seat) for one in remarks])
    )
