"""Connections that are cut, delayed, doubled and reordered: in the end everybody has the server's view."""

import asyncio
import json
import random
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from tests.patience import PATIENCE

from .house import Guest, House, house

Json = dict[str, Any]


class Trickster:
    """A line that loses its temper: it delays, doubles and reorders what the client sends, and hangs up."""

    def __init__(self, socket: ClientConnection, rng: random.Random) -> None:
        self._socket = socket
        self._rng = rng
        self._held: list[str] = []

    async def send(self, message: Json) -> None:
        self._held.append(json.dumps(message))
        chance = self._rng.random()
        if chance < 0.25:
            return  # it comes later
        if chance < 0.4:
            self._held.append(self._held[-1])
        if chance > 0.8:
            self._rng.shuffle(self._held)
        held, self._held = self._held, []
        for one in held:
            if self._rng.random() < 0.2:
                await asyncio.sleep(self._rng.random() * 0.02)
            await self._socket.send(one)
        if self._rng.random() < 0.05:
            await self._socket.close()

    async def flush(self) -> None:
        for one in self._held:
            await self._socket.send(one)
        self._held = []


class Client:
    """Plays at random over such lines. It knows its commands, and sends them again until they are answered."""

    def __init__(self, guest: Guest, table: str, seat: int, rng: random.Random) -> None:
        self.guest, self.table, self.seat, self.rng = guest, table, seat, rng
        self.n = 0
        self.version = 0
        self.position: Json = {}
        self.pending: Json | None = None

    async def run(self) -> None:
        while not self.position.get("over"):
            with suppress(ConnectionClosed, OSError):
                async with self.guest.connect(self.table) as socket:
                    await self._talk(socket)

    async def _talk(self, socket: ClientConnection) -> None:
        line = Trickster(socket, self.rng)
        seen = {"since": self.version, "hash": self.position["hash"]} if self.position else {}
        await socket.send(json.dumps({"type": "hello", "client": f"fault-seat-{self.seat}"} | seen))
        if self.pending:
            await socket.send(json.dumps(self.pending))
        while not self.position.get("over"):
            try:
                self.take(json.loads(await asyncio.wait_for(socket.recv(), 0.3)))
            except TimeoutError:
                await line.flush()
                if self.pending:
                    await socket.send(json.dumps(self.pending))
            if self.pending is None and self.position.get("legal"):
                self.n += 1
                action = self.rng.choice(self.position["legal"])["action"]
                self.pending = {"type": "act", "n": self.n, "at": self.version, "action": action}
                await line.send(self.pending)

    def take(self, message: Json) -> None:
        if message["type"] in ("ack", "refused") and self.pending and message["n"] == self.pending["n"]:
            self.pending = None
        elif message["type"] == "update":
            assert message.get("whole") or message["since"] == self.version
            self.version = message["version"]
            self.position = message.get("position", self.position)


@pytest.mark.parametrize(("game", "seed"), [("stonehenge", 1), ("stonehenge", 2), ("krakatoa", 3)])
def test_everybody_ends_with_the_servers_view(tmp_path: Path, game: str, seed: int) -> None:
    async def evening(here: House) -> None:
        rng = random.Random(seed)
        ada, bo = await here.guest("Ada"), await here.guest("Bo")
        table = await ada.table(game, [{"kind": "me"}, {"kind": "open"}], visibility="public")
        async with bo.at(table) as player:
            await player.command("sit", seat=1)
        clients = [Client(guest, table, seat, random.Random(rng.random())) for seat, guest in enumerate((ada, bo))]
        await asyncio.wait_for(asyncio.gather(*(client.run() for client in clients)), PATIENCE)
        live = here.hub.lives[table]
        for client in clients:
            assert client.version == live.table.version
            assert client.position["view"] == json.loads(json.dumps(live.table.state.view(client.seat)))
        acted = [(entry.by, entry.n) for entry in live.table.log if entry.by]
        assert len(acted) == len(set(acted))

    async def spend() -> None:
        async with house(tmp_path / "tables.sqlite3") as here:
            await evening(here)

    asyncio.run(spend())
