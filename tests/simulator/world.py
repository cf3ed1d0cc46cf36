"""One simulated evening: workers start and die, people come and play, things go wrong; in the end all must be well."""

import asyncio
import hashlib
import json
import logging
import random
import tempfile
import traceback
import zlib
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from archipel.table import serving
from archipel.table.log import events
from archipel.table.log.table import Table
from archipel.table.logging import log as server_log
from archipel.table.net.app import Api
from archipel.table.net.pages import Pages
from archipel.table.play.cluster import Cluster
from archipel.table.play.hub import Hub
from archipel.table.play.verifying import Verifiers
from archipel.table.settings import Settings
from archipel.table.storage import StorageError

from . import disk as disks
from . import pool
from .bus import Bus
from .client import Link, Person, Tab
from .loop import Loop, Process
from .nature import nature
from .network import Network
from .properties import Violation, Witness, require
from .schedule import Plan, plan

LEASE = 6_000
SETTLE = 120.0
"""Within how many simulated seconds everything must be well once nothing goes wrong any more."""
NAMES = ("Ada", "Bo", "Cleo", "Dov")


class Worker:
    """One server process, as long as it lives."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self.api: Api
        self.hub: Hub
        self.chores: asyncio.Task[None]
        self.ready = False


class Outcome:
    """What came of a seed."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.failure = ""
        self.digest = ""
        self.trace: list[str] = []
        self.faults: Counter[str] = Counter()
        self.acknowledged = 0
        self.moves = 0
        self.entries = 0
        self.seconds = 0.0


