"""What the simulator has found, each in the smallest form that shows it."""

import asyncio
from pathlib import Path

from archipel.table import protocol
from archipel.table.log import views
from archipel.table.log.remarks import Remark
from archipel.table.play.cluster import Cluster
from archipel.table.storage import Conflict
from tests.table.house import house
from tests.table.room import Room


def test_a_start_is_retold_with_those_who_sat_there_then() -> None:
    """Somebody who came later was told that the bot, which took a seat over, had played from the start."""
    room = Room("kula_kula", {"players": 3}).sit_all()
    started = next(version for version, entry in enumerate(room.table.log, 1) if type(entry).__name__ == "Started")
    before = views.replayed(room.table, 0, None)[0]
    room.say("Cleo", protocol.Resign, seat=2)
    after = views.replayed(room.table, 0, None)[0]
    assert room.table.chairs[2].kind == "bot"
    told = [next(entry for entry in entries if entry.v == started) for entries in (before, after)]
    assert told[0] == told[1]


def test_a_clock_that_is_set_back_holds_no_request_up(tmp_path: Path) -> None:
    """Limits counted by the wall clock: an hour back, and everybody was too fast for an hour."""

    async def evening() -> None:
        async with house(tmp_path / "tables.sqlite3", requests=1) as here:
            ada = await here.guest("Ada")
            here.hub.now = lambda: 1  # type: ignore[method-assign]
            assert (await ada.get("/api/session"))[0] == 200

    asyncio.run(asyncio.wait_for(evening(), 60))


def test_a_command_that_is_sent_again_is_not_refused_for_being_too_fast(tmp_path: Path) -> None:
    """The first copy was being kept while the second was refused: the page told the player that nothing was said."""

    async def evening() -> None:
        async with house(tmp_path / "tables.sqlite3") as here:
            ada = await here.guest("Ada")
            table = await ada.table("stonehenge", [{"kind": "me"}, {"kind": "open"}])
            async with ada.at(table) as a:
                for n in range(1, 5):
                    for _ in range(5):
                        await a.send({"type": "chat", "n": n, "text": f"remark {n}"})
                await a.send({"type": "ping", "sent": 1})
                await a.until(lambda message: message["type"] == "pong")
                await a.send({"type": "rise", "n": 9, "seat": 0})
                await a.until(lambda message: message.get("n") == 9)
                refused = {m["n"] for m in a.messages if m["type"] == "refused"}
                kept = {remark["text"] for m in a.messages if m["type"] == "said" for remark in m["remarks"]}
                assert kept
                assert not {f"remark {n}" for n in refused} & kept

    asyncio.run(asyncio.wait_for(evening(), 60))


def test_chat_that_waits_behind_a_lost_message_is_not_stored_twice(tmp_path: Path) -> None:
    """Seeds 297 and 440: a COMMIT failed and the table was read again; then what had waited to be written was written,
    too. Its players had been told to send it again, and others read it twice."""

    async def evening() -> None:
        async with house(tmp_path / "tables.sqlite3") as here:
            store, told = here.hub.store, asyncio.Queue[Exception | None]()
            table = await (await here.guest("Ada")).table("stonehenge", [{"kind": "me"}, {"kind": "open"}])
            first, second, third, other = (Remark(n, 0, "Ada", f"remark {n}", 0, "a tab", n) for n in (1, 2, 3, 2))
            other.at = 1
            for remark, after in ((first, None), (third, second), (other, first), (third, second)):
                store.say(table, remark, after, lambda _, error: told.put_nowait(error))
            assert [type(await told.get()) for _ in range(4)] == [type(None), Conflict, type(None), Conflict]
            assert await store.remarks(table, 0) == [first, other]

    asyncio.run(asyncio.wait_for(evening(), 60))


def test_a_lease_ends_although_its_owners_clock_was_ahead(tmp_path: Path) -> None:
    """Seeds 117 and 219: a worker whose clock was a minute ahead died, and nobody looked after its tables for that
    minute."""

    async def evening() -> None:
        async with house(tmp_path / "tables.sqlite3") as here:
            hub, time = here.hub, 0
            hub.monotonic = lambda: time  # type: ignore[method-assign]
            table = await (await here.guest("Ada")).table("stonehenge", [{"kind": "me"}, {"kind": "open"}])
            cluster = Cluster(hub, "redis://127.0.0.1:1")
            far = hub.now() + 3_600_000
            await hub.store.lease(table, "another", hub.now(), far)
            for passed, until in ((0, far), (hub.settings.lease + 1, far + 1), (hub.settings.lease, far + 1)):
                time += passed
                await hub.store.renew("another", until)
                assert await cluster.owner(table) == "another"
            time += 1
            assert await cluster.owner(table) == cluster.worker

    asyncio.run(asyncio.wait_for(evening(), 60))


def test_what_may_be_under_way_elsewhere_is_not_refused_as_too_fast(tmp_path: Path) -> None:
    """Seed 96: a command from an earlier connection to another worker came again, was refused as too fast, and was in
    the log all the same."""

    async def evening() -> None:
        async with house(tmp_path / "tables.sqlite3") as here:
            ada = await here.guest("Ada")
            table = await ada.table("stonehenge", [{"kind": "me"}, {"kind": "open"}])
            async with ada.at(table) as a:
                here.hub.peers.worker = "this one"
                for n in range(1, 30):
                    await a.send({"type": "chat", "n": n, "text": f"remark {n}"})
                await a.send({"type": "ping", "sent": 1})
                await a.until(lambda message: message["type"] == "pong")
                told = [message for message in a.messages if message.get("rule") == "table.too-fast"]
                assert told
                assert {message["type"] for message in told} == {"trouble"}

    asyncio.run(asyncio.wait_for(evening(), 60))
