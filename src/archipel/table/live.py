"""A table in memory, with the sockets around it: one command at a time is decided, kept, and only then told."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from archipel.core.rules import CHANCE
from archipel.core.slow_chance import Computed

from . import decisions, door, log, protocol, tokens
from .chat import Chat
from .clock import DAY
from .decisions import Refusal
from .door import Door, Eye
from .limits import Bucket
from .remarks import Remark
from .sockets import Socket
from .storage import Change, Conflict, KeptLink, Unsure
from .table import CLIENTS, Table

if TYPE_CHECKING:
    from .hub import Hub

ENTRIES = 20_000
"""How long a table's log may become."""
JOBS = 256
"""How many commands may wait at one table; of those who have no seat half as many."""
COMINGS = 60
"""How often in all seats may be taken and left at one table for a while; then once in five seconds."""
MINUTE = 60_000
AGAIN = 1.0
"""After how many seconds something that could not be done is tried again."""
UNSURE = 1_000
"""After how many milliseconds everybody comes again when nobody can tell what is in the log."""
AUDIENCE = 100
"""How many spectators the host is told of by name."""
POLICY = 1008
_RESEATING = door.SEATING - {log.Started}
FRESH = 5_000
"""How many milliseconds old the time of a table in lists may be."""

Decide = Callable[[], list[log.Entry]]
_encode = msgspec.json.Encoder().encode
NO_RECORDINGS: Mapping[int, bytes] = {}


class Job:
    """Something to be decided: a command of a socket, a bot's choice, an outcome that was computed, the clock."""

    __slots__ = ("by", "decide", "n", "recording", "socket")

    def __init__(
        self, decide: Decide, socket: Socket | None = None, n: int = 0, recording: bytes | None = None
    ) -> None:
        self.decide = decide
        self.socket = socket
        self.by = socket.by if socket else ""
        self.n = n
        self.recording = recording
        """The recording that belongs to the first entry."""

    def refuse(self, rule: str, reason: str) -> None:
        if self.socket:
            self.socket.tell(protocol.refused(self.n, rule, reason))


