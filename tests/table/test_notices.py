"""Notices: who is told that it is their turn, how often, where, and what nobody may reach through them."""

import asyncio
import os
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

import pytest
from py_vapid import Vapid02

from archipel.core.errors import LANGUAGES
from archipel.table.log import turns
from archipel.table.log.table import Table
from archipel.table.log.turns import Turn
from archipel.table.notices import delivery, hours, texts
from archipel.table.notices.delivery import Result, Task
from archipel.table.protocol import DaysClock, LiveClock, Resign
from archipel.table.storage import Change, Outbox, Store
from archipel.table.storage.outbox import CLAIM, Channel, Notice, Wishes
from archipel.workers import WorkerProcess
from tests.patience import PATIENCE

from .house import Guest, House, Json, house
from .notice_kills import kills
from .pushing import Browser, PushService, push_service
from .room import NOW, Room

KILLS = int(os.environ.get("ARCHIPEL_NOTICE_KILLS", "3"))
QUICK: Json = {"absent": 50, "notices_near": True}


@pytest.fixture
def service() -> Iterator[PushService]:
    with push_service() as running:
        yield running


class Evening:
    """Ada and Bo at a table of Stonehenge; Bo, who wants notices, is away."""

    def __init__(self, here: House, ada: Guest, bo: Guest, table: str, browser: Browser) -> None:
        self.here, self.ada, self.bo, self.table, self.browser = here, ada, bo, table, browser
        self.channel = ""

    async def play(self, guest: Guest) -> None:
        """Play until it is the other's turn, and leave."""
        async with guest.at(self.table) as player:
            while player.position["legal"]:
                assert (await player.act(player.position["legal"][0]["action"]))["type"] == "ack"
                await player.until(lambda message: message["type"] == "update" and "position" in message)

    async def come(self, guest: Guest) -> None:
        async with guest.at(self.table):
            pass

    async def received(self, count: int) -> list[Json]:
        return await asyncio.to_thread(self.browser.received, count, PATIENCE)

    async def wish(self, **wishes: Any) -> tuple[int, Any]:
        return await self.bo.post("/api/notices/wishes", wishes)

    async def idle(self) -> None:
        """Everything that was to be looked at has been looked at, and everything is delivered."""
        store = self.here.hub.store
        while await store.read(
            lambda c: c.exec_driver_sql("SELECT count(*) FROM notices").scalar()
        ) or await store.read(lambda c: c.exec_driver_sql("SELECT count(*) FROM turns WHERE state = 0").scalar()):
            await asyncio.sleep(0.02)


@asynccontextmanager
async def evening(database: Path | str, service: PushService, **settings: Any) -> AsyncIterator[Evening]:
    async with asyncio.timeout(PATIENCE), house(database, **QUICK | settings) as here:
        ada, bo = await here.guest("Ada"), await here.guest("Bo")
        table = await ada.table("stonehenge", [{"kind": "me"}, {"kind": "open"}], visibility="public")
        async with bo.at(table) as player:
            assert (await player.command("sit", seat=1))["type"] == "ack"
        browser = Browser(service, "/bo")
        status, channel = await bo.post("/api/notices/channels", browser.subscription)
        assert status == 201, channel
        spent = Evening(here, ada, bo, table, browser)
        spent.channel = channel["id"]
        yield spent


def test_a_turn_is_pushed_to_whom_it_waits_for(database: str, service: PushService) -> None:
    async def spend() -> None:
        async with evening(database, service) as spent:
            await spent.play(spent.ada)
            (said,) = await spent.received(1)
            assert said["text"] == "It is your turn in Stonehenge against Ada."
            assert urlsplit(said["url"]).path == f"/table/{spent.table}"
            assert said["waiting"] == 1
            await spent.idle()
            _, notices = await spent.bo.get("/api/notices")
            (post,) = service.posts
            signed = re.fullmatch(r"vapid t=(\S+), ?k=(\S+)", post.headers["authorization"])
            assert signed
            assert signed[2] == notices["push_key"]
            assert Vapid02.verify(post.headers["authorization"])
            assert post.headers["topic"] == said["topic"]

    asyncio.run(spend())


