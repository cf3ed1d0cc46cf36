"""A real server on a real port, and guests who talk to it over real sockets."""

import asyncio
import json
import socket
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from archipel.table import serving
from archipel.table.net.app import Api
from archipel.table.net.porch import listening
from archipel.table.settings import Settings
from tests.patience import PATIENCE

Json = dict[str, Any]


class House:
    """One server."""

    def __init__(self, api: Api, port: int, server: serving.Server) -> None:
        self.api = api
        self.hub = api.hub
        self.port = port
        self.server = server

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def guest(self, name: str) -> "Guest":
        """Somebody who has told his name."""
        guest = Guest(self.port)
        status, _ = await guest.post("/api/session", {"name": name})
        assert status == 201
        return guest


@asynccontextmanager
async def house(database: Path | str, **settings: Any) -> AsyncIterator[House]:
    """A server that runs meanwhile."""
    usual: Json = {"bots": 1, "any_bot": True, "tables_each": 10_000, "requests": 10_000, "messages": 10_000}
    usual["verify_seconds"] = 600  # a busy machine must not fail a test
    chosen = Settings(**usual | {"host": "127.0.0.1", "port": 0, "database": str(database)} | settings)
    listener = listening(chosen)
    async with serving.running(chosen) as api:
        server = serving.server_of(api)
        server.capture_signals = nullcontext  # type: ignore[method-assign, assignment]
        task = asyncio.ensure_future(server.serve([listener]))
        while not server.started:
            await asyncio.sleep(0.005)
        try:
            yield House(api, listener.getsockname()[1], server)
        finally:
            server.should_exit = True
            await task


class Guest:
    """A browser: it keeps its cookie."""

    def __init__(self, port: int, cookie: str = "") -> None:
        self.port = port
        self.cookie = cookie
        self.origin = f"http://127.0.0.1:{port}"

    async def get(self, path: str, **headers: str) -> tuple[int, Any]:
        return await self.request("GET", path, None, headers)

    async def post(self, path: str, body: Any, **headers: str) -> tuple[int, Any]:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        return await self.request("POST", path, content, headers)

    async def request(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> tuple[int, Any]:
        """The status and the body of an answer."""
        return await asyncio.to_thread(self._request, method, path, body, headers)

    def _request(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> tuple[int, Any]:
        sent = {"Origin": self.origin, "Cookie": self.cookie} | {k.replace("_", "-"): v for k, v in headers.items()}
        asked = urllib.request.Request(self.origin + path, body, sent, method=method)
        try:
            with urllib.request.urlopen(asked, timeout=PATIENCE) as answer:
                self._keep(answer.headers.get("set-cookie"))
                return answer.status, _read(answer.read(), answer.headers.get("content-type", ""))
        except urllib.error.HTTPError as error:
            with error:
                return error.code, _read(error.read(), error.headers.get("content-type", ""))

    def _keep(self, cookie: str | None) -> None:
        if cookie:
            self.cookie = cookie.partition(";")[0]

    async def table(self, game: str, chairs: list[Json], **more: Any) -> str:
        """Make a table; its id."""
        status, made = await self.post("/api/tables", {"game": game, "chairs": chairs} | more)
        assert status == 201, made
        return str(made["id"])

    async def link(self, table: str, kind: str, seat: int | None = None) -> str:
        """Make a link; its secret."""
        status, made = await self.post(f"/api/tables/{table}/links", {"kind": kind, "seat": seat})
        assert status == 201, made
        return str(made["token"])

    def connect(self, table: str) -> Any:
        """A bare socket."""
        return connect(
            f"ws://127.0.0.1:{self.port}/ws/{table}",
            additional_headers={"Cookie": self.cookie},
            origin=self.origin,  # type: ignore[arg-type]
            compression=None,
            ping_interval=None,
        )

    @asynccontextmanager
    async def at(self, table: str, **hello: Any) -> AsyncIterator["Player"]:
        """Sit at a table's socket meanwhile."""
        async with self.connect(table) as connection:
            player = Player(connection)
            await player.hello(**hello)
            yield player


def _read(content: bytes, kind: str) -> Any:
    return json.loads(content) if kind.startswith("application/json") else content


class Player:
    """One tab at one table: it knows what it was sent."""

    _tabs = 0

    def __init__(self, connection: ClientConnection, client: str = "") -> None:
        Player._tabs += 1
        self.connection = connection
        self.client = client or f"test-tab-{Player._tabs}"
        self.n = 0
        self.welcome: Json = {}
        self.yours: Json = {}
        self.position: Json = {}
        self.chairs: list[Json] = []
        self.entries: list[Json] = []
        self.version = 0
        self.messages: list[Json] = []
        self.raw: list[str] = []

    async def hello(self, **more: Any) -> None:
        """Say hello, and wait for the first update."""
        await self.send({"type": "hello", "client": self.client} | more)
        await self.until(lambda message: message["type"] == "update")

    async def send(self, message: Json | str | bytes) -> None:
        await self.connection.send(json.dumps(message) if isinstance(message, dict) else message)

    async def command(self, kind: str, **parameters: Any) -> Json:
        """Send a command and wait for its answer."""
        self.n += 1
        n = self.n
        await self.send({"type": kind, "n": n} | parameters)
        return await self.until(lambda m: m["type"] in ("ack", "refused", "hint") and m["n"] == n)

    async def act(self, action: Any) -> Json:
        return await self.command("act", at=self.version, action=action)

    async def next(self) -> Json:
        """The next message, taken in."""
        raw = await asyncio.wait_for(self.connection.recv(), PATIENCE)
        assert isinstance(raw, str)
        self.raw.append(raw)
        message: Json = json.loads(raw)
        self.messages.append(message)
        self.take(message)
        return message

    def take(self, message: Json) -> None:
        if message["type"] == "welcome":
            self.welcome = message
        elif message["type"] == "yours":
            self.yours = message
        elif message["type"] == "update":
            self._update(message)

    def _update(self, update: Json) -> None:
        assert update.get("whole") or update["since"] == self.version, (update["since"], self.version)
        self.entries = update["entries"] if update.get("whole") else self.entries + update["entries"]
        self.version = update["version"]
        self.position = update.get("position", self.position)
        self.chairs = update.get("chairs", self.chairs)

    async def until(self, wanted: Callable[[Json], bool]) -> Json:
        """Take messages in until one is as wanted."""
        while not wanted(message := await self.next()):
            pass
        return message

    async def until_version(self, version: int) -> None:
        while self.version < version:
            await self.next()

    @property
    def seen(self) -> Json:
        """What a client says when it comes back."""
        return {"since": self.version, "hash": self.position["hash"]}


async def closed(connection: ClientConnection) -> int:
    """Read until the other side closes; the code."""
    try:
        while True:
            await asyncio.wait_for(connection.recv(), PATIENCE)
    except ConnectionClosed as end:
        return end.rcvd.code if end.rcvd else 1006


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
