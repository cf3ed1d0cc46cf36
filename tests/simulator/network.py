"""A simulated network: bytes between browsers and workers, late, in pieces, slowly, cut off, or lost without a word.

A connection keeps what TCP promises, order and no gaps, until it is cut; what was on its way then may still arrive,
or not. HTTP requests are lost before or after they were dealt with.
"""

import asyncio
import random
from collections import deque
from collections.abc import Callable
from contextvars import Context
from types import SimpleNamespace
from typing import Any

from archipel.table.net.websocket_protocol import WebSocketProtocol

from .loop import Loop, Process

HIGH, LOW = 16 * 1024, 4 * 1024
"""When a writer is told to pause, and to go on: less than in production, so that it happens."""
HOST = "127.0.0.1:8300"


class Flow:
    """Bytes in one direction: they arrive in order, each piece after some time."""

    def __init__(
        self, loop: Loop, latency: Callable[[], float], context: Context, arrive: Callable[[bytes], None]
    ) -> None:
        self._loop, self._latency, self._context, self._arrive = loop, latency, context, arrive
        self._pieces: deque[bytes] = deque()
        self._last = 0.0
        self.size = 0
        """How many bytes are on their way."""
        self.open = True
        self.held = False

    def put(self, data: bytes) -> None:
        if self.open:
            self._pieces.append(data)
            self.size += len(data)
            self._last = max(self._last, self._loop.time() + self._latency())
            self._loop.call_at(self._last, self._next, context=self._context)

    def _next(self) -> None:
        if self._pieces and not self.held:
            data = self._pieces.popleft()
            self.size -= len(data)
            self._arrive(data)

    def hold(self, held: bool) -> None:
        """Let nothing arrive for a while, or again."""
        if self.held and not held:
            for _ in self._pieces:
                self._loop.call_soon(self._next, context=self._context)
        self.held = held

    def lose(self, keep: int = 0) -> None:
        """Lose what is on its way, but for the first pieces."""
        self.open = False
        while len(self._pieces) > keep:
            self.size -= len(self._pieces.pop())


class Connection:
    """A connection between a browser and a worker; also the transport that the worker's protocol writes to."""

    def __init__(self, network: "Network", process: Process, browser: Any, address: str) -> None:
        self.network, self.process, self.browser, self.address = network, process, browser, address
        loop = network.loop
        latency = network.latency
        self._up = Flow(loop, latency, process.context, self._heard)
        self._up.hold(True)  # until the worker has accepted the connection
        self._down = Flow(loop, latency, network.context, self._told)
        self.line: Any = None
        self._paused = False
        self._closing = False
        self.over = False
        """The worker's side is over."""
        self.gone = False
        """The browser's side is over."""

    # The browser's side.

    def send(self, data: bytes) -> None:
        pieces = self.network.split(data)
        for piece in pieces:
            self._up.put(piece)

    def leave(self) -> None:
        """The browser goes."""
        self.gone = True
        self._down.lose()
        self.network.connections.pop(self, None)
        self.network.loop.call_later(self.network.latency(), self._lost, context=self.process.context)

    def read(self, reading: bool) -> None:
        """The browser reads what comes, or does not."""
        self._down.hold(not reading)

    def _told(self, data: bytes) -> None:
        if self._paused and self._down.size <= LOW:
            self._paused = False
            self.network.loop.call_soon(self._resume, context=self.process.context)
        if not data:
            self._ended()
        elif not self.gone:
            self.browser.received(self, data)

    # The worker's side.

    def _heard(self, data: bytes) -> None:
        if not self.over:
            self.line.data_received(data)

    def _resume(self) -> None:
        if not self.over:
            self.line.resume_writing()

    def _lost(self) -> None:
        if not self.over:
            self.over = self._closing = True
            if self.line is not None:
                self.line.connection_lost(None)

    def get_extra_info(self, name: str) -> Any:
        return (self.address, 1) if name == "peername" else None

    def write(self, data: bytes) -> None:
        if self._closing or not data:
            return
        for piece in self.network.split(data):
            self._down.put(piece)
        if self._down.size > HIGH and not self._paused:
            self._paused = True
            self.line.pause_writing()

    def is_closing(self) -> bool:
        return self._closing

    def close(self) -> None:
        """The worker closes: what it has written still arrives."""
        if not self._closing:
            self._closing = True
            self._down.put(b"")
            self.network.loop.call_soon(self._lost, context=self.process.context)

    def abort(self) -> None:
        if not self._closing:
            self._closing = True
            self._down.lose()
            self.hang_up()
            self.network.loop.call_soon(self._lost, context=self.process.context)

    def pause_reading(self) -> None:
        self._up.hold(True)

    def resume_reading(self) -> None:
        self._up.hold(False)

    # What goes wrong.

    def hang_up(self) -> None:
        """The browser learns that the connection is over."""
        self.network.loop.call_later(self.network.latency(), self._ended, context=self.network.context)

    def _ended(self) -> None:
        if not self.gone:
            self.gone = True
            self.network.connections.pop(self, None)
            self.browser.ended(self)

    def cut(self, silent: bool) -> None:
        """Cut it; silently: neither side is told, and both must notice. Some of what was on its way still arrives."""
        rng = self.network.rng
        for flow in (self._up, self._down):
            flow.lose(keep=rng.randrange(4))
        if not silent:
            self.hang_up()
            self.network.loop.call_later(self.network.latency(), self._lost, context=self.process.context)