def test_one_absence_brings_one_notice(database: str, service: PushService) -> None:
    async def spend() -> None:
        async with evening(database, service) as spent:
            await spent.play(spent.ada)
            await spent.received(1)
            async with spent.ada.at(spent.table) as ada:  # takes it back, and plays again
                assert (await ada.command("undo"))["type"] == "ack"
            await spent.play(spent.ada)
            await spent.idle()
            assert len(service.posts) == 1
            await spent.play(spent.bo)
            await spent.play(spent.ada)
            first, second = await spent.received(2)
            assert first["id"] != second["id"]
            assert first["topic"] == second["topic"]

    asyncio.run(spend())


def test_whoever_has_seen_it_is_not_told(tmp_path: Path, service: PushService) -> None:
    async def spend() -> None:
        async with evening(tmp_path / "t.sqlite3", service) as spent:
            async with spent.bo.at(spent.table):
                await spent.play(spent.ada)
                await spent.idle()
            await asyncio.sleep(0.2)
            await spent.idle()
            assert service.posts == []

    asyncio.run(spend())


def test_a_notice_that_nobody_needs_any_more_is_not_sent(tmp_path: Path, service: PushService) -> None:
    async def spend() -> None:
        async with evening(tmp_path / "t.sqlite3", service) as spent:
            service.answers["/bo"] = [500, 500]
            await spent.play(spent.ada)
            await asyncio.to_thread(service.wait, "/bo", 1, PATIENCE)
            await spent.come(spent.bo)
            await spent.idle()
            assert len(service.posts) < 3
            assert (await spent.bo.get("/api/notices"))[1]["channels"][0]["failing"]

    asyncio.run(spend())


def test_a_service_that_fails_is_asked_again_with_the_same_id(tmp_path: Path, service: PushService) -> None:
    async def spend() -> None:
        async with evening(tmp_path / "t.sqlite3", service) as spent:
            service.answers["/bo"] = [503]
            await spent.play(spent.ada)
            first, second = await spent.received(2)
            assert first == second
            await spent.idle()
            assert "failing" not in (await spent.bo.get("/api/notices"))[1]["channels"][0]

    asyncio.run(spend())


def test_a_dead_subscription_is_dropped(tmp_path: Path, service: PushService) -> None:
    async def spend() -> None:
        async with evening(tmp_path / "t.sqlite3", service) as spent:
            service.answers["/bo"] = [410]
            await spent.play(spent.ada)
            await spent.idle()
            assert len(service.posts) == 1
            assert (await spent.bo.get("/api/notices"))[1]["channels"] == []

    asyncio.run(spend())


def test_a_device_that_is_signed_out_hears_nothing(tmp_path: Path, service: PushService) -> None:
    async def spend() -> None:
        async with evening(tmp_path / "t.sqlite3", service) as spent:
            _, devices = await spent.bo.get("/api/session/devices")
            await spent.bo.post("/api/session/end", {"device": devices["devices"][0]["id"]})
            await spent.play(spent.ada)
            await spent.idle()
            assert service.posts == []

    asyncio.run(spend())


def test_webhooks_and_messengers_get_the_same(tmp_path: Path, service: PushService) -> None:
    async def spend() -> None:
        async with evening(tmp_path / "t.sqlite3", service) as spent:
            hook = {"kind": "webhook", "address": service.url("/hook")}
            ntfy = {"kind": "apprise", "address": f"ntfy://127.0.0.1:{service.port}/stones"}
            made = [await spent.bo.post("/api/notices/channels", body) for body in (hook, ntfy)]
            assert [status for status, _ in made] == [201, 201], made
            await spent.play(spent.ada)
            (post,) = await asyncio.to_thread(service.wait, "/hook", 1, PATIENCE)
            (pushed,) = await spent.received(1)
            assert b"It is your turn in Stonehenge against Ada." in post.body
            assert post.headers["idempotency-key"] != pushed["id"]  # each place has ids of its own
            (sent,) = await asyncio.to_thread(service.wait, "/", 1, PATIENCE)
            assert b"It is your turn in Stonehenge against Ada." in sent.body

    asyncio.run(spend())


