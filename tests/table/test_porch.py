"""The pages are there before the server is, and nobody who comes early is lost."""

import asyncio
import socket
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest

from archipel.table import serving
from archipel.table.net.porch import Porch, listening
from archipel.table.settings import Settings
from tests.patience import PATIENCE


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(host="127.0.0.1", port=0, database=str(tmp_path / "t.sqlite3"), bots=1)


@pytest.fixture
def listener(settings: Settings) -> Iterator[socket.socket]:
    with listening(settings) as opened:
        yield opened


def ask(
    listener: socket.socket, path: str, *headers: str, host: str = "localhost", method: str = "GET"
) -> socket.socket:
    """A connection on which a request was sent."""
    connection = socket.create_connection(listener.getsockname(), PATIENCE)
    connection.sendall("\r\n".join([f"{method} {path} HTTP/1.1", f"Host: {host}", *headers, "", ""]).encode())
    return connection


def answer(connection: socket.socket) -> tuple[int, dict[str, str], bytes]:
    """The status, the headers and the body of an answer after which the connection is closed."""
    with connection:
        whole = b"".join(iter(lambda: connection.recv(1 << 16), b""))
    head, _, body = whole.partition(b"\r\n\r\n")
    status, *lines = head.decode().split("\r\n")
    return int(status.split()[1]), dict(line.split(": ", 1) for line in lines), body


@pytest.mark.parametrize("path", ["/", "/?from=a-friend", "/table/abc", "/new/kahuna"])
def test_a_page_is_there_before_the_server(listener: socket.socket, settings: Settings, path: str) -> None:
    with Porch(listener, settings):
        status, headers, body = answer(ask(listener, path))
        assert status == 200
        assert b"<title>Archipel</title>" in body
        assert int(headers["content-length"]) == len(body)
        assert headers["content-security-policy"].startswith("default-src 'none'")
        status, _, body = answer(ask(listener, path, f"If-None-Match: {headers['etag']}"))
        assert (status, body) == (304, b"")


def test_what_is_no_page_is_left_to_the_server(listener: socket.socket, settings: Settings) -> None:
    early: dict[str, Callable[[], socket.socket]] = {
        "api": lambda: ask(listener, "/api/games"),
        "health": lambda: ask(listener, "/healthz"),
        "socket": lambda: ask(listener, "/ws/abc", "Upgrade: websocket", "Connection: Upgrade"),
        "post": lambda: ask(listener, "/", method="POST"),
        "foreign host": lambda: ask(listener, "/", host="example.org"),
        "no host": lambda: ask(listener, "/", host=""),
        "nothing yet": lambda: socket.create_connection(listener.getsockname(), PATIENCE),
    }
    with Porch(listener, settings) as porch:
        open_ = [come() for come in early.values()]
        answer(ask(listener, "/"))  # whoever came before has been looked at by now
        waiting = porch.leave()
        assert len(waiting) == len(early)
        for connection in (*waiting, *open_):
            connection.close()


def test_a_request_in_pieces_is_answered_when_it_is_whole(listener: socket.socket, settings: Settings) -> None:
    with Porch(listener, settings):
        connection = socket.create_connection(listener.getsockname(), PATIENCE)
        connection.sendall(b"GET / HTTP/1.1\r\nHost: local")
        answer(ask(listener, "/"))
        connection.sendall(b"host\r\n\r\n")
        assert answer(connection)[0] == 200


def test_who_comes_early_is_served_by_the_server(listener: socket.socket, settings: Settings) -> None:
    async def evening() -> None:
        with Porch(listener, settings) as porch:
            early = [ask(listener, path, "Connection: close", host=host) for path, host in EARLY]
            async with serving.running(settings) as api:
                server = serving.server_of(api, porch)
                server.capture_signals = nullcontext  # type: ignore[method-assign, assignment]
                task = asyncio.ensure_future(server.serve([listener]))
                found = [await asyncio.to_thread(answer, connection) for connection in early]
                assert [status for status, *_ in found] == [200, 200, 421]
                assert b"kahuna" in found[0][2]
                server.should_exit = True
                await task

    asyncio.run(evening())


EARLY = [("/api/games", "localhost"), ("/healthz", "localhost"), ("/", "example.org")]
