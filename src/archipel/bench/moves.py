"""`python -m archipel.bench.moves`: the cost of a move inside the server, without a network, and where it is spent.

All parts are the server's own, from the bytes of a WebSocket frame to the database and back, in one process; only the
sockets are missing: output is counted. Every game is played from a seed. The figure is CPU time of all threads
together, and the minimum of several rounds, so that it means as much on a busy machine as on an idle one.
"""

import argparse
import asyncio
import random
import signal
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from types import CodeType, FrameType, SimpleNamespace
from typing import Any

import msgspec

from archipel.table import entropy, protocol, serving
from archipel.table.log.decisions import Caller
from archipel.table.net.app import Api
from archipel.table.net.websocket_protocol import WebSocketProtocol
from archipel.table.play.live_table import LiveTable
from archipel.table.settings import Settings

from .table import GAMES, tables_in

_encode = msgspec.json.Encoder().encode
_SHAKE = (
    "GET /ws/{table} HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://127.0.0.1\r\nUpgrade: websocket\r\n"
    "Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
    "Cookie: {cookie}\r\n\r\n"
)


class Nowhere:
    """A transport that accepts everything and sends nothing."""

    def __init__(self) -> None:
        self.writes = self.bytes = 0

    def write(self, data: bytes) -> None:
        self.writes += 1
        self.bytes += len(data)

    def get_extra_info(self, _: str) -> tuple[str, int]:
        return "127.0.0.1", 1

    def is_closing(self) -> bool:
        return False

    def close(self) -> None:
        pass

    abort = pause_reading = resume_reading = close


class Seat:
    """A browser that plays, as the server sees it."""

    def __init__(self, api: Api, table: str, cookie: str) -> None:
        self._n = 0
        self.transport = Nowhere()
        self._line = WebSocketProtocol(
            SimpleNamespace(loaded_app=api),  # type: ignore[arg-type]
            SimpleNamespace(connections=set(), tasks=set()),  # type: ignore[arg-type]
            {},
        )
        self._line.connection_made(self.transport)
        self._line.data_received(_SHAKE.format(table=table, cookie=cookie).encode())

    def frame(self, kind: str, **parameters: Any) -> bytes:
        """Encode a command as it comes from the network."""
        self._n += 1
        return _framed({"type": kind, "n": self._n} | parameters)

    def hear(self, frame: bytes) -> None:
        self._line.data_received(frame)


def _framed(message: dict[str, Any]) -> bytes:
    """A message in a frame with a mask of zeros."""
    payload = _encode(message)
    size = bytes([0x80 | len(payload)]) if len(payload) < 126 else b"\xfe" + len(payload).to_bytes(2, "big")
    return b"\x81" + size + b"\0\0\0\0" + payload


class Pair:
    """Two players at one table, who play at random."""

    def __init__(self, live: LiveTable, seats: dict[str, Seat], rng: random.Random) -> None:
        self.live = live
        self.seats = seats
        self._rng = rng

    def next(self) -> list[tuple[Seat, bytes]]:
        """The next message and its sender: a move, or a request for another game."""
        table = self.live.table
        if table.ending:
            return [(seat, seat.frame("rematch")) for seat in self.seats.values()]
        seat = self.seats[table.chairs[table.mover].who]
        action = table.action_names.of(table.state, self._rng.choice(table.state.actions())).action
        return [(seat, seat.frame("act", at=table.version, action=action))]


async def paired(api: Api, game: str, rng: random.Random, krakatoa: str = "odds") -> Pair:
    """Two people at a new table, seated and connected; `krakatoa` is its mode of chance."""
    hub, now = api.hub, api.hub.now()
    cookies = [(await api.sessions.begin(name, now))[0] for name in ("Ada", "Bo")]
    persons = [await api.sessions.person(cookie, now) for cookie in cookies]
    wanted = protocol.NewTable(
        game=game,
        chairs=[protocol.NewChair("me"), protocol.NewChair("open")],
        visibility="public",
        mode=krakatoa if game == "krakatoa" else None,
    )
    table = await hub.create(wanted, Caller(persons[0].who, persons[0].name))
    live = await hub.find(table)
    assert live
    seats = {
        person.who: Seat(api, table, f"{api.sessions.cookie}={cookie}")
        for person, cookie in zip(persons, cookies, strict=True)
    }
    await _until(lambda: all(seat.transport.writes for seat in seats.values()))
    for seat in seats.values():
        seat.hear(_framed({"type": "hello", "client": "bench-client"}))
    await _until(lambda: len(live.sockets) == len(seats))
    second = seats[persons[1].who]
    second.hear(second.frame("sit", seat=1))
    await _until(lambda: live.table.playing)
    return Pair(live, seats, rng)