def test_a_link_stops_one_channel_and_does_nothing_else(tmp_path: Path, service: PushService) -> None:
    async def spend() -> None:
        async with evening(tmp_path / "t.sqlite3", service) as spent:
            hook = {"kind": "webhook", "address": service.url("/hook")}
            _, channel = await spent.bo.post("/api/notices/channels", hook)
            await spent.bo.post("/api/notices/test", {"id": channel["id"]})
            (post,) = await asyncio.to_thread(service.wait, "/hook", 1, PATIENCE)
            found = re.search(rb'/notices/stop#([\w.-]+)"', post.body)
            assert found
            token = found[1].decode()
            stranger = Guest(spent.here.port)
            assert (await stranger.post("/api/notices/stop", {"token": f"{spent.channel}.{token[25:]}"}))[0] == 404
            assert (await stranger.post("/api/notices/stop", {"token": token}))[0] == 204
            _, left = await spent.bo.get("/api/notices")
            assert [one["kind"] for one in left["channels"]] == ["push"]

    asyncio.run(spend())


def test_nothing_secret_is_in_a_notice_or_the_log(
    tmp_path: Path, service: PushService, caplog: pytest.LogCaptureFixture
) -> None:
    async def spend() -> None:
        async with evening(tmp_path / "t.sqlite3", service) as spent:
            link = await spent.ada.link(spent.table, "watch")
            service.answers["/bo"] = [500]
            await spent.play(spent.ada)
            said = await spent.received(2)
            cookie = spent.bo.cookie.partition("=")[2]
            for secret in (link, cookie):
                assert all(secret not in str(one) for one in said)
            await spent.idle()
            assert "notice-not-delivered" in caplog.text
            records = [str(vars(record)) for record in caplog.records if "notice" in record.getMessage()]
            for secret in (link, cookie, spent.table, "/bo", str(service.port)):
                assert not any(secret in record for record in records)

    with caplog.at_level("INFO", logger="archipel.table"):
        asyncio.run(spend())


def test_mail_is_sent_to_whom_confirms_the_address(tmp_path: Path, service: PushService) -> None:
    async def spend() -> None:
        async with evening(tmp_path / "t.sqlite3", service) as spent:
            refused = {"kind": "mail", "address": "bo@example.org"}
            assert (await spent.bo.post("/api/notices/channels", refused))[1]["rule"] == "table.notices"
        async with mail_server() as mails:
            mail = f"mailto://127.0.0.1:{mails.port}?from=archipel@example.org"
            async with evening(tmp_path / "m.sqlite3", service, mail=mail) as spent:
                wanted = {"kind": "mail", "address": "bo@example.org"}
                _, channel = await spent.bo.post("/api/notices/channels", wanted)
                assert not channel["confirmed"]
                code = await mails.find(r"code: (\d{6})")
                wrong = f"{(int(code) + 1) % 1_000_000:06}"
                answers = [
                    await spent.bo.post("/api/notices/confirm", {"id": channel["id"], "code": c}) for c in (wrong, code)
                ]
                assert [status for status, _ in answers] == [409, 204]
                await spent.play(spent.ada)
                assert await mails.find(r"(your turn in Stonehenge)")
                assert "bo@example.org" in mails.text

    asyncio.run(spend())


