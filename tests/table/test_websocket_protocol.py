"""The connection of a browser, down to its bytes."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from websockets.frames import Close, Frame, Opcode

from archipel.table.net import websocket_protocol
from tests.patience import PATIENCE

from .house import House, house


def sent(kind: Opcode, payload: bytes, fin: bool = True) -> bytes:
    """A browser's frame."""
    return Frame(kind, payload, fin).serialize(mask=True)


def closing(code: int) -> bytes:
    """How the server's farewell begins, less its length."""
    return Close(code, "").serialize()


HELLO = b'{"type":"hello","client":"abcdefgh12345678"}'


def spend(folder: Path, evening: Callable[[House], Awaitable[None]], **chosen: Any) -> None:
    async def spent() -> None:
        async with house(folder / "tables.sqlite3", **chosen) as here:
            await asyncio.wait_for(evening(here), PATIENCE)

    asyncio.run(spent())


def asking(here: House, table: str) -> bytes:
    """A sound request for a socket."""
    return (
        f"GET /ws/{table} HTTP/1.1\r\nHost: 127.0.0.1:{here.port}\r\nOrigin: {here.url}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    ).encode()


async def public_table(here: House) -> str:
    """A table to which nobody needs a link."""
    ada = await here.guest("Ada")
    return await ada.table("stonehenge", [{"kind": "me"}, {"kind": "open"}], visibility="public")


async def opened(here: House, table: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A bare line on which the server has taken the socket."""
    reader, writer = await asyncio.open_connection("127.0.0.1", here.port)
    writer.write(asking(here, table))
    await reader.readuntil(b"\r\n\r\n")
    return reader, writer


async def said(here: House, table: str, data: bytes) -> bytes:
    """All that the server says on a bare line until it closes it."""
    reader, writer = await opened(here, table)
    writer.write(data)
    answer = await asyncio.wait_for(reader.read(), PATIENCE)
    writer.close()
    return answer


def test_a_line_ends_with_what_was_wrong(tmp_path: Path) -> None:
    async def evening(here: House) -> None:
        table = await public_table(here)
        hello, bye = sent(Opcode.TEXT, HELLO), sent(Opcode.CLOSE, b"\x03\xe8")
        assert (await said(here, table, hello + bye)).endswith(closing(1000))
        for data, code in (
            (b"\xff" * 40, 1002),
            (Frame(Opcode.TEXT, b"not masked").serialize(mask=False), 1002),
            (sent(Opcode.CONT, b"goes on with nothing"), 1002),
            (sent(Opcode.TEXT, b"\xff"), 1007),
            (sent(Opcode.TEXT, b"x" * 20_000), 1009),
            (sent(Opcode.TEXT, b"x" * 16_000, False) + sent(Opcode.CONT, b"x" * 1000), 1009),
        ):
            assert closing(code) in await said(here, table, hello + data)
        noise = random.Random(30)
        for _ in range(30):
            await said(here, table, noise.randbytes(60) + bye + b"\x88\x80\0\0\0\0" * 20)

    spend(tmp_path, evening)


def test_a_message_in_parts_with_a_ping_between_them(tmp_path: Path) -> None:
    async def evening(here: House) -> None:
        reader, writer = await opened(here, await public_table(here))
        writer.write(sent(Opcode.TEXT, HELLO[:9], False) + sent(Opcode.PING, b"?") + sent(Opcode.CONT, HELLO[9:]))
        answer = await reader.readuntil(b'"type":"welcome"')
        writer.close()
        await writer.wait_closed()
        assert Frame(Opcode.PONG, b"?").serialize(mask=False) in answer

    spend(tmp_path, evening)


def test_only_who_is_silent_is_asked_and_who_does_not_answer_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(websocket_protocol, "EVERY", 1.0)
    ping, asked = Frame(Opcode.PING, b"").serialize(mask=False), sent(Opcode.TEXT, b'{"type":"ping","sent":1}')

    async def evening(here: House) -> None:
        reader, writer = await opened(here, await public_table(here))
        writer.write(sent(Opcode.TEXT, HELLO))
        heard = b""
        for _ in range(50):
            writer.write(asked)
            await asyncio.sleep(0.05)
            heard += await reader.read(1 << 16)
        assert heard.count(b'"pong"') > 20
        assert ping not in heard
        await asyncio.wait_for(reader.readuntil(ping), PATIENCE)
        writer.write(sent(Opcode.PONG, b""))
        await asyncio.wait_for(reader.readuntil(ping), PATIENCE)
        assert await asyncio.wait_for(reader.read(), PATIENCE) == b""
        writer.close()

    spend(tmp_path, evening)


@pytest.mark.parametrize(
    "flood",
    [
        sent(Opcode.PING, b"") * 600,
        sent(Opcode.PONG, b"x") * 600,
        sent(Opcode.TEXT, b"", False) + sent(Opcode.CONT, b"", False) * 600,
        sent(Opcode.TEXT, b"{", False) + sent(Opcode.CONT, b" ", False) * (websocket_protocol.FRAGMENTS - 1),
    ],
    ids=["pings", "pongs", "empty parts", "small parts"],
)
def test_frames_that_carry_no_message_count_too(tmp_path: Path, flood: bytes) -> None:
    async def evening(here: House) -> None:
        table = await public_table(here)
        answer = await said(here, table, sent(Opcode.TEXT, HELLO) + flood)
        assert closing(1008) in answer
        assert answer.count(b"\x8a\x00") < 400  # pongs

    spend(tmp_path, evening, messages=20)


def test_who_does_not_read_is_not_listened_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers do not pile up: not even pongs, which nobody but the line knows of."""
    monkeypatch.setattr(websocket_protocol, "EVERY", 0.5)

    async def evening(here: House) -> None:
        _, writer = await opened(here, await public_table(here))
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        (connection,) = _lines(here)
        most, flood = 0, sent(Opcode.PING, b"x" * 125) * 500
        while not writer.transport.is_closing() and _lines(here):
            writer.write(flood)
            with suppress(OSError, TimeoutError):
                await asyncio.wait_for(writer.drain(), 0.2)
            most = max(most, connection._transport.get_write_buffer_size())
        assert 0 < most < 1 << 20
        writer.transport.abort()

    spend(tmp_path, evening, messages=1e9)


def _lines(here: House) -> list[websocket_protocol.WebSocketProtocol]:
    return [
        one for one in here.server.server_state.connections if isinstance(one, websocket_protocol.WebSocketProtocol)
    ]


@pytest.mark.parametrize(
    "wrong",
    [
        ("Sec-WebSocket-Version: 13", "Sec-WebSocket-Version: 12"),
        ("Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Key: short"),
        ("Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n", ""),
        ("GET", "POST"),
    ],
)
def test_no_socket_without_a_sound_request(tmp_path: Path, wrong: tuple[str, str]) -> None:
    async def evening(here: House) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", here.port)
        writer.write(asking(here, "x").replace(wrong[0].encode(), wrong[1].encode()))
        assert (await asyncio.wait_for(reader.read(), PATIENCE)).startswith(b"HTTP/1.1 4")
        writer.close()

    spend(tmp_path, evening)
