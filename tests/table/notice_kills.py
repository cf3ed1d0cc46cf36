"""Games by notices alone: a player comes only when a notice has called them, while the server is killed."""

import asyncio
import random
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from .crash import Client, Victim
from .house import Guest
from .pushing import Browser, Post, PushService, push_service

PATIENCE = 120.0
"""Seconds after which a notice counts as lost."""


@dataclass
class Visitor(Client):
    """Plays until it is not their turn any more, and everything that they did is acknowledged."""

    over: bool = False
    waits: bool = False
    gone: asyncio.Event = field(default_factory=asyncio.Event)

    def _take(self, message: dict[str, Any], rng: random.Random) -> dict[str, Any] | None:
        command = super()._take(message, rng)
        if self.waits and not set(self.sent) - set(self.acknowledged):
            self.gone.set()
        return command

    def _update(self, update: dict[str, Any], rng: random.Random) -> dict[str, Any] | None:
        if position := update.get("position"):
            self.over, self.waits = bool(position.get("over")), not position["legal"]
            if self.over:
                self.version, self.hash = update["version"], position["hash"]
        return None if self.over else super()._update(update, rng)


@dataclass
class Outcome:
    """What came of it: `calls` are the turns that had to be told of, `repeats` posts of the same notice again."""

    kills: int
    calls: int = 0
    lost: int = 0
    doubled: int = 0
    repeats: int = 0
    errors: list[str] = field(default_factory=list)


class Pair:
    """Two people who play one game after another, and are never at a table together."""

    def __init__(self, victim: Victim, service: PushService, number: int, outcome: Outcome) -> None:
        self.outcome = outcome
        self.names = (f"Ada-{number}", f"Bo-{number}")
        self.guests = [Guest(victim.port), Guest(victim.port)]
        self.browsers = [Browser(service, f"/{name}", 2 * number + seat) for seat, name in enumerate(self.names)]
        self.calls: Counter[tuple[int, str]] = Counter()
        """How often each had to be called to each table."""
        self._opened: dict[int, dict[str, Any]] = {}

    async def begin(self) -> None:
        for guest, name, browser in zip(self.guests, self.names, self.browsers, strict=True):
            assert (await guest.post("/api/session", {"name": name}))[0] == 201
            assert (await guest.post("/api/notices/channels", browser.subscription))[0] == 201

    async def run(self, rng: random.Random) -> None:
        """Until cancelled: play games."""
        while True:
            table = await self._table()
            if table:
                await self._game(table, rng)

    async def _table(self) -> str | None:
        """A new table with both seated; None if the server was killed meanwhile."""
        ada, bo = self.guests
        with suppress(Exception):
            table = await ada.table("stonehenge", [{"kind": "me"}, {"kind": "open"}], visibility="public")
            async with bo.at(table) as player:
                if (await player.command("sit", seat=1))["type"] == "ack":
                    return table
        await asyncio.sleep(0.05)
        return None

    async def _game(self, table: str, rng: random.Random) -> None:
        clients = [
            Visitor(guest, table, f"{name}-{table}") for guest, name in zip(self.guests, self.names, strict=True)
        ]
        seat = 0
        while True:
            self.calls[seat, table] += 1
            if not await self._called(seat, table):
                self.outcome.lost += 1
                self.outcome.errors.append(f"{self.names[seat]} was never called to {table}")
                return
            client = clients[seat]
            client.gone.clear()
            visit = asyncio.ensure_future(client.run(rng))
            await client.gone.wait()
            visit.cancel()
            await asyncio.gather(visit, return_exceptions=True)
            if client.over:
                return
            seat = 1 - seat

    async def _called(self, seat: int, table: str) -> bool:
        """Wait for one more notice about a table."""
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                while len(self.notices(seat).get(table, ())) < self.calls[seat, table]:
                    await asyncio.sleep(0.02)
                return True
        return False

    def notices(self, seat: int) -> dict[str, set[str]]:
        """The notices that somebody was shown, by table: a browser shows one that comes again in its own place."""
        browser, shown = self.browsers[seat], dict[str, set[str]]()
        for said in map(self._read, browser.service.at(browser.path)):
            shown.setdefault(said["url"].rpartition("/")[2], set()).add(said["id"])
        return shown

    def _read(self, post: Post) -> dict[str, Any]:
        """What a message says; each is decrypted once."""
        if id(post) not in self._opened:
            browser = next(browser for browser in self.browsers if browser.path == post.path)
            self._opened[id(post)] = browser.read(post)
        return self._opened[id(post)]

    def judge(self) -> None:
        """Compare the notices that came with the turns that were to be told of."""
        for seat in range(2):
            shown = self.notices(seat)
            posts = len(self.browsers[seat].service.at(self.browsers[seat].path))
            self.outcome.repeats += posts - sum(map(len, shown.values()))
            for table, ids in shown.items():
                self.outcome.doubled += max(0, len(ids) - self.calls[seat, table])
        self.outcome.calls += sum(self.calls.values())


async def kills(database: str, count: int, pairs: int = 4, seed: int = 0) -> Outcome:
    """Kill a server `count` times while people play whom only notices call; count what was lost or came twice."""
    rng, outcome = random.Random(seed), Outcome(count)
    victim = Victim(database, ARCHIPEL_ABSENT="100", ARCHIPEL_NOTICES_NEAR="1")
    victim.start()
    with push_service() as service:
        people = [Pair(victim, service, number, outcome) for number in range(pairs)]
        for pair in people:
            await pair.begin()
        tasks = [asyncio.ensure_future(pair.run(random.Random(rng.random()))) for pair in people]
        try:
            for kill in range(count):
                if rng.random() < 0.7:  # else it is killed while it starts
                    await asyncio.to_thread(service.wait_for_more, rng.randint(1, 6), PATIENCE)
                await asyncio.sleep(rng.uniform(0.0, 0.5))
                await asyncio.to_thread(victim.kill)
                await asyncio.to_thread(victim.start)
                for task in tasks:
                    if task.done():
                        task.result()  # it goes on for ever, unless something is wrong with it
                if (kill + 1) % 10 == 0:
                    print(f"{kill + 1} of {count} kills, {len(service.posts)} posts", flush=True)
            before = [sum(pair.calls.values()) for pair in people]
            for pair, calls in zip(people, before, strict=True):
                await _until(lambda pair=pair, calls=calls: sum(pair.calls.values()) > calls)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            victim.kill()
        for pair in people:
            pair.judge()
    return outcome


async def _until(condition: Any) -> None:
    """Every pair goes on after the last kill."""
    with suppress(TimeoutError):
        async with asyncio.timeout(2 * PATIENCE):
            while not condition():
                await asyncio.sleep(0.05)
