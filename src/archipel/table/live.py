"""A table in memory, with the sockets around it: one command at a time is decided, kept, and only then told."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from archipel.core.rules import CHANCE

from . import decisions, door, log, protocol, throwing
from .clock import DAY
from .decisions import Refusal
from .door import Door, Eye
from .sockets import Socket
from .storage import Change, Conflict, Unsure
from .table import CLIENTS, Table

if TYPE_CHECKING:
    from .hub import Hub

ENTRIES = 20_000
"""How long a table's log may become: nobody fills the disk by talking."""
JOBS = 256
"""How many commands may wait at one table."""
MINUTE = 60_000
AGAIN = 1.0
"""After how many seconds something that could not be done is tried again."""
FRESH = 5_000
"""How many milliseconds old the time of a table in lists may be."""

Decide = Callable[[], list[log.Entry]]
_encode = msgspec.json.Encoder().encode
NO_WAYS: Mapping[int, bytes] = {}


class Job:
    """Something to be decided: a command of a socket, a bot's choice, dice that landed, the clock."""

    __slots__ = ("decide", "n", "socket", "way")

    def __init__(self, decide: Decide, socket: Socket | None = None, n: int = 0, way: bytes | None = None) -> None:
        self.decide = decide
        self.socket = socket
        self.n = n
        self.way = way
        """The trajectory that belongs to the first entry."""

    def refuse(self, rule: str, reason: str) -> None:
        if self.socket:
            self.socket.tell(protocol.refused(self.n, rule, reason))