class Mails:
    """A mail server that keeps what it gets."""

    def __init__(self) -> None:
        self.text, self.port = "", 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 here\r\n")
        body = False
        while line := await reader.readline():
            self.text += line.decode()
            if body:
                body = line != b".\r\n"
                if not body:
                    writer.write(b"250 kept\r\n")
            elif line.upper().startswith(b"DATA"):
                body = True
                writer.write(b"354 go on\r\n")
            elif line.upper().startswith(b"QUIT"):
                writer.write(b"221 bye\r\n")
                break
            else:
                writer.write(b"250 well\r\n")
        writer.close()

    async def find(self, pattern: str) -> str:
        """Wait for a mail that has it; quoted-printable lines are joined."""
        while not (found := re.search(pattern, self.text.replace("=\r\n", ""))):
            await asyncio.sleep(0.02)
        return found[1]


@asynccontextmanager
async def mail_server() -> AsyncIterator[Mails]:
    mails = Mails()
    server = await asyncio.start_server(mails.serve, "127.0.0.1", 0)
    mails.port = server.sockets[0].getsockname()[1]
    try:
        yield mails
    finally:
        server.close()


def test_bad_input_is_refused_in_a_sentence(tmp_path: Path, service: PushService) -> None:
    async def spend() -> None:
        async with evening(tmp_path / "t.sqlite3", service, notices_near=True) as spent:
            bodies: list[Json] = [
                {"kind": "webhook", "address": "ftp://example.org/"},
                {"kind": "webhook", "address": "https://"},
                {"kind": "webhook", "address": "https://example.org/a b"},
                {"kind": "webhook", "address": "https://[::1"},
                {"kind": "apprise", "address": "file:///etc/passwd"},
                {"kind": "apprise", "address": "syslog://"},
                {"kind": "apprise", "address": "tgram://"},
                {"kind": "push", "address": service.url("/x")},
            ]
            for body in bodies:
                status, said = await spent.bo.post("/api/notices/channels", body)
                assert (status, said["rule"]) == (409, "table.address"), body
            assert (await spent.wish(zone="Atlantis/Poseidonis"))[1]["rule"] == "table.zone"
            assert (await spent.ada.post("/api/notices/remove", {"id": spent.channel}))[0] == 409
            assert (await spent.ada.post("/api/notices/test", {"id": spent.channel}))[0] == 409
            assert (await Guest(spent.here.port).get("/api/notices"))[0] == 401

    asyncio.run(spend())


def test_strangers_reach_nothing_in_the_servers_network(service: PushService) -> None:
    """A worker process that was told to refuse near addresses connects to none of them, however they are written."""
    port = service.port
    tasks = [
        Task("1", "webhook", f"http://{host}:{port}/", "", "", "", "", 0, "")
        for host in ("127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "0.0.0.0", "2130706433", "127.1")
    ]
    tasks.append(Task("2", "apprise", f"ntfy://127.0.0.1:{port}/stones", "t", "t", "", "", 0, "", labels={"stop": ""}))
    worker = WorkerProcess(delivery.deliver)
    try:
        for task in tasks:
            worker.send(task)
            assert worker.receive(PATIENCE).how in ("never", "later"), task.address
        assert service.posts == []
        near = tasks[0]
        near.near = True
        worker.send(near)
        assert worker.receive(PATIENCE) == Result("done", 201)
    finally:
        worker.stop()
    assert len(service.posts) == 1


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("93.184.216.34", True), ("2606:2800:220:1::1", True), ("10.1.2.3", False), ("127.0.0.1", False),
        ("169.254.169.254", False), ("192.168.0.1", False), ("100.64.0.1", False), ("0.0.0.0", False), ("::1", False),
        ("fe80::1%eth0", False), ("fd00::1", False), ("::ffff:10.0.0.1", False), ("64:ff9b::a00:1", False),
        ("2002:a00:1::1", False), ("224.0.0.1", False), ("/run/socket", False), ("example.org", False),
    ],
)  # fmt: skip
def test_public_addresses(address: str, public: bool) -> None:
    assert delivery.is_public(address) is public


def moment(text: str, zone: str) -> int:
    return round(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp() * 1000)


