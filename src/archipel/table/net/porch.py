"""The open port, and the pages that are served while the server is still starting.

Importing the server and opening its database takes a second, and several on a busy machine; the pages are files. Until
the server is ready, a thread answers requests for pages. Every other request is left unread for the server.
"""

import selectors
import socket
import threading
import time
from contextlib import suppress
from types import TracebackType
from typing import Self

from ..settings import Settings
from .pages import Pages
from .security import HEADERS, Guard

TICK = 0.02
"""Seconds between two checks of whether the server is ready."""
PATIENCE = 2.0
"""Seconds that a client has to read a page."""
LONGEST = 16 * 1024
"""The maximum length of the head of a request for a page."""
NOT_PAGES = ("/api/", "/ws/", "/data/", "/healthz", "/metrics")


def listening(settings: Settings) -> socket.socket:
    """A socket that listens as configured; OSError if the port is taken."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind((settings.host, settings.port))
    listener.listen(4096)
    listener.setblocking(False)
    return listener


class Porch:
    """Serves the pages until `leave` is called."""

    def __init__(self, listener: socket.socket, settings: Settings) -> None:
        self._listener = listener
        self._guard = Guard(settings)
        self._pages = Pages()
        self._waiting: list[socket.socket] = []
        self._left = False
        self._thread = threading.Thread(target=self._run, name="porch", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for connection in self.leave():
            connection.close()

    def leave(self) -> list[socket.socket]:
        """Stop; return the connections whose requests are still to be read."""
        self._left = True
        self._thread.join()
        waiting, self._waiting = self._waiting, []
        return waiting

    def _run(self) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(self._listener, selectors.EVENT_READ)
            while not self._left:
                for key, _ in selector.select(TICK):
                    if key.fileobj is self._listener:
                        with suppress(OSError):
                            selector.register(self._listener.accept()[0], selectors.EVENT_READ)
                    elif isinstance(key.fileobj, socket.socket):
                        self._look(selector, key.fileobj)
            for key in list(selector.get_map().values()):
                if isinstance(key.fileobj, socket.socket) and key.fileobj is not self._listener:
                    self._waiting.append(key.fileobj)

    def _look(self, selector: selectors.BaseSelector, connection: socket.socket) -> None:
        """Answer a request for a page; leave any other to the server."""
        try:
            head = connection.recv(LONGEST, socket.MSG_PEEK)
            whole = head.find(b"\r\n\r\n") + 4
            if head and whole < 4 and len(head) < LONGEST:
                time.sleep(TICK)  # the rest of it is on its way
                return
            selector.unregister(connection)
            answer = self._answer(head[:whole]) if whole >= 4 else None
            if answer is None and head:
                self._waiting.append(connection)
                return
            if answer:
                connection.recv(whole)
                connection.settimeout(PATIENCE)
                connection.sendall(answer)
        except OSError:
            with suppress(KeyError):
                selector.unregister(connection)
        connection.close()

    def _answer(self, head: bytes) -> bytes | None:
        """A page as an HTTP response; None if the request is for something else or needs the server."""
        request, *lines = head.decode("latin-1").rstrip().split("\r\n")
        method, _, rest = request.partition(" ")
        path = rest.partition(" ")[0].partition("?")[0]
        headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        if method != "GET" or path.startswith(NOT_PAGES) or not path.startswith("/") or "upgrade" in headers:
            return None
        if "%" in path or "content-length" in headers or not self._guard.is_our_host(headers.get("host", "")):
            return None
        page = self._pages.response(path, headers.get("if-none-match"), headers.get("accept-encoding", ""))
        given = [f"{name.decode()}: {value.decode()}" for name, value in page.raw_headers]
        given += [f"{name}: {value}" for name, value in (HEADERS | {"connection": "close"}).items()]
        return "\r\n".join([f"HTTP/1.1 {page.status_code} ", *given, "", ""]).encode() + bytes(page.body)
