"""A server that is killed at random moments under load, and clients that note what was acknowledged to them."""

import asyncio
import json
import random
import re
import resource
import signal
import subprocess
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from archipel.table.log import events
from archipel.table.log.table import Table
from archipel.table.storage import Store
from tests import chance

from .house import Guest, free_port

Json = dict[str, Any]


class Victim:
    """A server process that is killed and started again on the same port."""

    def __init__(
        self, database: str, heard: Callable[[str], None] | None = None, life: int = 0, **environment: str
    ) -> None:
        """`heard` is called, in a thread, with every line the server logs. Servers of other lives draw other tokens."""
        self.database = database
        self._heard = heard
        self.port = free_port()
        self._settings = {
            "ARCHIPEL_REQUESTS": "100000",
            "ARCHIPEL_MESSAGES": "100000",
            "ARCHIPEL_TABLES_EACH": "100000",
            "ARCHIPEL_BOTS": "1",
            **environment,
        }
        self._process: subprocess.Popen[str] | None = None
        self._lives = life

    def start(self) -> None:
        archipel, environment = chance.archipel(life=self._lives)
        self._lives += 1
        self._process = subprocess.Popen(
            [*archipel, "serve", "--no-browser", "--port", str(self.port), "--database", self.database],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE if self._heard else subprocess.DEVNULL,
            text=True,
            env=environment | self._settings,
        )
        if self._heard:
            threading.Thread(target=self._hear, args=(self._process,), daemon=True).start()
        assert self._process.stdout
        assert re.search("is running at", self._process.stdout.readline())

    def _hear(self, process: subprocess.Popen[str]) -> None:
        assert self._heard
        assert process.stderr
        with process.stderr:
            for line in process.stderr:
                self._heard(line)

    def signal(self, number: signal.Signals) -> None:
        assert self._process
        self._process.send_signal(number)

    def limit(self, size: int | None) -> None:
        """Let the server write no file beyond that size from now on: its disk is full, as far as it can tell."""
        assert self._process
        soft = resource.RLIM_INFINITY if size is None else size
        resource.prlimit(self._process.pid, resource.RLIMIT_FSIZE, (soft, resource.RLIM_INFINITY))

    def kill(self) -> None:
        if self._process:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()
            assert self._process.stdout
            self._process.stdout.close()
            self._process = None


@dataclass
class Client:
    """Plays one seat at random, over and over, across crashes. `acknowledged` are its commands that were."""

    guest: Guest
    table: str
    name: str
    acknowledged: dict[int, int] = field(default_factory=dict)
    sent: dict[int, Json] = field(default_factory=dict)
    n: int = 0
    version: int = 0
    hash: str = ""
    errors: list[str] = field(default_factory=list)

    async def run(self, rng: random.Random) -> None:
        """Until cancelled: connect, play, be cut off, connect again."""
        while True:
            with suppress(OSError, ConnectionClosed, InvalidHandshake, TimeoutError, EOFError):
                await self._visit(rng)
            await asyncio.sleep(0.02)

    async def _visit(self, rng: random.Random) -> None:
        async with connect(
            f"ws://127.0.0.1:{self.guest.port}/ws/{self.table}",
            additional_headers={"Cookie": self.guest.cookie},
            compression=None,
            ping_interval=None,
            open_timeout=5,
        ) as socket:
            hello: Json = {"type": "hello", "client": f"client-{self.name}"}
            if self.hash:
                hello |= {"since": self.version, "hash": self.hash}
            await socket.send(json.dumps(hello))
            for n in sorted(set(self.sent) - set(self.acknowledged)):
                await socket.send(json.dumps(self.sent[n]))
            async for raw in socket:
                if command := self._take(json.loads(raw), rng):
                    await socket.send(json.dumps(command))

    def _take(self, message: Json, rng: random.Random) -> Json | None:
        if message["type"] == "ack":
            self.acknowledged[message["n"]] = message["version"]
        elif message["type"] == "refused":
            self.sent.pop(message["n"], None)
        elif message["type"] == "update":
            return self._update(message, rng)
        return None

    def _update(self, update: Json, rng: random.Random) -> Json | None:
        if not update.get("whole") and update["since"] != self.version:
            self.errors.append(f"{self.name}: an update since {update['since']} came at {self.version}")
        if update["version"] < self.version:
            self.errors.append(f"{self.name}: {self.version} was told, and then {update['version']}")
        self.version = update["version"]
        position = update.get("position")
        if not position:
            return None
        self.hash = position["hash"]
        if position.get("over"):
            return self._command("rematch")
        if position["legal"]:
            return self._command("act", at=self.version, action=rng.choice(position["legal"])["action"])
        return None

    def _command(self, kind: str, **parameters: Any) -> Json | None:
        if set(self.sent) - set(self.acknowledged):
            return None
        self.n += 1
        self.sent[self.n] = {"type": kind, "n": self.n, **parameters}
        return self.sent[self.n]


