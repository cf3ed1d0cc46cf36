"""Several workers at the same tables: any takes the connection, one looks after each table, another takes over."""

import asyncio
import os
import random
import signal
import subprocess
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager, suppress
from typing import Any

import pytest
from sqlalchemy import Connection, text

from archipel.table.log import events
from archipel.table.play.cluster import Answered, Cluster, Passed
from archipel.table.play.peers import Peers
from archipel.table.storage import Store
from tests import chance
from tests.patience import PATIENCE

from . import servers
from .conftest import emptied
from .crash import Victim
from .house import Guest, House, Player, closed, free_port, house

LEASE = 1_500
LONG = 600_000
"""A lease that no worker renews by itself while a test runs."""


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

    asyncio.run(asyncio.wait_for(evening(), PATIENCE))


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
                    one.hub.outcomes.compute = lambda *_: None  # type: ignore[method-assign]
                    told = await mover.act("steam>lava2")
                    assert told["type"] == "ack"
                    await b.until_version(told["version"])
                    assert b.position["dice"]["hand"] == ["steam1", "steam2", "steam3"]
            async with bo.at(table) as again:
                while again.position["view"]["mover"] < 0:
                    await again.next()
                assert again.position["dice"]["last"] == told["version"] + 1

    asyncio.run(asyncio.wait_for(evening(), PATIENCE))


def test_hints_that_are_lost_are_made_up_for(shared: str, redis: str) -> None:
    async def evening() -> None:
        async with two_houses(shared, redis) as (one, other):
            ada, bo, table = await seated(one, other)
            async with ada.at(table) as a, bo.at(table) as b:
                await b.command("sit", seat=1)
                await a.until_version(3)
                assert isinstance(one.hub.peers, Cluster)
                one.hub.peers.say = lambda hint: None  # type: ignore[method-assign]
                await a.act("6@K")
                await b.until_version(4)
                assert b.entries[-1]["notation"] == "6@K"

    asyncio.run(asyncio.wait_for(evening(), PATIENCE))


def test_commands_that_are_lost_on_the_way_are_passed_on_again(shared: str, redis: str) -> None:
    """Redis was away for a while: nobody has to send anything again."""

    async def evening() -> None:
        async with two_houses(shared, redis) as (one, other):
            ada, bo, table = await seated(one, other)
            async with ada.at(table) as a, bo.at(table) as b:
                assert (await b.command("sit", seat=1))["type"] == "ack"
                await a.until_version(3)
                await b.until_version(3)
                await a.act("6@K")
                await b.until_version(4)
                lost: list[Any] = []
                for here in (one, other):
                    assert isinstance(here.hub.peers, Cluster)
                    _lose(here.hub.peers, lost)
                assert (await b.act("5@A"))["type"] == "ack"
                assert (await b.command("chat", text="still here"))["type"] == "ack"
                assert len(lost) >= 4
                assert one.hub.lives[table].table.history.moves == 2
                assert len(await one.hub.store.remarks(table, 0)) == 1

    asyncio.run(asyncio.wait_for(evening(), PATIENCE))


def _lose(cluster: Cluster, lost: list[Any]) -> None:
    """Have the first two commands and answers of each kind lost."""
    say, counts = cluster.say, Counter[Any]()

    def losing(hint: Any) -> None:
        if isinstance(hint, Passed | Answered):
            counts[type(hint)] += 1
            if counts[type(hint)] <= 2:
                lost.append(hint)
                return
        say(hint)

    cluster.say = losing  # type: ignore[method-assign]


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
                    assert isinstance(one.hub.peers, Cluster)
                    dead, one.hub.peers = one.hub.peers, Peers()
                    for task in dead._tasks:
                        task.cancel()  # it neither renews its leases nor gives them up
                    await dead._redis.aclose()
            await b.until_version(4)
            await b.send({"type": "act", "n": 70, "at": 4, "action": "5@A"})
            assert isinstance(other.hub.peers, Cluster)
            while other.hub.lives[table].owner != other.hub.peers.worker:
                await asyncio.sleep(0.05)
            await b.until(lambda m: m["type"] == "update" and m.get("whole", False))
            b.n = 69  # the whole view came unasked: what was not answered is sent again
            assert (await b.act("5@A"))["type"] == "ack"
            ada.port, ada.origin = other.port, other.url
            async with ada.at(table) as a:
                await b.until_version(other.hub.lives[table].table.version)
                await play_out([a, b], random.Random(2))
            await connection.close()

    asyncio.run(asyncio.wait_for(evening(), PATIENCE))