class World:
    """Everything that there is."""

    def __init__(self, seed: int, loop: Loop, outcome: Outcome) -> None:
        self.rng = random.Random(f"world {seed}")
        self.plan: Plan = plan(seed)
        self.loop = loop
        self.outcome = outcome
        self.witness = Witness()
        self.disk = disks.Disk(self._committed)
        self.witness.disk = self.disk
        self.network = Network(loop, self.rng)
        self.bus = Bus(loop, self.rng)
        self.workers: list[Worker | None] = [None] * self.plan.workers
        self.persons = [Person(self, name, number) for number, name in enumerate(NAMES[: self.plan.persons])]
        self.tabs: list[Tab] = []
        self.links: list[Link] = []
        self.secrets: list[bytes] = []
        self.calm = False
        """Nothing goes wrong any more, and nobody begins anything."""
        self._calm_at: dict[str, int] = {}
        """The versions of the tables when things calmed down: where a bot is to move, they must grow."""
        self.broken: Violation | None = None
        self._down: dict[Process, float] = {}
        self._started = 0
        self._busy: dict[asyncio.Task[None], None] = {}
        loop.thread_delay = self.disk_delay
        loop.set_exception_handler(self._raised)

    # Time, chance and what is written down.

    def now(self) -> float:
        return self.loop.time()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    def later(self, seconds: float, what: Callable[..., Any], *args: Any) -> None:
        self.loop.call_later(seconds, self._safely, what, args, context=self.network.context)

    def _safely(self, what: Callable[..., Any], args: tuple[Any, ...]) -> None:
        try:
            what(*args)
        except Violation as violation:
            self.fail(violation)

    def fail(self, violation: Violation) -> None:
        """The first property that does not hold ends the evening."""
        self.broken = self.broken or violation

    def spawn(self, work: Any) -> None:
        task = self.loop.create_task(work, context=self.network.context.copy())
        self._busy[task] = None
        task.add_done_callback(self._done)

    def _done(self, task: "asyncio.Task[None]") -> None:
        self._busy.pop(task, None)
        if not task.cancelled() and (error := task.exception()):
            told = "".join(traceback.format_exception(error))
            self.fail(error if isinstance(error, Violation) else Violation(told))

    def trace(self, *what: Any) -> None:
        self.outcome.trace.append(f"{self.now():.6f} {' '.join(map(str, what))}")

    def count(self, fault: str) -> None:
        self.outcome.faults[fault] += 1

    def _raised(self, _: Any, context: dict[str, Any]) -> None:
        """Something in the server raised what nobody caught."""
        error = context.get("exception")
        if isinstance(error, Violation):
            self.fail(error)
            return
        task = context.get("task") or context.get("future")
        if error is not None and not isinstance(error, asyncio.CancelledError | StorageError):
            told = "".join(traceback.format_exception(error))
            self.fail(Violation(f"The server raised: {context['message']} {task}\n{told}"))

    def disk_delay(self) -> float:
        return self.rng.expovariate(1 / self.plan.disk_delay)

    # Workers.

    def any_worker(self) -> Worker | None:
        """One of those that take connections."""
        there = [worker for worker in self.workers if worker and worker.ready and not worker.hub.stopping]
        return self.rng.choice(there) if there else None

    def start(self, place: int) -> None:
        self._started += 1
        worker = self.workers[place] = Worker(Process(f"worker-{self._started}"))
        if self.plan.jump:
            worker.process.skew = self.rng.uniform(-1.0, 1.0)
        self.trace("starts", worker.process.name)
        task = self.loop.create_task(self._boot(worker), context=worker.process.context)
        worker.chores = task
        task.add_done_callback(lambda task: self._fell(worker, task))

    def _fell(self, worker: Worker, task: "asyncio.Task[None]") -> None:
        """A worker's own task ends with its process, and never by itself."""
        if worker.process.alive and not task.cancelled() and (error := task.exception()):
            self.fail(Violation("".join(traceback.format_exception(error))))

    async def _boot(self, worker: Worker) -> None:
        """What `serving.running` does, with other edges."""
        settings = Settings(database=disks.DATABASE, redis="redis://simulated", lease=LEASE)
        place = self.workers.index(worker)
        store = disks.store(self.disk_delay, lambda: self.kill(place, worker))
        store.start()
        bots = pool.bots(self.loop, self.rng)
        worker.hub = Hub(store, bots, pool.Outcomes(), settings)
        if self.plan.workers > 1:
            cluster = worker.hub.peers = Cluster(worker.hub, "redis://simulated")
            cluster._redis = self.bus.client()  # type: ignore[assignment]
            cluster.start()
        worker.api = Api(worker.hub, Verifiers(settings.verify_seconds), PAGES)
        worker.ready = True
        await serving._chores(worker.api, bots)

    def kill(self, place: int, worker: Worker) -> None:
        """A worker dies, and another is started in its place after a while."""
        if self.workers[place] is not worker or not worker.process.alive:
            return
        self.trace("dies", worker.process.name)
        worker.process.alive = False
        worker.ready = False
        self.network.died(worker.process)
        self.workers[place] = None
        self.later(self.rng.uniform(0.05, 4.0), self.start, place)

    async def restart(self, place: int, worker: Worker) -> None:
        """A worker is stopped as an operator stops it."""
        if self.workers[place] is not worker:
            return
        self.trace("stops", worker.process.name)
        stopped = self.loop.create_task(self._stop(worker), context=worker.process.context)
        for _ in range(40):
            await asyncio.sleep(0.5)
            if stopped.done():
                break
        self.kill(place, worker)

    async def _stop(self, worker: Worker) -> None:
        """What uvicorn's shutdown and the end of `serving.running` do."""
        hub = worker.hub
        await hub.settle()
        hub.say_goodbye()
        await asyncio.sleep(serving.FAREWELL)
        worker.chores.cancel()
        await hub.peers.close()
        hub.store.writer.close()

    # What browsers hear.

    def hears(self, tab: Tab, raw: bytes, kind: str) -> None:
        self.outcome.trace.append(f"{self.now():.6f} hears {tab.name} {kind} {zlib.crc32(raw):08x}")
        self.keeps_secrets(raw, tab.table)

    def keeps_secrets(self, raw: bytes, *tables: str) -> None:
        """Nobody is told anybody's cookie, link or key, nor the seed of a game that runs."""
        told = next((secret for secret in self.secrets if secret in raw), b"")
        require(not told, "A secret was sent.", message=raw[:300])
        for story in (self.witness.stories[table] for table in tables):
            runs = not story.table.ending and story.table.lot.seed.hex().encode() in raw
            require(not runs, "The seed of a game that runs was sent.", message=raw[:300])

    def acknowledged(self, tab: Tab, n: int, version: int, command: dict[str, Any] | None) -> None:
        self.trace("acknowledged", tab.name, n, version)
        if command is not None:
            self.witness.check_ack(tab, n, version, command)
            tab.acked[n] = version
            self.outcome.acknowledged += 1
            self.outcome.moves += command["type"] == "act"

    def turned_away(self, tab: Tab, rule: str) -> None:
        self.trace("turned away", tab.name, rule)
        if tab.key:
            ended = tab.key.revoked or tab.key.kind == "shoulder"
            require(ended, "A link that nobody revoked does not work.", tab=tab.name, rule=rule)
        else:
            story = self.witness.stories[tab.table]
            invited = story.table.setup.visibility == "public" or tab.who in story.owners[story.version]
            require(not invited or rule == "table.link-needed", "Turned away from a table.", tab=tab.name, rule=rule)

    def any_action(self, tab: Tab, rng: random.Random) -> Any:
        """An action of the game that may be legal or not."""
        state = self.witness.stories[tab.table].table.state
        number = rng.randrange(state.game.action_count)
        with suppress(Exception):
            return state.decode(number) if rng.random() < 0.5 else state.notation(number)
        return "pass"

    # What goes wrong.

    def _committed(self) -> None:
        try:
            self.witness.committed()
        except Violation as violation:
            self.fail(violation)

    def _trouble(self) -> None:
        """Set the rates of what happens by itself."""
        plan, disk, rng = self.plan, self.disk, self.rng
        self.network.jitter, self.network.pieces, self.network.lost = plan.jitter, plan.pieces, plan.lost
        self.bus.dropped, self.bus.doubled, self.bus.delayed = plan.dropped, plan.doubled, plan.delayed

        def fault(process: Process | None) -> str:
            if process is None or rng.random() >= plan.commit:
                return ""
            chosen = rng.choice(disks.COMMIT_FAULTS)
            self.count(f"commit {chosen}")
            self.trace("commit", process.name, chosen)
            return chosen

        disk.fault = fault
        disk.down = lambda process: process is not None and self._down.get(process, 0.0) > self.now()
        disk.later = lambda work: self.later(rng.uniform(0.05, 5.0), work)

    async def _gremlin(self, name: str, rate: float, act: Callable[[], Any]) -> None:
        """Do something bad, so many times a second."""
        while rate and not self.calm:
            await asyncio.sleep(self.rng.expovariate(rate))
            if not self.calm and self.broken is None:
                self.count(name)
                done = act()
                if asyncio.iscoroutine(done):
                    await done

    def _someone(self) -> tuple[int, Worker] | None:
        there = [(place, worker) for place, worker in enumerate(self.workers) if worker and worker.ready]
        return self.rng.choice(there) if there else None

    def _crash(self) -> None:
        if found := self._someone():
            self.kill(*found)

    async def _restart(self) -> None:
        if found := self._someone():
            await self.restart(*found)

    def _stall(self) -> None:
        found = self._someone()
        if found and not found[1].process.stalled:
            seconds = self.rng.choice((0.3, 2.0, 9.0, 20.0))
            self.trace("stalls", found[1].process.name, seconds)
            self.loop.stall(found[1].process, seconds)

    def _cut(self) -> None:
        if self.network.connections:
            connection = self.rng.choice(list(self.network.connections))
            silent = self.rng.random() < 0.3
            self.trace("cuts", connection.browser.name, silent)
            connection.cut(silent)

    def _slow(self) -> None:
        if self.tabs:
            tab = self.rng.choice(self.tabs)
            self.trace("slow", tab.name)
            tab.slow(self.rng.uniform(0.5, 15.0))

    def _jump(self) -> None:
        if found := self._someone():
            found[1].process.skew += self.rng.choice((-60.0, -5.0, 0.5, 5.0, 60.0))
            self.trace("clock", found[1].process.name, found[1].process.skew)

    def _outage(self) -> None:
        """The database is away for one worker: often just when a bot of its own is thinking."""
        asked = [worker.process for worker in self.workers if worker and worker.ready and _asks_a_bot(worker.hub)]
        found = self._someone()
        if found:
            process, least = found[1].process, 0.1
            if asked and self.rng.random() < 0.7:
                process, least = self.rng.choice(asked), 3.0  # until the bot has answered
            self._down[process] = self.now() + self.rng.uniform(least, 8.0)
            self.trace("no database", process.name)

    async def _redis(self) -> None:
        self.trace("no redis")
        self.bus.go()
        await asyncio.sleep(self.rng.uniform(0.2, 10.0))
        self.bus.up = True

    async def _visit(self) -> None:
        """Somebody asks for lists, records and replays: those of games that are over, and no others."""
        person, tab = self.rng.choice(self.persons), self.rng.choice(self.tabs) if self.tabs else None
        if not person.who or tab is None:
            return
        asked = self.rng.choice(("", f"/{tab.table}", f"/{tab.table}/record", f"/{tab.table}/replay?eye=referee"))
        status, told = await person.ask("GET", f"/api/tables{asked}")
        self.keeps_secrets(json.dumps(told).encode(), *([tab.table] if asked else ()))
        over = any(isinstance(entry, events.Ended) for entry in self.witness.stories[tab.table].table.log)
        if "/record" in asked or "/replay" in asked:
            require(over or status != 200, "A game that runs is shown to everybody.", path=asked)

    async def _link(self) -> None:
        """Somebody makes a link and somebody follows it, or one is revoked."""
        rng = self.rng
        tab = rng.choice(self.tabs) if self.tabs else None
        if tab is None or tab.link or not tab.who:
            return
        mine = [link for link in self.links if link.maker == tab.who and not link.revoked]
        if mine and rng.random() < 0.3:
            link = rng.choice(mine)
            link.revoked = True
            status, _ = await tab.person.ask("POST", "/api/links/revoke", {"token": link.token})
            require(status in (204, 404), "A link could not be revoked.", status=status)
            self.trace("revoked", link.kind, status)
            return
        kind = rng.choice(("watch", "shoulder", "shoulder") if tab.yours else ("watch",))
        seat = rng.choice(tab.yours) if kind == "shoulder" else None
        status, made = await tab.person.ask("POST", f"/api/tables/{tab.table}/links", {"kind": kind, "seat": seat})
        if status == 201:
            link = Link(made["token"], kind, tab.table, seat, tab.who)
            self.links.append(link)
            self.come(rng.choice(self.persons), tab.table, link)
            if seat is not None and rng.random() < 0.7:
                self.later(rng.uniform(0.5, 4.0), self._hand_over, tab, seat)

    def _hand_over(self, tab: Tab, seat: int) -> None:
        """Somebody whose hand is shown by a link leaves the seat, and everybody else asks for it: whoever gets it must
        not be watched."""
        tab.rise(seat)
        for other in self.tabs:
            other.has_left |= other.person is tab.person and other.table == tab.table
        here = {other.person for other in self.tabs if other.table == tab.table and other.standing != "closed"}
        for person in self.persons:
            if person not in here and person.who:
                self.come(person, tab.table)

    # The evening.

    def come(self, person: Person, table: str, link: Link | None = None) -> None:
        """Somebody opens a table's page."""
        tab = Tab(self, person, table, len(self.tabs) + 1, link)
        self.tabs.append(tab)
        self.later(self.rng.uniform(0.1, 1.0), tab.live)

    async def _make_tables(self) -> None:
        for person in self.persons:
            await person.arrive()
        for wanted in self.plan.tables:
            host = self.rng.choice(self.persons)
            body: dict[str, Any] = {
                "game": wanted.game,
                "options": wanted.options,
                "chairs": wanted.chairs,
                "clock": wanted.clock,
                "visibility": "public" if wanted.public else "link",
                "hints": True,
            }
            if wanted.game == "krakatoa":
                body["dice"] = "odds"
            status, made = await host.ask("POST", "/api/tables", body)
            require(status == 201, "A table was refused.", status=status, made=made)
            await self._invite(host, made["id"], wanted)

    async def _invite(self, host: Person, table: str, wanted: Any) -> None:
        self.come(host, table)
        others = [person for person in self.persons if person is not host]
        if wanted.public:
            for person in others:
                self.come(person, table)
            return
        free = [seat for seat, chair in enumerate(wanted.chairs) if chair["kind"] == "open"]
        for person, seat in zip(others, free, strict=False):
            status, made = await host.ask("POST", f"/api/tables/{table}/links", {"kind": "seat", "seat": seat})
            require(status == 201, "A link was refused.", status=status)
            self.links.append(Link(made["token"], "seat", table, seat, host.who))
            self.come(person, table, self.links[-1])

    async def spend(self) -> None:
        """The whole evening; Violation if something is not as it must be."""
        for place in range(self.plan.workers):
            self.start(place)
        self._trouble()
        self.spawn(self._make_tables())
        plan = self.plan
        for name, rate, act in (
            ("crash", plan.crash, self._crash),
            ("restart", plan.restart, self._restart),
            ("stall", plan.stall, self._stall),
            ("cut", plan.cut, self._cut),
            ("slow reader", plan.slow, self._slow),
            ("clock jump", plan.jump, self._jump),
            ("database away", plan.outage, self._outage),
            ("redis away", plan.redis, self._redis),
            ("links", plan.links, self._link),
            ("visits", plan.visits, self._visit),
        ):
            self.spawn(self._gremlin(name, rate, act))
        await self._until(lambda: self.now() >= plan.active, plan.active + 1)
        await self._calm_down()

    async def _until(self, condition: Callable[[], bool], most: float) -> bool:
        """Wait for something, at most so many seconds; the first violation ends it."""
        end = self.now() + most
        while not condition() and self.now() < end:
            await asyncio.sleep(0.25)
            if self.broken:
                raise self.broken
        if self.broken:
            raise self.broken
        return condition()

    async def _calm_down(self) -> None:
        """Nothing goes wrong any more: soon everybody must know everything, and be able to go on."""
        self.trace("calm")
        self.calm = True
        self._calm_at = {table: story.version for table, story in self.witness.stories.items()}
        self.plan.commit = self.plan.twice = 0.0
        self.network.jitter = self.network.pieces = self.network.lost = 0.0
        self.bus.dropped = self.bus.doubled = self.bus.delayed = 0.0
        self.bus.up = True
        self._down.clear()
        await self._until(lambda: not self._busy, SETTLE)
        for worker in self.workers:
            if worker:
                worker.process.skew = 0.0
        await self._until(lambda: not self._unsettled(), SETTLE)
        require(not self._unsettled(), "Something is stuck.", what=self._unsettled())
        asked = [(tab, tab.say()) for tab in self._open_tabs() if not tab.link]
        await self._until(lambda: all(n not in tab.unanswered for tab, n in asked), 30.0)
        waiting = [f"{tab.name} {n}" for tab, n in asked if n in tab.unanswered]
        require(not waiting, "A command is never answered.", waiting=waiting)
        await self._until(lambda: not self._unsettled(), SETTLE)
        require(not self._unsettled(), "Something is stuck.", what=self._unsettled())
        self._check_end()

    def _open_tabs(self) -> list[Tab]:
        return [tab for tab in self.tabs if tab.standing != "closed"]

    def _unsettled(self) -> str:
        """What is not yet as it must be in the end; nothing: all is well."""
        if any(worker is None or not worker.ready for worker in self.workers):
            return "a worker"
        for worker in self.workers:
            for live in worker.hub.lives.values() if worker else ():
                if live.busy or live._jobs:
                    return f"jobs of {live.id} at {worker.process.name if worker else ''}"
        for table, story in self.witness.stories.items():
            waits = story.table.bot_to_move() and story.version == self._calm_at.get(table, -1)
            if waits and any(tab.table == table for tab in self.tabs):
                return f"a bot of {table}"
        return next((what for tab in self._open_tabs() if (what := self._behind(tab))), "")

    def _behind(self, tab: Tab) -> str:
        """What a tab does not know that it should."""
        if tab.key and tab.key.revoked and tab.link:
            return f"{tab.name} looks on by a link that was revoked"
        story = self.witness.stories[tab.table]
        if tab.standing != "open" or tab.unanswered:
            return f"{tab.name} is {tab.standing} with {len(tab.unanswered)} unanswered"
        if tab.version != story.version:
            return f"{tab.name} is at {tab.version} of {story.version}"
        if tab.seen != story.positions[story.version, tab.seat]:
            return f"{tab.name} sees something else"
        mine = story.table.seats_of(tab.who)
        if not tab.link and (tab.yours != mine or (len(mine) == 1 and tab.seat != mine[0])):
            return f"{tab.name} does not know its seats"
        if any(tab.entries.get(v) != story.told[v, tab.seat] for v in story.standing()):
            return f"{tab.name} does not know the whole game"
        if tab.heard != max(story.remarks, default=0):
            return f"{tab.name} has not heard everything"
        return ""

    def _check_end(self) -> None:
        """What was promised must be in the log, and what was refused must not."""
        for tab in self.tabs:
            story = self.witness.stories[tab.table]
            for n, version in tab.acked.items():
                there = (tab.by, n) in story.said or story.kept.get((tab.by, n)) == version
                require(there, "An acknowledged command is lost.", tab=tab.name, n=n)
            for n, rule in tab.refused.items():
                if rule not in (UNSURE if self.plan.workers == 1 else UNSURE | BUSY):
                    kept = story.kept.get((tab.by, n), story.said.get((tab.by, n)))
                    require(kept is None, "A refused command is in the log.", tab=tab.name, n=n, rule=rule, at=kept)
        for story in self.witness.stories.values():
            again = Table(story.table.setup, story.table.log)
            require(again.version == story.version, "The log cannot be read again.")