def test_quiet_hours_and_digests_follow_the_clock_of_the_person() -> None:
    zone = "Europe/Paris"
    night = Wishes("Bo", zone=zone, quiet_from=22 * 60, quiet_until=7 * 60)
    late, early = moment("2026-01-10T23:30", zone), moment("2026-01-11T06:59", zone)
    assert hours.quiet_until(night, late) == moment("2026-01-11T07:00", zone) == hours.quiet_until(night, early)
    for awake in ("2026-01-10T21:59", "2026-01-10T07:00", "2026-01-10T12:00"):
        assert hours.quiet_until(night, moment(awake, zone)) == moment(awake, zone)
    # On the night of 29 March the clocks go on by an hour: 7 o'clock comes an hour sooner.
    before = moment("2026-03-28T23:00", zone)
    assert hours.quiet_until(night, before) - before == 7 * 3_600_000
    noon = moment("2026-01-10T12:00", zone)
    assert hours.next_at(night, noon, 12 * 60) == moment("2026-01-11T12:00", zone)
    assert hours.quiet_until(Wishes("Bo", zone=zone), late) == late


def test_quiet_hours_digest_vacation(tmp_path: Path, service: PushService) -> None:
    async def spend() -> None:
        async with evening(tmp_path / "t.sqlite3", service) as spent:
            hub, minute = spent.here.hub, 60_000
            shift = 0
            now = hub.now
            hub.now = lambda: now() + shift  # type: ignore[method-assign]
            here = datetime.now(ZoneInfo("UTC"))
            today = here.hour * 60 + here.minute
            quiet = {"quiet_from": (today - 10) % 1440, "quiet_until": (today + 60) % 1440}
            assert (await spent.wish(**quiet, zone="UTC"))[0] == 204
            await spent.play(spent.ada)
            await asyncio.sleep(0.3)
            assert service.posts == []
            shift += 61 * minute
            assert len(await spent.received(1)) == 1
            await spent.play(spent.bo)
            assert (await spent.wish(digest=(today + 120) % 1440, zone="UTC"))[0] == 204
            await spent.play(spent.ada)
            await asyncio.sleep(0.3)
            assert len(service.posts) == 1
            shift += 61 * minute
            _, digest = await spent.received(2)
            assert digest["text"] == "One game waits for you."
            await spent.idle()
            await spent.play(spent.bo)
            assert (await spent.wish(away_until=hub.now() + 1000 * minute, zone="UTC"))[0] == 204
            await spent.play(spent.ada)
            await spent.idle()
            assert len(service.posts) == 2

    asyncio.run(spend())


def test_a_reminder_comes_once_before_time_runs_out(tmp_path: Path, service: PushService) -> None:
    async def spend() -> None:
        async with evening(tmp_path / "t.sqlite3", service) as spent:
            clock = {"kind": "days", "days": 3}
            table = await spent.ada.table("stonehenge", [{"kind": "me"}, {"kind": "open"}], clock=clock,
                                          visibility="public")  # fmt: skip
            spent.table = table
            async with spent.bo.at(table) as bo:
                assert (await bo.command("sit", seat=1))["type"] == "ack"
                await spent.play(spent.ada)
                await spent.idle()
            shift = 0
            now = spent.here.hub.now
            spent.here.hub.now = lambda: now() + shift  # type: ignore[method-assign]
            await asyncio.sleep(0.3)
            assert service.posts == []
            shift = 61 * 3_600_000
            (said,) = await spent.received(1)
            assert said["text"] == "Your time in Stonehenge runs out soon: 11 h left."
            await spent.idle()
            await asyncio.sleep(0.7)
            assert len(service.posts) == 1

    asyncio.run(spend())


