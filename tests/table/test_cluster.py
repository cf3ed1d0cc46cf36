"""Several workers at the same tables: any takes the connection, one looks after each table, another takes over."""

import asyncio
import os
import random
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from archipel.table import log

from .conftest import emptied
from .house import Guest, House, Player, free_port, house

LEASE = 1_500


@pytest.fixture
def shared(postgresql: str) -> str:
    """An empty database that several workers share."""
    return emptied(postgresql)


@asynccontextmanager
async def two_houses(database: str, redis: str) -> AsyncIterator[tuple[House, House]]:
    async with (
        house(database, redis=redis, lease=LEASE) as one,
        house(database, redis=redis, lease=LEASE) as other,
    ):
        yield one, other


async def seated(one: House, other: House, game: str = "stonehenge") -> tuple[Guest, Guest, str]:
    """Ada comes by one worker, Bo by the other."""
    ada, bo = await one.guest("Ada"), await other.guest("Bo")
    return ada, bo, await ada.table(game, [{"kind": "me"}, {"kind": "open"}], visibility="public")


async def play_out(players: list[Player], rng: random.Random) -> None:
    """Each plays when it is his turn, as he is told."""

    async def play(player: Player) -> None:
        while not player.position.get("over"):
            if player.position["legal"]:
                version = player.version
                answer = await player.act(rng.choice(player.position["legal"])["action"])
                assert answer["type"] == "ack"
                while player.version == version:
                    await player.next()
            else:
                await player.next()

    await asyncio.gather(*map(play, players))


def test_a_game_over_two_workers(shared: str, redis: str) -> None:
    async def evening() -> None:
        async with two_houses(shared, redis) as (one, other):
            ada, bo, table = await seated(one, other)
            async with ada.at(table) as a, bo.at(table) as b:
                assert (await b.command("sit", seat=1))["type"] == "ack"
                assert (await b.act("6@K"))["rule"] == "table.not-your-turn"
                await a.until(lambda m: m["type"] == "presence" and m["here"] == [True, True])
                await a.until_version(3)
                await play_out([a, b], random.Random(1))
                assert a.position["over"] == b.position["over"]
                owners = {live.owner for live in (one.hub.lives[table], other.hub.lives[table])}
                assert len(owners) == 1

    asyncio.run(asyncio.wait_for(evening(), 120))


def test_dice_fall_at_one_worker_and_are_seen_at_the_other(shared: str, redis: str) -> None:
    """Also the way that they took; and when one worker goes, the other knows how they lie, and lets them fall."""

    async def evening() -> None:
        async with house(shared, redis=redis) as other:
            async with house(shared, redis=redis) as one:
                ada, bo, table = await seated(one, other, "krakatoa")
                async with ada.at(table) as a, bo.at(table) as b:
                    assert (await b.command("sit", seat=1))["type"] == "ack"
                    for player in (a, b):
                        while player.position["view"]["mover"] < 0:
                            await player.next()
                    mover = a if a.position["legal"] else b
                    for typed in ("keep", "ash>lava1"):
                        told = await mover.act(typed)
                        assert told["type"] == "ack"
                        for player in (a, b):
                            await player.until_version(told["version"])
                    for player in (a, b):
                        await player.until_version(told["version"] + 1)
                    ways = [player.entries[-1]["fall"]["trajectory"] for player in (a, b)]
                    assert ways[0] == ways[1]
                    assert a.position["dice"] == b.position["dice"]
                    one.hub.throwers.throw = lambda *_: None  # type: ignore[method-assign]
                    told = await mover.act("steam>lava2")
                    assert told["type"] == "ack"
                    await b.until_version(told["version"])
                    assert b.position["dice"]["hand"] == ["steam1", "steam2", "steam3"]
            async with bo.at(table) as again:
                while again.position["view"]["mover"] < 0:
                    await again.next()
                assert again.position["dice"]["last"] == told["version"] + 1

    asyncio.run(asyncio.wait_for(evening(), 120))


def test_hints_that_are_lost_are_made_up_for(shared: str, redis: str) -> None:
    async def evening() -> None:
        async with two_houses(shared, redis) as (one, other):
            ada, bo, table = await seated(one, other)
            async with ada.at(table) as a, bo.at(table) as b:
                await b.command("sit", seat=1)
                await a.until_version(3)
                assert one.hub.cluster is not None
                one.hub.cluster.say = lambda hint: None  # type: ignore[method-assign]
                await a.act("6@K")
                await b.until_version(4)
                assert b.entries[-1]["notation"] == "6@K"

    asyncio.run(asyncio.wait_for(evening(), 120))


