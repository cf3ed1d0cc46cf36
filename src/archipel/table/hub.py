"""All tables that are looked after here: found, made, kept in memory while somebody needs them."""

import asyncio
import time
from collections.abc import Callable
from typing import Any, Protocol

from archipel.bots.thought import Thought
from archipel.core.errors import sentence
from archipel.core.state import State

from . import branch, decisions, log, logs, protocol, replay, setup
from .cluster import Cluster, Grown, Here
from .decisions import Caller, Refusal
from .live import Job, Live
from .metrics import Metrics
from .settings import Settings
from .sockets import Socket
from .storage import Change, Kept, KeptLink, Store
from .table import Table
from .throwing import Landed, Order, due
from .words import Words

_QUESTIONS = protocol.AskHint, protocol.AskAnalysis
_NOBODY: frozenset[int] = frozenset()
COME_BACK = 2_000
"""After how many milliseconds clients are asked to come back when the server stops."""


class Thinkers(Protocol):
    """Those who think for bots, somewhere else."""

    def levels(self, game: str) -> list[str]:
        """The levels of a game's bots, from weakest to strongest."""

    def knows(self, level: str) -> bool:
        """May a seat be given to a bot of this name?"""

    def choose(self, live: Live, told: Callable[[int, protocol.Aim | None], None]) -> None:
        """Have the bot that is to act choose; `told(action, aim)` in the loop."""

    def advise(
        self, live: Live, view: dict[str, Any], done: int | None, told: Callable[[Thought | None], None]
    ) -> None:
        """Have somebody strong think about a view, and what was done there; `told(thought)` in the loop, or None."""


class Throwing(Protocol):
    """Those who let dice fall, somewhere else."""

    def wake(self) -> None:
        """Dice will soon be thrown."""

    def throw(self, table: str, order: Order, told: Callable[[Landed | None], None]) -> None:
        """Have dice thrown; `told(landed)` in the loop, or `told(None)`."""

    def checked(self, order: Order) -> Landed | None:
        """A throw made once more, in a thread that may wait."""


def milliseconds() -> int:
    """Now, since 1970."""
    return time.time_ns() // 1_000_000


