"""All tables that are looked after here: found, made, kept in memory while somebody needs them."""

import asyncio
import re
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Protocol

from archipel.bots.thought import Thought
from archipel.core.errors import sentence
from archipel.core.slow_chance import Computed
from archipel.core.state import State

from . import branch, decisions, log, logs, protocol, replay, setup
from .cluster import Cluster, Cut, Grown, Here, Shut, Spoken
from .decisions import Caller, Refusal
from .health import Health
from .live import AGAIN, Job, Live, shown_by
from .metrics import Metrics
from .outcomes import Task
from .remarks import Remark
from .settings import Settings
from .sockets import Socket
from .storage import Change, Kept, KeptLink, StorageError, Store
from .table import Table
from .words import Words

_QUESTIONS = protocol.AskHint, protocol.AskAnalysis
_NOBODY: frozenset[int] = frozenset()
_ID = re.compile(r"[A-Za-z0-9_-]{1,16}")
"""What a table's id looks like: the database is not asked for anything else."""
COME_BACK = 2_000
"""After how many milliseconds clients are asked to come back when the server stops."""


class Thinkers(Protocol):
    """Those who think for bots, somewhere else."""

    def levels(self, game: str) -> list[str]:
        """The levels of a game's bots, from weakest to strongest."""

    def knows(self, level: str) -> bool:
        """May a seat be given to a bot of this name?"""

    def choose(self, live: Live, told: Callable[[int, dict[str, Any] | None], None]) -> None:
        """Have the bot that is to act choose; `told(action, extra)` in the loop."""

    def advise(
        self, live: Live, asker: Socket, view: dict[str, Any], done: int | None, told: Callable[[Thought | None], None]
    ) -> None:
        """Have somebody strong think about a view, and what was done there; `told(thought)` in the loop, or None."""


class Outcomes(Protocol):
    """Those who compute chance outcomes that take their time, somewhere else."""

    def wake(self, game: str) -> None:
        """Outcomes of this game will soon be computed."""

    def compute(self, table: str, task: Task, told: Callable[[Computed | None], None]) -> None:
        """Have an outcome computed; `told(outcome)` in the loop, or `told(None)`."""


def milliseconds() -> int:
    """Now, since 1970."""
    return time.time_ns() // 1_000_000