class Live:
    """One table that is looked after. Its log is written first; what it is in memory follows."""

    def __init__(self, hub: "Hub", table: Table, owner: str = "") -> None:
        self.hub = hub
        self.table = table
        self.owner = owner
        """The worker that looks after it, where there are several."""
        self.door = Door(table)
        self.sockets: set[Socket] = set()
        self.since_here: dict[int, int] = {}
        """Since when nobody has been at a seat."""
        self.gone = False
        """It is no longer looked after here: whoever holds it must ask the hub again."""
        self._elsewhere: dict[str, tuple[int, set[str], int]] = {}
        """By other workers: when we heard, which persons are there, how many look on."""
        self._jobs: deque[Job] = deque()
        self.busy = False
        """Something is being written."""
        self._seen: dict[str, int] = {}
        self._alarm: asyncio.TimerHandle | None = None
        self._presence: asyncio.TimerHandle | None = None
        self._asked = -1
        """The position that a bot was last asked about."""
        self._row: tuple[str, int | None] | None = None
        self._row_at = 0

    @property
    def id(self) -> str:
        return self.table.setup.id

    @property
    def idle(self) -> bool:
        """Does nobody need it in memory?"""
        if self.sockets or self.busy or self._jobs:
            return False
        return not (self.table.bot_to_move() or self.table.falling or self._soon())

    def _soon(self) -> bool:
        """Does a clock run out before anybody would think of looking?"""
        deadline = self.table.timer.deadline
        return deadline is not None and deadline < self.hub.now() + 10 * MINUTE

    # Commands.

    def submit(self, socket: Socket, command: protocol.Command, decide: Decide) -> None:
        """Have a socket's command decided; one that was decided before is only answered again."""
        by, n = socket.by, command.n
        version = self.table.answered(by, n)
        if version is not None:
            socket.tell(protocol.Ack(n, version))
            return
        job = Job(decide, socket, n)
        if not self.fresh(by, n):
            job.refuse("table.counter-used", "That command was answered before; send a new one.")
        elif len(self._jobs) >= JOBS or self.table.version >= ENTRIES:
            job.refuse("table.busy", "Too much is happening at this table.")
        else:
            self.put(job)

    def fresh(self, by: str, n: int) -> bool:
        """Is a counter higher than all that its client has used? From now on it counts as used."""
        if n <= self._seen.get(by, self.table.last_n(by)):
            return False
        self._seen[by] = n
        if len(self._seen) > CLIENTS:
            del self._seen[next(iter(self._seen))]
        return True

    def put(self, job: Job) -> None:
        """Decide something as soon as what came before is kept."""
        self._jobs.append(job)
        self._pump()

    def _pump(self) -> None:
        while self._jobs and not (self.busy or self.gone or self.hub.stopping):
            job = self._jobs.popleft()
            try:
                entries = job.decide()
            except Refusal as refusal:
                job.refuse(refusal.rule, refusal.reason)
                continue
            if entries:
                self._keep(job, entries)

    def _keep(self, job: Job, entries: list[log.Entry]) -> None:
        self.busy = True
        sat = [entry.who for entry in entries if isinstance(entry, log.Sat)]
        ways = {self.table.version + 1: job.way} if job.way else {}
        change = Change(self.id, self.table.version, entries, self._changed_row(entries), sat, ways)
        self.hub.keep(change, lambda _, error: self._kept(job, entries, error))

    def _changed_row(self, entries: list[log.Entry]) -> dict[str, Any] | None:
        """What lists and other workers are told of the table: when it matters, and now and then."""
        row = _row(self.table, entries)
        if row == self._row and entries[-1].at < self._row_at + FRESH:
            return None
        self._row, self._row_at = row, entries[-1].at
        return {"status": row[0], "due": row[1], "updated": entries[-1].at}

    def _kept(self, job: Job, entries: list[log.Entry], error: Exception | None) -> None:
        self.busy = False
        if self.gone:
            return
        if isinstance(error, Conflict | Unsure):
            self.hub.lost(self)
            return
        if error:
            self._row = None
            self.hub.metrics.failed()
            job.refuse("table.not-kept", "The table could not keep that; try again.")
            if not job.socket:
                self.look_again()
        else:
            self.take(entries, {self.table.version + 1: job.way} if job.way else {})
        self._pump()

    # What is kept is told.

    def take(self, entries: list[log.Entry], ways: Mapping[int, bytes] = NO_WAYS) -> None:
        """Take entries that are kept into the table, and tell everybody; `ways`: trajectories, by version."""
        self._turn_eyes(entries)
        eyes = {socket.eye for socket in self.sockets}
        told: dict[Eye, list[protocol.Entry]] = {eye: [] for eye in eyes}
        for entry in entries:
            step = self.table.apply(entry)
            version = self.table.version
            tell = door.telling(self.table, version, entry, step, ways.get(version))
            for eye in eyes:
                told[eye].append(tell(eye))
        self._acknowledge(entries)
        kinds = {type(entry) for entry in entries}
        messages = {eye: door.news(self.door, told[eye], kinds, eye) for eye in eyes}
        for socket in self.sockets:
            socket.post(messages[socket.eye])
        if not kinds.isdisjoint(door.SEATING):
            self._reseat(entries)
        self.hub.grown(self)
        self.look_after()
        self.hub.metrics.kept(len(entries))

    def _acknowledge(self, entries: list[log.Entry]) -> None:
        sent = {entry.by: entry.n for entry in entries if entry.by}
        if sent:
            for socket in self.sockets:
                if socket.by in sent:
                    socket.tell(protocol.Ack(sent[socket.by], self.table.answered(socket.by, sent[socket.by]) or 0))

    def _turn_eyes(self, entries: list[log.Entry]) -> None:
        """When the seats turn for another game, everybody's eyes go with their owner, before anything is dealt."""
        turns = sum(isinstance(entry, log.Started) and entry.game > 1 for entry in entries)
        if turns:
            self.since_here.clear()
        for socket in self.sockets if turns else ():
            if socket.eye is not None:
                socket.eye = (socket.eye - turns) % self.table.seats

    def _reseat(self, entries: list[log.Entry]) -> None:
        """Who has a seat now looks through its eyes; who no longer has it does not."""
        new = {entry.who for entry in entries if isinstance(entry, log.Sat)}
        for socket in self.sockets:
            if socket.who:
                socket.tell(self.yours(socket))
            if socket.eye is None and socket.who in new:
                self.look(socket, self.usual_eye(socket))
            elif socket.eye is not None and not socket.link and socket.eye not in self.table.seats_of(socket.who):
                self.look(socket, None)
        self.tell_presence()

    # Eyes.

    def usual_eye(self, socket: Socket) -> Eye:
        """Those of one's only seat; whoever has several draws the curtain first."""
        seats = self.table.seats_of(socket.who)
        return seats[0] if len(seats) == 1 else None

    def look(self, socket: Socket, eye: Eye) -> None:
        """Show the table through these eyes from now on."""
        socket.eye = eye
        socket.post(self.door.whole(eye))

    def yours(self, socket: Socket) -> protocol.Yours:
        """What is a socket's own here."""
        host = socket.who == self.table.setup.host != ""
        return protocol.Yours(self.table.seats_of(socket.who), host)

    def tell_all_again(self) -> None:
        """Send everybody the whole view, so that they send again what was not answered."""
        for socket in self.sockets:
            socket.post(self.door.whole(socket.eye))

    # Presence.

    def join(self, socket: Socket) -> None:
        self.sockets.add(socket)
        self.tell_presence()

    def leave(self, socket: Socket) -> None:
        self.sockets.discard(socket)
        self.tell_presence()

    def heard_of(self, worker: str, persons: list[str], watchers: int) -> None:
        """Another worker tells who is at the table by way of it."""
        known = self._elsewhere.get(worker)
        self._elsewhere[worker] = self.hub.now(), set(persons), watchers
        if known is None or known[1:] != (set(persons), watchers):
            self.tell_presence()

    def _others(self) -> list[tuple[set[str], int]]:
        """What other workers told lately."""
        late = self.hub.now() - 3 * self.hub.settings.lease
        return [(persons, watchers) for at, persons, watchers in self._elsewhere.values() if at > late]

    def persons_here(self) -> set[str]:
        """Who is at the table by way of us."""
        return {socket.who for socket in self.sockets if not socket.link and socket.who}

    def here(self) -> list[bool]:
        """At which seats somebody is."""
        persons = self.persons_here().union(*(persons for persons, _ in self._others()))
        return [chair.kind == "bot" or (chair.who != "" and chair.who in persons) for chair in self.table.chairs]

    def away(self) -> frozenset[int]:
        """The seats that nobody has been at for so long that the others need not wait."""
        now = self.hub.now()
        self._note_presence(now)
        return frozenset(seat for seat, since in self.since_here.items() if now - since >= self.hub.settings.away)

    def _note_presence(self, now: int) -> None:
        for seat, here in enumerate(self.here()):
            if here:
                self.since_here.pop(seat, None)
            else:
                self.since_here.setdefault(seat, now)

    def tell_presence(self) -> None:
        """Tell soon who is here: many who come at once are told of together."""
        self._note_presence(self.hub.now())
        if self._presence is None and not self.gone:
            wait = 0.05 if len(self.sockets) < 50 else 1.0
            self._presence = asyncio.get_running_loop().call_later(wait, self._tell_presence)

    def _tell_presence(self) -> None:
        self._presence = None
        watchers = self.watchers() + sum(watchers for _, watchers in self._others())
        self._broadcast(protocol.Presence(self.here(), watchers), self.sockets)
        self.hub.tell_presence(self)

    def watchers(self) -> int:
        """How many look on by way of us."""
        players = {chair.who for chair in self.table.chairs if chair.who}
        return sum(socket.link != "" or socket.who not in players for socket in self.sockets)

    def _broadcast(self, message: protocol.ServerMessage, sockets: Iterable[Socket]) -> None:
        text = _encode(message)
        for socket in sockets:
            socket.post(text)

    # Bots, dice and the clock.

    def look_again(self) -> None:
        """Something failed that nobody will ask for again: a bot's choice, or a throw. Look after it in a while."""
        self._asked = -1
        asyncio.get_running_loop().call_later(AGAIN, lambda: None if self.gone else self.look_after())

    def look_after(self) -> None:
        """See that the bot that is to act is asked, that dice fall, and the clock is watched, if the table is ours."""
        if self._alarm:
            self._alarm.cancel()
            self._alarm = None
        if not self.hub.is_ours(self):
            return
        deadline = self.table.timer.deadline
        if self.table.bot_to_move() and self._asked != self.table.position:
            self._asked = self.table.position
            self.hub.ask_bot(self)
        elif self.table.falling and self._asked != self.table.position:
            self._asked = self.table.position
            self.hub.throw(self)
        elif deadline is not None:
            wait = max(0, deadline - self.hub.now()) / 1000
            self._alarm = asyncio.get_running_loop().call_later(min(wait, 3600.0), self._ring)

    def _ring(self) -> None:
        self._alarm = None
        self.put(Job(lambda: decisions.time_is_up(self.table, self.hub.now())))
        if not self.busy:
            self.look_after()

    def bot_chose(self, position: int, action: int, aim: protocol.Aim | None = None) -> None:
        """A bot has chosen its action in the position of that version."""
        self.put(Job(lambda: decisions.bot_acts(self.table, position, action, self.hub.now(), aim)))

    def dice_landed(self, position: int, landed: throwing.Landed) -> None:
        """Dice have landed that were in the air in the position of that version."""
        way = landed.trajectory
        self.put(Job(lambda: decisions.dice_land(self.table, position, landed, self.hub.now()), way=way))

    def stop(self) -> None:
        """Look after it no more."""
        self.gone = True
        for handle in (self._alarm, self._presence):
            if handle:
                handle.cancel()


