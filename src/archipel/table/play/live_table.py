"""A table in memory with its sockets: one command at a time is decided, stored, and then sent to everybody."""

import asyncio
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from time import perf_counter
from typing import Any, cast

import msgspec

from archipel.core.rules import CHANCE
from archipel.core.slow_chance import Computed

from .. import logging, protocol
from ..limits import Bucket
from ..log import decisions, events, views
from ..log.clock import DAY
from ..log.decisions import Caller, Refusal
from ..log.remarks import Remark
from ..log.results import results
from ..log.shares import Start
from ..log.table import CLIENTS, Table
from ..log.turns import turns
from ..log.views import Eye, Views
from ..storage import Change, Conflict, KeptLink, Unsure
from .advice import Advice
from .chat import Chat
from .presence import Presence
from .services import Services
from .sockets import Socket

ENTRIES = 20_000
"""The maximum length of a table's log."""
JOBS = 256
"""How many commands may wait at one table; half as many from people without a seat."""
COMINGS = 60
"""How often in all seats may be taken and left at one table in a burst; after that once in five seconds."""
MINUTE = 60_000
AGAIN = 1.0
"""Seconds after which something that failed is tried again."""
UNSURE = 1_000
"""Milliseconds after which clients reconnect when it is unknown what the log contains."""
POLICY = 1008
FRESH = 5_000
"""How many milliseconds old the time of a table in lists may be."""

Decide = Callable[[], list[events.Entry]]
_encode = msgspec.json.Encoder().encode
NOBODY: frozenset[int] = frozenset()
NO_RECORDINGS: Mapping[int, bytes] = {}


class Job:
    """Something to decide: a command of a socket, a bot's choice, a computed outcome, the clock."""

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