class Live:
    """One table that is looked after. Its log is written first; what it is in memory follows."""

    def __init__(self, hub: "Hub", table: Table, owner: str = "", remarks: Sequence[Remark] = ()) -> None:
        self.hub = hub
        self.table = table
        self.chat = Chat(self, remarks)
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
        self._spectators_elsewhere: dict[str, dict[str, str]] = {}
        """By other workers: the spectators there and their names."""
        self._jobs: deque[Job] = deque()
        self._pending: dict[tuple[str, int], Job] = {}
        """The commands of sockets that are not answered yet."""
        self.questions: dict[tuple[str, int], Socket] = {}
        """Who waits for somebody strong to think."""
        self.busy = False
        """Something is being written."""
        self._seen: tuple[dict[str, int], dict[str, int]] = {}, {}
        """The highest counters of clients: of those who have no seat, and of those who have."""
        self._comings = Bucket(COMINGS, 0.2, hub.monotonic() / 1000)
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
        return not (self.table.bot_to_move() or self.table.computing or self._soon())

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
        elif (by, n) in self._pending:
            self._pending[by, n].socket = socket  # it is being decided: whoever sent it again is answered
        else:
            self._submit(Job(decide, socket, n), socket, command)

    def knows(self, by: str, n: int) -> bool:
        """Is this command of a client being decided, or in the log, or among the remarks?"""
        return (by, n) in self._pending or self.table.answered(by, n) is not None or self.chat.knows(by, n)

    def _submit(self, job: Job, socket: Socket, command: protocol.Command) -> None:
        if not self.fresh(socket, command.n):
            job.refuse("table.counter-used", "That command was answered before; send a new one.")
        elif self._is_full(socket):
            job.refuse("table.busy", "Too much is happening at this table.")
        elif isinstance(command, protocol.Sit | protocol.Rise) and not self._comings.take(self.hub.monotonic() / 1000):
            job.refuse("table.too-fast", "That is too much at once; slow down.")
        else:
            self._pending[job.by, job.n] = job
            self.put(job)

    def _is_full(self, socket: Socket) -> bool:
        """Is there no room for one more command? Remarks of old, which stand in the log, take none."""
        most = JOBS if self.table.seats_of(socket.who) else JOBS // 2
        return len(self._jobs) >= most or self.table.version - self.table.spoken >= ENTRIES

    def fresh(self, socket: Socket, n: int) -> bool:
        """Is a counter higher than all that its client has used? From now on it counts as used.

        Whoever has a seat is not forgotten because of others who have none, however many.
        """
        by = socket.by
        if n <= max(self.table.last_n(by), *(seen.get(by, 0) for seen in self._seen)):
            return False
        seen = self._seen[bool(self.table.seats_of(socket.who))]
        seen.pop(by, None)
        seen[by] = n
        if len(seen) > CLIENTS:
            del seen[next(iter(seen))]
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
                self._answered(job)
                job.refuse(refusal.rule, refusal.reason)
                continue
            if entries:
                self._keep(job, entries)

    def _answered(self, job: Job) -> None:
        self._pending.pop((job.by, job.n), None)

    def _keep(self, job: Job, entries: list[log.Entry]) -> None:
        self.busy = True
        sat = [entry.who for entry in entries if isinstance(entry, log.Sat)]
        recordings = {self.table.version + 1: job.recording} if job.recording else NO_RECORDINGS
        change = Change(self.id, self.table.version, entries, self._changed_row(entries), sat, recordings)
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
        self._answered(job)
        if self.gone:
            return
        if isinstance(error, Conflict | Unsure):
            self.hub.lost(self, UNSURE if isinstance(error, Unsure) else 0)
            return
        if error:
            self._row = None
            job.refuse("table.not-kept", "The table could not keep that; try again.")
            if not job.socket:
                self.look_again()
        else:
            self.take(entries, {self.table.version + 1: job.recording} if job.recording else NO_RECORDINGS)
        self._pump()

    # What is kept is told.

    def take(self, entries: list[log.Entry], recordings: Mapping[int, bytes] = NO_RECORDINGS) -> None:
        """Take entries that are kept into the table, and tell everybody; `recordings` are by version.

        Whoever loses a seat loses its view before anything else is told.
        """
        for part in _parts(entries):
            self._tell(part, recordings)
        self.hub.grown(self)
        self.look_after()
        self.hub.metrics.kept(len(entries))

    def _tell(self, entries: list[log.Entry], recordings: Mapping[int, bytes]) -> None:
        self._turn_eyes(entries)
        eyes = {socket.eye for socket in self.sockets}
        told: dict[Eye, list[protocol.Entry]] = {eye: [] for eye in eyes}
        for entry in entries:
            step = self.table.apply(entry)
            version = self.table.version
            tell = door.telling(self.table, version, entry, step, recordings.get(version))
            for eye in eyes:
                told[eye].append(tell(eye))
        self._acknowledge(entries)
        kinds = {type(entry) for entry in entries}
        messages = {eye: door.news(self.door, told[eye], kinds, eye) for eye in eyes}
        for socket in self.sockets:
            socket.update(messages[socket.eye])
        if not kinds.isdisjoint(door.SEATING):
            self._reseat(entries)
        if log.Muted in kinds:
            self.tell_presence()

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
            if socket.shoulder:
                self._look_over(socket, socket.shoulder)
            elif socket.eye is None and socket.who in new and not socket.link:
                self.look(socket, self.usual_eye(socket))
            elif socket.eye is not None and socket.eye not in self.table.seats_of(socket.who):
                self.look(socket, None)
        self._show_out({entry.who for entry in entries if isinstance(entry, log.Removed) and entry.seat is None})
        self.tell_presence()

    def _show_out(self, removed: set[str]) -> None:
        """Whom the host has removed must go; "" stands for all who have no name."""
        for socket in [socket for socket in self.sockets if socket.who in removed]:
            socket.tell(protocol.Goodbye("table.removed", 0))
            socket.close(POLICY)

    # Eyes.

    def _look_over(self, socket: Socket, link: KeptLink) -> None:
        eye = shown_by(link, self.table)
        if eye != socket.eye:
            self.look(socket, eye)

    def usual_eye(self, socket: Socket) -> Eye:
        """Those of one's only seat; whoever has several draws the curtain first."""
        seats = self.table.seats_of(socket.who)
        return seats[0] if len(seats) == 1 else None

    def look(self, socket: Socket, eye: Eye) -> None:
        """Show the table through these eyes from now on."""
        socket.eye = eye
        socket.show()

    def yours(self, socket: Socket) -> protocol.Yours:
        """What is a socket's own here."""
        host = socket.who == self.table.setup.host != ""
        return protocol.Yours(self.table.seats_of(socket.who), host)

    def tell_all_again(self) -> None:
        """Send everybody the whole view, so that they send again what was not answered."""
        for socket in self.sockets:
            socket.show()

    def retold(self, socket: Socket, everything: bool) -> list[bytes]:
        """The whole view for a socket; and everything else that it ought to know, if messages to it were dropped."""
        whole = self.door.whole(socket.eye)
        if not everything:
            return [whole]
        return [_encode(self.yours(socket)), whole, *self.chat.told(), _encode(self._present())]

    # Presence.

    def check_room(self, socket: Socket) -> None:
        """Refusal if too many watch already, in all or from one address; whoever plays has a place."""
        settings, table = self.hub.settings, self.table
        if not socket.link and (table.seats_of(socket.who) or socket.who == table.setup.host != ""):
            return
        spectators = self._spectators()
        beside = sum(other.address == socket.address for other in spectators)
        if beside >= settings.spectators_each or len(spectators) >= settings.spectators:
            raise Refusal("table.spectators", "Too many people are watching this table; try again later.")

    def join(self, socket: Socket) -> None:
        self.sockets.add(socket)
        self.tell_presence()
        if not socket.link:
            self._welcome_back(socket.who)

    def _welcome_back(self, who: str) -> None:
        """Somebody has come: a bot that minds their seat makes room."""
        if self.hub.is_ours(self) and decisions.comes_back(self.table, who, 0):
            self.put(Job(lambda: decisions.comes_back(self.table, who, self.hub.now())))

    def leave(self, socket: Socket) -> None:
        self.sockets.discard(socket)
        self.tell_presence()

    def heard_of(self, worker: str, persons: list[str], watchers: int, spectators: dict[str, str]) -> None:
        """Another worker tells who is at the table by way of it."""
        known = self._elsewhere.get(worker)
        self._elsewhere[worker] = self.hub.monotonic(), set(persons), watchers
        watched = self._spectators_elsewhere.get(worker)
        self._spectators_elsewhere[worker] = spectators
        if known is None or known[1:] != (set(persons), watchers) or watched != spectators:
            self.tell_presence()
        for who in persons:
            self._welcome_back(who)

    def _others(self) -> list[tuple[set[str], int]]:
        """What other workers told lately; while Redis is away, what they told last."""
        silence = self.hub.cluster.silence if self.hub.cluster else 0
        late = self.hub.monotonic() - 3 * self.hub.settings.lease - silence
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
        now = self.hub.monotonic()
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
        self._note_presence(self.hub.monotonic())
        if self._presence is None and not self.gone:
            wait = 0.05 if len(self.sockets) < 50 else 1.0
            self._presence = asyncio.get_running_loop().call_later(wait, self._tell_presence)

    def _tell_presence(self) -> None:
        self._presence = None
        present, host = self._present(), self.table.setup.host
        self._broadcast(present, self.sockets)
        hosts = [socket for socket in self.sockets if socket.who == host != "" and not socket.link]
        self._broadcast(self.audience(present.watchers), hosts)
        self.hub.tell_presence(self)

    def _present(self) -> protocol.Presence:
        return protocol.Presence(self.here(), self.watchers() + sum(watchers for _, watchers in self._others()))

    def spectators(self) -> dict[str, str]:
        """Those with a name who watch by way of us, and their names."""
        players = {chair.who for chair in self.table.chairs if chair.who} | {self.table.setup.host}
        return {socket.who: socket.name for socket in self.sockets if socket.who and socket.who not in players}

    def _all_spectators(self) -> dict[str, str]:
        """Those who watch by way of any worker."""
        late = self.hub.monotonic() - 3 * self.hub.settings.lease
        known = [self._spectators_elsewhere[worker] for worker, told in self._elsewhere.items() if told[0] > late]
        return {who: name for names in (*known, self.spectators()) for who, name in names.items()}

    def audience(self, watchers: int) -> protocol.Audience:
        """Who watches, as the host is told."""
        names = self._all_spectators()
        shown = [
            protocol.Spectator(spectator_id(self.id, who), name, who in self.table.muted)
            for who, name in list(names.items())[:AUDIENCE]
        ]
        unnamed = sum(socket.who == "" for socket in self.sockets)
        return protocol.Audience(shown, max(unnamed, watchers - len(names)))

    def spectator(self, wanted: str) -> tuple[str, str] | None:
        """Who the spectator of that id is, and their name; "" is everybody without one."""
        if not wanted:
            return "", ""
        names = self._all_spectators()
        return next(((who, name) for who, name in names.items() if spectator_id(self.id, who) == wanted), None)

    def watchers(self) -> int:
        """How many look on by way of us."""
        return len(self._spectators())

    def _spectators(self) -> list[Socket]:
        players = {chair.who for chair in self.table.chairs if chair.who}
        return [socket for socket in self.sockets if socket.link or socket.who not in players]

    def _broadcast(self, message: protocol.ServerMessage, sockets: Iterable[Socket]) -> None:
        text = _encode(message)
        for socket in sockets:
            socket.post(text)

    # Bots, outcomes that are computed, and the clock.

    def whose(self) -> str:
        """Whose turn it is when a bot is to think: that of somebody who plays here, or of all who are away."""
        for socket in self.sockets:
            if not socket.link and self.table.seats_of(socket.who):
                return socket.whose
        elsewhere = set().union(*(persons for persons, _ in self._others()))
        return next((chair.who for chair in self.table.chairs if chair.who and chair.who in elsewhere), "away")

    def look_again(self) -> None:
        """Something failed that nobody will ask for again: a bot's choice, or an outcome. Look after it in a while."""
        self._asked = -1
        asyncio.get_running_loop().call_later(AGAIN, lambda: None if self.gone else self.look_after())

    def look_after(self) -> None:
        """If the table is ours: ask the bot that is to act, have what is due computed, or watch the clock."""
        if self._alarm:
            self._alarm.cancel()
            self._alarm = None
        if not self.hub.is_ours(self):
            return
        deadline = self.table.timer.deadline
        if self.table.bot_to_move() and self._asked != self.table.position:
            self._asked = self.table.position
            self.hub.ask_bot(self)
        elif self.table.computing and self._asked != self.table.position:
            self._asked = self.table.position
            self.hub.compute(self)
        elif deadline is not None:
            wait = max(0, deadline - self.hub.now()) / 1000
            self._alarm = asyncio.get_running_loop().call_later(min(wait, 3600.0), self._ring)

    def _ring(self) -> None:
        self._alarm = None
        self.put(Job(lambda: decisions.time_is_up(self.table, self.hub.now())))
        if not self.busy:
            self.look_after()

    def bot_chose(self, position: int, action: int, extra: dict[str, Any] | None = None) -> None:
        """A bot has chosen its action in the position of that version."""
        self.put(Job(lambda: decisions.bot_acts(self.table, position, action, self.hub.now(), extra)))

    def outcome_computed(self, position: int, outcome: Computed) -> None:
        """The chance outcome in the position of that version has been computed."""

        def decide() -> list[log.Entry]:
            return decisions.outcome_computed(self.table, position, outcome, self.hub.now())

        self.put(Job(decide, recording=outcome.recording))

    def stop(self) -> None:
        """Look after it no more."""
        self.gone = True
        for handle in (self._alarm, self._presence):
            if handle:
                handle.cancel()