def _asks_a_bot(hub: Hub) -> bool:
    """True if a bot is to move at a table that this worker looks after."""
    return any(live.ours and live.table.bot_to_move() for live in hub.lives.values())


UNSURE = frozenset({"table.counter-used"})
"""Answers that do not say whether a command is in the log."""
BUSY = frozenset({"table.too-fast", "table.busy", "table.not-kept"})
"""What is refused for the moment only. Among several workers a copy that is still on its way may be accepted by the
table's next owner, who does not know of the refusal."""
PAGES = Pages(Path(tempfile.gettempdir()) / "no-such-pages")


class Errors(logging.Handler):
    """What the server caught and logged is a failure all the same."""

    fail: Callable[[Violation], None]

    def emit(self, record: logging.LogRecord) -> None:
        told = "".join(traceback.format_exception(record.exc_info[1])) if record.exc_info else ""
        self.fail(Violation(f"The server logged: {record.getMessage()}\n{told}"))


def simulate(seed: int) -> Outcome:
    """Spend the evening of a seed."""
    outcome = Outcome(seed)
    loop = Loop()
    level = server_log.level
    errors = Errors(logging.ERROR)
    server_log.addHandler(errors)
    server_log.setLevel(logging.ERROR)
    secrets: list[bytes] = []
    try:
        with nature(loop, random.Random(f"chance {seed}"), secrets):
            world = World(seed, loop, outcome)
            errors.fail = world.fail
            world.secrets = secrets
            try:
                loop.run_until_complete(world.spend())
            except Violation as violation:
                outcome.failure = str(violation)
            outcome.entries = world.witness.entries
            outcome.seconds = loop.time()
    finally:
        loop.set_exception_handler(lambda *_: None)
        loop.finish()
        server_log.setLevel(level)
        server_log.removeHandler(errors)
    outcome.digest = hashlib.sha256("\n".join(outcome.trace).encode()).hexdigest()
    return outcome
