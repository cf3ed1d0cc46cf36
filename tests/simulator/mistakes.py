"""Mistakes that the simulator must find: each is put into the real code, or into the browser, for a while."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any
from unittest.mock import patch

from archipel.table.log import decisions
from archipel.table.log.decisions import Refusal
from archipel.table.log.table import Table
from archipel.table.play import hub, live_table, sockets
from archipel.table.play.cluster import Cluster
from archipel.table.play.hub import Hub
from archipel.table.play.live_table import LiveTable
from archipel.table.storage.writer import Conflict, Unsure

from .client import Tab

Mistake = Callable[[], AbstractContextManager[Any]]
MISTAKES: dict[str, Mistake] = {}


def mistake(put_in: Callable[[], Iterator[None]]) -> Mistake:
    """Register a mistake under its name."""
    made = contextmanager(put_in)
    MISTAKES[put_in.__name__.replace("_", "-")] = made
    return made


@mistake
def acknowledge_before_commit() -> Iterator[None]:
    """A command is acknowledged and told when it is decided, and written afterwards."""

    def keep(self: LiveTable, job: Any, entries: list[Any]) -> None:
        def forget(change: Any, told: Any) -> None:
            append(change, lambda *_: None)
            asyncio.get_running_loop().call_soon(told, None, None)

        append = self.services.store.append
        with patch.object(self.services.store, "append", forget):
            real(self, job, entries)

    real = LiveTable._keep
    with patch.object(LiveTable, "_keep", keep):
        yield


@mistake
def keep_a_lost_lease() -> Iterator[None]:
    """A worker that was away for long goes on with its tables, whatever leases and log say."""

    async def keep_leases(self: Cluster) -> None:
        await self.hub.store.renew(self.worker, self.hub.now() + self.hub.settings.lease)

    with patch.object(Cluster, "_keep_leases", keep_leases), patch.object(Cluster, "_check_own", lambda *_: None):
        yield


@mistake
def resend_without_a_counter() -> Iterator[None]:
    """A browser sends what was not answered again as if it were new."""

    def resend(self: Tab, after: float = 0.0) -> None:
        for command in list(self.unanswered.values()):
            del self.unanswered[command["n"]]
            self.n += 1
            self.unanswered[self.n] = command | {"n": self.n}
            self._say(self.unanswered[self.n])

    with patch.object(Tab, "resend", resend):
        yield


@mistake
def forget_counters_in_a_crash() -> Iterator[None]:
    """Which commands were answered is known from memory only, not from the log."""
    real = hub._replayed

    def replayed(kept: Any) -> Table:
        table = real(kept)
        table.done.clear()
        return table

    with patch.object(hub, "_replayed", replayed):
        yield


@mistake
def leak_in_an_error() -> Iterator[None]:
    """Whoever tries something that is not legal is told what nobody may know yet: how the hidden cards lie."""
    real = decisions._played

    def played(table: Table, *more: Any) -> Any:
        try:
            return real(table, *more)
        except Refusal as refusal:
            hidden = table.state._raw.tobytes().hex()[-8:]
            raise Refusal(refusal.rule, f"{refusal.reason} ({hidden})") from None

    with patch.object(decisions, "_played", played):
        yield


@mistake
def leak_by_the_choice_of_words() -> Iterator[None]:
    """Which of two harmless sentences a refusal says depends on hidden cards."""
    real = decisions._played

    def played(table: Table, *more: Any) -> Any:
        try:
            return real(table, *more)
        except Refusal as refusal:
            odd = sum(table.state._raw.tobytes()) % 2
            raise Refusal(refusal.rule, "That is no action." if odd else refusal.reason) from None

    with patch.object(decisions, "_played", played):
        yield


@mistake
def show_the_movers_hand() -> Iterator[None]:
    """Whoever looks on sees the table through the eyes of the seat that moves."""
    real = LiveTable.usual_eye

    def usual_eye(self: LiveTable, socket: Any) -> Any:
        eye = real(self, socket)
        return self.table.mover if eye is None and self.table.mover >= 0 else eye

    with patch.object(LiveTable, "usual_eye", usual_eye):
        yield


@mistake
def drop_for_a_slow_reader() -> Iterator[None]:
    """What waits for a slow reader is dropped, and nothing is sent instead."""

    def post(self: sockets.Socket, message: bytes) -> None:
        if self._connection is not None and self._connection.paused:
            return
        real(self, message)

    real = sockets.Socket.post
    with patch.object(sockets.Socket, "post", post):
        yield


@mistake
def never_compare_with_the_log() -> Iterator[None]:
    """A hint of Redis that is lost is never made up for."""

    async def compare(self: Cluster) -> None:
        await asyncio.sleep(3600.0)

    with patch.object(Cluster, "_compare", compare):
        yield


@mistake
def call_an_unsure_commit_not_kept() -> Iterator[None]:
    """A COMMIT that failed is told as a refusal, though it may have taken effect."""
    real = LiveTable._kept

    def kept(self: LiveTable, job: Any, entries: list[Any], began: float, _: Any, error: Exception | None) -> None:
        if isinstance(error, Unsure) and not isinstance(error, Conflict) and not self.gone:
            job.refuse("table.not-kept", "That could not be saved; try again.")
        real(self, job, entries, began, None, error)

    with patch.object(LiveTable, "_kept", kept):
        yield


@mistake
def forget_the_bot_after_an_error() -> Iterator[None]:
    """A bot's choice that could not be kept is not asked for again."""
    with patch.object(LiveTable, "look_again", lambda self: None):
        yield


@mistake
def let_revoked_links_look_on() -> Iterator[None]:
    """A link that was revoked does not send those away who look on by it."""
    with patch.object(Hub, "cut_here", lambda self, digest: None):
        yield


@mistake
def let_a_shoulder_link_outlive_its_maker() -> Iterator[None]:
    """A link over somebody's shoulder goes on showing the seat when somebody else sits there."""
    with patch.object(live_table, "shown_by", live_table.seat_of):
        yield
