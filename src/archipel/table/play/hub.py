"""All tables that this process has in memory: found, created, and dropped when nobody needs them."""

import asyncio
import re
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

from archipel.core.errors import sentence

from .. import protocol
from ..log import branch, decisions, events, replay, setup
from ..log.decisions import Caller, Refusal
from ..log.remarks import Remark
from ..log.table import Table
from ..log.turns import awaited
from ..settings import Settings
from ..storage import Kept, StorageError, Store
from ..storage.health import Health
from .live_table import AGAIN, LiveTable
from .services import Bots, Outcomes, Services

_QUESTIONS = protocol.AskHint, protocol.AskAnalysis
_NOBODY: frozenset[int] = frozenset()
_ID = re.compile(r"[A-Za-z0-9_-]{1,16}")
"""The format of a table's id: anything else is not looked up in the database."""
COME_BACK = 2_000
"""Milliseconds after which clients should reconnect when the server stops."""


class Hub(Services):
    """The tables in memory, and access to all others."""

    def __init__(self, store: Store, bots: Bots, outcomes: Outcomes, settings: Settings) -> None:
        super().__init__(store, bots, outcomes, settings)
        self.health = Health(store)
        self.lives: dict[str, LiveTable] = {}
        self._loading: dict[str, asyncio.Future[LiveTable | None]] = {}
        self._idle: dict[str, int] = {}
        self._returns: set[asyncio.Task[None]] = set()
        self.forget: Callable[[str], None] = lambda digest: None
        """Called with the digest of a revoked cookie."""

    # Finding and creating tables.

    async def find(self, table: str) -> LiveTable | None:
        """A table, read from its log if it is not in memory; None if it does not exist."""
        if not _ID.fullmatch(table):
            return None
        while table not in self.lives:
            if table not in self._loading:
                self._loading[table] = asyncio.ensure_future(self._load(table))
            live = await asyncio.shield(self._loading[table])
            # It may have been dropped again before the waiting task resumed.
            if live is None or not live.gone:
                return live
        return self.lives[table]

    async def _load(self, table: str) -> LiveTable | None:
        try:
            kept = await self.store.load(table)
            if kept is None:
                return None
            if len(self.lives) >= self.settings.tables and not self._make_room():
                raise Refusal("table.full-house", "Too many tables are being played here; try again later.")
            return self.adopt(_replayed(kept), await self.peers.owner(table), kept.remarks)
        finally:
            del self._loading[table]

    def has(self, table: str) -> bool:
        """True if a table is in memory here, or about to be."""
        return table in self.lives or table in self._loading

    def adopt(self, table: Table, owner: str, remarks: Sequence[Remark] = ()) -> LiveTable:
        """Keep a table in memory from now on, and own it unless another worker does."""
        live = self.lives[table.setup.id] = LiveTable(self, table, owner, self.lost, remarks)
        self.metrics.tables.set(len(self.lives))
        if live.ours:
            if table.chance == "computed" and not table.ending:
                self.outcomes.wake(table.setup.game)
            live.take_over()
        return live

    async def create(self, wanted: protocol.NewTable, caller: Caller) -> str:
        """Create a table; return its id. Refusal or ValueError says what is wrong."""
        for chair in wanted.chairs:
            if chair.kind == "bot":
                self.check_level(chair.level or "")
        self.check_person([chair.kind for chair in wanted.chairs])
        now = self.now()
        made = setup.made(wanted, caller.who, now)
        return await self._keep_new(made, decisions.furnished(Table(made), wanted, caller, now), caller)

    async def branch(self, live: LiveTable, wanted: protocol.NewBranch, caller: Caller) -> str:
        """Create a table that continues from a position of a finished game; return its id."""
        self.check_level(wanted.level)
        game = replay.played(live.table, wanted.game)
        return await self._keep_new(*branch.branched(live.table, game, wanted, caller, self.now()), caller)

    async def _keep_new(self, made: setup.Setup, entries: list[events.Entry], caller: Caller) -> str:
        table, now = Table(made, entries), made.created
        sat = {entry.who for entry in entries if isinstance(entry, events.Sat)} | {caller.who}
        busy = any(c.level for c in table.chairs) or table.timer.deadline is not None or table.computing
        due = 0 if table.playing and busy else None
        turns = [turn for turn in awaited(table, now) if turn.who in self.subscribers]
        await self.store.create(made, entries, {"status": table.status, "updated": now, "due": due}, sat, turns)
        if due is not None and len(self.lives) < self.settings.tables:
            await self.find(made.id)
        return made.id

    # Keeping.

    def lost(self, live: LiveTable, after: int = 0) -> None:
        """A table's log differs from what is in memory, or is unknown: drop the table, and let all clients reconnect
        after this many milliseconds. They resend commands that were not answered; the log then shows whether these were
        stored."""
        self.drop(live)
        for socket in list(live.sockets):
            socket.tell(protocol.Goodbye("table.moved", after))
            socket.close(1012)
        if not (self.stopping or self.peers.worker):  # with several workers, any of them takes it over
            task = asyncio.ensure_future(self._come_back_to(live.id))
            self._returns.add(task)
            task.add_done_callback(self._returns.discard)

    async def _come_back_to(self, table: str) -> None:
        """Load a table again even if no client comes, because its bots or its clock wait."""
        while not self.stopping:
            await asyncio.sleep(AGAIN)
            with suppress(StorageError):
                with suppress(Refusal):
                    await self.find(table)
                return

    def drop(self, live: LiveTable) -> None:
        """Stop owning a table, and drop it."""
        live.stop()
        if self.lives.get(live.id) is live:
            del self.lives[live.id]
        self._idle.pop(live.id, None)
        self.metrics.tables.set(len(self.lives))

    def tidy(self) -> None:
        """Drop tables that nobody has needed for a while."""
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

    # Links.

    def cut(self, digest: str) -> None:
        """A link or a cookie was revoked: disconnect everyone who came by it, at other workers too."""
        self.cut_here(digest)
        self.peers.cut(digest)

    def cut_here(self, digest: str) -> None:
        """Disconnect everyone at this worker who came by this link or cookie."""
        self.forget(digest)
        for live in self.lives.values():
            for socket in list(live.sockets):
                if digest in (socket.link, socket.session):
                    rule = "table.link-revoked" if digest == socket.link else "table.session-ended"
                    socket.tell(protocol.Goodbye(rule, 0))
                    socket.close(1008)

    # The operator.

    async def shut(self, table: str) -> None:
        """Close a table, here or at its owner; Refusal if it does not exist."""
        live = await self.find(table)
        if live is None:
            raise Refusal("table.no-such-table", "There is no such table.")
        if live.ours:
            live.shut()
        else:
            self.peers.shut(table)

    # Stopping.

    async def settle(self, most: float = 3.0) -> None:
        """Start nothing more, and wait until everything pending is stored and sent."""
        self.stopping = True
        until = time.monotonic() + most
        while any(live.busy for live in self.lives.values()) and time.monotonic() < until:
            await asyncio.sleep(0.01)

    def say_goodbye(self) -> None:
        """The server stops: tell all clients when to reconnect."""
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