@dataclass
class Outcome:
    """What came of it."""

    kills: int
    acknowledged: int
    lost: int
    twice: int
    stuck: int
    errors: list[str]


async def crashes(database: str, kills: int, tables: int = 4, seed: int = 0) -> Outcome:
    """Kill a server so many times while games are played on it; count what was lost."""
    rng = random.Random(seed)
    victim = Victim(database)
    victim.start()
    clients = await _seated(victim, tables)
    tasks = [asyncio.ensure_future(client.run(random.Random(rng.random()))) for client in clients]
    stuck = 0
    try:
        for kill in range(kills):
            before = [len(client.acknowledged) for client in clients]
            await asyncio.sleep(rng.uniform(0.05, 0.6))
            await asyncio.to_thread(victim.kill)
            await asyncio.to_thread(victim.start)
            stuck += not await _goes_on(clients, before)
            if (kill + 1) % 10 == 0:
                acknowledged = sum(len(client.acknowledged) for client in clients)
                print(f"{kill + 1} of {kills} kills, {acknowledged} commands acknowledged", flush=True)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        victim.kill()
    lost, twice = await _audit(database, clients)
    acknowledged = sum(len(client.acknowledged) for client in clients)
    return Outcome(kills, acknowledged, lost, twice, stuck, [e for client in clients for e in client.errors])


async def _seated(victim: Victim, tables: int) -> list[Client]:
    """Two clients at each table."""
    clients = []
    for number in range(tables):
        ada, bo = Guest(victim.port), Guest(victim.port)
        for guest, name in ((ada, "Ada"), (bo, "Bo")):
            assert (await guest.post("/api/session", {"name": name}))[0] == 201
        game = ("kahuna", "stonehenge", "krakatoa")[number % 3]
        table = await ada.table(game, [{"kind": "me"}, {"kind": "open"}], visibility="public")
        async with bo.at(table) as player:
            assert (await player.command("sit", seat=1))["type"] == "ack"
        clients += [Client(guest, table, f"{name}-{number}") for guest, name in ((ada, "Ada"), (bo, "Bo"))]
    return clients


async def _goes_on(clients: list[Client], before: list[int]) -> bool:
    """Is every table played on, within a while?"""
    for _ in range(600):
        moved = {c.table for c, n in zip(clients, before, strict=True) if len(c.acknowledged) > n}
        if len(moved) == len({client.table for client in clients}):
            return True
        await asyncio.sleep(0.05)
    return False


async def _audit(database: str, clients: list[Client]) -> tuple[int, int]:
    """Acknowledged commands that the log does not have, and commands that it has more than once."""
    store = Store(database)
    lost = twice = 0
    try:
        for table in {client.table for client in clients}:
            kept = await store.load(table)
            assert kept
            Table(kept.setup, kept.entries)  # it can be replayed
            versions = {(entry.by, entry.n): version for version, entry in enumerate(kept.entries, 1) if entry.by}
            commands = [(entry.by, entry.n) for entry in kept.entries if entry.by]
            twice += len(commands) - len(set(commands))
            known = set(versions.values())
            for client in clients:
                if client.table == table:
                    lost += sum(version not in known for version in client.acknowledged.values())
                    lost += sum(_differs(client.sent[n], kept.entries[v - 1]) for n, v in client.acknowledged.items())
    finally:
        await store.close()
    return lost, twice


def _differs(sent: Json, entry: events.Entry) -> bool:
    """Is the entry another than the command that was acknowledged with its version?"""
    if isinstance(entry, events.Acted):
        return bool(entry.n != sent["n"] or json.loads(bytes(entry.action)) != sent["action"])
    return bool(entry.n != sent["n"] or not isinstance(entry, events.Agreed))
