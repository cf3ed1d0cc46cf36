"""A WebSocket's connection within uvicorn: it calls back for every message, and writes at once all that is due.

A connection that waits costs a few hundred bytes: no task waits for it, neither to read nor to write.
"""

import asyncio
import base64
import hashlib
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Protocol
from urllib.parse import unquote

from uvicorn.config import Config
from uvicorn.server import ServerState

from . import frames, logs
from .frames import Broken, Frames

LARGEST = 16 * 1024
"""How many bytes a message may have."""
EVERY = 20.0
"""How many seconds apart a browser is asked whether it is still there; one that said nothing meanwhile is not."""
FAREWELL = 5.0
"""How many seconds a browser has to agree that the connection is closed."""
HEAD = 64 * 1024
"""How long the request may be that asks for a socket."""
GOING = 1012
FAILED = 1011
_MAGIC = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

Headers = list[tuple[bytes, bytes]]


class Listener(Protocol):
    """Who is at our end of the line."""

    def heard(self, said: bytes) -> None:
        """A message has come."""

    def writable(self) -> None:
        """What was written has gone out, and more may follow."""

    def gone(self) -> None:
        """The line is dead."""


class Line(asyncio.Protocol):
    """One browser's connection. The application finds it in the scope, and accepts or refuses it."""

    __slots__ = (
        "_address",
        "_alive",
        "_app",
        "_closing",
        "_connections",
        "_frames",
        "_head",
        "_key",
        "_listener",
        "_loop",
        "_tasks",
        "_timer",
        "_transport",
        "paused",
    )

    def __init__(self, config: Config, server_state: ServerState, app_state: Any, _loop: Any = None) -> None:
        self._app: Callable[..., Any] = config.loaded_app
        self._connections: set[Any] = server_state.connections
        self._tasks: set[Any] = server_state.tasks
        self._loop: asyncio.AbstractEventLoop = _loop or asyncio.get_running_loop()
        self._transport: Any = None
        self._address: tuple[str, int] | None = None
        self._head = b""
        self._key = b""
        self._frames: Frames | None = None
        self._listener: Listener | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._alive = True
        self._closing = False
        self.paused = False
        """Too much is on its way already: nothing is to be written."""

    # The connection, as asyncio and uvicorn see it.

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        self._connections.add(self)
        peer = transport.get_extra_info("peername")
        self._address = (str(peer[0]), int(peer[1])) if isinstance(peer, tuple | list) else None

    def connection_lost(self, exc: Exception | None) -> None:
        self._connections.discard(self)
        self._closing = True
        self._stop_timer()
        if self._listener:
            self._listener.gone()
            self._listener = None

    def eof_received(self) -> None:
        pass

    def pause_writing(self) -> None:
        self.paused = True

    def resume_writing(self) -> None:
        self.paused = False
        if self._listener and not self._closing:
            self._listener.writable()

    def shutdown(self) -> None:
        """The server stops."""
        if self._frames is not None:
            self.close(GOING)
        self._transport.close()

    def data_received(self, data: bytes) -> None:
        self._alive = True
        if self._frames is None:
            self._ask(data) if not self._key else self._transport.abort()
            return
        try:
            for kind, payload in self._frames.take(data):
                self._take(kind, payload)
        except Broken as broken:
            self.close(broken.code)

    # Messages.

    def _take(self, kind: int, payload: bytes) -> None:
        if kind == frames.CLOSE:
            self._closed(payload)
        elif self._closing:
            return
        elif kind == frames.PING:
            self.write(frames.frame(frames.PONG, payload))
        elif kind != frames.PONG and self._listener:
            if kind == frames.TEXT and not frames.is_text(payload):
                raise Broken(frames.NO_TEXT)
            self._tell(self._listener, payload)

    def _tell(self, listener: Listener, payload: bytes) -> None:
        try:
            listener.heard(payload)
        except Exception:
            logs.log.exception("socket-failed")
            self.close(FAILED)

    def _closed(self, payload: bytes) -> None:
        """The browser closes the connection, or agrees that we do."""
        if not self._closing:
            self.write(frames.closing(frames.answer(payload)))
        self._closing = True
        self._transport.close()

    def write(self, data: bytes) -> None:
        """Send some frames."""
        self._transport.write(data)

    def close(self, code: int, reason: str = "") -> None:
        """Close the connection, after what was written."""
        if not self._closing:
            self._closing = True
            self.write(frames.closing(code, reason))
            self._stop_timer()
            self._timer = self._loop.call_later(FAREWELL, self._transport.abort)

    def hold(self, held: bool) -> None:
        """Have nothing more come for a while, or again."""
        if not self._transport.is_closing():
            (self._transport.pause_reading if held else self._transport.resume_reading)()

    def _stop_timer(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def _tick(self) -> None:
        if not self._alive:
            self._transport.abort()
            return
        self._alive = False
        if not self.paused:
            self.write(frames.frame(frames.PING, b""))
        self._timer = self._loop.call_later(EVERY, self._tick)

    # How it begins.

    def _ask(self, data: bytes) -> None:
        """The request that asks for a socket: uvicorn has read it before, and hands it on."""
        self._head += data
        head, end, _ = self._head.partition(b"\r\n\r\n")
        if not end:
            if len(self._head) > HEAD:
                self.refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
            return
        self._head = b""
        request, *lines = head.split(b"\r\n")
        method, target, _ = request.split(b" ", 2)
        headers = [(name.strip().lower(), value.strip()) for name, _, value in (line.partition(b":") for line in lines)]
        self._key = _key(method, dict(headers))
        if not self._key:
            self.refuse(HTTPStatus.BAD_REQUEST)
            return
        task = self._loop.create_task(self._introduce(target, headers))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _introduce(self, target: bytes, headers: Headers) -> None:
        """Let the application know of it, by way of whatever uvicorn has put before it."""
        path, _, query = target.partition(b"?")
        scope = {
            "type": "websocket",
            "asgi": {"version": "3.0", "spec_version": "2.4"},
            "http_version": "1.1",
            "scheme": "ws",
            "client": self._address,
            "path": unquote(path.decode("latin-1")),
            "raw_path": path,
            "query_string": query,
            "headers": headers,
            "extensions": {"archipel.line": self},
        }
        try:
            await self._app(scope, _nothing, _nothing)
        except Exception:
            logs.log.exception("socket-failed")
            if self._frames is None:
                self.refuse(HTTPStatus.INTERNAL_SERVER_ERROR)
            else:
                self.close(FAILED)

    def refuse(self, status: HTTPStatus = HTTPStatus.FORBIDDEN) -> None:
        """Let it be no socket."""
        text = f"HTTP/1.1 {status.value} {status.phrase}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
        self._transport.write(text.encode())
        self._transport.close()

    def accept(self, listener: Listener) -> None:
        """Let it be a socket, and call this listener from now on."""
        self._listener = listener
        if self._transport.is_closing():
            self.connection_lost(None)
            return
        accepted = base64.b64encode(hashlib.sha1(self._key + _MAGIC, usedforsecurity=False).digest())
        self._transport.write(
            b"HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\n"
            b"sec-websocket-accept: " + accepted + b"\r\n\r\n"
        )
        self._frames = Frames(LARGEST)
        self._timer = self._loop.call_later(EVERY, self._tick)


async def _nothing(*_: Any) -> Any:
    raise RuntimeError("A line calls back: there is nothing to receive, nor to send.")


def _key(method: bytes, headers: dict[bytes, bytes]) -> bytes:
    """The key of a sound request for a socket; nothing if it is not sound."""
    key = headers.get(b"sec-websocket-key", b"")
    try:
        sound = len(base64.b64decode(key, validate=True)) == 16
    except ValueError:
        sound = False
    asked = (
        b"upgrade" in headers.get(b"connection", b"").lower() and headers.get(b"upgrade", b"").lower() == b"websocket"
    )
    return key if sound and asked and method == b"GET" and headers.get(b"sec-websocket-version") == b"13" else b""