def _parts(entries: list[log.Entry]) -> list[list[log.Entry]]:
    """Entries in portions: what comes after a change of seats is told to those who sit there then."""
    parts: list[list[log.Entry]] = [[]]
    for entry in entries:
        begins = isinstance(entry, log.Started)
        if parts[-1] and (begins or type(parts[-1][-1]) in _RESEATING):
            parts.append([])
        parts[-1].append(entry)
    return parts


def seat_of(link: KeptLink, table: Table) -> int | None:
    """The seat that a link is for: with every game since it was made it has moved on with its owner."""
    if link.seat is None:
        return None
    return (link.seat - (max(table.game, 1) - max(link.game or 0, 1))) % table.seats


def shown_by(link: KeptLink, table: Table) -> Eye:
    """The seat whose view a link shows: its maker's own, while they sit there, and nobody else's."""
    seat = seat_of(link, table) if link.kind == "shoulder" else None
    return seat if seat is not None and table.sits(link.maker, seat) else None


def spectator_id(table: str, who: str) -> str:
    """What the host calls a spectator by: it tells nothing about them at another table."""
    return tokens.digest(f"{table} {who}")[:16]


def _row(table: Table, entries: list[log.Entry]) -> tuple[str, int | None]:
    """How a table's game stands once these entries are kept, and when somebody must look after it."""
    status: str = table.status
    bots = any(chair.level for chair in table.chairs)
    for entry in entries:
        if isinstance(entry, log.Started):
            status = "playing"
        elif isinstance(entry, log.Ended):
            status = "over"
        elif isinstance(entry, log.Closed):
            status = "closed"
        bots = bots or isinstance(entry, log.BotSat)
    always = bots or (table.chance == "computed" and _computes(table, entries))
    return status, _due(table.setup.clock, entries[-1].at, always) if status == "playing" else None


def _computes(table: Table, entries: list[log.Entry]) -> bool:
    """Will an outcome be due once these entries are kept?"""
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
    """Always where bots play, outcomes are due or a live clock runs; after some days on their clock; else never."""
    if always or isinstance(clock, protocol.LiveClock):
        return 0
    return now + clock.days * DAY if isinstance(clock, protocol.DaysClock) else None
