"""HTTP connections within uvicorn, with limits: their number, the size of a head, and the time a request may take."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from ..limits import Tally, network

HEAD = 16 * 1024
"""The maximum size of a request's head in bytes."""
FIELDS = 64
"""The maximum number of header fields."""
HEAD_SECONDS = 10.0
BODY_SECONDS = 30.0
"""Seconds for receiving a head, and then a body."""
ANSWER_SECONDS = 120.0
"""Seconds for answering a request, until the other side has read the response."""
PIPELINED = 16
"""How many pipelined requests may wait."""
TOO_LARGE = 431


class Arrivals:
    """The open HTTP connections, limited per address and in all.

    If there are too many in all, the one that has kept the server waiting longest is closed. `is_proxy` tells which
    addresses are proxies.
    """

    def __init__(self, each: int, all_: int, is_proxy: Callable[[str], bool]) -> None:
        self._tally = Tally(each, 2 * all_)
        self._all = all_
        self._is_proxy = is_proxy
        self._waiting: OrderedDict[HttpProtocol, None] = OrderedDict()
        """Connections that must send something, in the order in which the wait started."""

    def enter(self, connection: "HttpProtocol", address: str) -> object:
        """A key to leave with; None if the address has too many open connections."""
        key: object = connection if self._is_proxy(address) else network(address)
        if not self._tally.add(key):
            return None
        while self._tally.total > self._all and self._waiting:
            self._waiting.popitem(last=False)[0].give_up()
        return key

    def leave(self, connection: "HttpProtocol", key: object) -> None:
        self._tally.remove(key)
        self._waiting.pop(connection, None)

    def wait_for(self, connection: "HttpProtocol") -> None:
        """Something must arrive from this connection."""
        self._waiting[connection] = None
        self._waiting.move_to_end(connection)

    def answer(self, connection: "HttpProtocol") -> None:
        """The request is complete, and is being answered."""
        self._waiting.pop(connection, None)


class TooLarge(Exception):
    """A head has too many bytes or fields."""


class HttpProtocol(HttpToolsProtocol):
    """One connection. Each part of a request has a time limit; a request that is late or too large is ended."""

    def __init__(self, arrivals: Arrivals, **parts: Any) -> None:
        super().__init__(**parts)
        self._arrivals = arrivals
        self._key: object = None
        self._timer: asyncio.TimerHandle | None = None
        self._in_head = True
        self._in_body = False
        self._head = self._fields = self._unparsed = 0
        self._too_large = False

    # The connection.

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._key = self._arrivals.enter(self, self.client[0] if self.client else "")
        if self._key is None:
            transport.abort()
        else:
            self._wait(HEAD_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        self._leave()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        self._leave()
        super().handle_websocket_upgrade()

    def _leave(self) -> None:
        self._stop_timer()
        if self._key is not None:
            key, self._key = self._key, None
            self._arrivals.leave(self, key)

    def give_up(self) -> None:
        """Close the connection, whatever it is doing."""
        self.transport.abort()

    # Time limits.

    def _wait(self, seconds: float) -> None:
        """Something must arrive within this time."""
        self._arrivals.wait_for(self)
        self._set_timer(seconds)

    def _set_timer(self, seconds: float) -> None:
        self._stop_timer()
        self._timer = self.loop.call_later(seconds, self.give_up)

    def _stop_timer(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None

    # Input.

    def data_received(self, data: bytes) -> None:
        self._unparsed += len(data)
        super().data_received(data)
        if self._key is None or self.transport.is_closing():
            return
        if self._in_head and self._unparsed > HEAD:
            self._too_large = True
            self.send_400_response("The head of the request is too large.")
        elif self._timer is None:
            self._wait(HEAD_SECONDS)  # it started with something that is not a request yet

    def send_400_response(self, msg: str) -> None:
        if self.transport.is_closing():
            return
        if self._too_large:
            self.transport.write(STATUS_LINE[TOO_LARGE] + b"connection: close\r\ncontent-length: 0\r\n\r\n")
            self.transport.close()
        else:
            super().send_400_response(msg)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._in_head = True
        self._head = self._fields = 0
        self._wait(HEAD_SECONDS)

    def on_url(self, url: bytes) -> None:
        self._count(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        self._fields += 1
        self._count(len(name) + len(value) + 4)
        super().on_header(name, value)

    def _count(self, more: int) -> None:
        self._head += more
        if self._head > HEAD or self._fields > FIELDS:
            self._too_large = True
            raise TooLarge

    def on_headers_complete(self) -> None:
        self._in_head, self._in_body = False, True
        self._wait(BODY_SECONDS)
        if len(self.pipeline) >= PIPELINED:
            self._too_large = True
            raise TooLarge
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._in_body = False
        self._unparsed = 0
        super().on_message_complete()
        if self.cycle is not None and self.cycle.response_complete:
            self._stop_timer()
        else:
            self._arrivals.answer(self)
            self._set_timer(ANSWER_SECONDS)

    def on_response_complete(self) -> None:
        if not self._in_body:
            self._stop_timer()
            if self._key is not None:
                self._arrivals.wait_for(self)
        super().on_response_complete()