async def _until(done: Callable[[], bool]) -> None:
    while not done():
        await asyncio.sleep(0.002)


async def _turn(pairs: list[Pair]) -> float:
    """Every pair sends a message, and all of them are stored and answered. Returns the CPU seconds for choosing
    moves."""
    began = time.thread_time()
    due = [sent for pair in pairs for sent in pair.next()]
    chose = time.thread_time() - began
    for seat, frame in due:
        seat.hear(frame)
    await _until(lambda: not any(pair.live.busy for pair in pairs))
    await asyncio.sleep(0)
    return chose


async def _round(pairs: list[Pair], turns: int) -> tuple[float, float]:
    """Milliseconds of CPU time per move: in all, and in the thread of the loop."""
    began, loop, chose = time.process_time(), time.thread_time(), 0.0
    for _ in range(turns):
        chose += await _turn(pairs)
    spent = time.process_time() - began - chose, time.thread_time() - loop - chose
    return 1000 * spent[0] / (turns * len(pairs)), 1000 * spent[1] / (turns * len(pairs))


async def measure(games: Sequence[str], tables: int, turns: int, rounds: int, lines: int) -> None:
    """Print the cost of a move in each game, and with `lines` a profile of this many lines."""
    entropy.use(random.Random(1))
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(database=tables_in(folder), bots=1, messages=1e6, sockets_each=100_000, tables=100_000)
        async with serving.running(settings) as api:
            for game in games:
                pairs = [await paired(api, game, random.Random(number)) for number in range(tables)]
                await _round(pairs, turns)
                serving.calm_down()
                times = [await _round(pairs, turns) for _ in range(rounds)]
                whole, loop = min(times)
                print(f"{game:<12} {whole:.3f} ms of CPU a move, {loop:.3f} of them in the loop's thread", flush=True)
                if lines:
                    await _profile(pairs, turns, rounds, lines)


async def _profile(pairs: list[Pair], turns: int, rounds: int, lines: int) -> None:
    """A CPU profile with one sample per millisecond, so that the profile itself costs little."""
    own: Counter[str] = Counter()
    whole: Counter[str] = Counter()

    def sample(_: int, frame: FrameType | None) -> None:
        names = [f"{code.co_filename.rpartition('/')[2]}:{code.co_qualname}" for code in _codes(frame)]
        own.update(names[:1])
        whole.update(set(names))

    signal.signal(signal.SIGPROF, sample)
    signal.setitimer(signal.ITIMER_PROF, 0.001, 0.001)
    for _ in range(rounds):
        await _round(pairs, turns)
    signal.setitimer(signal.ITIMER_PROF, 0)
    for title, counts in ("in the function itself", own), ("with all that it calls", whole):
        print(f"  {title}")
        for name, samples in counts.most_common(lines):
            print(f"    {samples / own.total():6.1%}  {name}")


def _codes(frame: FrameType | None) -> Iterator[CodeType]:
    while frame:
        yield frame.f_code
        frame = frame.f_back


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--tables", type=int, default=100, help="moves that come at the same moment")
    parser.add_argument("--turns", type=int, default=10, help="moves of each table in a round")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument(
        "--profile", type=int, default=0, metavar="LINES", help="also print a profile with this many lines"
    )
    args = parser.parse_args()
    import uvloop  # missing on Windows, where this module must still be importable

    uvloop.run(measure(args.games, args.tables, args.turns, args.rounds, args.profile))


if __name__ == "__main__":
    main()
