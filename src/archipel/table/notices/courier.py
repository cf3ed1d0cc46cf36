"""The courier: finds out who is away when it is their turn, puts notices into the outbox, and has them delivered."""

import asyncio
import hashlib
import hmac
from collections.abc import Awaitable
from contextlib import suppress
from functools import partial
from importlib.util import find_spec
from typing import Any
from urllib.parse import urlsplit

import msgspec

from archipel.core import registry

from .. import entropy, logging, tokens
from ..log import turns
from ..log.decisions import Refusal
from ..log.table import Table
from ..play.hub import Hub
from ..play.live_table import LiveTable
from ..play.workers import WorkerPool
from ..storage import Outbox, StorageError
from ..storage.outbox import Channel, Notice, WaitingTurn, Wishes
from . import delivery, hours, texts
from .delivery import Result, Task

TICK = 0.5
"""Seconds between two looks at the outbox."""
MOST = 100
"""How many turns are looked at, and notices delivered, at a time."""
SECOND, HOUR, DAY = 1_000, 3_600_000, 86_400_000
OVERLAP = 10 * SECOND
"""How far back each look for changed wishes goes: a change may be committed late."""
PATIENCE = 40.0
"""Seconds after which a delivery counts as failed, whatever the service does."""
PROCESSES = 2
AT_ONCE = 2 * PROCESSES
"""How many notices this worker has claimed at a time: few, so that none waits longer than its claim lasts."""
KEPT = DAY
"""For how long delivery is tried."""
HELD = 3 * SECOND
"""After how long a table that another worker owns is asked for again."""
WEEK = 7 * DAY
"""A channel that has failed for so long is deleted."""


