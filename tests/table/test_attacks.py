"""Requests that never end, heads that are too large, clocks that are set back, proxies, and work for strangers."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from archipel.table.limits import network
from archipel.table.net import http_protocol
from archipel.table.play import verifying
from archipel.table.settings import Settings

from .house import Guest, House, house

Line = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., None]:
    def run(evening: Callable[[House], Awaitable[None]], **chosen: Any) -> None:
        async def spend() -> None:
            async with house(tmp_path / "tables.sqlite3", **chosen) as here:
                await asyncio.wait_for(evening(here), 60)

        asyncio.run(spend())

    return run


async def dialled(here: House, said: bytes, address: str = "127.0.0.2") -> Line:
    reader, writer = await asyncio.open_connection("127.0.0.1", here.port, local_addr=(address, 0))
    writer.write(said)
    return reader, writer


async def answer(line: Line) -> bytes:
    """All that comes until the server hangs up."""
    try:
        return await asyncio.wait_for(line[0].read(), 30)
    except ConnectionResetError:
        return b""
    finally:
        line[1].transport.abort()


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"\r\n",
        b"GET /healthz HTTP/1.1\r\nHost: 127",
        b"POST /api/session HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 20\r\n\r\n{",
    ],
    ids=["nothing", "a line", "half a head", "half a body"],
)
def test_a_request_that_does_not_come_is_not_waited_for(
    run: Callable[..., None], monkeypatch: pytest.MonkeyPatch, said: bytes
) -> None:
    monkeypatch.setattr(http_protocol, "HEAD_SECONDS", 0.3)
    monkeypatch.setattr(http_protocol, "BODY_SECONDS", 0.3)

    async def evening(here: House) -> None:
        await answer(await dialled(here, said))
        assert here.server.server_state.connections == set()

    run(evening)


def test_half_open_requests_are_limited_by_address(run: Callable[..., None]) -> None:
    async def evening(here: House) -> None:
        lines = [await dialled(here, b"GET / HTTP/1.1\r\n") for _ in range(8)]
        ended = [await answer(line) for line in lines[5:]]
        assert ended == [b"", b"", b""]
        assert (await Guest(here.port).get("/healthz"))[0] == 200
        for _, writer in lines:
            writer.transport.abort()

    run(evening, connections_each=5)


def test_whoever_was_waited_for_longest_makes_room(run: Callable[..., None]) -> None:
    async def evening(here: House) -> None:
        lines = [await dialled(here, b"GET / HTTP/1.1\r\n", f"127.0.1.{n}") for n in range(1, 15)]
        assert await answer(lines[0]) == b""
        assert (await Guest(here.port).get("/healthz"))[0] == 200
        for _, writer in lines:
            writer.transport.abort()

    run(evening, connections=10)


@pytest.mark.parametrize(
    "head",
    [
        b"GET / HTTP/1.1\r\nX: " + b"x" * 20_000,
        b"GET /" + b"x" * 20_000 + b" HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 100 + b"\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\n\r\n" * 40,
    ],
    ids=["one field", "the address", "many fields", "many requests at once"],
)
def test_a_head_has_its_bounds(run: Callable[..., None], head: bytes) -> None:
    async def evening(here: House) -> None:
        assert b"HTTP/1.1 431" in await answer(await dialled(here, head))

    run(evening)


def test_many_requests_on_one_connection_are_answered(run: Callable[..., None]) -> None:
    async def evening(here: House) -> None:
        body = b'{"name":"Ada"}'
        asked = f"POST /api/session HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body
        reader, writer = await dialled(here, asked)
        for _ in range(20):
            head = await reader.readuntil(b"\r\n\r\n")
            assert b" 201 " in head
            await reader.readuntil(b"}")
            writer.write(asked)
        writer.transport.abort()

    run(evening)


def test_a_clock_that_is_set_back_stops_nobody(run: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    async def evening(here: House) -> None:
        guest = Guest(here.port)
        assert (await guest.get("/api/games"))[0] == 200
        earlier = time.time_ns() - 60_000_000_000
        monkeypatch.setattr(time, "time_ns", lambda: earlier)
        assert (await guest.get("/api/games"))[0] == 200
        assert (await guest.get("/healthz"))[0] == 200

    run(evening, requests=1)


def test_the_whole_of_an_ipv6_network_is_one_address() -> None:
    assert network("2001:db8:1:2:3::4") == network("2001:db8:1:2:ffff::1") != network("2001:db8:1:3::1")
    assert network("::ffff:192.0.2.7") == network("192.0.2.7") == "192.0.2.7"
    assert network("no address") == "no address"


def test_proxies_that_are_trusted_tell_who_calls(run: Callable[..., None]) -> None:
    async def evening(here: House) -> None:
        guest = Guest(here.port)
        statuses = [(await guest.get("/api/session", X_Forwarded_For=f"192.0.2.{n}"))[0] for n in range(30)]
        assert set(statuses) == {200}
        statuses = [(await guest.get("/api/session", X_Forwarded_For=f"2001:db8::{n:x}"))[0] for n in range(30)]
        assert 429 in statuses
        assert (await guest.get("/metrics", X_Forwarded_For="192.0.2.7"))[0] == 404

    run(evening, requests=1)


def test_nobody_else_is_believed(run: Callable[..., None]) -> None:
    async def evening(here: House) -> None:
        guest = Guest(here.port)
        statuses = [(await guest.get("/api/session", X_Forwarded_For=f"192.0.2.{n}"))[0] for n in range(30)]
        assert 429 in statuses

    run(evening, requests=1, proxies="172.30.83.1, 10.0.0.0/8")
    assert Settings(proxies="172.30.83.1, 10.0.0.0/8").is_proxy("10.2.3.4")
    assert not Settings(proxies="172.30.83.1").is_proxy("127.0.0.1")


def test_metrics_are_for_whoever_has_the_token(run: Callable[..., None]) -> None:
    async def evening(here: House) -> None:
        guest = Guest(here.port)
        assert (await guest.get("/metrics"))[0] == 404
        assert (await guest.get("/metrics", Authorization="Bearer other"))[0] == 404
        assert (await guest.get("/metrics", Authorization="Bearer secret"))[0] == 200

    run(evening, public_url="https://games.example", metrics_token="secret")


def test_an_id_that_is_none_leads_nowhere(database: str) -> None:
    async def evening() -> None:
        async with house(database) as here:
            ada = await here.guest("Ada")
            for path in ("%00", "a%00b", "%ff", "%ed%a0%80", "x" * 40):
                assert (await ada.get(f"/api/tables/{path}"))[0] == 404
                assert (await ada.post(f"/api/tables/{path}/links", {"kind": "watch"}))[0] == 404
                async with ada.connect(path) as connection:
                    await connection.send('{"type":"hello","client":"nobody-knows"}')
                    assert "table.no-such-table" in await connection.recv()
            assert (await ada.post("/api/links/revoke", {"id": "\0"}))[0] == 404
            assert (await ada.post("/api/links", {"token": "\0"}))[0] == 404

    asyncio.run(asyncio.wait_for(evening(), 60))


def test_verifying_keeps_nobody_waiting(run: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    """It is done in a process of its own; one address has few records waiting, and what takes too long is given up."""

    async def evening(here: House) -> None:
        guest = Guest(here.port)
        assert (await guest.post("/api/verify", b"nonsense"))[1]["rule"] == "table.not-understood"
        assert (await guest.post("/api/verify", {"game": "kahuna"}))[1]["fair"] is False
        queue = here.api.verifiers.queue
        monkeypatch.setattr(here.api.verifiers._leaders[0], "_ask", lambda _: time.sleep(0.5))
        asked = [asyncio.ensure_future(guest.post("/api/verify", b"{}")) for _ in range(8)]
        rules = [said["rule"] for _, said in await asyncio.gather(*asked)]
        assert rules.count("table.too-fast") >= 8 - 2 - verifying.EACH
        assert "table.too-long" in rules
        assert queue.size == 0

    run(evening)
