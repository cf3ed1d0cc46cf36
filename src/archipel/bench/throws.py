"""`python -m archipel.bench.throws [COUNT]`: the latency of a dice throw at the table, over real sockets.

One client plays both seats of a Krakatoa table with physics; another watches. The time runs from sending the throw
until the entry with the landing and the trajectory has arrived: by then the aim is on disk, the dice were simulated in
another process, and the landing is on disk too.
"""

import asyncio
import json
import random
import sys
import tempfile
import time
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from websockets.asyncio.client import ClientConnection, connect

from .table import Server, tables_in

THROWS = 200


@dataclass
class Eyes:
    """One socket at the table: its last position, and when each entry arrived."""

    socket: ClientConnection
    position: dict[str, Any] = field(default_factory=dict)
    version: int = 0
    n: int = 0
    came: dict[int, float] = field(default_factory=dict)
    falls: list[dict[str, Any]] = field(default_factory=list)

    async def next(self) -> None:
        """Process the next message."""
        message = json.loads(await self.socket.recv())
        if message["type"] != "update":
            return
        self.version = message["version"]
        self.position = message.get("position", self.position)
        for entry in message["entries"]:
            self.came.setdefault(entry["v"], time.perf_counter())
            if "trajectory" in entry.get("fall", {}):
                self.falls.append(entry["fall"])

    async def send(self, kind: str, **more: Any) -> None:
        await self.socket.send(json.dumps({"type": kind, **more}))

    async def to_act(self) -> bool:
        """Wait for a seat's turn, and show its view; False when the game is over."""
        while self.position["view"]["mover"] == -1:
            await self.next()
        seat = self.position["view"]["mover"]
        if seat >= 0 and self.position["seat"] != seat:
            await self.send("look", seat=seat)
            while self.position["seat"] != seat:
                await self.next()
        return bool(seat >= 0)

    async def act(self, action: dict[str, Any]) -> int:
        """Play an action, and wait for its entry; return the version."""
        self.n += 1
        before = self.version
        await self.send("act", n=self.n, at=before, action=action)
        while self.version == before:
            await self.next()
        return before + 1


@asynccontextmanager
async def eyes(host: str, table: str, cookie: str) -> AsyncIterator[Eyes]:
    """Connect a client to a table."""
    headers = {"Cookie": cookie} if cookie else {}
    async with connect(f"ws://{host}/ws/{table}", additional_headers=headers, compression=None) as socket:
        here = Eyes(socket)
        await here.send("hello", client=f"throws-{id(here)}")
        while not here.position:
            await here.next()
        yield here


@dataclass
class Times:
    """The measurements in milliseconds."""

    player: list[float] = field(default_factory=list)
    spectator: list[float] = field(default_factory=list)
    bytes: list[int] = field(default_factory=list)
    cocked: int = 0
    scratches: int = 0


def _furnished(host: str) -> tuple[str, str]:
    """A new table, and the cookie of its player."""
    _, cookie = _posted(host, "/api/session", {"name": "Ada"})
    chairs = [{"kind": "me"}, {"kind": "here", "name": "Bo"}]
    wanted = {"game": "krakatoa", "chairs": chairs, "visibility": "public", "dice": "physics"}
    made, _ = _posted(host, "/api/tables", wanted, cookie)
    return made["id"], cookie


def _posted(host: str, path: str, body: dict[str, Any], cookie: str = "") -> tuple[dict[str, Any], str]:
    """The response to a request, and its cookie."""
    headers = {"Origin": f"http://{host}", "Cookie": cookie}
    asked = urllib.request.Request(f"http://{host}{path}", json.dumps(body).encode(), headers)
    with urllib.request.urlopen(asked, timeout=60) as answer:
        return json.loads(answer.read()), answer.headers.get("set-cookie", "").partition(";")[0]


async def _game(server: Server, times: Times, count: int, rng: random.Random) -> None:
    """One game, or as much of it as is needed."""
    table, cookie = await asyncio.to_thread(_furnished, server.host)
    async with eyes(server.host, table, cookie) as player, eyes(server.host, table, "") as spectator:
        while await player.to_act() and len(times.player) < count:
            action = rng.choice(player.position["legal"])["action"]
            sent = time.perf_counter()
            version = await player.act(action)
            if action["do"] == "keep":
                continue
            for here, measured in ((player, times.player), (spectator, times.spectator)):
                while here.version <= version:
                    await here.next()
                measured.append(1000 * (here.came[version + 1] - sent))
        for fall in player.falls:
            times.bytes.append(len(fall["trajectory"]))
            times.cocked += "cocked" in fall
            times.scratches += "scratch" in fall


async def measure(count: int) -> Times:
    """Measure this number of throws, game after game."""
    times, rng = Times(), random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        server = Server(tables_in(folder))
        try:
            while len(times.player) < count:
                await _game(server, times, count, rng)
        finally:
            server.stop()
    return times


def show(times: Times) -> None:
    print(f"{len(times.player)} throws, straight at a die or all nine again")
    for title, measured in (("player", times.player), ("spectator", times.spectator)):
        p50, p95, most = np.percentile(measured, (50, 95, 100))
        print(f"  until the {title:8} has it, milliseconds   p50 {p50:.0f}, p95 {p95:.0f}, at most {most:.0f}")
    print(f"  letters a trajectory takes in its message  mean {np.mean(times.bytes):.0f}, at most {max(times.bytes)}")
    print(f"  with cocked dice {times.cocked}, scratches {times.scratches}, of {len(times.bytes)} throws in all")


def main(count: int = THROWS) -> None:
    show(asyncio.run(measure(count)))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