def _row(table: Table, entries: list[log.Entry]) -> tuple[str, int | None]:
    """How a table's game stands once these entries are kept, and when somebody must look after it."""
    status: str = table.status
    bots = any(chair.level for chair in table.chairs)
    for entry in entries:
        if isinstance(entry, log.Started):
            status = "playing"
        elif isinstance(entry, log.Ended):
            status = "over"
        bots = bots or isinstance(entry, log.BotSat)
    always = bots or _falls(table, entries)
    return status, _due(table.setup.clock, entries[-1].at, always) if status == "playing" else None


def _falls(table: Table, entries: list[log.Entry]) -> bool:
    """Will dice be in the air once these entries are kept?"""
    if table.setup.dice != "physics":
        return False
    state = table.state
    for entry in entries:
        if isinstance(entry, log.Started):
            state = table.words.game.new()
        elif isinstance(entry, log.Acted | log.Happened):
            state = state.after(table.words.number(state, entry.action))
        elif isinstance(entry, log.WentBack):
            return False
    return state.mover == CHANCE


def _due(clock: protocol.Clock, now: int, always: bool) -> int | None:
    """Always where bots play, dice fall or a live clock runs; after some days where those are counted; else never."""
    if always or isinstance(clock, protocol.LiveClock):
        return 0
    return now + clock.days * DAY if isinstance(clock, protocol.DaysClock) else None
