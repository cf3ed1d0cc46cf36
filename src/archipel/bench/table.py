"""`python -m archipel.bench.table`: the server under load over real sockets, and boardgame.io beside it.

The server runs in one process, the load generator in another. Every table is played by two sockets; each move is legal,
and the pause between two moves of a table is such that all tables together make the requested rate.
"""

import argparse
import asyncio
import random
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from . import beside
from .load import Load, crowd
from .process import Process
from .wire import Http, Wire, dial

GAMES = ("kahuna", "stonehenge", "krakatoa")
_encode = msgspec.json.Encoder().encode


class _Legal(msgspec.Struct):
    action: msgspec.Raw


class _Over(msgspec.Struct):
    by: str


class _Position(msgspec.Struct):
    legal: list[_Legal]
    hash: str
    over: _Over | None = None


class _Message(msgspec.Struct):
    type: str
    n: int = 0
    version: int = 0
    position: _Position | None = None
    rule: str = ""


_decode = msgspec.json.Decoder(_Message).decode


class Seat:
    """A socket that plays: when it is its turn it waits for its moment, and then makes a legal move."""

    def __init__(self, pair: "Pair", cookie: str) -> None:
        self.pair = pair
        self.cookie = cookie
        self.wire: Wire
        self.n = 0
        self.version = 0
        self.hash = ""
        self.sent = 0.0
        self.updates = 0
        self.ready: asyncio.Future[None] | None = None

    async def connect(self, host: str, since: bool = False) -> None:
        self.ready = asyncio.get_running_loop().create_future()
        self.wire = await dial(host, f"/ws/{self.pair.table}", self._heard, self.cookie)
        hello: dict[str, Any] = {"type": "hello", "client": f"bench-{id(self)}"}
        self.wire.send(_encode(hello | ({"since": self.version, "hash": self.hash} if since else {})))
        await self.ready

    def command(self, kind: str, **parameters: Any) -> None:
        self.n += 1
        self.wire.send(_encode({"type": kind, "n": self.n} | parameters))

    def _heard(self, wire: Wire, text: bytes) -> None:
        message = _decode(text)
        if message.type == "ack":
            if self.sent:
                self.pair.load.took(time.perf_counter() - self.sent)
                self.sent = 0.0
        elif message.type == "update":
            self._update(message)
        elif message.type == "refused":
            self.pair.load.refused += 1

    def _update(self, message: _Message) -> None:
        self.version = message.version
        self.updates += 1
        if self.ready and not self.ready.done():
            self.ready.set_result(None)
        position = message.position
        if position:
            self.hash = position.hash
            if position.over:
                self.pair.again()
            elif position.legal:
                self.pair.due(self, position.legal)


class Pair:
    """Two players at one table."""

    def __init__(self, game: str, load: Load) -> None:
        self.game = game
        self.load = load
        self.table = ""
        self.seats: list[Seat] = []
        self._next = 0.0
        self._asked = False

    def due(self, seat: Seat, legal: list[_Legal]) -> None:
        """It is this seat's turn: it acts when the pair's moment has come."""
        self._asked = False
        loop = asyncio.get_running_loop()
        self._next = self.load.moment(self._next, loop.time())
        action, version = random.choice(legal).action, seat.version
        loop.call_at(self._next, self._act, seat, action, version)

    def _act(self, seat: Seat, action: msgspec.Raw, version: int) -> None:
        if seat.version == version and not (seat.wire.hung_up or self.load.paused):
            seat.sent = time.perf_counter()
            seat.command("act", at=version, action=action)

    def again(self) -> None:
        """The game is over: both want another."""
        if not self._asked:
            self._asked = True
            for seat in self.seats:
                asyncio.get_running_loop().call_later(0.2, self._rematch, seat)

    def _rematch(self, seat: Seat) -> None:
        if not seat.wire.hung_up:
            seat.command("rematch")


class Server(Process):
    """Our server."""

    def __init__(self, database: str) -> None:
        limits = {"TABLES": 20_000, "SOCKETS": 20_000, "SOCKETS_EACH": 20_000, "TABLES_EACH": 100_000}
        rates = {"REQUESTS": 100_000, "MESSAGES": 1_000, "FORGET": 600_000}
        command = [sys.executable, "-m", "archipel", "serve", "--port", "0", "--no-browser"]
        super().__init__(
            [*command, "--database", database],
            {f"ARCHIPEL_{name}": str(value) for name, value in (limits | rates).items()},
        )
        self.host = self.wait_for(r"http://([^/]+)/")


def tables_in(folder: str) -> str:
    """The database URL of a server that stores its tables in a folder."""
    return str(Path(folder) / "tables.sqlite3")


