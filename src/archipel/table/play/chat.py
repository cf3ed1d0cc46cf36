"""The chat of a table, stored beside the log, so that it never delays a game."""

from collections import deque
from collections.abc import Callable, Iterable
from operator import attrgetter

import msgspec

from .. import protocol
from ..limits import Bucket, Buckets
from ..log import decisions
from ..log.decisions import Refusal
from ..log.remarks import KEPT, Remark, of_old
from ..log.table import Table
from ..storage import Conflict, Unsure
from .services import Services
from .sockets import Socket

KEPT_BYTES = 32 * 1024
"""How many bytes of chat messages are kept in memory; fewer messages if they are long."""
WAITING = 16
"""How many messages may wait to be stored."""
_encode = msgspec.json.Encoder().encode


class Chat:
    """The chat messages of one table, and their rate limits."""

    def __init__(
        self,
        services: Services,
        table: Table,
        sockets: Iterable[Socket],
        fresh: Callable[[Socket, int], bool],
        lost: Callable[[], None],
        remarks: Iterable[Remark],
    ) -> None:
        self._services = services
        self._table = table
        self._sockets = sockets
        self._fresh = fresh
        """True if a command's counter was not used before."""
        self._lost = lost
        """Called when it is unknown which messages are stored."""
        self.gone = False
        """This worker no longer owns the table."""
        self._remarks: deque[Remark] = deque()
        self._bytes = 0
        self._waiting: dict[tuple[str, int], Socket] = {}
        self._latest: Remark | None = None
        """The last message that is stored, or about to be."""
        self._old = max((remark.number for remark in of_old(table.log)), default=0) if table.spoken else 0
        """The number of the last message that stands in the log."""
        now = services.monotonic() / 1000
        self._each = Buckets(6, 0.5, most=1_000)
        """Rate limit per person, over all their sockets."""
        self._spectators = Bucket(12, 1.0, now)
        """Rate limit for all spectators together, so that they do not drown out the players."""
        for remark in remarks:
            self._remember(remark)

    @property
    def last(self) -> int:
        """The number of the last stored message."""
        return self._remarks[-1].number if self._remarks else 0

    @property
    def busy(self) -> bool:
        """True while a message is being written."""
        return bool(self._waiting)

    def _remember(self, remark: Remark) -> None:
        self._remarks.append(remark)
        self._bytes += remark.size
        self._latest = remark if self._latest is None else max(self._latest, remark, key=attrgetter("number"))
        while len(self._remarks) > KEPT or self._bytes > KEPT_BYTES:
            self._bytes -= self._remarks.popleft().size

    # Sending.

    def messages(self, since: int = 0) -> list[bytes]:
        """The update for a client that has everything up to that number; None if there is nothing new."""
        remarks = [remark for remark in self._remarks if remark.number > since]
        return [_message(remarks)] if remarks else []

    def take(self, remarks: list[Remark]) -> None:
        """Add stored messages, and send them to everybody."""
        new = [remark for remark in remarks if remark.number > self.last]
        for remark in new:
            self._remember(remark)
        if new:
            message = _message(new)
            for socket in self._sockets:
                socket.post(message)

    # Receiving.

    def knows(self, by: str, n: int) -> bool:
        """True if this command of a client is stored, or about to be."""
        return (by, n) in self._waiting or self._keeps(by, n)

    def _keeps(self, by: str, n: int) -> bool:
        return any(remark.by == by and remark.n == n for remark in self._remarks)

    def speak(self, socket: Socket, command: protocol.Chat) -> None:
        """Store a message, then send it to everybody; a command that was sent before is only answered again."""
        key = socket.by, command.n
        if self._keeps(*key):
            socket.tell(protocol.Ack(command.n, self._table.version))
        elif key in self._waiting:
            self._waiting[key] = socket  # the client that sent it again is answered
        elif not self._services.stopping:  # the client sends it again when the server is back
            try:
                self._keep(key, socket, self._remark(socket, command))
            except Refusal as refusal:
                socket.tell(protocol.refused(command.n, refusal.rule, refusal.reason))

    def _remark(self, socket: Socket, command: protocol.Chat) -> Remark:
        services = self._services
        if not self._fresh(socket, command.n):
            raise Refusal("table.counter-used", "That command was answered before; send a new one.")
        name, text, seat = decisions.remark(self._table, socket.caller(), command)
        if len(self._waiting) >= WAITING:
            raise Refusal("table.busy", "Too much is happening at this table.")
        now = services.monotonic() / 1000
        if not (self._each.take(socket.who, now) and (seat is not None or self._spectators.take(now))):
            services.metrics.limited += 1
            raise Refusal("table.too-fast", "That is too much at once; slow down.")
        return Remark(self._number() + 1, services.now(), name, text, seat, socket.by, command.n)

    def _number(self) -> int:
        return self._latest.number if self._latest else 0

    def _keep(self, key: tuple[str, int], socket: Socket, remark: Remark) -> None:
        self._waiting[key] = socket
        after = self._latest if self._number() > self._old else None
        self._latest = remark
        self._services.store.say(self._table.setup.id, remark, after, lambda _, error: self._kept(key, remark, error))

    def _kept(self, key: tuple[str, int], remark: Remark, error: Exception | None) -> None:
        socket = self._waiting.pop(key)
        if self.gone:
            return
        if isinstance(error, Conflict | Unsure):
            self._lost()
        elif error:
            if not self._waiting:
                self._latest = self._remarks[-1] if self._remarks else None  # numbers have no gaps
            socket.tell(protocol.refused(remark.n, "table.not-kept", "That could not be saved; try again."))
        else:
            socket.tell(protocol.Ack(remark.n, self._table.version))
            self.take([remark])
            self._services.peers.spoken(self._table.setup.id, self.last)


def _message(remarks: Iterable[Remark]) -> bytes:
    return _encode(
        protocol.Said([protocol.Remark(one.number, one.at, one.name, one.text, one.seat) for one in remarks])
    )