class Courier:
    """Notices of one worker process. It costs nothing until somebody wants notices."""

    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self.outbox = Outbox(hub.store)
        self.has_push = find_spec("pywebpush") is not None
        self.has_apprise = find_spec("apprise") is not None
        self._pool = WorkerPool("notices", delivery.deliver, PROCESSES, patience=PATIENCE)
        self._looked = 0
        self._ready = asyncio.Event()
        """Set when a delivery has ended, so that the next one need not wait."""
        self._sending: set[str] = set()
        self._held: dict[str, int] = {}
        """Until when tables are left alone."""
        self._key = ""
        self._stop_key = b""
        self.tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Know who wants notices before the first move. Processes start when there is something to deliver."""
        self.hub.came = self._came
        self._pool.start()
        if not self.hub.settings.redis:
            await self.outbox.release(self.hub.now())
        await self._learn()
        if self.hub.subscribers:
            self._warm_up()

    def _warm_up(self) -> None:
        """Start a process now, so that the first notice need not wait for it."""
        self._pool.queue.put("", Task("", "warm", "", "", "", "", "", 0, ""), lambda _: None)

    async def _learn(self) -> None:
        """Learn who has begun to want notices, here or through another worker."""
        now = self.hub.now()
        self.hub.subscribers.update(await self.outbox.wishing(self._looked - OVERLAP))
        self._looked = now

    def _came(self, who: str, table: str) -> None:
        """Somebody who wants notices has come to a table."""
        self._do(self.outbox.known(who, table))

    def _do(self, work: Awaitable[object]) -> None:
        """Do something beside what goes on."""
        task = asyncio.ensure_future(self._whenever(work))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def close(self) -> None:
        """Stop delivering: what is under way is delivered again after the next start."""
        for task in self.tasks:
            task.cancel()
        self._pool.close()

    async def run(self) -> None:
        """Until cancelled: look, tell, deliver."""
        while True:
            await self._whenever(self._round())
            self._ready.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._ready.wait(), TICK)

    async def _whenever(self, work: Awaitable[object]) -> None:
        """Do something; if the database does not answer, it is done at the next look."""
        try:
            await work
        except StorageError:
            pass
        except Exception:
            logging.log.exception("notices-failed")

    async def _round(self) -> None:
        now = self.hub.now()
        if self.hub.settings.redis:  # otherwise they have told this process
            await self._learn()
        if not self.hub.subscribers:
            return
        self._held = {table: until for table, until in self._held.items() if until > now}
        for turn in await self.outbox.open_turns(now - self.hub.settings.absent, MOST):
            await self._look_at(turn, now)
        for turn in await self.outbox.due_reminders(now, MOST):
            await self._remind(turn, now)
        for wishes in await self.outbox.due_digests(now, MOST):
            await self._digest(wishes, now)
        for notice in await self.outbox.due(now, MOST):
            await self._deliver(notice, now)

    # Turns.

    async def _look_at(self, turn: WaitingTurn, now: int) -> None:
        """Is the person away whose turn it is? The owner of the table knows."""
        table = await self._ours(turn.table_id, now)
        if table is None or not table.table.awaits(turn.who):
            return
        absent = table.presence.absent(turn.who)
        if absent is None:
            await self.outbox.known(turn.who, turn.table_id)
        elif absent >= self.hub.settings.absent:
            await self.outbox.told(turn, await self._notices(turn, table.table, "turn", now))

    async def _ours(self, table: str, now: int) -> LiveTable | None:
        """The table, if this worker owns it; others, and those that cannot be read, are asked for again in a while."""
        if self._held.get(table, 0) > now:
            return None
        with suppress(Refusal):
            if await self.hub.peers.owner(table) == self.hub.peers.worker:
                live = await self.hub.find(table)
                if live is not None and live.ours:
                    self._held.pop(table, None)
                    return live
        self._held[table] = now + HELD
        return None

    async def _remind(self, turn: WaitingTurn, now: int) -> None:
        live = await self._ours(turn.table_id, now)
        if live is not None:
            await self.outbox.reminded(turn, await self._notices(turn, live.table, "remind", now))

    async def _notices(self, turn: WaitingTurn, table: Table, kind: str, now: int) -> list[Notice]:
        """The notices of a turn, one for each channel; none if its person does not want them now."""
        wishes = await self.outbox.wishes(turn.who) or Wishes(turn.who)
        if (wishes.away_until or 0) > now:
            return []
        if wishes.digest is not None and kind == "turn":
            return []  # it will be in the digest
        if not wishes.reminders and kind == "remind":
            return []
        facts = _facts(table, turn.who, now)
        send = hours.quiet_until(wishes, now)
        key = f"{kind} {turn.table_id} {turn.version}"
        return await self._for_channels(turn.who, kind, key, facts, now, send, turn.table_id)

    async def _for_channels(
        self, who: str, kind: str, key: str, facts: dict[str, Any], now: int, send: int, table: str = ""
    ) -> list[Notice]:
        """A notice for each confirmed channel; the same key gives the same ids."""
        body = msgspec.json.encode(facts).decode()
        return [
            Notice(tokens.digest(f"{key} {who} {one.id}")[:32], one.id, who, table, kind, body, now, send)
            for one in await self.outbox.channels(who)
            if not one.code
        ]

    async def _digest(self, wishes: Wishes, now: int) -> None:
        """One notice about everything that waits."""
        if wishes.digest is None or wishes.next_digest is None:
            return
        following = hours.next_at(wishes, now, wishes.digest)
        count = len(await self.outbox.waiting(wishes.who))
        outgoing: list[Notice] = []
        if count and (wishes.away_until or 0) <= now:
            key = f"digest {wishes.next_digest}"
            outgoing = await self._for_channels(wishes.who, "digest", key, {"n": count}, now, now)
        await self.outbox.digested(wishes, following, outgoing)

    async def say(self, channel: Channel, kind: str, facts: dict[str, Any]) -> None:
        """Put a notice that somebody asked for into the outbox: a test, or the code for a mail address."""
        now = self.hub.now()
        body = msgspec.json.encode(facts).decode()
        await self.outbox.put([Notice(entropy.token_hex(16), channel.id, channel.who, "", kind, body, now, now)])

    async def subscribed(self, who: str) -> None:
        """Somebody wants notices from now on; whose turn it is already, they know."""
        self.hub.subscribers.add(who)
        self._warm_up()
        for row in await self.hub.store.of(who, MOST, running=True):
            with suppress(Refusal):
                live = await self.hub.find(row.id)
                for turn in turns.awaited(live.table, self.hub.now()) if live else ():
                    if turn.who == who:
                        await self.outbox.note(row.id, turn)

    # Delivering.

    async def _deliver(self, notice: Notice, now: int) -> None:
        if notice.id in self._sending or len(self._sending) >= AT_ONCE:
            return
        claimed = await self.outbox.claim(notice, now)
        if claimed is None:
            return
        channel, waiting = claimed
        task = await self._task(notice, channel, waiting)
        self._sending.add(notice.id)
        notice.tries += 1
        answered = partial(self._answered, notice, channel)
        if not self._pool.queue.put(channel.id, task, answered, whose=channel.who):
            answered(None)

    async def _task(self, notice: Notice, channel: Channel, waiting: int) -> Task:
        wishes = await self.outbox.wishes(notice.who) or Wishes(notice.who)
        facts, base = msgspec.json.decode(notice.body), self.base
        language = wishes.language
        mail = channel.kind == "mail"
        near = self.hub.settings.notices_near or mail
        return Task(
            id=notice.id,
            kind=channel.kind,
            address=f"{self.hub.settings.mail}\n{channel.address}" if mail else channel.address,
            title="Archipel",
            text=texts.sentence_of(language, notice.kind, facts),
            url=f"{base}/table/{notice.table_id}" if notice.table_id else f"{base}/games",
            stop="" if notice.kind == "confirm" else f"{base}/notices/stop#{await self.stop_token(channel.id)}",
            waiting=waiting,
            topic=tokens.digest(notice.table_id or notice.kind)[:32],
            near=near,
            key=await self.key() if channel.kind == "push" else "",
            contact=self.contact,
            labels={name: texts.text(language, name) for name in ("open", "stop")},
        )

    @property
    def base(self) -> str:
        """The address of this server in notices."""
        settings = self.hub.settings
        return settings.public_url or f"http://127.0.0.1:{settings.port}"

    @property
    def contact(self) -> str:
        """Whom push services would write to: they want a mail address or a page."""
        settings = self.hub.settings
        host = urlsplit(settings.public_url).hostname if settings.secure else None
        return settings.contact or (f"https://{host}" if host else "mailto:archipel@localhost")

    def _answered(self, notice: Notice, channel: Channel, result: Result | None) -> None:
        """Called in the loop with the result of a delivery; None: the process was lost, or had no room."""
        self._do(self._settle(notice, channel, result or Result("later")))

    async def _settle(self, notice: Notice, channel: Channel, result: Result) -> None:
        try:
            now = self.hub.now()
            if result.how == "done":
                await self.outbox.delivered(notice)
                return
            logging.event(
                "notice-not-delivered", kind=channel.kind, how=result.how, status=result.status, error=result.error
            )
            lasting = channel.failing is not None and now - channel.failing >= WEEK
            if result.how == "gone" or lasting:
                await self.outbox.remove_channel(channel.id)
                return
            again = now + _pause(notice.tries, result.after)
            given_up = result.how == "never" or again >= notice.created + KEPT
            await self.outbox.failed(notice, now, None if given_up else again)
        finally:
            self._sending.discard(notice.id)
            self._ready.set()

    async def check(self, address: str) -> bool:
        """Would Apprise understand this address?"""
        answer: asyncio.Future[Result | None] = asyncio.get_running_loop().create_future()
        told = lambda result: None if answer.done() else answer.set_result(result)  # noqa: E731
        task = Task("", "check", address, "", "", "", "", 0, "")
        if not self._pool.queue.put("check", task, told):
            raise Refusal("table.too-fast", "Too many requests; slow down.")
        result = await answer
        return bool(result and result.how == "done")

    # Keys.

    async def key(self) -> str:
        """The private key for Web Push, made when it is first needed and kept in the database."""
        if not self._key:
            made = await asyncio.to_thread(delivery.new_key)
            self._key = await self.outbox.secret("push", lambda: made)
        return self._key

    async def stop_token(self, channel: str) -> str:
        """What a notice carries to stop notices to its channel: it permits that, and nothing else."""
        if not self._stop_key:
            self._stop_key = (await self.outbox.secret("stop", lambda: entropy.token_hex(32))).encode()
        return f"{channel}.{hmac.new(self._stop_key, channel.encode(), hashlib.sha256).hexdigest()[:32]}"

    async def stop(self, token: str) -> bool:
        """Stop the notices of the channel that this token is for; False if it is no such token."""
        channel = token.partition(".")[0]
        if not hmac.compare_digest(token.encode(), (await self.stop_token(channel)).encode()):
            return False
        await self.outbox.remove_channel(channel)
        return True


def _pause(tries: int, after: int | None) -> int:
    """Milliseconds until a delivery is tried again: longer each time, or as the service says."""
    if after is not None:
        return max(after, 1) * SECOND
    return min(SECOND << min(tries, 12), HOUR)


def _facts(table: Table, who: str, now: int) -> dict[str, Any]:
    """What a notice says about a table: nothing that its player alone may see."""
    others = [chair for chair in table.chairs if chair.who != who]
    name = others[0].name if len(others) == 1 and others[0].kind == "person" else ""
    deadline = table.timer.deadline
    left = max(0, round((deadline - now) / HOUR)) if deadline is not None else 0
    return {"game": registry.kind(table.setup.game).title, "name": name, "hours": left}