async def _furnish(server: Server, pairs: list[Pair]) -> None:
    """Create sessions and tables for all pairs."""
    http = Http(server.host)

    async def person(name: str) -> str:
        _, headers, _ = await http.post("/api/session", _encode({"name": name}))
        return headers["set-cookie"].partition(";")[0]

    async def furnish(pair: Pair) -> None:
        pair.seats = [Seat(pair, await person(name)) for name in ("Ada", "Bo")]
        wanted: dict[str, Any] = {
            "game": pair.game,
            "chairs": [{"kind": "me"}, {"kind": "open"}],
            "visibility": "public",
        }
        if pair.game == "krakatoa":
            wanted["dice"] = "odds"  # simulated dice are measured by `archipel.bench.throws`
        status, _, made = await http.post("/api/tables", _encode(wanted), pair.seats[0].cookie)
        assert status == 201, made
        pair.table = msgspec.json.decode(made)["id"]

    await crowd([lambda pair=pair: furnish(pair) for pair in pairs])  # type: ignore[misc]


async def measure_table(sockets: int, rate: float, seconds: float, watchers: int) -> list[str]:
    """Measure the server under load; prints line by line."""
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        server = Server(tables_in(folder))
        try:
            load = Load(sockets, rate)
            pairs = [Pair(GAMES[n % len(GAMES)], load) for n in range(sockets // 2)]
            print(f"  {sockets} sessions, {len(pairs)} tables …", flush=True)
            await _furnish(server, pairs)
            before = server.memory()
            print("  sockets …", flush=True)
            seats = [seat for pair in pairs for seat in pair.seats]
            await crowd([lambda seat=seat: seat.connect(server.host) for seat in seats])  # type: ignore[misc]
            await asyncio.sleep(2)
            each = (server.memory() - before) / sockets
            lines.append(f"memory a socket, its table included     {each / 1024:7.1f} KB")
            for pair in pairs:
                pair.seats[1].command("sit", seat=1)
            print("  warming up …", flush=True)
            await asyncio.sleep(min(8.0, 3 * load.pause + 3))
            print(f"  {seconds:.0f} seconds at {rate:.0f} moves/s …", flush=True)
            cpu, waited = server.cpu(), server.waited()
            await load.measure(seconds)
            seconds = load.ended - load.began
            used, kept_waiting = server.cpu() - cpu, (server.waited() - waited) / seconds
            lines.insert(0, f"archipel, {sockets} sockets, {len(pairs)} tables   {load}")
            lines.insert(
                1,
                f"  of the server's CPU {1000 * used / len(load.times):.2f} ms a move, {used / seconds:.0%} of a core",
            )
            lines.insert(2, f"  others kept it waiting for a core       {kept_waiting:7.0%} of the time")
            playing = (server.memory() - before) / sockets
            lines.append(f"memory a socket while they play         {playing / 1024:7.1f} KB")
            lines.append(await _storm(server, seats))
            for seat in seats:
                seat.wire.close()
            lines.append(await _watch(server, watchers))
        finally:
            server.stop()
    return lines


async def _storm(server: Server, seats: list[Seat]) -> str:
    """All sockets disconnect and reconnect at once."""
    print("  the storm …", flush=True)
    seats[0].pair.load.paused = True
    await asyncio.sleep(2)
    for seat in seats:
        seat.wire.close()
    await asyncio.sleep(1)
    began = time.perf_counter()
    times: list[float] = []
    failed: list[Seat] = []

    async def back(seat: Seat) -> None:
        start = time.perf_counter()
        try:
            await asyncio.wait_for(seat.connect(server.host, since=True), 60)
        except (OSError, TimeoutError):
            failed.append(seat)
        times.append(time.perf_counter() - start)

    await crowd([lambda seat=seat: back(seat) for seat in seats], 500)  # type: ignore[misc]
    took = time.perf_counter() - began
    times.sort()
    return (
        f"storm of {len(seats)} reconnects                {took:7.1f} s   "
        f"({len(seats) / took:.0f}/s, p99 {times[int(0.99 * len(times))] * 1000:.0f} ms for one, {len(failed)} failed)"
    )


async def _watch(server: Server, watchers: int) -> str:
    """A table with many spectators: the time from a move until the last of them has it."""
    print("  watchers …", flush=True)
    load = Load(2, 4)
    pair = Pair("kahuna", load)
    await _furnish(server, [pair])
    many = [Seat(pair, "") for _ in range(watchers)]
    await crowd([lambda seat=seat: seat.connect(server.host) for seat in [*pair.seats, *many]])  # type: ignore[misc]
    pair.seats[1].command("sit", seat=1)
    await asyncio.sleep(2)
    for seat in many:
        seat.updates = 0
    await load.measure(8)
    await asyncio.sleep(1)
    behind = max(pair.seats[0].version - seat.version for seat in many)
    for seat in [*pair.seats, *many]:
        seat.wire.close()
    return f"a table with {watchers} watchers            {load}   the last is {behind} versions behind"


@dataclass
class Best:
    """The highest rate of a server with its answers in time."""

    rate: float = 0.0
    p50: float = 0.0
    p99: float = 0.0
    cpu: float = 0.0
    """Milliseconds per move."""


async def _ramp(server: Process, load: Load, seconds: float, bound: float) -> Best:
    """Raise the rate until the answers are late twice."""
    best = Best()
    for rate in RATES:
        for _ in range(2):
            tried = await _tried(server, load, rate, seconds)
            if tried.p99 <= bound:
                best = max(best, tried, key=lambda one: one.rate)
                break
        else:
            break
    load.paused = True
    return best


async def _tried(server: Process, load: Load, rate: float, seconds: float) -> Best:
    load.rate = rate
    await asyncio.sleep(min(4.0, 2 * load.pause + 1))
    cpu = server.cpu()
    await load.measure(seconds)
    used = 1000 * (server.cpu() - cpu) / max(1, len(load.times))
    print(f"  asked for {rate:6.0f}   {load}   CPU {used:.2f} ms a move", flush=True)
    return Best(load.moves_a_second, load.percentile(0.5), load.percentile(0.99), used)


RATES = [250.0 * 2 ** (n / 4) for n in range(20)]


async def _theirs(sockets: int, seconds: float, bound: float, where: str = "") -> Best:
    """The highest rate of boardgame.io's server."""
    server = beside.Server(where)
    try:
        load = Load(sockets, RATES[0])
        await beside.prepared(server, load, sockets // 2)
        return await _ramp(server, load, seconds, bound)
    finally:
        server.stop()


async def _ours(sockets: int, seconds: float, bound: float, database: str) -> Best:
    """The highest rate of our server."""
    server = Server(database)
    try:
        load = Load(sockets, RATES[0])
        pairs = [Pair(GAMES[n % len(GAMES)], load) for n in range(sockets // 2)]
        await _furnish(server, pairs)
        seats = [seat for pair in pairs for seat in pair.seats]
        await crowd([lambda seat=seat: seat.connect(server.host) for seat in seats])  # type: ignore[misc]
        for pair in pairs:
            pair.seats[1].command("sit", seat=1)
        await asyncio.sleep(min(8.0, load.pause))
        return await _ramp(server, load, seconds, bound)
    finally:
        server.stop()


async def measure_beside(sockets: int, seconds: float, bound: float, postgresql: str = "") -> list[str]:
    """Our server and boardgame.io's, one after the other, each at its highest rate with answers in time."""
    with tempfile.TemporaryDirectory() as mine, tempfile.TemporaryDirectory() as files:
        ours = {"SQLite, synced": tables_in(mine)} | ({"PostgreSQL": postgresql} if postgresql else {})
        theirs = {"PostgreSQL": postgresql} if postgresql else {}
        theirs |= {"files, not synced": files, "memory only": ""}
        did = {}
        for what, where in ours.items():
            print(f"archipel, {sockets} sockets, {what}", flush=True)
            did[what] = await _ours(sockets, seconds, bound, where)
        lines = [
            f"the most with p99 within {bound:.0f} ms, {sockets} sockets, {sockets // 2} tables",
            "                                 moves/s   p50 ms   p99 ms   CPU ms a move   archipel does",
            *(_line(f"archipel, {what}", best, "") for what, best in did.items()),
        ]
        most = did["SQLite, synced"].rate
        for what, where in theirs.items():
            print(f"boardgame.io, {sockets} sockets, {what}", flush=True)
            best = await _theirs(sockets, seconds, bound, where)
            times = f"{most / best.rate:.1f} × as many" if best.rate else "its p99 was never within it"
            lines.append(_line(f"boardgame.io, {what}", best, times))
    return lines


def _line(who: str, best: Best, beside: str) -> str:
    return f"{who:<31}  {best.rate:7.0f}  {best.p50:7.1f}  {best.p99:7.1f}  {best.cpu:14.2f}   {beside}".rstrip()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sockets", type=int, default=5_000)
    parser.add_argument("--rate", type=float, default=1_000.0)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--watchers", type=int, default=1_000)
    parser.add_argument("--bound", type=float, default=100.0, help="p99 in milliseconds at which both are compared")
    parser.add_argument(
        "--postgresql", default="", metavar="URL", help="an empty database, to measure both with it too"
    )
    parser.add_argument("--quick", action="store_true", help="a tenth of everything")
    args = parser.parse_args()
    import resource  # missing on Windows, where this module must still be importable

    import uvloop

    if args.quick:
        args.sockets, args.rate, args.seconds, args.watchers = 500, 100.0, 5.0, 100
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    for line in uvloop.run(measure_table(args.sockets, args.rate, args.seconds, args.watchers)):
        print(line)
    if missing := beside.is_there():
        print(missing)
        return
    for line in uvloop.run(measure_beside(args.sockets, args.seconds / 3, args.bound, args.postgresql)):
        print(line)


if __name__ == "__main__":
    main()
