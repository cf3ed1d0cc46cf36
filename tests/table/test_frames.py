"""Frames of a WebSocket, beside those of another's making."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode

from archipel.table import frames
from archipel.table.frames import BINARY, CLOSE, PING, PONG, TEXT, Broken, Frames, answer, closing, frame

from .house import House, house

MOST = 1000


def sent(kind: int, payload: bytes, fin: bool = True) -> bytes:
    """A browser's frame."""
    return Frame(Opcode(kind), payload, fin).serialize(mask=True)


def read(data: bytes, cuts: list[int] | None = None, most: int = MOST) -> list[tuple[int, bytes]]:
    """What comes of bytes that arrive in pieces."""
    reader = Frames(most)
    ends = [*sorted(cut % (len(data) + 1) for cut in cuts or []), len(data)]
    starts = [0, *ends]
    return [message for start, end in zip(starts, ends, strict=False) for message in reader.take(data[start:end])]


messages = st.lists(st.tuples(st.sampled_from([TEXT, BINARY, PING, PONG]), st.binary(max_size=125)), max_size=6)


@given(messages, st.lists(st.integers(0, 2000), max_size=8))
def test_what_was_sent_is_read_however_it_arrives(said: list[tuple[int, bytes]], cuts: list[int]) -> None:
    assert read(b"".join(sent(*each) for each in said), cuts) == said


@pytest.mark.parametrize("length", [0, 1, 125, 126, 127, 1000])
def test_lengths(length: int) -> None:
    payload = os.urandom(length)
    assert read(sent(BINARY, payload)) == [(BINARY, payload)]


@pytest.mark.parametrize("length", [0, 125, 126, 65_535, 65_536])
def test_what_we_write_is_what_others_write(length: int) -> None:
    payload = os.urandom(length)
    assert frame(TEXT, payload) == Frame(Opcode.TEXT, payload).serialize(mask=False)


def test_a_message_in_parts_with_a_ping_between_them() -> None:
    parts = (
        sent(TEXT, b"one ", False) + sent(PING, b"?") + sent(0, b"and ", False) + sent(0, b"two") + sent(TEXT, b"three")
    )
    assert read(parts) == [(PING, b"?"), (TEXT, b"one and two"), (TEXT, b"three")]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (frame(TEXT, b"not masked"), frames.PROTOCOL),
        (b"\xc1\x80\0\0\0\0", frames.PROTOCOL),  # a reserved bit
        (b"\x83\x80\0\0\0\0", frames.PROTOCOL),  # a kind that there is not
        (b"\x8b\x80\0\0\0\0", frames.PROTOCOL),
        (sent(0, b"goes on with nothing"), frames.PROTOCOL),
        (sent(TEXT, b"one", False) + sent(TEXT, b"and another"), frames.PROTOCOL),
        (b"\x09\x80\0\0\0\0", frames.PROTOCOL),  # a ping in parts
        (b"\x89\xfe\x00\x80\0\0\0\0", frames.PROTOCOL),  # a long ping
        (b"\x81\xff" + b"\xff" * 8, frames.TOO_LONG),
        (sent(TEXT, b"x" * (MOST + 1)), frames.TOO_LONG),
        (sent(TEXT, b"x" * MOST, False) + sent(0, b"x"), frames.TOO_LONG),
    ],
)
def test_what_is_broken_says_so(data: bytes, code: int) -> None:
    with pytest.raises(Broken) as broken:
        read(data)
    assert broken.value.code == code


@given(st.binary(max_size=300), st.lists(st.integers(0, 300), max_size=4))
def test_anything_is_read_or_broken(data: bytes, cuts: list[int]) -> None:
    with suppress(Broken):
        assert all(len(payload) <= MOST for _, payload in read(data, cuts))


def test_closing_is_answered_in_kind() -> None:
    assert closing(1008, "why") == b"\x88\x05\x03\xf0why"
    assert len(closing(1008, "x" * 500)) == 127
    assert answer(b"") == 1000
    assert answer(b"\x03\xe9bye") == 1001
    for wrong in (b"\x03", b"\x03\xed", b"\xff\xff", b"\x03\xe8\xff"):
        assert answer(wrong) == 1002


HELLO = b'{"type":"hello","client":"a bare line"}'


def spend(folder: Path, evening: Callable[[House], Awaitable[None]]) -> None:
    async def spent() -> None:
        async with house(folder / "tables.sqlite3") as here:
            await asyncio.wait_for(evening(here), 240)

    asyncio.run(spent())


async def said(here: House, table: str, data: bytes, handshake: bytes | None = None) -> bytes:
    """All that the server says on a bare line until it closes it."""
    reader, writer = await asyncio.open_connection("127.0.0.1", here.port)
    asked = (
        f"GET /ws/{table} HTTP/1.1\r\nHost: 127.0.0.1:{here.port}\r\nOrigin: {here.url}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    writer.write(handshake or asked.encode())
    if handshake is None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(data)
    answer = await asyncio.wait_for(reader.read(), 60)
    writer.close()
    return answer


def test_a_line_ends_with_what_was_wrong(tmp_path: Path) -> None:
    async def evening(here: House) -> None:
        ada = await here.guest("Ada")
        table = await ada.table("stonehenge", [{"kind": "me"}, {"kind": "open"}], visibility="public")
        bye = sent(CLOSE, b"\x03\xe8")
        assert (await said(here, table, sent(TEXT, HELLO) + bye)).endswith(closing(1000))
        for data, code in ((b"\xff" * 40, 1002), (sent(TEXT, b"\xff"), 1007), (sent(TEXT, b"x" * 20_000), 1009)):
            answer = await said(here, table, sent(TEXT, HELLO) + data + bye)
            assert closing(code) in answer
        for _ in range(30):
            await said(here, table, os.urandom(60) + bye + b"\x88\x80\0\0\0\0" * 20)

    spend(tmp_path, evening)


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
        asked = (
            f"GET /ws/x HTTP/1.1\r\nHost: 127.0.0.1:{here.port}\r\nOrigin: {here.url}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )
        answer = await said(here, "x", b"", asked.replace(*wrong).encode())
        assert answer.startswith(b"HTTP/1.1 400 ")

    spend(tmp_path, evening)