class LiveTable:
    """One table in memory. Its log is written first; the table changes and messages are sent once the entries are
    stored.

    `owner` is the worker that owns the table; `lost(live, milliseconds)` is called when it is unknown what the log
    contains: the table must be read again, and its sockets reconnect after that time.
    """

    def __init__(
        self,
        services: Services,
        table: Table,
        owner: str,
        lost: "Callable[[LiveTable, int], None]",
        remarks: Sequence[Remark] = (),
    ) -> None:
        self.services = services
        self.table = table
        self.id = table.setup.id
        self.owner = owner
        self._lost = lost
        self.views = Views(table)
        self.presence = Presence(services, table)
        self.sockets = self.presence.sockets
        self.chat = Chat(services, table, self.sockets, self._fresh, lambda: lost(self, 0), remarks)
        self.advice = Advice(services, table, self._fresh)
        self.gone = False
        """This worker no longer owns the table: its users must ask the hub again."""
        self._jobs: deque[Job] = deque()
        self._pending: dict[tuple[str, int], Job] = {}
        """The commands of sockets that are not answered yet."""
        self.busy = False
        """True while something is being written."""
        self._seen: tuple[dict[str, int], dict[str, int]] = {}, {}
        """The highest counters of clients: of those without a seat, and of those with one."""
        self._comings = Bucket(COMINGS, 0.2, services.monotonic() / 1000)
        self._alarm: asyncio.TimerHandle | None = None
        self._asked = -1
        """The position for which a bot or an outcome was last requested."""
        self._opening: tuple[Start | None, int] = None, 0
        """The start whose shares are being opened, and when this worker began to wait for them."""
        self._row: tuple[str, int | None] | None = None
        self._row_at = 0

    @property
    def ours(self) -> bool:
        """True if this worker owns the table."""
        return self.owner == self.services.peers.worker

    @property
    def idle(self) -> bool:
        """True if nobody needs the table in memory."""
        if self.sockets or self.busy or self._jobs:
            return False
        return not (self.table.bot_to_move() or self.table.computing or self._soon())

    def _soon(self) -> bool:
        """True if a clock runs out soon."""
        deadline = self.table.timer.deadline
        return deadline is not None and deadline < self.services.now() + 10 * MINUTE

    # Commands.

    def command(
        self, socket: Socket, command: protocol.Command, may_sit: bool = False, has_looked: bool = False
    ) -> None:
        """Decide a socket's command, here or at the table's owner."""
        if not self.ours:
            self.services.peers.pass_on(self.id, socket, command, may_sit, has_looked)
        elif isinstance(command, protocol.Chat):
            self.chat.speak(socket, command)
        elif isinstance(command, protocol.AskHint | protocol.AskAnalysis):
            self.advice.ask(socket, command)
        else:
            self._submit(socket, command, may_sit, has_looked)

    def _submit(self, socket: Socket, command: protocol.Command, may_sit: bool, has_looked: bool) -> None:
        """Decide a command; one that was decided before is only answered again."""
        by, n = socket.by, command.n
        version = self.table.answered(by, n)
        if version is not None:
            socket.tell(protocol.Ack(n, version))
        elif (by, n) in self._pending:
            self._pending[by, n].socket = socket  # it is being decided: the client that sent it again is answered
        else:
            public = self.table.setup.visibility == "public" and socket.who not in self.table.unseated
            caller = Caller(socket.who, socket.name, by, may_sit or public, has_looked)
            away = self.presence.away() if isinstance(command, protocol.SeatBot) else NOBODY
            self._admit(Job(partial(self._decide, caller, command, away), socket, n), command)

    def _decide(self, caller: Caller, command: protocol.Command, away: frozenset[int]) -> list[events.Entry]:
        """The entries of a command; Refusal if it is not allowed."""
        if isinstance(command, protocol.SeatBot):
            self.services.check_level(command.level)
            self.services.check_person([c.kind for seat, c in enumerate(self.table.chairs) if seat != command.seat])
        elif isinstance(command, protocol.Remove | protocol.Mute):
            spectator = self.presence.spectator(command.spectator)
            return decisions.moderate(self.table, caller, command, spectator, self.services.now())
        return decisions.decide(self.table, caller, command, self.services.now(), away)

    def knows(self, by: str, n: int) -> bool:
        """True if this command of a client is being decided, or in the log, or among the chat messages."""
        return (by, n) in self._pending or self.table.answered(by, n) is not None or self.chat.knows(by, n)

    def _admit(self, job: Job, command: protocol.Command) -> None:
        socket = cast(Socket, job.socket)
        if not self._fresh(socket, command.n):
            job.refuse("table.counter-used", "That command was answered before; send a new one.")
        elif self._is_full(socket):
            job.refuse("table.busy", "Too much is happening at this table.")
        elif isinstance(command, protocol.Sit | protocol.Rise) and not self._comings.take(
            self.services.monotonic() / 1000
        ):
            job.refuse("table.too-fast", "That is too much at once; slow down.")
        else:
            self._pending[job.by, job.n] = job
            self.put(job)

    def _seconds(self) -> float:
        return self.services.monotonic() / 1000

    def _is_full(self, socket: Socket) -> bool:
        """True if the log has no room for another command. Chat messages in old logs do not count."""
        most = JOBS if self.table.seats_of(socket.who) else JOBS // 2
        return len(self._jobs) >= most or self.table.version - self.table.spoken >= ENTRIES

    def _fresh(self, socket: Socket, n: int) -> bool:
        """True if a counter is higher than all that its client has used; it counts as used from now on.

        Clients with a seat are not forgotten because of others without one, however many.
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
        """Decide something as soon as everything before it is stored."""
        self._jobs.append(job)
        self._pump()

    def _pump(self) -> None:
        while self._jobs and not (self.busy or self.gone or self.services.stopping):
            job = self._jobs.popleft()
            if entries := self._decided(job):
                self._keep(job, entries)

    def _decided(self, job: Job) -> list[events.Entry]:
        """The entries of a job. Without any, a command is refused in any case, so that its client need not wait."""
        try:
            entries = job.decide()
            failed = job.socket is not None and not entries
        except Refusal as refusal:
            self._answered(job)
            job.refuse(refusal.rule, refusal.reason)
            return []
        except Exception:
            logging.log.exception("decision-failed", extra={"table": self.id})
            entries, failed = [], True
        if failed:
            self._answered(job)
            job.refuse("table.trouble", "Something went wrong here.")
            if not job.socket:
                self.look_again()
        return entries

    def _answered(self, job: Job) -> None:
        self._pending.pop((job.by, job.n), None)

    def _keep(self, job: Job, entries: list[events.Entry]) -> None:
        self.busy = True
        sat = [entry.who for entry in entries if isinstance(entry, events.Sat)]
        recordings = {self.table.version + 1: job.recording} if job.recording else NO_RECORDINGS
        change = Change(
            self.id,
            self.table.version,
            entries,
            self._changed_row(entries),
            sat,
            recordings,
            self.table.setup.game,
            results(self.table, entries) if isinstance(entries[-1], events.Ended) else (),
            turns(self.table, entries, self.services.subscribers) if self.services.subscribers else None,
            job.socket.who if job.socket else "",
        )
        self.services.store.append(change, partial(self._kept, job, entries, perf_counter()))

    def _changed_row(self, entries: list[events.Entry]) -> dict[str, Any] | None:
        """The changed columns of the table's row, for lists and other workers: when they matter, and now and then."""
        row = _row(self.table, entries)
        if row == self._row and entries[-1].at < self._row_at + FRESH:
            return None
        self._row, self._row_at = row, entries[-1].at
        return {"status": row[0], "due": row[1], "updated": entries[-1].at}

    def _kept(self, job: Job, entries: list[events.Entry], began: float, _: Any, error: Exception | None) -> None:
        self.services.metrics.commit_times.append(perf_counter() - began)
        self.busy = False
        self._answered(job)
        if self.gone:
            return
        if isinstance(error, Conflict | Unsure):
            self._lost(self, UNSURE if isinstance(error, Unsure) else 0)
            return
        if error:
            self._row = None
            job.refuse("table.not-kept", "That could not be saved; try again.")
            if not job.socket:
                self.look_again()
        else:
            self.take(entries, {self.table.version + 1: job.recording} if job.recording else NO_RECORDINGS)
        self._pump()

    # Storing and sending.

    def take(self, entries: list[events.Entry], recordings: Mapping[int, bytes] = NO_RECORDINGS) -> None:
        """Apply stored entries, and send them to everybody; `recordings` are by version.

        A person who loses a seat loses its view before anything else is sent.
        """
        for part in views.portions(entries):
            self._tell(part, recordings)
        if self.owner and self.ours:  # with one worker there is nobody to tell
            self.services.peers.grown(self.id, self.table.version)
        self.look_after()
        self.services.metrics.entries += len(entries)

    def _tell(self, entries: list[events.Entry], recordings: Mapping[int, bytes]) -> None:
        self._turn_eyes(entries)
        eyes = {socket.eye for socket in self.sockets}
        shown: dict[Eye, list[protocol.Entry]] = {eye: [] for eye in eyes}
        for entry in entries:
            step = self.table.apply(entry)
            version = self.table.version
            tell = views.entry_view(self.table, version, entry, step, recordings.get(version))
            for eye in eyes:
                shown[eye].append(tell(eye))
        self._acknowledge(entries)
        kinds = {type(entry) for entry in entries}
        messages = {eye: views.news(self.views, shown[eye], kinds, eye) for eye in eyes}
        for socket in self.sockets:
            socket.update(messages[socket.eye])
        if not kinds.isdisjoint(views.SEATING):
            self._reseat(entries)
        if events.Muted in kinds:
            self.presence.tell()

    def _acknowledge(self, entries: list[events.Entry]) -> None:
        sent = {entry.by: entry.n for entry in entries if entry.by}
        if sent:
            for socket in self.sockets:
                if socket.by in sent:
                    socket.tell(protocol.Ack(sent[socket.by], self.table.answered(socket.by, sent[socket.by]) or 0))

    def _turn_eyes(self, entries: list[events.Entry]) -> None:
        """When the seats rotate for another game, each socket's view moves with its person before anything is dealt."""
        turns = sum(isinstance(entry, events.Started) and entry.game > 1 for entry in entries)
        if turns:
            self.presence.turn()
        for socket in self.sockets if turns else ():
            if socket.eye is not None:
                socket.eye = (socket.eye - turns) % self.table.seats

    def _reseat(self, entries: list[events.Entry]) -> None:
        """People who have a seat now get its view; people who no longer have it do not."""
        new = {entry.who for entry in entries if isinstance(entry, events.Sat)}
        for socket in self.sockets:
            if socket.who:
                socket.tell(self.yours(socket))
            if socket.shoulder:
                self._look_over(socket, socket.shoulder)
            elif socket.eye is None and socket.who in new and not socket.link:
                self.look(socket, self.usual_eye(socket))
            elif socket.eye is not None and socket.eye not in self.table.seats_of(socket.who):
                self.look(socket, None)
        self._show_out({entry.who for entry in entries if isinstance(entry, events.Removed) and entry.seat is None})
        self.presence.tell()

    def _show_out(self, removed: set[str]) -> None:
        """Disconnect people whom the host has removed; "" stands for everyone without a name."""
        for socket in [socket for socket in self.sockets if socket.who in removed]:
            socket.tell(protocol.Goodbye("table.removed", 0))
            socket.close(POLICY)

    # Views.

    def _look_over(self, socket: Socket, link: KeptLink) -> None:
        eye = shown_by(link, self.table)
        if eye != socket.eye:
            self.look(socket, eye)

    def usual_eye(self, socket: Socket) -> Eye:
        """The view of a person's only seat; a person with several seats must choose one first."""
        seats = self.table.seats_of(socket.who)
        return seats[0] if len(seats) == 1 else None

    def look(self, socket: Socket, eye: Eye) -> None:
        """Show this view from now on."""
        socket.eye = eye
        socket.show()

    def yours(self, socket: Socket) -> protocol.Yours:
        """What belongs to a socket here."""
        host = socket.who == self.table.setup.host != ""
        return protocol.Yours(self.table.seats_of(socket.who), host)

    def tell_all_again(self) -> None:
        """Send everybody the whole view, so that they resend what was not answered."""
        for socket in self.sockets:
            socket.show()

    def resync(self, socket: Socket, everything: bool) -> list[bytes]:
        """The whole view for a socket; and everything else that it should know, if messages to it were dropped."""
        whole = self.views.whole(socket.eye)
        if not everything:
            return [whole]
        return [_encode(self.yours(socket)), whole, *self.chat.messages(), _encode(self.presence.message())]

    # Joining and leaving.

    def join(self, socket: Socket) -> None:
        """A socket joins the table."""
        self.sockets.add(socket)
        self.presence.tell()
        if not socket.link:
            self.welcome_back(socket.who)
            if socket.who in self.services.subscribers:
                self.services.came(socket.who, self.id)

    def welcome_back(self, who: str) -> None:
        """Somebody has come: a bot that keeps their seat makes room."""
        if self.ours and decisions.comes_back(self.table, who, 0):
            self.put(Job(lambda: decisions.comes_back(self.table, who, self.services.now())))

    def leave(self, socket: Socket) -> None:
        """A socket leaves the table."""
        self.sockets.discard(socket)
        self.presence.tell()

    def let_in(self, socket: Socket, link: KeptLink) -> None:
        """Let a socket watch by a link, with its maker's view if the link shows a hand."""
        socket.link = link.digest
        if link.kind == "shoulder":
            socket.shoulder, socket.eye = link, shown_by(link, self.table)

    # Bots, computed outcomes, and the clock.

    def look_again(self) -> None:
        """A bot's choice or an outcome failed, and nobody will ask for it again: try later."""
        self._asked = -1
        asyncio.get_running_loop().call_later(AGAIN, lambda: None if self.gone else self.look_after())

    def look_after(self) -> None:
        """If this worker owns the table: ask the bot that is to act, compute the due outcome, or set a timer for the
        clock."""
        if self._alarm:
            self._alarm.cancel()
            self._alarm = None
        if not self.ours:
            return
        deadline = self.table.deadline
        if self.table.opening:
            self._await_shares()
        elif self.table.bot_to_move() and self._asked != self.table.position:
            self._asked = self.table.position
            self._ask_bot()
        elif self.table.computing and self._asked != self.table.position:
            self._asked = self.table.position
            self._compute()
        elif deadline is not None:
            wait = max(0, deadline - self.services.now()) / 1000
            self._alarm = asyncio.get_running_loop().call_later(min(wait, 3600.0), self._ring)

    def _ring(self) -> None:
        self._alarm = None
        if self.services.stopping:
            return  # nothing is decided any more, so the clock would ring without end
        self.put(Job(lambda: decisions.time_is_up(self.table, self.services.now())))
        if not self.busy:
            self.look_after()

    def _await_shares(self) -> None:
        """Look again when somebody will have had time enough to open their share."""
        most, since = self.services.settings.opening, self._opening_since()
        waits = [most - waited for waited in self._waited(since).values()]
        wait = max(0, min(waits, default=most)) / 1000
        self._alarm = asyncio.get_running_loop().call_later(wait, self._share_due)

    def _opening_since(self) -> int:
        """Since when we wait for the shares: a server that was away begins to count anew."""
        if self._opening[0] is not self.table.start:
            self._opening = self.table.start, self.services.monotonic()
        return self._opening[1]

    def _waited(self, since: int) -> dict[int, int]:
        """For how long each seat of the next game has had a chance to open its share.

        A player who is away delays the start, as they would delay the game, except with a live clock.
        """
        live = isinstance(self.table.setup.clock, protocol.LiveClock)
        waited, closed = self.presence.waited_for(since, live), self.table.start.closed
        return {seat: waited[chair] for seat in closed if (chair := self.table.chair_of(seat)) in waited}

    def _share_due(self) -> None:
        self._alarm = None
        if not self.table.opening:
            return
        waited, most = self._waited(self._opening_since()), self.services.settings.opening
        late = [seat for seat, time in waited.items() if time >= most]
        if late:
            self.put(Job(lambda: decisions.late(self.table, late, self.services.now())))
        else:
            self.look_after()

    def _ask_bot(self) -> None:
        """Let the bot that is to move choose, in a worker process."""
        position, began = self.table.position, perf_counter()

        def callback(action: int | None, extra: dict[str, Any] | None = None) -> None:
            self.services.metrics.bot_seconds.observe(perf_counter() - began)
            if not self.gone:
                self.put(Job(lambda: decisions.bot_acts(self.table, position, action, self.services.now(), extra)))

        self.services.bots.choose(self.table, self.presence.whose(), callback, self.presence.pace())

    def _compute(self) -> None:
        """Compute the due chance outcome in a worker process: what led to it is in the log."""
        position, began = self.table.position, perf_counter()

        def callback(outcome: Computed | None) -> None:
            self.services.metrics.outcome_seconds.observe(perf_counter() - began)
            if self.gone:
                return
            if outcome:
                self._outcome_computed(position, outcome)
            else:
                logging.event("outcome-failed", table=self.id)
                self.look_again()

        self.services.outcomes.compute(self.id, self.table.order(), callback)

    def _outcome_computed(self, position: int, outcome: Computed) -> None:
        def decide() -> list[events.Entry]:
            return decisions.outcome_computed(self.table, position, outcome, self.services.now())

        self.put(Job(decide, recording=outcome.recording))

    def take_over(self) -> None:
        """Own the table from now on: its clock stood still meanwhile, and its bots wait."""
        if isinstance(self.table.setup.clock, protocol.LiveClock) and self.table.timer.deadline is not None:
            self.put(Job(lambda: [events.Resumed(at=self.services.now())]))
        self.look_after()
        self.tell_all_again()

    def shut(self) -> None:
        """Close the table for good on behalf of the operator, if this worker owns it."""
        if self.ours:
            self.put(Job(lambda: decisions.closed(self.table, self.services.now())))

    def stop(self) -> None:
        """Stop owning the table."""
        self.gone = self.chat.gone = True
        self.presence.stop()
        if self._alarm:
            self._alarm.cancel()