class Hub:
    """The tables in memory and the way to all others."""

    def __init__(self, store: Store, thinkers: Thinkers, outcomes: Outcomes, settings: Settings) -> None:
        self.store = store
        self.thinkers = thinkers
        self.outcomes = outcomes
        self.settings = settings
        self.metrics = Metrics()
        self.health = Health(store)
        self._write_failed = logs.Seldom("write-failed")
        store.failed = self._failed
        self.cluster: Cluster | None = None
        self.lives: dict[str, Live] = {}
        self._loading: dict[str, asyncio.Future[Live | None]] = {}
        self._idle: dict[str, int] = {}
        self._returns: set[asyncio.Task[None]] = set()
        self.stopping = False
        self.forget: Callable[[str], None] = lambda digest: None
        """Called with the digest of a cookie that works no more."""

    def now(self) -> int:
        """The time of day, for the log: it may be set back."""
        return milliseconds()

    def monotonic(self) -> int:
        """Milliseconds that nobody sets back, for limits and timeouts."""
        return time.monotonic_ns() // 1_000_000

    # Finding and making tables.

    async def find(self, table: str) -> Live | None:
        """A table, read from its log if it is not in memory; None if there is none such."""
        if not _ID.fullmatch(table):
            return None
        while table not in self.lives:
            if table not in self._loading:
                self._loading[table] = asyncio.ensure_future(self._load(table))
            live = await asyncio.shield(self._loading[table])
            # It may have been put away again before whoever waited for it woke up.
            if live is None or not live.gone:
                return live
        return self.lives[table]

    async def _load(self, table: str) -> Live | None:
        try:
            kept = await self.store.load(table)
            if kept is None:
                return None
            if len(self.lives) >= self.settings.tables and not self._make_room():
                raise Refusal("table.full-house", "Too many tables are being played here; try again later.")
            owner = await self.cluster.owner(table) if self.cluster else ""
            return self.adopt(_replayed(kept), owner, kept.remarks)
        finally:
            del self._loading[table]

    def has(self, table: str) -> bool:
        """Is a table in memory here, or about to be?"""
        return table in self.lives or table in self._loading

    def adopt(self, table: Table, owner: str = "", remarks: Sequence[Remark] = ()) -> Live:
        """Have a table in memory from now on; and look after it, unless another worker does."""
        live = self.lives[table.setup.id] = Live(self, table, owner, remarks)
        self.metrics.tables.set(len(self.lives))
        if self.is_ours(live):
            if table.chance == "computed" and not table.ending:
                self.outcomes.wake(table.setup.game)
            self.take_over(live)
        return live

    def is_ours(self, live: Live) -> bool:
        """Is it we who look after this table?"""
        return self.cluster is None or live.owner == self.cluster.worker

    def take_over(self, live: Live) -> None:
        """Look after a table from now on: its clock stood still meanwhile, and its bots wait."""
        table = live.table
        if isinstance(table.setup.clock, protocol.LiveClock) and table.timer.deadline is not None:
            live.put(Job(lambda: [log.Resumed(at=self.now())]))
        live.look_after()
        live.tell_all_again()

    async def create(self, wanted: protocol.NewTable, caller: Caller) -> str:
        """Make a table; its id. Refusal or ValueError says what cannot be."""
        for chair in wanted.chairs:
            if chair.kind == "bot":
                self.check_level(chair.level or "")
        self._check_person([chair.kind for chair in wanted.chairs])
        now = self.now()
        made = setup.made(wanted, caller.who, now)
        return await self._keep_new(made, decisions.furnished(Table(made), wanted, caller, now), caller)

    async def branch(self, live: Live, wanted: protocol.NewBranch, caller: Caller) -> str:
        """Make a table that goes on from a position of a game that is over; its id."""
        self.check_level(wanted.level)
        game = replay.played(live.table, wanted.game)
        return await self._keep_new(*branch.branched(live.table, game, wanted, caller, self.now()), caller)

    async def _keep_new(self, made: setup.Setup, entries: list[log.Entry], caller: Caller) -> str:
        table, now = Table(made, entries), made.created
        sat = {entry.who for entry in entries if isinstance(entry, log.Sat)} | {caller.who}
        busy = any(c.level for c in table.chairs) or table.timer.deadline is not None or table.computing
        due = 0 if table.playing and busy else None
        await self.store.create(made, entries, {"status": table.status, "updated": now, "due": due}, sat)
        if due is not None and len(self.lives) < self.settings.tables:
            await self.find(made.id)
        return made.id

    def check_level(self, level: str) -> None:
        """Refusal unless there is such a bot."""
        if not self.thinkers.knows(level):
            raise Refusal("table.level", "There is no bot of that level.")

    def _check_person(self, chairs: list[str]) -> None:
        """Refusal if only bots would play: what they think for nobody keeps others waiting."""
        if chairs and not self.settings.any_bot and all(kind == "bot" for kind in chairs):
            raise Refusal("table.person-needed", "A table needs a person: add a seat for yourself, or an open one.")

    # Keeping.

    def keep(self, change: Change, told: Callable[[Any, Exception | None], None]) -> None:
        """Write to the log, and time it."""
        began = time.perf_counter()

        def timed(result: Any, error: Exception | None) -> None:
            self.metrics.commit_seconds.observe(time.perf_counter() - began)
            told(result, error)

        self.store.append(change, timed)

    def _failed(self, error: Exception) -> None:
        """Something could not be kept."""
        self.metrics.failed()
        self._write_failed(why=str(error))

    def lost(self, live: Live, after: int = 0) -> None:
        """A table's log is not what we took it for, or we cannot tell what it is: forget what is in memory, and have
        everybody come again, in so many milliseconds. What they sent and was not answered they send again; then the
        log says whether it is kept."""
        self.drop(live)
        for socket in list(live.sockets):
            socket.tell(protocol.Goodbye("table.moved", after))
            socket.close(1012)
        if not (self.stopping or self.cluster):  # among several, whoever is free takes it up
            task = asyncio.ensure_future(self._come_back_to(live.id))
            self._returns.add(task)
            task.add_done_callback(self._returns.discard)

    async def _come_back_to(self, table: str) -> None:
        """Look after a table again though nobody may come: its bots or its clock wait."""
        while not self.stopping:
            await asyncio.sleep(AGAIN)
            with suppress(StorageError):
                with suppress(Refusal):
                    await self.find(table)
                return

    def drop(self, live: Live) -> None:
        """Look after a table no more."""
        live.stop()
        if self.lives.get(live.id) is live:
            del self.lives[live.id]
        self._idle.pop(live.id, None)
        self.metrics.tables.set(len(self.lives))

    def tidy(self) -> None:
        """Put away tables that nobody has needed for a while."""
        now = self.monotonic()
        for live in list(self.lives.values()):
            if not live.idle:
                self._idle.pop(live.id, None)
            elif now - self._idle.setdefault(live.id, now) >= self.settings.forget:
                self.drop(live)

    def _make_room(self) -> bool:
        idle = next((live for live in self.lives.values() if live.idle), None)
        if idle:
            self.drop(idle)
        return idle is not None

    # Other workers.

    def grown(self, live: Live) -> None:
        """A table's log has grown: tell the other workers, if it was we who wrote it."""
        if self.cluster and self.is_ours(live):
            self.cluster.say(Grown(live.id, live.table.version))

    def spoken(self, live: Live) -> None:
        """Something was said at a table: tell the other workers."""
        if self.cluster:
            self.cluster.say(Spoken(live.id, live.chat.last))

    def tell_presence(self, live: Live) -> None:
        """Tell the other workers who is at a table by way of us."""
        if self.cluster:
            persons, spectators = sorted(live.persons_here()), live.spectators()
            self.cluster.say(Here(live.id, self.cluster.worker, persons, live.watchers(), spectators))

    # Commands.

    def command(
        self, live: Live, socket: Socket, command: protocol.Command, may_sit: bool = False, has_looked: bool = False
    ) -> None:
        """Have a socket's command decided, here or by the worker that looks after the table."""
        if self.cluster and not self.is_ours(live):
            self.cluster.pass_on(live, socket, command, may_sit, has_looked)
            return
        if isinstance(command, _QUESTIONS):
            self._advise(live, socket, command)
            return
        if isinstance(command, protocol.Chat):
            live.chat.speak(socket, command)
            return
        public = live.table.setup.visibility == "public" and socket.who not in live.table.unseated
        caller = socket.caller(may_sit or public, has_looked)
        away = live.away() if isinstance(command, protocol.SeatBot) else _NOBODY

        def decide() -> list[log.Entry]:
            if isinstance(command, protocol.SeatBot):
                self.check_level(command.level)
                self._check_person([c.kind for seat, c in enumerate(live.table.chairs) if seat != command.seat])
            if isinstance(command, protocol.Remove | protocol.Mute):
                return decisions.moderate(live.table, caller, command, live.spectator(command.spectator), self.now())
            return decisions.decide(live.table, caller, command, self.now(), away)

        live.submit(socket, command, decide)

    # Bots.

    def ask_bot(self, live: Live) -> None:
        """Have the bot that is to act at a table choose, elsewhere."""
        position, began = live.table.position, time.perf_counter()

        def told(action: int, extra: dict[str, Any] | None = None) -> None:
            self.metrics.bot_seconds.observe(time.perf_counter() - began)
            if not live.gone:
                live.bot_chose(position, action, extra)

        self.thinkers.choose(live, told)

    # Outcomes that are computed.

    def compute(self, live: Live) -> None:
        """Have the outcome that is due at a table computed, elsewhere: now that what led to it is in the log."""
        position, began = live.table.position, time.perf_counter()

        def told(outcome: Computed | None) -> None:
            self.metrics.outcome_seconds.observe(time.perf_counter() - began)
            if live.gone:
                return
            if outcome:
                live.outcome_computed(position, outcome)
            else:
                logs.event("outcome-failed", table=live.id)
                live.look_again()

        self.outcomes.compute(live.id, live.table.order(), told)

    def _advise(self, live: Live, socket: Socket, command: protocol.AskHint | protocol.AskAnalysis) -> None:
        """Answer a question to somebody strong."""
        n, key = command.n, (socket.by, command.n)
        if key in live.questions:
            live.questions[key] = socket  # somebody thinks about it: whoever sent it again is answered
            return
        live.fresh(socket, n)  # the counter is used from now on; a question may be asked twice
        try:
            state, moves, done = self._asked(live.table, socket, command)
        except Refusal as refusal:
            socket.tell(protocol.refused(n, refusal.rule, refusal.reason))
            return
        live.questions[key] = socket

        def told(thought: Thought | None) -> None:
            asker = live.questions.pop(key)
            if thought is None:
                asker.tell(protocol.refused(n, "table.no-hint", "Nobody has time to think about that now."))
            else:
                asker.tell(_hint(live.table.words, n, moves, state, thought, done))

        self.thinkers.advise(live, socket, state.view(state.mover), done, told)

    def _asked(
        self, table: Table, socket: Socket, command: protocol.AskHint | protocol.AskAnalysis
    ) -> tuple[State, int, int | None]:
        """The state to think about, after how many actions it is, and what was done in it, if that is known."""
        if isinstance(command, protocol.AskAnalysis):
            return _past(table, command.game, command.moves)
        alone = all(table.chairs[seat].who == socket.who for seat in table.owners())
        if not table.holds(socket.who, table.mover):
            raise Refusal("table.not-your-turn", "It is not your turn.")
        if not (table.setup.hints or alone):
            raise Refusal("table.no-hints", "This table plays without hints.")
        return table.state, table.course.moves, None

    # Links.

    def through(self, live: Live, socket: Socket, link: KeptLink) -> None:
        """Let a socket look on by a link."""
        socket.link = link.digest
        if link.kind == "shoulder":
            socket.shoulder, socket.eye = link, shown_by(link, live.table)

    def cut(self, digest: str) -> None:
        """A link or a cookie works no more: whoever came by it must go, from other workers too."""
        self.cut_here(digest)
        if self.cluster:
            self.cluster.say(Cut(digest))

    def cut_here(self, digest: str) -> None:
        """Whoever came by this link or cookie must go from here."""
        self.forget(digest)
        for live in self.lives.values():
            for socket in list(live.sockets):
                if digest in (socket.link, socket.session):
                    rule = "table.link-revoked" if digest == socket.link else "table.session-ended"
                    socket.tell(protocol.Goodbye(rule, 0))
                    socket.close(1008)

    # The operator.

    async def shut(self, table: str) -> None:
        """Close a table, here or at the worker that looks after it; Refusal if there is none such."""
        live = await self.find(table)
        if live is None:
            raise Refusal("table.no-such-table", "There is no such table.")
        if self.is_ours(live):
            self.shut_here(live)
        elif self.cluster:
            self.cluster.say(Shut(table))

    def shut_here(self, live: Live) -> None:
        """Close a table if it is we who look after it."""
        if self.is_ours(live):
            live.put(Job(lambda: decisions.closed(live.table, self.now())))

    # The end.

    async def settle(self, most: float = 3.0) -> None:
        """Begin nothing more, and wait until what has begun is kept and told."""
        self.stopping = True
        until = time.monotonic() + most
        while any(live.busy for live in self.lives.values()) and time.monotonic() < until:
            await asyncio.sleep(0.01)

    def say_goodbye(self) -> None:
        """The server stops: tell everybody when to come back."""
        self.stopping = True
        for live in list(self.lives.values()):
            live.stop()
            for socket in list(live.sockets):
                socket.tell(protocol.Goodbye("table.stopping", COME_BACK))
                socket.close(1012)