class Hub:
    """The tables in memory and the way to all others."""

    def __init__(self, store: Store, thinkers: Thinkers, throwers: Throwing, settings: Settings) -> None:
        self.store = store
        self.thinkers = thinkers
        self.throwers = throwers
        self.settings = settings
        self.metrics = Metrics()
        self.cluster: Cluster | None = None
        self.lives: dict[str, Live] = {}
        self._loading: dict[str, asyncio.Future[Live | None]] = {}
        self._idle: dict[str, int] = {}
        self.stopping = False

    def now(self) -> int:
        return milliseconds()

    # Finding and making tables.

    async def find(self, table: str) -> Live | None:
        """A table, read from its log if it is not in memory; None if there is none such."""
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
            return self.adopt(_replayed(kept), owner)
        finally:
            del self._loading[table]

    def adopt(self, table: Table, owner: str = "") -> Live:
        """Have a table in memory from now on; and look after it, unless another worker does."""
        live = self.lives[table.setup.id] = Live(self, table, owner)
        self.metrics.tables.set(len(self.lives))
        if self.is_ours(live):
            if table.setup.dice == "physics" and not table.ending:
                self.throwers.wake()
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
        busy = any(c.level for c in table.chairs) or table.timer.deadline is not None or table.falling
        due = 0 if table.playing and busy else None
        await self.store.create(made, entries, {"status": table.status, "updated": now, "due": due}, sat)
        if due is not None and len(self.lives) < self.settings.tables:
            await self.find(made.id)
        return made.id

    def check_level(self, level: str) -> None:
        """Refusal unless there is such a bot."""
        if not self.thinkers.knows(level):
            raise Refusal("table.level", "There is no bot of that level.")

    # Keeping.

    def keep(self, change: Change, told: Callable[[Any, Exception | None], None]) -> None:
        """Write to the log, and time it."""
        began = time.perf_counter()

        def timed(result: Any, error: Exception | None) -> None:
            self.metrics.commit_seconds.observe(time.perf_counter() - began)
            told(result, error)

        self.store.append(change, timed)

    def lost(self, live: Live) -> None:
        """A table's log is not what we took it for: forget what is in memory, and have everybody come again."""
        self.drop(live)
        for socket in list(live.sockets):
            socket.tell(protocol.Goodbye("table.moved", 0))
            socket.close(1012)

    def drop(self, live: Live) -> None:
        """Look after a table no more."""
        live.stop()
        if self.lives.get(live.id) is live:
            del self.lives[live.id]
        self._idle.pop(live.id, None)
        self.metrics.tables.set(len(self.lives))

    def tidy(self) -> None:
        """Put away tables that nobody has needed for a while."""
        now = self.now()
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

    def tell_presence(self, live: Live) -> None:
        """Tell the other workers who is at a table by way of us."""
        if self.cluster:
            self.cluster.say(Here(live.id, self.cluster.worker, sorted(live.persons_here()), live.watchers()))

    # Commands.

    def command(self, live: Live, socket: Socket, command: protocol.Command, may_sit: bool = False) -> None:
        """Have a socket's command decided, here or by the worker that looks after the table."""
        if self.cluster and not self.is_ours(live):
            self.cluster.pass_on(live, socket, command, may_sit)
            return
        if isinstance(command, _QUESTIONS):
            self._advise(live, socket, command)
            return
        caller = socket.caller(may_sit or live.table.setup.visibility == "public")
        away = live.away() if isinstance(command, protocol.SeatBot) else _NOBODY

        def decide() -> list[log.Entry]:
            if isinstance(command, protocol.SeatBot):
                self.check_level(command.level)
            return decisions.decide(live.table, caller, command, self.now(), away)

        live.submit(socket, command, decide)

    # Bots.

    def ask_bot(self, live: Live) -> None:
        """Have the bot that is to act at a table choose, elsewhere."""
        position, began = live.table.position, time.perf_counter()

        def told(action: int, aim: protocol.Aim | None = None) -> None:
            self.metrics.bot_seconds.observe(time.perf_counter() - began)
            if not live.gone:
                live.bot_chose(position, action, aim)

        self.thinkers.choose(live, told)

    # Dice.

    def throw(self, live: Live) -> None:
        """Have the dice that are in the air at a table fall, elsewhere. Their throw is in the log; now it is drawn."""
        position, began = live.table.position, time.perf_counter()

        def told(landed: Landed | None) -> None:
            self.metrics.throw_seconds.observe(time.perf_counter() - began)
            if live.gone:
                return
            if landed:
                live.dice_landed(position, landed)
            else:
                logs.event("throw-failed", table=live.id)
                live.look_again()

        self.throwers.throw(live.id, due(live.table), told)

    def _advise(self, live: Live, socket: Socket, command: protocol.AskHint | protocol.AskAnalysis) -> None:
        """Answer a question to somebody strong."""
        job = Job(list, socket, command.n)
        if not live.fresh(socket.by, command.n):
            job.refuse("table.counter-used", "That command was answered before; send a new one.")
            return
        try:
            state, moves, done = self._asked(live.table, socket, command)
        except Refusal as refusal:
            job.refuse(refusal.rule, refusal.reason)
            return

        def told(thought: Thought | None) -> None:
            if thought is None:
                job.refuse("table.no-hint", "Nobody has time to think about that now.")
            else:
                socket.tell(_hint(live.table.words, command.n, moves, state, thought, done))

        self.thinkers.advise(live, state.view(state.mover), done, told)

    def _asked(
        self, table: Table, socket: Socket, command: protocol.AskHint | protocol.AskAnalysis
    ) -> tuple[State, int, int | None]:
        """The state to think about, after how many actions it is, and what was done in it, if that is known."""
        if isinstance(command, protocol.AskAnalysis):
            return _past(table, command.game, command.moves)
        alone = all(table.chairs[seat].who == socket.who for seat in table.persons())
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
            socket.eye = seat_of(link, live.table)

    def cut(self, digest: str) -> None:
        """A link has been revoked: whoever looks on by it here must go."""
        for live in self.lives.values():
            for socket in list(live.sockets):
                if socket.link == digest:
                    socket.tell(protocol.Goodbye("table.link-revoked", 0))
                    socket.close(1008)

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


def seat_of(link: KeptLink, table: Table) -> int | None:
    """The seat that a link is for: with every game since it was made it has moved on with its owner."""
    if link.seat is None:
        return None
    return (link.seat - (max(table.game, 1) - max(link.game or 0, 1))) % table.seats


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