def seat_of(link: KeptLink, table: Table) -> int | None:
    """The seat that a link is for: it has moved with its owner in every game since the link was made."""
    if link.seat is None:
        return None
    return (link.seat - (max(table.game, 1) - max(link.game or 0, 1))) % table.seats


def shown_by(link: KeptLink, table: Table) -> Eye:
    """The seat whose view a link shows: its maker's own, while they sit there, and nobody else's."""
    seat = seat_of(link, table) if link.kind == "shoulder" else None
    return seat if seat is not None and table.sits(link.maker, seat) else None


def _row(table: Table, entries: list[events.Entry]) -> tuple[str, int | None]:
    """The table's row once these entries are stored, including when somebody must look after it."""
    status: str = table.status
    bots = any(chair.level for chair in table.chairs)
    for entry in entries:
        if isinstance(entry, events.Started):
            status = "playing"
        elif isinstance(entry, events.Ended):
            status = "over"
        elif isinstance(entry, events.Closed):
            status = "closed"
        bots = bots or isinstance(entry, events.BotSat)
    always = bots or (table.chance == "computed" and _computes(table, entries))
    return status, _due(table.setup.clock, entries[-1].at, always) if status == "playing" else None


def _computes(table: Table, entries: list[events.Entry]) -> bool:
    """True if an outcome is due once these entries are stored."""
    state = table.state
    for entry in entries:
        if isinstance(entry, events.Started):
            state = table.action_names.game.new()
        elif isinstance(entry, events.Acted | events.Happened):
            state = state.after(table.action_names.number(state, entry.action))
        elif isinstance(entry, events.WentBack):
            return False
    return state.mover == CHANCE


def _due(clock: protocol.Clock, now: int, always: bool) -> int | None:
    """When somebody must look after the table: always if bots play, outcomes are due or a live clock runs; after some
    days on a clock of days; else never."""
    if always or isinstance(clock, protocol.LiveClock):
        return 0
    return now + clock.days * DAY if isinstance(clock, protocol.DaysClock) else None
