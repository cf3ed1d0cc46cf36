"""What waits for a socket: bounded in number and in bytes, and the whole view once."""

import asyncio
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from archipel.table.play import sockets
from archipel.table.play.sockets import Socket
from tests.patience import PATIENCE

from .house import House, house

ME_AND_KIM = [{"kind": "me"}, {"kind": "here", "name": "Kim"}]


class Slow:
    """A line whose reader takes nothing in until told to."""

    def __init__(self) -> None:
        self.paused = True
        self.sent: list[bytes] = []

    def send(self, messages: Iterable[bytes]) -> None:
        self.sent += messages


def slow_socket() -> tuple[Socket, Slow]:
    line: Any = Slow()
    return Socket("", "who", "Ada", lambda _, everything: [b"everything" if everything else b"whole"], line), line


def test_what_waits_is_bounded_in_bytes() -> None:
    async def evening() -> None:
        socket, line = slow_socket()
        for _ in range(20):
            socket.post(b"x" * 10_000)
        assert socket._bytes <= sockets.QUEUE_BYTES
        line.paused = False
        socket.flush()
        assert line.sent == [b"everything"]
        socket.post(b"x" * (2 * sockets.QUEUE_BYTES))  # alone, a long one may pass
        socket.flush()
        assert len(line.sent) == 2

    asyncio.run(evening())


def test_the_whole_view_is_owed_once() -> None:
    async def evening() -> None:
        socket, line = slow_socket()
        socket.post(b"ack")
        for _ in range(40):
            socket.show()
            socket.update(b"an update that the whole view has in it")
        socket.post(b"pong")
        line.paused = False
        socket.flush()
        assert line.sent == [b"ack", b"pong", b"whole"]

    asyncio.run(evening())


def spend(folder: Path, evening: Any, **chosen: Any) -> None:
    async def spent() -> None:
        async with house(folder / "tables.sqlite3", **chosen) as here:
            await asyncio.wait_for(evening(here), PATIENCE)

    asyncio.run(spent())


def test_many_looks_are_answered_with_one_view(tmp_path: Path) -> None:
    async def evening(here: House) -> None:
        ada = await here.guest("Ada")
        table = await ada.table("kahuna", ME_AND_KIM)
        async with ada.at(table) as a:
            (socket,) = here.hub.lives[table].sockets
            assert socket._connection is not None
            socket._connection.paused = True  # as if she did not read
            for number in range(41):
                await a.send({"type": "look", "seat": number % 2})
            while socket.eye != 0 or not socket._owed:
                await asyncio.sleep(0.01)
            socket._connection.paused = False
            socket.flush()
            await a.send({"type": "ping", "sent": 7})
            await a.until(lambda m: m["type"] == "pong")
            wholes = [m for m in a.messages[1:] if m["type"] == "update" and m.get("whole")]
            assert 2 <= len(wholes) <= 3  # the first one, and those of the looks
            assert a.position["seat"] == 0

    spend(tmp_path, evening)


def test_a_whole_view_leaves_out_what_was_taken_back(tmp_path: Path) -> None:
    """Act and undo, over and over: the view stays as long as the game."""

    async def evening(here: House) -> None:
        ada = await here.guest("Ada")
        table = await ada.table("stonehenge", ME_AND_KIM)
        async with ada.at(table, eye=0) as a:
            for _ in range(30):
                await a.until_version((await a.act("6@K"))["version"])
                await a.until_version((await a.command("undo"))["version"])
            await a.act("5@A")
            await a.until_version(here.hub.lives[table].table.version)
            async with ada.at(table, eye=0) as again:
                acted = [entry for entry in again.entries if entry["kind"] in ("acted", "back")]
                assert [entry["notation"] for entry in acted] == ["5@A"]
                assert again.position == a.position | {"legal": again.position["legal"]}
                assert len(json.dumps(again.entries)) < 2_000

    spend(tmp_path, evening)


@pytest.mark.parametrize("limit", [{"spectators": 3}, {"spectators_each": 3}])
def test_spectators_are_limited_and_players_are_not(tmp_path: Path, limit: dict[str, int]) -> None:
    async def evening(here: House) -> None:
        ada = await here.guest("Ada")
        table = await ada.table("stonehenge", ME_AND_KIM, visibility="public")
        nobody = await here.guest("Nobody")
        async with nobody.at(table), nobody.at(table), nobody.at(table):
            async with nobody.connect(table) as fourth:
                await fourth.send('{"type":"hello","client":"one-too-many"}')
                assert json.loads(await fourth.recv())["rule"] == "table.spectators"
            async with ada.at(table, eye=0) as a:
                assert (await a.act("6@K"))["type"] == "ack"
        async with nobody.at(table):
            pass

    spend(tmp_path, evening, **limit)


def test_spectators_do_not_make_the_table_forget_what_a_player_sent(tmp_path: Path) -> None:
    async def evening(here: House) -> None:
        ada = await here.guest("Ada")
        table = await ada.table("stonehenge", ME_AND_KIM, visibility="public")
        live = None
        async with ada.at(table, eye=0) as a:
            assert (await a.act("6@K"))["type"] == "ack"
            assert (await a.command("act", at=0, action="5@A"))["rule"] == "table.stale"
            live = here.hub.lives[table]
            (player,) = live.sockets
            for number in range(300):
                other = Socket("", f"spectator {number}", "Zoe", lambda *_: [])
                other.by = f"client {number}"
                assert live._fresh(other, 1)
            assert not live._fresh(player, 2)

    spend(tmp_path, evening)