def test_two_who_think_they_own_a_table_do_no_harm(shared: str, redis: str) -> None:
    async def evening() -> None:
        async with two_houses(shared, redis) as (one, other):
            ada, bo, table = await seated(one, other)
            async with ada.at(table) as a, bo.at(table) as b:
                await b.command("sit", seat=1)
                await a.until_version(3)
                await b.until_version(3)
                for here in (one, other):
                    assert isinstance(here.hub.peers, Cluster)
                    here.hub.lives[table].owner = here.hub.peers.worker
                await a.send({"type": "chat", "n": 50, "text": "one"})
                await b.send({"type": "chat", "n": 50, "text": "other"})
                await asyncio.sleep(1)
                kept = await one.hub.store.load(table)
                assert kept is not None
                texts = [remark.text for remark in kept.remarks]
                assert len(texts) == len(set(texts)) >= 1

    asyncio.run(asyncio.wait_for(evening(), PATIENCE))


def test_a_lease_that_is_lost_is_noticed(shared: str, redis: str) -> None:
    """Whoever is at the table by way of a worker that lost it comes again, and sees what was done meanwhile."""

    async def evening() -> None:
        async with (
            house(shared, redis=redis, lease=LONG) as one,
            house(shared, redis=redis, lease=LONG) as other,
        ):
            ada, bo, table = await seated(one, other)
            async with ada.at(table) as a, bo.at(table) as b:
                await b.command("sit", seat=1)
                await a.until_version(3)
                await b.until_version(3)
                first, second = one.hub.peers, other.hub.peers
                assert isinstance(first, Cluster)
                assert isinstance(second, Cluster)
                later = one.hub.now() + LONG + 1
                owner, _ = await other.hub.store.lease(table, second.worker, later, later + LONG)
                assert owner == second.worker
                await second.renew()
                await first.renew()
                await a.until(lambda m: m["type"] == "goodbye")
                assert await closed(a.connection) == 1012
                assert (await b.command("resign", seat=1))["type"] == "ack"
            async with ada.at(table) as a:
                assert a.version == 4
                assert one.hub.lives[table].owner == second.worker

    asyncio.run(asyncio.wait_for(evening(), 120))


def test_a_table_that_is_put_away_is_given_up(shared: str, redis: str) -> None:
    """Otherwise commands of those who are at it by way of another worker would go to one that has forgotten it."""

    async def evening() -> None:
        async with (
            house(shared, redis=redis, lease=LONG) as one,
            house(shared, redis=redis, lease=LONG) as other,
        ):
            ada, bo, table = await seated(one, other)
            async with ada.at(table) as a:
                assert a.version == 1
            live = one.hub.lives[table]
            async with bo.at(table) as b:
                while live.sockets:
                    await asyncio.sleep(0.01)
                one.hub.drop(live)
                assert (await b.command("sit", seat=1))["type"] == "ack", "it is read again for a command"
                one.hub.drop(one.hub.lives[table])
                assert isinstance(one.hub.peers, Cluster)
                assert isinstance(other.hub.peers, Cluster)
                await one.hub.peers.renew()
                await other.hub.peers.renew()
                assert other.hub.lives[table].owner == other.hub.peers.worker

    asyncio.run(asyncio.wait_for(evening(), 120))


def test_a_worker_that_stood_still(shared: str, redis: str) -> None:
    """A real process, stopped until another has taken its table over: those who are at it learn what was done."""
    slow, quick = (Victim(shared, life=life, ARCHIPEL_REDIS=redis, ARCHIPEL_LEASE=str(LEASE)) for life in (0, 1000))

    async def taken_over(store: Store, table: str, worker: str) -> None:
        def owner(connection: Connection) -> str:
            return str(connection.scalar(text("SELECT worker FROM leases WHERE table_id = :t"), {"t": table}))

        while await store.read(owner) == worker:
            await asyncio.sleep(0.05)

    async def evening() -> None:
        ada, bo, store = Guest(slow.port), Guest(quick.port), Store(shared)
        for guest, name in ((ada, "Ada"), (bo, "Bo")):
            assert (await guest.post("/api/session", {"name": name}))[0] == 201
        table = await ada.table("stonehenge", [{"kind": "me"}, {"kind": "open"}], visibility="public")
        async with ada.at(table) as a:
            worker = str(
                await store.read(
                    lambda c: c.scalar(text("SELECT worker FROM leases WHERE table_id = :t"), {"t": table})
                )
            )
            async with bo.at(table) as b:
                assert (await b.command("sit", seat=1))["type"] == "ack"
                await a.until_version(3)
                assert (await a.act("6@K"))["type"] == "ack"
                await b.until_version(4)
                slow.signal(signal.SIGSTOP)
                await taken_over(store, table, worker)
                await b.until(lambda m: m["type"] == "update" and m.get("whole", False))
                assert (await b.act("5@A"))["type"] == "ack"
                slow.signal(signal.SIGCONT)
                await a.until(lambda m: m["type"] == "goodbye" or m.get("version") == 5)
        async with ada.at(table) as a:
            assert a.version == 5
            assert (await a.act("5@B"))["type"] == "ack"
        await store.close()

    try:
        for victim in (slow, quick):
            victim.start()
        asyncio.run(asyncio.wait_for(evening(), 60))
    finally:
        for victim in (slow, quick):
            victim.kill()