def _replayed(kept: Kept) -> Table:
    try:
        return Table(kept.setup, kept.entries)
    except ValueError:
        rules = kept.setup.rules
        reason = sentence("This table was played by the rules of version {rules}.", rules=rules)
        raise Refusal("table.other-rules", reason) from None


def _past(table: Table, game: int | None, moves: int) -> tuple[State, int, int | None]:
    played = replay.played(table, game)
    state = replay.state_after(table, played, moves)
    if state.mover < 0:
        raise Refusal("table.nobody-to-move", "Nobody is to move in that position.")
    return state, moves, played.actions[moves] if moves < len(played.actions) else None


def _hint(words: Words, n: int, moves: int, state: State, thought: Thought, done: int | None = None) -> protocol.Hint:
    """A thought as it is told: the best actions, and the one that was done."""
    total = sum(opinion.visits for opinion in thought.ranking) or 1
    ranking = []
    for opinion in [*thought.ranking[:10], *(o for o in thought.ranking[10:] if o.action == done)]:
        known = words.of(state, opinion.action)
        ranking.append(protocol.Opinion(known.action, known.notation, opinion.visits / total, opinion.value))
    played = "" if done is None else words.of(state, done).notation
    return protocol.Hint(n, moves, state.mover, ranking, list(thought.line), played)
