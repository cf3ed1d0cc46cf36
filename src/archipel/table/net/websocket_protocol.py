"""The WebSocket protocol for uvicorn: calls back for every message, and writes everything that is due at once.

An idle connection costs a few hundred bytes: no task waits for it, neither to read nor to write.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable
from http import HTTPStatus
from typing import Any, Protocol
from urllib.parse import unquote

from uvicorn.config import Config
from uvicorn.server import ServerState
from websockets.frames import CloseCode, Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import State
from websockets.server import ServerProtocol

from ..limits import Bucket
from ..logging import log

LARGEST = 16 * 1024
"""The maximum number of bytes in a message."""
FRAGMENTS = 32
"""The maximum number of frames in a message."""
FRAMES = 100
"""How many frames may arrive before the application has accepted the socket and sets its own limit."""
SLICE = 1024
"""How many bytes are parsed before frames are counted, so that a flood is cut off before all of it is parsed."""
EVERY = 20.0
"""Seconds of silence after which a browser is sent a ping; after as many more it is considered gone."""
FAREWELL = 5.0
"""Seconds that a browser has to confirm the close."""
SWITCHING = 101
_QUIET = logging.getLogger("archipel.websocket")
_QUIET.setLevel(logging.WARNING)


class Listener(Protocol):
    """The application's side of a connection."""

    def heard(self, raw: bytes) -> None:
        """A message has arrived."""

    def writable(self) -> None:
        """The output has been sent, and more may follow."""

    def gone(self) -> None:
        """The connection is closed."""


