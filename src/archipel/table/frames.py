"""The frames of a WebSocket (RFC 6455) as a server reads and writes them. Nothing is compressed."""

import struct
from collections.abc import Iterator

CONTINUED, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
_FINAL, _RESERVED, _KIND = 0x80, 0x70, 0x0F
_MASKED, _LENGTH = 0x80, 0x7F
_SHORT = 125
"""The longest payload of a frame that steers the connection."""

NORMAL, PROTOCOL, NO_TEXT, TOO_LONG = 1000, 1002, 1007, 1009


class Broken(Exception):
    """What came is no WebSocket's frame, or too long: the connection must be closed with that code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


def frame(kind: int, payload: bytes) -> bytes:
    """A whole frame of the server's."""
    length = len(payload)
    if length <= _SHORT:
        return bytes((_FINAL | kind, length)) + payload
    if length < 1 << 16:
        return struct.pack("!BBH", _FINAL | kind, 126, length) + payload
    return struct.pack("!BBQ", _FINAL | kind, 127, length) + payload


def closing(code: int, reason: str = "") -> bytes:
    """The frame that closes a connection."""
    return frame(CLOSE, struct.pack("!H", code) + reason.encode()[: _SHORT - 2])


def answer(payload: bytes) -> int:
    """The code with which to answer the frame by which the other side closes: the same, if it is one."""
    if not payload:
        return NORMAL
    code = int.from_bytes(payload[:2], "big")
    known = 1000 <= code <= 1003 or 1007 <= code <= 1014 or 3000 <= code <= 4999
    return code if known and is_text(payload[2:]) else PROTOCOL


def is_text(payload: bytes) -> bool:
    """May it be sent as text?"""
    if payload.isascii():
        return True
    try:
        payload.decode()
    except UnicodeDecodeError:
        return False
    return True


class Frames:
    """What has come from a browser, put together."""

    __slots__ = ("_buffer", "_kind", "_most", "_parts")

    def __init__(self, most: int) -> None:
        self._most = most
        self._buffer = b""
        self._kind = CONTINUED
        self._parts = b""

    def take(self, data: bytes) -> Iterator[tuple[int, bytes]]:
        """The messages that are whole with this, each with its kind; Broken if there can be none any more."""
        buffer = self._buffer + data if self._buffer else data
        at = 0
        try:
            while (found := self._frame(buffer, at)) is not None:
                first, payload, at = found
                if message := self._message(first, payload):
                    yield message
        finally:
            self._buffer = buffer[at:]

    def _frame(self, buffer: bytes, at: int) -> tuple[int, bytes, int] | None:
        """The frame that begins there: its first byte, its payload, and where it ends; None if it is not whole."""
        if len(buffer) < at + 2:
            return None
        first, second = buffer[at], buffer[at + 1]
        length, start = second & _LENGTH, at + 2
        if first & _RESERVED or not second & _MASKED:
            raise Broken(PROTOCOL)
        if length > _SHORT:
            if first & _KIND >= CLOSE:
                raise Broken(PROTOCOL)
            start += 2 if length == 126 else 8
            if len(buffer) < start:
                return None
            length = int.from_bytes(buffer[at + 2 : start], "big")
        if length + len(self._parts) > self._most:
            raise Broken(TOO_LONG)
        end = start + 4 + length
        if len(buffer) < end:
            return None
        return first, _unmasked(buffer[start : start + 4], buffer[start + 4 : end]), end

    def _message(self, first: int, payload: bytes) -> tuple[int, bytes] | None:
        """A message that is whole; one in several frames may have others, that steer, between them."""
        kind = first & _KIND
        if kind >= CLOSE:
            if kind > PONG or not first & _FINAL:
                raise Broken(PROTOCOL)
            return kind, payload
        if kind > BINARY or (kind == CONTINUED) != (self._kind != CONTINUED):
            raise Broken(PROTOCOL)
        if kind != CONTINUED and first & _FINAL:
            return kind, payload
        self._kind, self._parts = kind or self._kind, self._parts + payload
        if not first & _FINAL:
            return None
        whole = self._kind, self._parts
        self._kind, self._parts = CONTINUED, b""
        return whole


def _unmasked(mask: bytes, payload: bytes) -> bytes:
    length = len(payload)
    repeated = (mask * (length // 4 + 1))[:length]
    return (int.from_bytes(payload, "big") ^ int.from_bytes(repeated, "big")).to_bytes(length, "big")
