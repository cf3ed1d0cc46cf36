"""Who is at a table now: players and spectators, through this worker and through others."""

import asyncio
from collections.abc import Iterable

import msgspec

from .. import protocol, tokens
from ..log.decisions import Refusal
from ..log.table import Table
from .services import Services
from .sockets import Socket

AUDIENCE = 100
"""How many spectators the host sees by name."""
_encode = msgspec.json.Encoder().encode


class Presence:
    """The sockets at one table, and what other workers report of theirs."""

    def __init__(self, services: Services, table: Table) -> None:
        self._services = services
        self._table = table
        self.sockets: set[Socket] = set()
        self.since_here: dict[int, int] = {}
        """Since when nobody has been at a seat."""
        self.arrived: dict[int, int] = {}
        """Since when the person of a seat has been here."""
        self._elsewhere: dict[str, tuple[int, set[str], int]] = {}
        """By worker: when it reported, which persons are there, how many watch."""
        self._spectators_elsewhere: dict[str, dict[str, str]] = {}
        """By worker: its spectators and their names."""
        self._timer: asyncio.TimerHandle | None = None
        self.gone = False
        """This worker no longer owns the table."""

    def stop(self) -> None:
        """Send nothing more."""
        self.gone = True
        if self._timer:
            self._timer.cancel()

    def check_room(self, socket: Socket) -> None:
        """Refusal if too many people watch, in all or from one address; players and the host always have a place."""
        settings, table = self._services.settings, self._table
        if not socket.link and (table.seats_of(socket.who) or socket.who == table.setup.host != ""):
            return
        spectators = self._spectators()
        beside = sum(other.address == socket.address for other in spectators)
        if beside >= settings.spectators_each or len(spectators) >= settings.spectators:
            raise Refusal("table.spectators", "Too many people are watching this table; try again later.")

    # Reports of other workers.

    def heard_of(self, worker: str, persons: list[str], watchers: int, spectators: dict[str, str]) -> None:
        """Note who is at the table through another worker."""
        known = self._elsewhere.get(worker)
        self._elsewhere[worker] = self._services.monotonic(), set(persons), watchers
        watched = self._spectators_elsewhere.get(worker)
        self._spectators_elsewhere[worker] = spectators
        if known is None or known[1:] != (set(persons), watchers) or watched != spectators:
            self.tell()

    def _others(self) -> list[tuple[set[str], int]]:
        """The recent reports of other workers; while Redis is unavailable, their last ones."""
        late = self._services.monotonic() - 3 * self._services.settings.lease - self._services.peers.silence
        return [(persons, watchers) for at, persons, watchers in self._elsewhere.values() if at > late]

    # Players.

    def persons_here(self) -> set[str]:
        """The persons who are at the table through this worker."""
        return {socket.who for socket in self.sockets if not socket.link and socket.who}

    def here(self) -> list[bool]:
        """For each seat: True if its person is connected, or a bot plays it."""
        persons = self.persons_here().union(*(persons for persons, _ in self._others()))
        return [chair.kind == "bot" or (chair.who != "" and chair.who in persons) for chair in self._table.chairs]

    def away(self) -> frozenset[int]:
        """The seats whose persons have been away for so long that the others need not wait."""
        now = self._services.monotonic()
        self._note(now)
        return frozenset(seat for seat, since in self.since_here.items() if now - since >= self._services.settings.away)

    def absent(self, who: str) -> int | None:
        """For how many milliseconds a player has been away; None if they are here."""
        now = self._services.monotonic()
        self._note(now)
        if who in self.persons_here().union(*(persons for persons, _ in self._others())):
            return None
        return now - max((self.since_here.get(seat, now) for seat in self._table.seats_of(who)), default=0)

    def _note(self, now: int) -> None:
        for seat, here in enumerate(self.here()):
            gone, come = (self.since_here, self.arrived) if here else (self.arrived, self.since_here)
            gone.pop(seat, None)
            come.setdefault(seat, now)

    def turn(self) -> None:
        """Everybody has moved to another seat."""
        self.since_here.clear()
        self.arrived.clear()

    def waited_for(self, since: int, always: bool) -> dict[int, int]:
        """For how long each seat has had a chance to do something since then, in milliseconds.

        A player who is away has had none, unless everybody is expected to be here `always`.
        """
        now = self._services.monotonic()
        self._note(now)
        seats = range(self._table.seats) if always else self.arrived
        return {seat: now - max(since, self.arrived.get(seat, since)) for seat in seats}

    def whose(self) -> str:
        """On whose behalf a bot thinks here: a connected player's, or "away"."""
        for socket in self.sockets:
            if not socket.link and self._table.seats_of(socket.who):
                return socket.whose
        elsewhere = set().union(*(persons for persons, _ in self._others()))
        return next((chair.who for chair in self._table.chairs if chair.who and chair.who in elsewhere), "away")

    def pace(self) -> float:
        """The bots' pace here: the slowest that a connected player has chosen."""
        wishes = [socket.pace for socket in self.sockets if not socket.link and self._table.seats_of(socket.who)]
        return max(wishes, default=1.0)

    # Spectators.

    def spectators(self) -> dict[str, str]:
        """The spectators with a name who watch through us, and their names."""
        players = {chair.who for chair in self._table.chairs if chair.who} | {self._table.setup.host}
        return {socket.who: socket.name for socket in self.sockets if socket.who and socket.who not in players}

    def _all_spectators(self) -> dict[str, str]:
        """The spectators with a name who watch through any worker."""
        late = self._services.monotonic() - 3 * self._services.settings.lease
        known = [self._spectators_elsewhere[worker] for worker, heard in self._elsewhere.items() if heard[0] > late]
        return {who: name for names in (*known, self.spectators()) for who, name in names.items()}

    def spectator(self, wanted: str) -> tuple[str, str] | None:
        """The person and the name of the spectator with this id; "" is everybody without a name."""
        if not wanted:
            return "", ""
        names = self._all_spectators()
        return next(((who, name) for who, name in names.items() if spectator_id(self._id, who) == wanted), None)

    @property
    def _id(self) -> str:
        return self._table.setup.id

    def _watchers(self) -> int:
        return len(self._spectators())

    def _spectators(self) -> list[Socket]:
        players = {chair.who for chair in self._table.chairs if chair.who}
        return [socket for socket in self.sockets if socket.link or socket.who not in players]

    # Sending.

    def tell(self) -> None:
        """Send everybody soon who is here: people who come at the same time are reported together."""
        self._note(self._services.monotonic())
        if self._timer is None and not self.gone:
            wait = 0.05 if len(self.sockets) < 50 else 1.0
            self._timer = asyncio.get_running_loop().call_later(wait, self._tell)

    def _tell(self) -> None:
        self._timer = None
        present, host = self.message(), self._table.setup.host
        _broadcast(present, self.sockets)
        hosts = [socket for socket in self.sockets if socket.who == host != "" and not socket.link]
        _broadcast(self._audience(present.watchers), hosts)
        self.tell_peers()

    def tell_peers(self) -> None:
        """Report to the other workers who is at the table through this one."""
        self._services.peers.here(self._id, sorted(self.persons_here()), self._watchers(), self.spectators())

    def message(self) -> protocol.Presence:
        """The message that says who is here."""
        return protocol.Presence(self.here(), self._watchers() + sum(watchers for _, watchers in self._others()))

    def _audience(self, watchers: int) -> protocol.Audience:
        """The spectators, for the host."""
        names = self._all_spectators()
        shown = [
            protocol.Spectator(spectator_id(self._id, who), name, who in self._table.muted)
            for who, name in list(names.items())[:AUDIENCE]
        ]
        unnamed = sum(socket.who == "" for socket in self.sockets)
        return protocol.Audience(shown, max(unnamed, watchers - len(names)))


def _broadcast(message: protocol.ServerMessage, sockets: Iterable[Socket]) -> None:
    text = _encode(message)
    for socket in sockets:
        socket.post(text)


def spectator_id(table: str, who: str) -> str:
    """The id by which the host refers to a spectator: it does not identify them at another table."""
    return tokens.digest(f"{table} {who}")[:16]