class WebSocketProtocol(asyncio.Protocol):
    """One browser's connection. The application finds it in the scope, and accepts or refuses it."""

    def __init__(self, config: Config, server_state: ServerState, app_state: Any, _loop: Any = None) -> None:
        self._app: Callable[..., Any] = config.loaded_app
        self._connections: set[Any] = server_state.connections
        self._tasks: set[Any] = server_state.tasks
        self._loop: asyncio.AbstractEventLoop = _loop or asyncio.get_running_loop()
        self._transport: Any = None
        self._address: tuple[str, int] | None = None
        self._wire = ServerProtocol(max_size=LARGEST, logger=_QUIET)
        self._welcome: Response | None = None
        self._parts: list[bytes] = []
        self._listener: Listener | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._alive = True
        """Something has arrived since the last check."""
        self._asked = False
        """A ping was sent, and has not been answered."""
        self._closing = False
        self._frames = Bucket(FRAMES, 0.0, self._loop.time())
        self._held = False
        """The application does not want more input for a while."""
        self.paused = False
        """The other side does not read: nothing is written, and nothing more is read."""

    # The connection, as asyncio and uvicorn see it.

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        self._connections.add(self)
        peer = transport.get_extra_info("peername")
        self._address = (str(peer[0]), int(peer[1])) if isinstance(peer, tuple | list) else None

    def connection_lost(self, exc: Exception | None) -> None:
        self._connections.discard(self)
        self._wire.receive_eof()
        self._stop_timer()
        if self._listener:
            self._listener.gone()
            self._listener = None

    def pause_writing(self) -> None:
        self.paused = True
        self._read_or_not()

    def resume_writing(self) -> None:
        self.paused = False
        self._alive, self._asked = True, False
        self._read_or_not()
        if self._listener and self._wire.state is State.OPEN:
            self._listener.writable()

    def shutdown(self) -> None:
        """The server stops."""
        self.close(CloseCode.SERVICE_RESTART)
        self._transport.close()

    def data_received(self, data: bytes) -> None:
        self._alive, self._asked = True, False
        for start in range(0, len(data), SLICE):
            self._receive(data[start : start + SLICE])
            if self._wire.close_expected():
                break  # further input is ignored
        self._flush()

    def _receive(self, data: bytes) -> None:
        self._wire.receive_data(data)
        for event in self._wire.events_received():
            if isinstance(event, Request):
                self._ask(event)
            elif isinstance(event, Frame):
                self._count(event)

    def _count(self, frame: Frame) -> None:
        """Count every frame, also those without a message."""
        if not self._frames.take(self._loop.time()):
            self._wire.fail(CloseCode.POLICY_VIOLATION)
        elif frame.opcode in (Opcode.TEXT, Opcode.BINARY, Opcode.CONT):
            self._take(frame)

    def _flush(self) -> None:
        """Write the pending output; none at all means that the connection ends."""
        data = self._wire.data_to_send()
        if data:
            self._transport.write(b"".join(data))
            if not data[-1]:
                self._transport.close()

    # Messages.

    def _take(self, frame: Frame) -> None:
        """A message, or a part of one."""
        self._parts.append(bytes(frame.data))
        if not frame.fin:
            if len(self._parts) >= FRAGMENTS:
                self._wire.fail(CloseCode.POLICY_VIOLATION)
            return
        whole = b"".join(self._parts)
        self._parts.clear()
        if self._listener and not self._closing:
            if _is_text(whole):
                self._tell(self._listener, whole)  # even if a close frame has arrived with it
            else:
                self._wire.fail(CloseCode.INVALID_DATA)

    def _tell(self, listener: Listener, payload: bytes) -> None:
        try:
            listener.heard(payload)
        except Exception:
            log.exception("socket-failed")
            self.close(CloseCode.INTERNAL_ERROR)

    def send(self, messages: Iterable[bytes]) -> None:
        """Send some messages in one write."""
        if self._wire.state is State.OPEN:
            for message in messages:
                self._wire.send_text(message)
            self._flush()

    def close(self, code: int, reason: str = "") -> None:
        """Close the connection after everything was written."""
        if self._wire.state is State.OPEN:
            self._closing = True
            self._wire.send_close(code, reason)
            self._flush()
            self._stop_timer()
            self._timer = self._loop.call_later(FAREWELL, self._transport.abort)

    def hold(self, held: bool) -> None:
        """Pause or resume input."""
        self._held = held
        self._read_or_not()

    def _read_or_not(self) -> None:
        """A client that does not read our output is not read either, so that answers do not pile up."""
        if not self._transport.is_closing():
            stop = self._held or self.paused
            (self._transport.pause_reading if stop else self._transport.resume_reading)()

    def _stop_timer(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def _tick(self) -> None:
        if self._asked:
            self._transport.abort()
            return
        if not self._alive:
            self._asked = True
            if not self.paused and self._wire.state is State.OPEN:
                self._wire.send_ping(b"")
                self._flush()
        self._alive = False
        self._timer = self._loop.call_later(EVERY, self._tick)

    # The handshake.

    def _ask(self, request: Request) -> None:
        """The upgrade request, which uvicorn has already parsed."""
        self._welcome = self._wire.accept(request)
        if self._welcome.status_code != SWITCHING:
            self._wire.send_response(self._welcome)
            return
        task = self._loop.create_task(self._introduce(request))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _introduce(self, request: Request) -> None:
        """Announce it to the application, through uvicorn's middleware."""
        path, _, query = request.path.partition("?")
        scope = {
            "type": "websocket",
            "asgi": {"version": "3.0", "spec_version": "2.4"},
            "http_version": "1.1",
            "scheme": "ws",
            "client": self._address,
            "path": unquote(path),
            "raw_path": path.encode("latin-1"),
            "query_string": query.encode("latin-1"),
            "headers": [(k.lower().encode(), v.encode("latin-1")) for k, v in request.headers.raw_items()],
            "extensions": {"archipel.websocket": self},
        }
        try:
            await self._app(scope, _nothing, _nothing)
        except Exception:
            log.exception("socket-failed")
            self.refuse(HTTPStatus.INTERNAL_SERVER_ERROR)
            self.close(CloseCode.INTERNAL_ERROR)

    def refuse(self, status: HTTPStatus = HTTPStatus.FORBIDDEN) -> None:
        """Refuse the WebSocket."""
        if self._wire.state is State.CONNECTING:
            self._wire.send_response(self._wire.reject(status, ""))
            self._flush()

    def accept(self, listener: Listener, frames: Bucket) -> None:
        """Accept the WebSocket, and call this listener from now on; `frames` is the limit of frames."""
        self._listener, self._frames = listener, frames
        if self._welcome is None or self._transport.is_closing():
            self.connection_lost(None)
            return
        self._wire.send_response(self._welcome)
        self._welcome = None
        self._flush()
        self._timer = self._loop.call_later(EVERY, self._tick)


async def _nothing(*_: Any) -> Any:
    raise RuntimeError("A line calls back: there is nothing to receive, nor to send.")


def _is_text(payload: bytes) -> bool:
    try:
        payload.decode()
    except UnicodeDecodeError:
        return False
    return True
