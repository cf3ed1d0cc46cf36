"""Ctrl-C, and the signal that asks a server to end: whatever it is about, it ends cleanly, and all is kept."""

import asyncio
import os
import re
import signal
import subprocess
from contextlib import suppress

import pytest
from websockets.exceptions import ConnectionClosed

from archipel.table.log.table import Table
from archipel.table.storage import Store
from tests import chance

from .house import Guest, Player

BOTS = [{"kind": "bot", "level": "sailor"}] * 2


class Server:
    """A server as a shell starts it: Ctrl-C reaches all its processes."""

    def __init__(self, database: str) -> None:
        archipel, environment = chance.archipel()
        self.process = subprocess.Popen(
            [*archipel, "serve", "--no-browser", "--port", "0", "--database", database],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            env=environment | {"ARCHIPEL_PACE": "0", "ARCHIPEL_TABLES_EACH": "1000", "ARCHIPEL_ANY_BOT": "1"},
        )
        assert self.process.stdout
        found = re.search(r"http://[^:]+:(\d+)/", self.process.stdout.readline())
        assert found
        self.port = int(found[1])

    def end(self, number: signal.Signals) -> tuple[str, str]:
        """Send the signal; all that the server says until it has ended."""
        if number == signal.SIGINT:
            os.killpg(self.process.pid, number)
        else:
            self.process.send_signal(number)
        return self.process.communicate(timeout=60)

    def kill(self) -> None:
        """End whatever is left."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.communicate()


async def play(player: Player, acknowledged: list[int]) -> None:
    """Move and move, and note what was acknowledged, until the server goes."""
    with suppress(ConnectionClosed):
        while player.position["legal"]:
            action = player.position["legal"][0]["action"]
            answer = await player.command("act", at=player.version, action=action)
            if answer["type"] == "ack":
                acknowledged.append(answer["version"])


async def evening(server: Server, number: signal.Signals) -> tuple[str, list[int]]:
    """Play until the server ends; the table, and the versions that were acknowledged."""
    ada = Guest(server.port)
    assert (await ada.post("/api/session", {"name": "Ada"}))[0] == 201
    for _ in range(3):
        await ada.table("kahuna", BOTS)
    table = await ada.table("kahuna", [{"kind": "me"}, {"kind": "here", "name": "Bo"}])
    acknowledged: list[int] = []
    async with ada.at(table, eye=0) as player:
        playing = asyncio.ensure_future(play(player, acknowledged))
        await asyncio.sleep(0.5)
        out, err = await asyncio.to_thread(server.end, number)
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
    assert server.process.returncode == 0
    assert out.endswith("Bye!\n")
    assert "Traceback" not in err
    return table, acknowledged


async def kept(database: str, table: str) -> Table:
    store = Store(database)
    try:
        found = await store.load(table)
    finally:
        await store.close()
    assert found
    return Table(found.setup, found.entries)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda number: number.name)
def test_a_server_ends_cleanly(database: str, number: signal.Signals) -> None:
    server = Server(database)
    try:
        table, acknowledged = asyncio.run(evening(server, number))
    finally:
        server.kill()
    assert asyncio.run(kept(database, table)).version >= max(acknowledged, default=0)