def test_another_worker_takes_over(shared: str, redis: str) -> None:
    async def evening() -> None:
        async with house(shared, redis=redis, lease=LEASE) as other:
            async with house(shared, redis=redis, lease=LEASE) as one:
                ada, bo, table = await seated(one, other)
                async with ada.at(table) as a:
                    connection = await bo.connect(table)
                    b = Player(connection)
                    await b.hello()
                    await b.command("sit", seat=1)
                    await a.until_version(3)
                    await a.act("6@K")
                    assert one.hub.cluster is not None
                    dead, one.hub.cluster = one.hub.cluster, None
                    for task in dead._tasks:
                        task.cancel()  # it neither renews its leases nor gives them up
                    await dead._redis.aclose()
            await b.until_version(4)
            await b.send({"type": "act", "n": 70, "at": 4, "action": "5@A"})
            assert other.hub.cluster is not None
            while other.hub.lives[table].owner != other.hub.cluster.worker:
                await asyncio.sleep(0.05)
            await b.until(lambda m: m["type"] == "update" and m.get("whole", False))
            b.n = 69  # the whole view came unasked: what was not answered is sent again
            assert (await b.act("5@A"))["type"] == "ack"
            ada.port, ada.origin = other.port, other.url
            async with ada.at(table) as a:
                await b.until_version(other.hub.lives[table].table.version)
                await play_out([a, b], random.Random(2))
            await connection.close()

    asyncio.run(asyncio.wait_for(evening(), 120))


def test_two_who_think_they_own_a_table_do_no_harm(shared: str, redis: str) -> None:
    async def evening() -> None:
        async with two_houses(shared, redis) as (one, other):
            ada, bo, table = await seated(one, other)
            async with ada.at(table) as a, bo.at(table) as b:
                await b.command("sit", seat=1)
                await a.until_version(3)
                await b.until_version(3)
                for here in (one, other):
                    assert here.hub.cluster is not None
                    here.hub.lives[table].owner = here.hub.cluster.worker
                await a.send({"type": "chat", "n": 50, "text": "one"})
                await b.send({"type": "chat", "n": 50, "text": "other"})
                await asyncio.sleep(1)
                kept = await one.hub.store.load(table)
                assert kept is not None
                texts = [entry.text for entry in kept.entries if isinstance(entry, log.Spoke)]
                assert len(texts) == len(set(texts)) >= 1

    asyncio.run(asyncio.wait_for(evening(), 120))


def test_workers_share_one_port(shared: str, redis: str) -> None:
    """`--workers 2`: a worker that is killed is replaced, and the tables go on."""
    port = free_port()
    command = [sys.executable, "-m", "archipel", "serve", "--no-browser", "--port", str(port), "--workers", "2"]
    environment = os.environ | {"ARCHIPEL_LEASE": str(LEASE), "ARCHIPEL_REQUESTS": "1000"}
    with subprocess.Popen(
        [*command, "--database", shared, "--redis", redis],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
    ) as server:
        try:
            asyncio.run(asyncio.wait_for(_spend_with_workers(server.pid, port), 100))
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait(30)


async def _spend_with_workers(server: int, port: int) -> None:
    ada = Guest(port)
    for _ in range(400):
        try:
            if (await ada.post("/api/session", {"name": "Ada"}))[0] == 201:
                break
        except OSError:
            await asyncio.sleep(0.1)
    chairs = [{"kind": "me"}, {"kind": "here", "name": "Kim"}]
    table = await ada.table("stonehenge", chairs)
    async with ada.at(table, eye=0) as a:
        await a.act("6@K")
    children = subprocess.run(["pgrep", "-P", str(server)], capture_output=True, text=True, check=False).stdout.split()
    spawned = [int(pid) for pid in children if _is_worker(int(pid))]
    os.kill(spawned[0], signal.SIGKILL)
    for _ in range(300):
        try:
            async with ada.at(table, eye=1) as a:
                if (await asyncio.wait_for(a.act("5@A"), 5))["type"] == "ack":
                    return
        except (OSError, TimeoutError):
            await asyncio.sleep(0.1)
    raise AssertionError("Nobody took the table over.")


def _is_worker(pid: int) -> bool:
    with open(f"/proc/{pid}/cmdline", "rb") as line:  # noqa: PTH123
        return b"spawn_main" in line.read()