class Network:
    """All connections, and how late everything is."""

    def __init__(self, loop: Loop, rng: random.Random) -> None:
        self.loop, self.rng = loop, rng
        self.context = Context()
        self.connections: dict[Connection, None] = {}
        self.slowness = 0.005
        """The mean latency, in seconds."""
        self.jitter = 0.0
        """How often something takes much longer."""
        self.pieces = 0.0
        """How often what is sent arrives in pieces."""
        self.lost = 0.0
        """How often a request or its answer is lost."""

    def latency(self) -> float:
        if self.jitter and self.rng.random() < self.jitter:
            return self.rng.expovariate(1.0)
        return self.rng.expovariate(1 / self.slowness)

    def split(self, data: bytes) -> list[bytes]:
        if self.pieces and len(data) > 1 and self.rng.random() < self.pieces:
            at = self.rng.randrange(1, len(data))
            return [data[:at], data[at:]]
        return [data]

    def connect(self, process: Process, api: Any, browser: Any, address: str) -> Connection:
        """A browser connects to a worker; whatever it sends first asks for a socket."""
        connection = Connection(self, process, browser, address)
        self.connections[connection] = None
        self.loop.call_later(self.latency(), self._accept, connection, api, context=process.context)
        return connection

    def _accept(self, connection: Connection, api: Any) -> None:
        if connection.over:
            return  # the browser has gone before
        config: Any = SimpleNamespace(loaded_app=api)
        state: Any = SimpleNamespace(connections=set(), tasks=set())
        connection.line = WebSocketProtocol(config, state, {}, self.loop)
        connection.line.connection_made(connection)
        connection.resume_reading()

    def died(self, process: Process) -> None:
        """A process has died: its machine tells those who were connected."""
        for connection in [c for c in self.connections if c.process is process]:
            connection._up.lose()
            connection.hang_up()

    async def request(
        self, process: Process, api: Any, method: str, path: str, body: bytes, cookie: str, address: str
    ) -> tuple[int, dict[str, str], bytes] | None:
        """The answer to an HTTP request; None if none came."""
        loop = self.loop
        answer: asyncio.Future[Any] = loop.create_future()
        loop.call_later(20.0, _settle, answer, None)
        if self.rng.random() >= self.lost:
            asked = _Exchange(method, path, body, cookie, address)

            def begin() -> None:
                task = loop.create_task(asked.run(api), context=process.context)
                task.add_done_callback(done, context=self.context)

            def done(task: "asyncio.Task[Any]") -> None:
                if self.rng.random() >= self.lost:
                    loop.call_later(self.latency(), _settle, answer, task.result())

            loop.call_later(self.latency(), begin, context=process.context)
        found: tuple[int, dict[str, str], bytes] | None = await answer
        return found


def _settle(answer: "asyncio.Future[Any]", value: Any) -> None:
    if not answer.done():
        answer.set_result(value)


class _Exchange:
    """One HTTP request as the application sees it."""

    def __init__(self, method: str, path: str, body: bytes, cookie: str, address: str) -> None:
        headers = [(b"host", HOST.encode()), (b"origin", f"http://{HOST}".encode())]
        if cookie:
            headers.append((b"cookie", cookie.encode()))
        path, _, query = path.partition("?")
        self._scope = {
            "type": "http",
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": headers,
            "client": (address, 1),
            "server": ("127.0.0.1", 8300),
        }
        self._body = body
        self._status = 0
        self._headers: dict[str, str] = {}
        self._content = b""

    async def run(self, api: Any) -> tuple[int, dict[str, str], bytes]:
        await api(self._scope, self._receive, self._send)
        return self._status, self._headers, self._content

    async def _receive(self) -> dict[str, Any]:
        body, self._body = self._body, b""
        return {"type": "http.request", "body": body, "more_body": False}

    async def _send(self, message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            self._status = message["status"]
            self._headers = {name.decode(): value.decode() for name, value in message["headers"]}
        else:
            self._content += message.get("body", b"")
