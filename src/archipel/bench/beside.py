"""boardgame.io under the same load: pairs of sockets that play its tic-tac-toe, with its own protocol."""

import asyncio
import os
import random
import shutil
import socket
import time
from pathlib import Path
from typing import Any

import msgspec

from .load import Load, crowd
from .process import Process
from .wire import Wire, dial

FOLDER = Path(__file__).with_name("boardgame_io")
GAME = "tic-tac-toe"
PREFIX = f"42/{GAME},".encode()
_encode = msgspec.json.Encoder().encode


def is_there() -> str:
    """Why it cannot be measured here; "" if it can."""
    if not shutil.which("node"):
        return "Node is not installed, so boardgame.io is not measured beside us."
    if not all((_home() / "node_modules" / name).exists() for name in ("boardgame.io", "bgio-postgres")):
        return "boardgame.io is not installed (npm install in bench/boardgame_io), so it is not measured beside us."
    return ""


def _home() -> Path:
    return Path(os.environ.get("BOARDGAME_IO", FOLDER))


class Server(Process):
    """Its server; it stores its games in PostgreSQL, in a folder, or in memory only."""

    def __init__(self, where: str = "") -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.host = f"127.0.0.1:{port}"
        super().__init__(
            ["node", str(FOLDER / "server.cjs"), str(port), *([where] if where else [])],
            {"NODE_PATH": str(_home() / "node_modules"), "NODE_ENV": "production"},
        )
        self.wait_for("(ready)")


class Seat:
    """One player's socket."""

    def __init__(self, pair: "Pair", player: int) -> None:
        self.pair = pair
        self.player = str(player)
        self.state = -1
        self.sent = 0.0
        self.wire: Wire
        self.ready: asyncio.Future[None]

    async def connect(self, host: str) -> None:
        self.ready = asyncio.get_running_loop().create_future()
        self.wire = await dial(host, "/socket.io/?EIO=4&transport=websocket", self._heard)
        await self.ready

    def _heard(self, wire: Wire, text: bytes) -> None:
        if text == b"2":
            wire.send(b"3")
        elif text.startswith(b"0"):
            wire.send(f"40/{GAME},".encode())
        elif text.startswith(b"40/"):
            self._say("sync", self.pair.match, self.player, None, 2)
        elif text.startswith(PREFIX):
            self._handle(msgspec.json.decode(text[len(PREFIX) :]))

    def _say(self, *message: Any) -> None:
        self.wire.send(PREFIX + _encode(message))

    def _handle(self, message: Any) -> None:
        kind, _, state = message[:3]
        if kind == "sync":
            state = state["state"]
            if not self.ready.done():
                self.ready.set_result(None)
        if kind in ("sync", "update") and state["_stateID"] > self.state:
            self.state = state["_stateID"]
            if self.sent:
                self.pair.load.took(time.perf_counter() - self.sent)
                self.sent = 0.0
            if state["ctx"]["currentPlayer"] == self.player:
                self.pair.due(self)

    def act(self) -> None:
        self.sent = time.perf_counter()
        move = {"type": "clickCell", "args": [random.randrange(9)], "playerID": self.player}
        self._say("update", {"type": "MAKE_MOVE", "payload": move}, self.state, self.pair.match, self.player)


class Pair:
    """Two players of one match."""

    def __init__(self, load: Load, number: int) -> None:
        self.load = load
        self.match = f"match-{number}"  # its server creates a match when a client asks for it
        self.seats = [Seat(self, player) for player in (0, 1)]
        self._next = 0.0

    def due(self, seat: Seat) -> None:
        loop = asyncio.get_running_loop()
        self._next = self.load.moment(self._next, loop.time())
        loop.call_at(self._next, self._act, seat, seat.state)

    def _act(self, seat: Seat, state: int) -> None:
        if seat.state == state and not (seat.wire.hung_up or self.load.paused):
            seat.act()


async def prepared(server: Server, load: Load, pairs: int) -> list[Pair]:
    """This number of connected pairs; they start to play at once."""
    made = [Pair(load, number) for number in range(pairs)]
    for player in (0, 1):  # two clients that ask for a new match at once may break its server
        seats = [pair.seats[player] for pair in made]
        await crowd([lambda seat=seat: seat.connect(server.host) for seat in seats])  # type: ignore[misc]
    return made