def test_redis_away_for_a_while(shared: str) -> None:
    """Whoever came, and whatever was done or revoked meanwhile, is known everywhere once it is back."""

    async def evening(redis: str, port: int, away: ExitStack) -> None:
        async with two_houses(shared, redis) as (one, other):
            ada, bo, table = await seated(one, other)
            link = await ada.link(table, "watch")
            async with ada.at(table) as a, bo.at(table) as b, Guest(other.port).connect(table) as watching:
                spectator = Player(watching)
                await spectator.hello(link=link)
                await b.command("sit", seat=1)
                await a.until(lambda m: m["type"] == "presence" and m["here"] == [True, True])
                away.close()
                async with (await other.guest("Cleo")).at(table) as c:
                    assert c.version == 3
                    assert (await ada.post("/api/links/revoke", {"token": link}))[0] == 204
                    assert (await a.act("6@K"))["type"] == "ack"
                    await b.until_version(4)
                    await b.send({"type": "act", "n": 9, "at": 4, "action": "5@A"})
                    away.enter_context(servers.redis(port))
                    await a.until(lambda m: m["type"] == "presence" and m["watchers"] >= 1)
                    assert await closed(watching) == 1008
                    while not any(m["type"] == "ack" and m["n"] == 9 for m in b.messages):
                        with suppress(TimeoutError):
                            await asyncio.wait_for(b.next(), 1)
                            continue
                        await b.send({"type": "act", "n": 9, "at": 4, "action": "5@A"})
                    await a.until_version(5)
                    acted = [entry for entry in one.hub.lives[table].table.log if isinstance(entry, events.Acted)]
                    assert len(acted) == 2

    with ExitStack() as away:
        redis = away.enter_context(servers.redis())
        asyncio.run(asyncio.wait_for(evening(redis, int(redis.rpartition(":")[2]), away), 120))


def test_presence_does_not_run_out(shared: str, redis: str) -> None:
    """Somebody who sits still at another worker is still there, also while Redis is away."""

    async def evening() -> None:
        async with two_houses(shared, redis) as (one, other):
            ada, bo, table = await seated(one, other)
            async with ada.at(table) as a, bo.at(table) as b:
                await b.command("sit", seat=1)
                await a.until(lambda m: m["type"] == "presence" and m["here"] == [True, True])
                live, now = one.hub.lives[table], one.hub.monotonic()
                assert isinstance(other.hub.peers, Cluster)
                (heard, *_) = live.presence._elsewhere[other.hub.peers.worker]
                while live.presence._elsewhere[other.hub.peers.worker][0] == heard:
                    await asyncio.sleep(0.05)
                assert isinstance(one.hub.peers, Cluster)
                one.hub.peers._heard_at -= 1_000
                one.hub.monotonic = lambda: now + 900_000  # type: ignore[method-assign]
                assert live.presence.here() == [True, True]

    asyncio.run(asyncio.wait_for(evening(), 120))


def test_workers_share_one_port(shared: str, redis: str) -> None:
    """`--workers 2`: a worker that is killed is replaced, and the tables go on."""
    port = free_port()
    archipel, environment = chance.archipel()
    where = ["--port", str(port), "--workers", "2", "--database", shared, "--redis", redis]
    with subprocess.Popen(
        [*archipel, "serve", "--no-browser", *where],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment | {"ARCHIPEL_LEASE": str(LEASE), "ARCHIPEL_REQUESTS": "1000"},
    ) as server:
        try:
            asyncio.run(asyncio.wait_for(_spend_with_workers(server.pid, port), PATIENCE))
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
