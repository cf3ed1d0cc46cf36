"""The protocol's schema is current, and its messages survive being written and read."""

from pathlib import Path
from typing import get_args

import msgspec
import pytest

from archipel.table import protocol

PAGE = Path(__file__).parents[2] / "docs" / "protocol.json"


def test_the_published_schema_is_current() -> None:
    assert PAGE.read_text("utf-8") == protocol.written(), "run `make golden`"


def test_every_message_is_told_apart_by_its_type() -> None:
    for union in (protocol.ClientMessage, protocol.ServerMessage, protocol.Entry):
        tags = [kind.__struct_config__.tag for kind in get_args(union)]
        assert len(set(tags)) == len(tags)


@pytest.mark.parametrize(
    "message",
    [
        b"",
        b"[]",
        b"{}",
        b'{"type":"hello"}',
        b'{"type":"hello","client":"short"}',
        b'{"type":"act","n":0,"at":1,"action":{}}',
        b'{"type":"act","n":1,"at":1,"action":{},"seat":1}',
        b'{"type":"act","n":1e400,"at":1,"action":{}}',
        b'{"type":"fly","n":1}',
        b'{"type":"chat","n":1,"text":""}',
        b"[" * 100_000,
    ],
)
def test_what_is_no_message_is_not_understood(message: bytes) -> None:
    with pytest.raises((msgspec.DecodeError, RecursionError)):
        msgspec.json.decode(message, type=protocol.ClientMessage)
