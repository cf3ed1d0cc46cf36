"""A first visit to a server: how many seconds pass until its page, and until a bot of each game has moved."""

import asyncio
import json
import socket
import time
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from websockets.asyncio.client import connect

from archipel.core import registry

LEVEL = "chief"
PATIENCE = 900.0
"""After how many seconds a visitor gives up."""
SERVED = {"ARCHIPEL_PACE": "0", "ARCHIPEL_REQUESTS": "1000"}
"""The settings of a server that is visited: bots answer as soon as they have thought."""


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Visitor:
    """Somebody who waits at a server's door since `start`, a time of `time.perf_counter`."""

    def __init__(self, port: int, start: float) -> None:
        self._host, self._start, self._cookie = f"127.0.0.1:{port}", start, ""

    def _since(self) -> float:
        return time.perf_counter() - self._start

    def page(self) -> float:
        """Seconds to the first page."""
        while self._since() < PATIENCE:
            with suppress(OSError), urllib.request.urlopen(f"http://{self._host}/", timeout=1) as answer:
                answer.read()
                return self._since()
            time.sleep(0.01)
        raise TimeoutError("The server shows no page.")

    def bots(self, callback: Callable[[str, float], None]) -> None:
        """Sit down at a table of every game, opposite a bot that begins; calls `callback(game, seconds)`."""
        while not self._cookie:  # while the server starts, a page is all that there is
            with suppress(OSError):
                self._cookie = self._post("/api/session", {"name": "Ada"}).headers["set-cookie"].partition(";")[0]
        asyncio.run(self._moves(callback))

    async def _moves(self, callback: Callable[[str, float], None]) -> None:
        for done in asyncio.as_completed([self._move(game) for game in registry.own()]):
            callback(*await done)

    async def _move(self, game: str) -> tuple[str, float]:
        chairs = [{"kind": "bot", "level": LEVEL}, *[{"kind": "me"}] * (registry.game(game).seats - 1)]
        made = await asyncio.to_thread(self._post, "/api/tables", {"game": game, "chairs": chairs})
        place = f"ws://{self._host}/ws/{json.loads(made.read())['id']}"
        async with connect(place, additional_headers={"Cookie": self._cookie}, ping_interval=None) as table:
            await table.send(json.dumps({"type": "hello", "client": "visitor-0001"}))
            async with asyncio.timeout(PATIENCE):
                while not _has_moved(json.loads(await table.recv())):
                    pass
        return game, self._since()

    def _post(self, path: str, body: Any) -> Any:
        headers = {"Origin": f"http://{self._host}", "Cookie": self._cookie, "Content-Type": "application/json"}
        asked = urllib.request.Request(f"http://{self._host}{path}", json.dumps(body).encode(), headers)
        return urllib.request.urlopen(asked, timeout=60)


def _has_moved(message: Any) -> bool:
    """Does a message tell that the first seat, the bot's, has acted?"""
    return any(entry["kind"] == "acted" and entry["seat"] == 0 for entry in message.get("entries", ()))
