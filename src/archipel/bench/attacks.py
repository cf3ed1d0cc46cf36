"""`python -m archipel.bench.attacks`: the server under attack, with a new server on this machine for each attack.

Two people play from one address while somebody at another attacks for some seconds. It prints the server's peak memory,
its CPU seconds, and the latency of the players' moves. Every attack is limited in time and in bytes.
"""

import argparse
import asyncio
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from archipel import game
from archipel.core.record import Record
from archipel.core.rules import CHANCE, OVER
from archipel.table.log.fairness import Lot

from .process import Process

PLAYER, ATTACKER = "127.0.0.2", "127.0.0.3"
MASK = b"\0\0\0\0"
Json = dict[str, Any]
Line = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Server(Process):
    """A server with the default limits."""

    def __init__(self, folder: str) -> None:
        command = [sys.executable, "-m", "archipel", "serve", "--port", "0", "--no-browser"]
        environment = {"ARCHIPEL_PACE": "0", "ARCHIPEL_BOTS": "1"}
        super().__init__([*command, "--database", str(Path(folder) / "tables.sqlite3")], environment)
        self.port = int(self.wait_for(r"http://[^:]+:(\d+)/"))


class Visitor:
    """A client at one address, with a cookie."""

    def __init__(self, server: Server, address: str) -> None:
        self.server, self.address = server, address
        self.cookie = ""

    async def dial(self) -> Line:
        return await asyncio.open_connection("127.0.0.1", self.server.port, local_addr=(self.address, 0))

    async def ask(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """The status and body of a response; status 0 if there is none."""
        try:
            return await asyncio.wait_for(self._ask(method, path, body), 60)
        except (OSError, TimeoutError, asyncio.IncompleteReadError):
            return 0, None

    async def _ask(self, method: str, path: str, body: Any) -> tuple[int, Any]:
        reader, writer = await self.dial()
        content = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        writer.write(self._head(method, path, f"Content-Length: {len(content)}\r\nConnection: close") + content)
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        content = await reader.read()
        writer.close()
        for line in head.split("\r\n"):
            if line.lower().startswith("set-cookie:"):
                self.cookie = line.split(":", 1)[1].partition(";")[0].strip()
        return int(head.split()[1]), json.loads(content) if content.startswith(b"{") else content

    def _head(self, method: str, path: str, more: str) -> bytes:
        host = f"127.0.0.1:{self.server.port}"
        cookie = f"Cookie: {self.cookie}\r\n" if self.cookie else ""
        return f"{method} {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n{cookie}{more}\r\n\r\n".encode()

    async def named(self, name: str) -> "Visitor":
        await self.ask("POST", "/api/session", {"name": name})
        return self

    async def table(self, *chairs: Json) -> str:
        """Create a table; None if it is refused."""
        wanted = {"game": "stonehenge", "chairs": chairs, "visibility": "public", "hints": True}
        _, made = await self.ask("POST", "/api/tables", wanted)
        return str(made.get("id", "")) if made else ""

    async def open(self, table: str) -> "Tab":
        """A socket that has sent hello."""
        line = await self.dial()
        upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        line[1].write(self._head("GET", f"/ws/{table}", upgrade + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="))
        await line[0].readuntil(b"\r\n\r\n")
        tab = Tab(line)
        tab.say({"type": "hello", "client": f"attack-{random.getrandbits(60)}"})
        return tab


def frame(kind: int, payload: bytes) -> bytes:
    """Encode a frame as browsers do."""
    size = bytes([0x80 | len(payload)]) if len(payload) < 126 else b"\xfe" + len(payload).to_bytes(2, "big")
    return bytes([kind]) + size + MASK + payload


class Tab:
    """One socket."""

    def __init__(self, line: Line) -> None:
        self.reader, self.writer = line
        self.n = 0
        self.version = 0
        self.legal: list[Any] = []

    def say(self, message: Json) -> None:
        self.writer.write(frame(0x81, json.dumps(message).encode()))

    async def hear(self) -> Json:
        """The next message."""
        while True:
            kind, size = await self.reader.readexactly(2)
            if size >= 126:
                size = int.from_bytes(await self.reader.readexactly(2 if size == 126 else 8), "big")
            content = await self.reader.readexactly(size)
            if kind == 0x81:
                return self._take(json.loads(content))

    def _take(self, message: Json) -> Json:
        if message["type"] == "update":
            self.version = message["version"]
            self.legal = message.get("position", {}).get("legal", self.legal)
        return message

    async def command(self, kind: str, **more: Any) -> Json:
        """Send a command and wait for its answer."""
        self.n += 1
        self.say({"type": kind, "n": self.n} | more)
        while (answer := await self.hear()).get("n") != self.n:
            pass
        return answer

    async def flood(self, data: bytes, seconds: float, read: bool) -> int:
        """Send the same bytes again and again; return how often before the server ended it."""
        until, sent = time.monotonic() + seconds, 0
        reading = asyncio.ensure_future(self.reader.read()) if read else None
        if not read:
            self.writer.transport.pause_reading()  # type: ignore[attr-defined]
        with suppress(OSError, TimeoutError):
            while time.monotonic() < until and not self.writer.transport.is_closing():
                self.writer.write(data)
                await asyncio.wait_for(self.writer.drain(), max(0.01, until - time.monotonic()))
                sent += len(data)
        if reading:
            reading.cancel()
        self.writer.transport.abort()
        return sent


@dataclass
class Evening:
    """A server, two players, and the measurements."""

    server: Server
    seconds: float
    times: list[float] = field(default_factory=list)
    most: int = 0

    def attacker(self) -> Visitor:
        return Visitor(self.server, ATTACKER)

    async def play(self) -> None:
        """A client plays both seats of a table, ten moves a second, and takes back moves before the board is full."""
        ada = await Visitor(self.server, PLAYER).named("Ada")
        table = await ada.table({"kind": "me"}, {"kind": "here", "name": "Kim"})
        tab = await ada.open(table)
        await tab.hear()
        tab.say({"type": "look", "seat": 0})
        while not tab.legal:
            await tab.hear()
        while True:
            began = time.perf_counter()
            answer = await tab.command("act", at=tab.version, action=tab.legal[0]["action"])
            self.times.append(time.perf_counter() - began)
            while tab.version < answer["version"]:
                await tab.hear()
            undone = await tab.command("undo")
            while tab.version < undone["version"]:
                await tab.hear()
            await asyncio.sleep(0.1)

    async def watch(self) -> None:
        """Sample the server's memory."""
        while True:
            self.most = max(self.most, self.server.memory())
            await asyncio.sleep(0.05)


Attack = Callable[[Evening], Awaitable[str]]


async def calm(evening: Evening) -> str:
    await asyncio.sleep(evening.seconds)
    return ""


async def chat(evening: Evening) -> str:
    """A spectator with fifty sockets sends long messages, then has 100 sockets and 40 views that nobody reads."""
    host = await evening.attacker().named("Host")
    table = await host.table({"kind": "me"}, {"kind": "open"})
    text = "\U0001f30b" * 500
    sent = 0
    for number in range(20):
        one = await evening.attacker().named(f"Zoe {number}")
        tabs = [await one.open(table) for _ in range(5)]
        for tab in tabs:
            for n in range(1, 7):
                tab.say({"type": "chat", "n": n, "text": text})
        await asyncio.sleep(0.2)
        sent += len(tabs) * 6
        for tab in tabs:
            tab.writer.transport.abort()
    size = 0
    for _ in range(100):
        tab = await host.open(table)
        if not size:
            while (message := await tab.hear())["type"] != "update":
                pass
            size = len(json.dumps(message))
        tab.writer.transport.pause_reading()  # type: ignore[attr-defined]
        for _ in range(40):
            tab.say({"type": "look", "seat": 0})
    await asyncio.sleep(evening.seconds)
    return f"{sent} remarks sent; a view has {size:,} bytes"


async def _flooded(evening: Evening, data: bytes, read: bool, first: bytes = b"") -> str:
    guest = await evening.attacker().named("Zoe")
    tab = await guest.open(await guest.table({"kind": "me"}, {"kind": "open"}))
    tab.writer.write(first)
    began = time.monotonic()
    sent = await tab.flood(data, evening.seconds, read)
    return f"{sent:,} bytes taken, ended after {time.monotonic() - began:.1f} s"


async def pings(evening: Evening) -> str:
    return await _flooded(evening, frame(0x89, b"") * 2_000, read=True)


async def fragments(evening: Evening) -> str:
    return await _flooded(evening, frame(0x00, b"") * 2_000, read=True, first=frame(0x01, b""))


async def unread_pongs(evening: Evening) -> str:
    return await _flooded(evening, frame(0x89, b"x" * 125) * 500, read=False)


async def half_open(evening: Evening) -> str:
    """Requests that never end; then another client makes a request."""
    lines: list[Line] = []
    with suppress(OSError):
        for _ in range(1_100):
            lines.append(await evening.attacker().dial())
            lines[-1][1].write(b"GET / HTTP/1.1\r\nHost: x\r\n")
    began = time.monotonic()
    status, _ = await Visitor(evening.server, PLAYER).ask("GET", "/api/games")
    took = time.monotonic() - began
    await asyncio.sleep(evening.seconds)
    for line in lines:
        line[1].transport.abort()
    return f"another visitor was answered {status} after {took:.1f} s"


async def long_head(evening: Evening) -> str:
    """A head of up to 100 MB."""
    reader, writer = await evening.attacker().dial()
    writer.write(b"GET / HTTP/1.1\r\nX: ")
    sent, until = 0, time.monotonic() + evening.seconds
    with suppress(OSError, TimeoutError):
        while sent < 100_000_000 and time.monotonic() < until and not reader.at_eof():
            writer.write(b"x" * 65_536)
            await asyncio.wait_for(writer.drain(), evening.seconds)
            sent += 65_536
    await asyncio.sleep(0.2)
    writer.transport.abort()
    return f"{sent:,} bytes sent"


async def bots(evening: Evening) -> str:
    """Thirty tables at which the strongest permitted bots play each other, or the attacker."""
    made, refused = 0, 0
    host = await evening.attacker().named("Host")
    for _ in range(30):
        expert = {"kind": "bot", "level": "expert"}
        table = await host.table(expert, expert)
        if not table:
            refused += 1
            table = await host.table({"kind": "bot", "level": "chief"}, {"kind": "me"})
        made += bool(table)
        await host.open(table)
    ada = await Visitor(evening.server, PLAYER).named("Ada")
    tab = await ada.open(await ada.table({"kind": "me"}, {"kind": "bot", "level": "sailor"}))
    while not tab.legal:
        await tab.hear()
    waits = [await _timed(tab.command("ask-hint"))]
    for _ in range(3):
        answer = await tab.command("act", at=tab.version, action=tab.legal[0]["action"])
        waits.append(await _timed(_until(tab, answer["version"] + 1)))
    return f"{made} tables, {refused} refused; hint {waits[0]:.1f} s, bot {max(waits[1:]):.1f} s at most"


async def _until(tab: Tab, version: int) -> None:
    while tab.version < version:
        await tab.hear()


async def _timed(work: Awaitable[Any]) -> float:
    began = time.monotonic()
    with suppress(TimeoutError):
        await asyncio.wait_for(work, 60)
    return time.monotonic() - began


def a_long_record() -> bytes:
    """A valid record of a long random game."""
    lot = Lot(os.urandom(32), os.urandom(32), ("",) * 5)
    kind, rng = game("kula_kula", players=5), random.Random(1)
    state, actions, draws = kind.new(), [], 0
    while state.mover != OVER:
        if state.mover == CHANCE:
            draws += 1
            action = lot.draw(state, draws)
        else:
            action = rng.choice(state.actions())
        actions.append(state.decode(action))
        state = state.after(action)
    fair = lot.shown() | {"draws": list(range(1, draws + 1))}
    return json.dumps(Record("kula_kula", kind.options, actions, fair=fair).json()).encode()


async def verify(evening: Evening) -> str:
    """One address has sixty records verified at once, another one."""
    record = await asyncio.to_thread(a_long_record)
    crowd = [asyncio.ensure_future(evening.attacker().ask("POST", "/api/verify", record)) for _ in range(60)]
    await asyncio.sleep(0.5)
    began = time.monotonic()
    status, _ = await Visitor(evening.server, PLAYER).ask("POST", "/api/verify", record)
    took = time.monotonic() - began
    statuses = [status for status, _ in await asyncio.gather(*crowd)]
    return f"of 60, {statuses.count(200)} were verified; another visitor was answered {status} after {took:.1f} s"


ATTACKS: dict[str, Attack] = {
    "nothing": calm,
    "chat": chat,
    "pings": pings,
    "fragments": fragments,
    "unread pongs": unread_pongs,
    "half-open requests": half_open,
    "a long head": long_head,
    "bots": bots,
    "verifying": verify,
}


async def measured(name: str, seconds: float) -> str:
    """Run one attack; return a line."""
    with tempfile.TemporaryDirectory() as folder:
        server = Server(folder)
        evening = Evening(server, seconds)
        beside = [asyncio.ensure_future(evening.play()), asyncio.ensure_future(evening.watch())]
        try:
            await asyncio.sleep(3)
            evening.times.clear()
            before, cpu, began = server.memory(), server.cpu(), time.monotonic()
            evening.most = before
            try:
                note = await asyncio.wait_for(ATTACKS[name](evening), 120)
            except (OSError, TimeoutError, asyncio.IncompleteReadError) as error:
                note = f"the attacker gave up ({type(error).__name__})"
            used, took = server.cpu() - cpu, time.monotonic() - began
        finally:
            for task in beside:
                task.cancel()
            server.stop()
    times = sorted(evening.times) or [float("nan")]
    memory = f"{before / 1e6:5.0f} → {evening.most / 1e6:5.0f} MB"
    moves = f"{times[len(times) // 2] * 1000:6.0f} ms, at most {times[-1] * 1000:6.0f} ms ({len(evening.times)})"
    return f"{name:20} memory {memory}   CPU {used:5.1f} of {took:5.1f} s   moves {moves}   {note}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("attacks", nargs="*", default=list(ATTACKS), metavar="ATTACK", help=", ".join(ATTACKS))
    parser.add_argument("--seconds", type=float, default=5.0)
    args = parser.parse_args()
    for name in args.attacks:
        print(asyncio.run(measured(name, args.seconds)), flush=True)


if __name__ == "__main__":
    main()