def test_turns_are_those_of_the_table_after_the_entries() -> None:
    room = Room("stonehenge", clock=DaysClock(3)).sit_all()
    table = room.table
    everyone = {"Ada", "Bo"}
    before = [msg.who for msg in turns.awaited(table, NOW)]
    assert before == ["Ada"]
    again = Table(table.setup)
    found: list[list[str]] = []
    for _ in range(12):
        room.act(table.state.decode(table.state.actions()[0]))
    room.say("Bo", Resign, seat=1)
    for entry in table.log:
        expected = turns.turns(again, [entry], everyone)
        version = again.version
        again.apply(entry)
        if expected is not None:
            assert expected == turns.awaited(again, entry.at), version
            found.append([turn.who for turn in expected])
    assert ["Bo"] in found
    assert found[-1] == []
    assert turns.turns(table, table.log[-1:], {"Cleo"}) is None


def test_reminders_are_for_clocks_of_days() -> None:
    (three,) = turns.awaited(Room("stonehenge", clock=DaysClock(3)).sit_all().table, NOW)
    (one,) = turns.awaited(Room("stonehenge", clock=DaysClock(1)).sit_all().table, NOW)
    (live,) = turns.awaited(Room("stonehenge", clock=LiveClock(60_000, 0)).sit_all().table, NOW)
    day = 86_400_000
    assert three.remind_at is not None
    assert one.remind_at is not None
    assert three.remind_at - one.remind_at == 2 * day - day // 4
    assert live.remind_at is None


def test_every_sentence_is_there_in_every_language() -> None:
    gaps = {"game": "Kahuna", "name": "Ada", "hours": 3, "n": 2, "code": "123456"}
    for kind in ("turn", "remind", "digest", "test", "confirm"):
        said = {texts.sentence_of(language, kind, gaps) for language in LANGUAGES}
        assert len(said) == len(LANGUAGES)
        assert not any("{" in one for one in said)


def test_a_store_keeps_its_keys(database: str) -> None:
    async def spend() -> None:
        store = Store(database)
        store.prepare()
        store.start()
        outbox = Outbox(store)
        assert await outbox.secret("push", lambda: "first") == "first"
        assert await Outbox(store).secret("push", lambda: "second") == "first"
        await store.close()

    asyncio.run(spend())


def test_of_several_workers_one_tells_and_one_delivers(database: str) -> None:
    async def spend() -> None:
        stores = [Store(database) for _ in range(2)]
        stores[0].prepare()
        for store in stores:
            store.start()
        first, second = map(Outbox, stores)
        channel = Channel("c", "Bo", "webhook", "https://example.org", "example.org", "", "", NOW)
        await first.add_channel(channel, Wishes("Bo", changed=NOW))
        assert await second.wishing(NOW) == ["Bo"]
        change = Change("table", 0, [], turns=[Turn("Bo", 3, NOW)], by="Ada")
        await stores[0].write(lambda connection: stores[0].changes.append(connection, [change]))
        (turn,) = await second.open_turns(NOW, 10)
        notice = Notice("n", "c", "Bo", "table", "turn", "{}", NOW, NOW)
        assert sorted(await asyncio.gather(*(one.told(turn, [notice]) for one in (first, second)))) == [False, True]
        (due,) = await first.due(NOW, 10)
        claimed = await asyncio.gather(*(one.claim(due, NOW) for one in (first, second)))
        assert sorted(one is not None for one in claimed) == [False, True]
        assert await first.due(NOW + CLAIM - 1, 10) == []
        (again,) = await first.due(NOW + CLAIM, 10)  # its worker has died: the same notice, with the same id
        assert again.id == "n"
        await second.known("Bo", "table")
        assert await first.claim(again, NOW + CLAIM) is None
        assert await first.due(NOW + 2 * CLAIM, 10) == []
        for store in stores:
            await store.close()

    asyncio.run(spend())


def test_no_kill_loses_or_doubles_a_notice(tmp_path: Path) -> None:
    outcome = asyncio.run(kills(str(tmp_path / "tables.sqlite3"), KILLS))
    print(f"\n{outcome}")
    assert outcome.errors == []
    assert (outcome.lost, outcome.doubled) == (0, 0)
    assert outcome.calls > KILLS
