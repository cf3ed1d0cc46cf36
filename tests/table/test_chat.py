"""What is said at a table stands beside its log: it is bounded, and never in the way of a game."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from archipel.table.log import events, remarks
from archipel.table.play import chat
from archipel.table.storage import Change
from tests.patience import PATIENCE

from .house import House, Player, house

ME_AND_OPEN = [{"kind": "me"}, {"kind": "open"}]


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., None]:
    def run(evening: Callable[[House], Awaitable[None]], **chosen: Any) -> None:
        async def spend() -> None:
            async with house(tmp_path / "tables.sqlite3", **chosen) as here:
                await asyncio.wait_for(evening(here), PATIENCE)

        asyncio.run(spend())

    return run


async def heard(player: Player, count: int) -> list[str]:
    """The texts of so many remarks."""
    texts: list[str] = []
    while len(texts) < count:
        said = await player.until(lambda m: m["type"] == "said")
        texts += [one["text"] for one in said["remarks"]]
    return texts


def unlimited(here: House, table: str) -> None:
    """Let everybody speak as much as he likes."""
    here.hub.lives[table].chat._each._size = here.hub.lives[table].chat._spectators._size = 1e9
    here.hub.lives[table].chat._spectators._drops = 1e9


def test_talking_leaves_the_log_and_the_view_alone(run: Callable[..., None]) -> None:
    async def evening(here: House) -> None:
        ada = await here.guest("Ada")
        table = await ada.table("stonehenge", ME_AND_OPEN, visibility="public")
        async with ada.at(table) as a:
            version = a.version
            unlimited(here, table)
            for number in range(6):
                assert (await a.command("chat", text=f"word {number}"))["type"] == "ack"
            assert await heard(a, 0) == []
            async with ada.at(table) as again:
                assert await heard(again, 6) == [f"word {number}" for number in range(6)]
                assert again.version == version
                assert "word" not in json.dumps(again.entries)
            async with ada.at(table, heard=4) as later:
                assert await heard(later, 2) == ["word 4", "word 5"]

    run(evening, messages=1e9)


def test_a_table_remembers_the_last_remarks_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remarks, "KEPT", 5)
    monkeypatch.setattr(chat, "KEPT", 5)

    async def evening() -> None:
        async with house(tmp_path / "tables.sqlite3") as here:
            ada = await here.guest("Ada")
            table = await ada.table("stonehenge", ME_AND_OPEN)
            async with ada.at(table) as a:
                for number in range(6):
                    await a.command("chat", text=f"word {number}")
        async with house(tmp_path / "tables.sqlite3") as here:
            ada.port, ada.origin = here.port, here.url
            async with ada.at(table) as a:
                assert await heard(a, 5) == [f"word {number}" for number in range(1, 6)]
                a.n = 6
                assert (await a.command("chat", text="after the restart"))["type"] == "ack"
            kept = await here.hub.store.remarks(table, 0)
            assert [remark.number for remark in kept] == [3, 4, 5, 6, 7]

    asyncio.run(asyncio.wait_for(evening(), PATIENCE))


def test_long_remarks_are_forgotten_sooner(run: Callable[..., None]) -> None:
    async def evening(here: House) -> None:
        ada = await here.guest("Ada")
        table = await ada.table("stonehenge", ME_AND_OPEN)
        async with ada.at(table):
            live = here.hub.lives[table]
            long = [remarks.Remark(n, 0, "Ada", "\U0001f30b" * 500) for n in range(1, 101)]
            live.chat.take(long)
            (told,) = live.chat.messages()
            assert len(told) < 2 * chat.KEPT_BYTES
            assert live.chat.last == 100

    run(evening)


def test_a_remark_sent_twice_is_made_once(tmp_path: Path) -> None:
    """Also while it is being kept, and after a restart."""

    async def evening() -> None:
        async with house(tmp_path / "tables.sqlite3") as here:
            ada = await here.guest("Ada")
            table = await ada.table("stonehenge", ME_AND_OPEN)
            async with ada.at(table) as a:
                client = a.client
                for _ in range(3):
                    await a.send({"type": "chat", "n": 1, "text": "once"})
                await a.until(lambda m: m["type"] == "ack" and m["n"] == 1)
        async with house(tmp_path / "tables.sqlite3") as here:
            ada.port, ada.origin = here.port, here.url
            async with ada.connect(table) as connection:
                a = Player(connection, client)
                await a.hello()
                await a.send({"type": "chat", "n": 1, "text": "once"})
                assert (await a.until(lambda m: m["type"] in ("ack", "refused")))["type"] == "ack"
            assert [remark.text for remark in await here.hub.store.remarks(table, 0)] == ["once"]

    asyncio.run(asyncio.wait_for(evening(), PATIENCE))


def test_a_person_is_slowed_by_however_many_sockets_and_spectators_all_together(run: Callable[..., None]) -> None:
    async def evening(here: House) -> None:
        ada = await here.guest("Ada")
        table = await ada.table("stonehenge", ME_AND_OPEN, visibility="public")
        async with ada.at(table) as one, ada.at(table) as two:
            answers = [await tab.command("chat", text="hi") for _ in range(5) for tab in (one, two)]
            assert [answer.get("rule") for answer in answers].count("table.too-fast") >= 3
        async with ada.at(table) as a:
            rules = []
            for number in range(20):
                async with (await here.guest(f"Guest {number}")).at(table) as spectator:
                    rules.append((await spectator.command("chat", text="spam")).get("rule"))
            assert rules.count("table.too-fast") >= 5
            await a.next()

    run(evening)


def test_remarks_of_old_stand_in_the_log(tmp_path: Path) -> None:
    """They fill no view, take nobody's place, and the last of them are told with the others."""

    async def evening() -> None:
        async with house(tmp_path / "tables.sqlite3") as here:
            ada = await here.guest("Ada")
            table = await ada.table("stonehenge", [{"kind": "me"}, {"kind": "here", "name": "Kim"}])
            kept = await here.hub.store.load(table)
            assert kept is not None
            version = len(kept.entries)
            here.hub.drop(here.hub.lives[table]) if table in here.hub.lives else None
            spoke: list[events.Entry] = [events.Spoke(at=1, name="Ada", text=f"old {n}") for n in range(20_000)]
            done: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
            change = Change(table, version, spoke)
            here.hub.store.append(change, lambda _, error: done.set_result(error))
            assert await done is None
            async with ada.at(table, eye=0) as a:
                assert a.version == version + 20_000
                assert len(a.raw[-1]) < 20_000
                assert await heard(a, 200) == [f"old {n}" for n in range(19_800, 20_000)]
                assert (await a.act("6@K"))["type"] == "ack"
                assert (await a.command("chat", text="new"))["type"] == "ack"

    asyncio.run(asyncio.wait_for(evening(), PATIENCE))
