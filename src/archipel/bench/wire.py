"""A lightweight WebSocket and HTTP client, so that a few thousand of them fit beside the server."""

import asyncio
import base64
import os
import struct
from collections.abc import Callable
from typing import Any

_MASK = b"\0\0\0\0"
"""Clients must mask what they send; a mask of zeros leaves it unchanged."""


class Wire(asyncio.Protocol):
    """One socket: `heard(text)` is called with every message."""

    def __init__(self, host: str, path: str, cookie: str, heard: Callable[["Wire", bytes], None]) -> None:
        self._host, self._path, self._cookie = host, path, cookie
        self._heard = heard
        self._buffer = b""
        self._shaken = False
        self._transport: Any = None
        self.open: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.closed = False
        self.hung_up = False
        self.owner: Any = None

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        key = base64.b64encode(os.urandom(16)).decode()
        cookie = f"Cookie: {self._cookie}\r\n" if self._cookie else ""
        transport.write(
            f"GET {self._path} HTTP/1.1\r\nHost: {self._host}\r\nOrigin: http://{self._host}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n{cookie}\r\n".encode()
        )

    def connection_lost(self, exc: Exception | None) -> None:
        self.closed = self.hung_up = True
        if not self.open.done():
            self.open.set_exception(ConnectionError("The server did not take the socket."))

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if not self._shaken:
            head, end, rest = self._buffer.partition(b"\r\n\r\n")
            if not end:
                return
            self._shaken, self._buffer = True, rest
            if b" 101 " not in head.split(b"\r\n", 1)[0]:
                self._transport.close()
                return
            self.open.set_result(None)
        self._frames()

    def _frames(self) -> None:
        buffer, at = self._buffer, 0
        while len(buffer) - at >= 2:
            length, start = buffer[at + 1], at + 2
            if length == 126:
                length, start = int.from_bytes(buffer[start : start + 2], "big"), start + 2
            elif length == 127:
                length, start = int.from_bytes(buffer[start : start + 8], "big"), start + 8
            if len(buffer) < start + length:
                break
            kind, payload, at = buffer[at] & 15, buffer[start : start + length], start + length
            if kind == 1:
                self._heard(self, payload)
            elif kind == 9:
                self._frame(0x8A, payload)
        self._buffer = buffer[at:]

    def send(self, message: bytes) -> None:
        """Send a text."""
        self._frame(0x81, message)

    def _frame(self, kind: int, payload: bytes) -> None:
        length = len(payload)
        size = bytes([0x80 | length]) if length < 126 else b"\xfe" + struct.pack("!H", length)
        self._transport.write(bytes([kind]) + size + _MASK + payload)

    def close(self) -> None:
        """Close the connection."""
        self.hung_up = True
        self._transport.abort()


async def dial(host: str, path: str, heard: Callable[[Wire, bytes], None], cookie: str = "") -> Wire:
    """Open a socket."""
    name, port = host.split(":")
    _, wire = await asyncio.get_running_loop().create_connection(
        lambda: Wire(host, path, cookie, heard), name, int(port)
    )
    await wire.open
    return wire


class Http:
    """A few persistent connections for many requests."""

    def __init__(self, host: str, connections: int = 32) -> None:
        self._host = host
        self._idle: asyncio.Queue[Any] = asyncio.Queue()
        for _ in range(connections):
            self._idle.put_nowait(None)

    async def post(self, path: str, body: bytes, cookie: str = "") -> tuple[int, dict[str, str], bytes]:
        """The status, headers and body of a response."""
        line = await self._idle.get()
        try:
            line = line or await asyncio.open_connection(*self._host.split(":"))
            return await self._ask(line, path, body, cookie)
        except (OSError, asyncio.IncompleteReadError):
            line = None
            raise
        finally:
            self._idle.put_nowait(line)

    async def _ask(self, line: Any, path: str, body: bytes, cookie: str) -> tuple[int, dict[str, str], bytes]:
        reader, writer = line
        writer.write(
            f"POST {path} HTTP/1.1\r\nHost: {self._host}\r\nOrigin: http://{self._host}\r\nCookie: {cookie}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode()
            + body
        )
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (each.partition(":") for each in head[1:])}
        answer = await reader.readexactly(int(headers.get("content-length", "0")))
        return int(head[0].split()[1]), headers, answer
