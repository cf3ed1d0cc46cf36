"""People at a real server: whose hand is seen by whom, who may sit where, which devices are whose."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

from archipel.table import protocol
from archipel.table.log import decisions, events
from archipel.table.log.clock import DAY
from archipel.table.log.table import Table
from archipel.table.people.sessions import device_of
from archipel.table.settings import Settings
from tests.patience import PATIENCE

from .house import Guest, House, Player, closed, house

Json = dict[str, Any]
Evening = Callable[[House], Awaitable[None]]
OPEN: list[Json] = [{"kind": "open"}, {"kind": "open"}]
ME_AND_OPEN: list[Json] = [{"kind": "me"}, {"kind": "open"}]
FIREFOX = "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0"


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., None]:
    """Spend an evening at a house."""

    def run(evening: Evening, **settings: Any) -> None:
        async def spend() -> None:
            async with house(tmp_path / "tables.sqlite3", **settings) as here:
                await asyncio.wait_for(evening(here), PATIENCE)

        asyncio.run(spend())

    return run


async def public(here: House, chairs: list[Json], game: str = "kahuna", **more: Any) -> tuple[Guest, str]:
    """Ada has made a public table."""
    ada = await here.guest("Ada")
    return ada, await ada.table(game, chairs, visibility="public", **more)


async def until_seat(player: Player, seat: int | None) -> None:
    """Wait until the table is shown through the eyes of that seat."""
    while player.position.get("seat") != seat:
        await player.next()


def sees_a_hand(player: Player) -> bool:
    """Has the player been sent the cards of anybody since the game began?"""
    views = [m["position"]["view"] for m in player.messages if m["type"] == "update" and "position" in m]
    return any(isinstance(hand, list) and hand for view in views for hand in view["hands"])


# Over a shoulder.


def test_a_link_over_a_shoulder_ends_with_its_makers_seat(run: Callable[..., None]) -> None:
    async def evening(here: House) -> None:
        ada, table = await public(here, OPEN)
        eve, bo, spy = [await here.guest(name) for name in ("Eve", "Bo", "Spy")]
        async with ada.at(table) as a, eve.at(table) as e, bo.at(table) as b:
            await e.command("sit", seat=1)
            shoulder = await eve.link(table, "shoulder", 1)
            async with spy.at(table, link=shoulder) as s:
                assert s.position["seat"] == 1
                await e.command("rise", seat=1)
                await until_seat(s, None)
                await b.command("sit", seat=1)
                await a.command("sit", seat=0)
                await s.until_version(here.hub.lives[table].table.version)
                assert s.position["game"] == 1
                assert s.position["seat"] is None
                assert not sees_a_hand(s)
            async with spy.at(table, link=shoulder) as later:
                assert later.position["seat"] is None
                assert not sees_a_hand(later)

    run(evening)


def test_what_several_entries_tell_at_once_shows_no_hand_either(run: Callable[..., None]) -> None:
    """A worker that reads the log may find the rise, the next player and the deal together."""

    async def evening(here: House) -> None:
        _, table = await public(here, OPEN)
        eve, spy = await here.guest("Eve"), await here.guest("Spy")
        async with eve.at(table) as e:
            await e.command("sit", seat=1)
            async with spy.at(table, link=await eve.link(table, "shoulder", 1)) as s:
                live = here.hub.lives[table]
                live.take(_rise_and_deal(live.table, here.hub.now()))
                await s.until_version(live.table.version)
                assert live.table.playing
                assert s.position["seat"] is None
                assert not sees_a_hand(s)

    run(evening)


def _rise_and_deal(table: Table, now: int) -> list[events.Entry]:
    """Seat 1 is left, and Bo takes both seats."""
    ahead = Table(table.setup, table.log)
    entries: list[events.Entry] = [events.Rose(at=now, seat=1)]
    bo = decisions.Caller("bo", "Bo", "by-bo", may_sit=True)
    ahead.apply(entries[0])
    for seat in (1, 0):
        made = decisions.decide(ahead, bo, protocol.Sit(n=2 - seat, seat=seat), now, frozenset())
        for entry in made:
            ahead.apply(entry)
        entries += made
    return entries


def test_a_bot_that_takes_over_is_not_watched(run: Callable[..., None]) -> None:
    async def evening(here: House) -> None:
        ada, table = await public(here, ME_AND_OPEN)
        bo, friend = await here.guest("Bo"), await here.guest("Friend")
        async with ada.at(table) as a:
            async with bo.at(table) as b:
                await b.command("sit", seat=1)
                shoulder = await bo.link(table, "shoulder", 1)
            async with friend.at(table, link=shoulder) as f:
                assert f.position["seat"] == 1
                while (await a.command("bot", seat=1, level="random"))["type"] != "ack":
                    await asyncio.sleep(0.01)
                await until_seat(f, None)
                async with bo.at(table) as b:
                    while b.chairs[1]["kind"] != "person":
                        await b.next()
                    await until_seat(f, 1)

    run(evening, away=0)


def test_a_link_over_a_shoulder_turns_with_its_maker(run: Callable[..., None]) -> None:
    async def evening(here: House) -> None:
        ada, table = await public(here, ME_AND_OPEN)
        bo, friend = await here.guest("Bo"), await here.guest("Friend")
        async with ada.at(table) as a, bo.at(table) as b:
            await b.command("sit", seat=1)
            shoulder = await bo.link(table, "shoulder", 1)
            async with friend.at(table, link=shoulder) as f:
                await a.command("resign", seat=0)
                await a.command("rematch")
                await b.command("rematch")
                await f.until_version(here.hub.lives[table].table.version)
                assert (f.position["game"], f.position["seat"]) == (2, 0)
                hands = f.position["view"]["hands"]
                assert isinstance(hands[0], list)
                assert isinstance(hands[1], int)

    run(evening)


def test_players_see_who_may_look_at_their_seat_and_revoke_it(run: Callable[..., None]) -> None:
    async def evening(here: House) -> None:
        ada, table = await public(here, OPEN)
        eve, bo, spy = [await here.guest(name) for name in ("Eve", "Bo", "Spy")]
        async with eve.at(table) as e, bo.at(table) as b:
            await e.command("sit", seat=1)
            shoulder = await eve.link(table, "shoulder", 1)
            await e.command("rise", seat=1)
            await b.command("sit", seat=1)
            path = f"/api/tables/{table}/links"
            (known,) = (await bo.get(path))[1]["links"]
            assert (known["kind"], known["seat"], known["mine"]) == ("shoulder", 1, False)
            assert (await ada.get(path))[1]["links"] == [], "nobody else's hand is the host's to look at"
            assert (await ada.post("/api/links/revoke", {"id": known["id"]}))[0] == 409
            async with spy.at(table, link=shoulder) as s:
                assert (await bo.post("/api/links/revoke", {"id": known["id"]}))[0] == 204
                assert await closed(s.connection) == 1008
            assert (await spy.post("/api/links", {"token": shoulder}))[0] == 404

    run(evening)


# Seats in a running game.


def test_the_opponent_does_not_get_a_hand_by_sitting_down(run: Callable[..., None]) -> None:
    async def evening(here: House) -> None:
        ada, table = await public(here, ME_AND_OPEN)
        bo = await here.guest("Bo")
        async with ada.at(table) as a:
            async with bo.at(table) as b:
                await b.command("sit", seat=1)
                await b.command("rise", seat=1)
            assert (await a.command("sit", seat=1))["rule"] == "table.seen-a-hand"
            async with bo.at(table) as b:
                assert b.yours["seats"] == [1]
                assert (await b.command("sit", seat=1))["type"] == "ack"
                await until_seat(b, 1)

    run(evening)


def test_a_stranger_takes_over_when_the_players_agree(run: Callable[..., None]) -> None:
    async def evening(here: House) -> None:
        ada, table = await public(here, ME_AND_OPEN)
        bo, zoe = await here.guest("Bo"), await here.guest("Zoe")
        async with ada.at(table) as a, zoe.at(table) as z:
            async with bo.at(table) as b:
                await b.command("sit", seat=1)
                await b.command("rise", seat=1)
            assert (await z.command("sit", seat=1))["type"] == "ack"
            await a.until(lambda m: m["type"] == "update" and "candidate" in m.get("position", {}))
            assert a.position["candidate"] == {"seat": 1, "name": "Zoe", "waiting": [0]}
            assert not sees_a_hand(z)
            assert (await a.command("admit", agree=True))["type"] == "ack"
            await until_seat(z, 1)
            assert isinstance(z.position["view"]["hands"][1], list)
        assert (await zoe.get("/api/tables"))[1]["yours"][0]["yours"] == [1]

    run(evening)


def test_whoever_has_looked_over_a_shoulder_takes_no_seat(run: Callable[..., None]) -> None:
    async def evening(here: House) -> None:
        ada, table = await public(here, ME_AND_OPEN)
        bo, zoe = await here.guest("Bo"), await here.guest("Zoe")
        async with ada.at(table), bo.at(table) as b:
            await b.command("sit", seat=1)
            shoulder = await ada.link(table, "shoulder", 0)
            async with zoe.at(table, link=shoulder) as z:
                assert sees_a_hand(z)
            await b.command("rise", seat=1)
            async with zoe.at(table) as z:
                assert (await z.command("sit", seat=1))["rule"] == "table.seen-a-hand"

    run(evening)


def test_a_seat_that_a_bot_minds_is_its_owners(run: Callable[..., None]) -> None:
    """No hints and no takebacks behind the owner's back; and the seat is theirs as soon as they are here."""

    async def evening(here: House) -> None:
        ada, table = await public(here, ME_AND_OPEN, "stonehenge")
        bo = await here.guest("Bo")
        async with ada.at(table) as a:
            async with bo.at(table) as b:
                await b.command("sit", seat=1)
                await a.until_version(3)
                await a.act("6@K")
            while (await a.command("bot", seat=1, level="random"))["type"] != "ack":
                await asyncio.sleep(0.01)
            while not a.position["legal"]:
                await a.next()
            assert a.chairs[1]["level"] == decisions.STAND_IN
            assert (await a.command("ask-hint"))["rule"] == "table.no-hints"
            moves = a.position["moves"]
            await a.until_version((await a.command("ask-back"))["version"])
            assert a.position["moves"] == moves
            assert a.position["request"]["waiting"] == [1]
            async with bo.at(table) as b:
                while b.chairs[1]["kind"] != "person":
                    await b.next()
                assert here.hub.lives[table].table.chairs[1].name == "Bo"
                assert b.position["moves"] == moves

    run(evening, away=0, pace=0)


def test_a_guest_with_one_link_takes_one_seat(run: Callable[..., None]) -> None:
    async def evening(here: House) -> None:
        ada, bo = await here.guest("Ada"), await here.guest("Bo")
        table = await ada.table("kula_kula", [{"kind": "open"}] * 3, options={"players": 3})
        link = await ada.link(table, "seat", 1)
        async with bo.at(table, link=link) as b:
            assert (await b.command("sit", seat=1, link=link))["type"] == "ack"
            assert (await b.command("sit", seat=2, link=link))["rule"] == "table.link-needed"
            assert (await b.command("sit", seat=2))["rule"] == "table.link-needed"

    run(evening)


# The host's own house.


def test_the_host_removes_a_squatter(run: Callable[..., None]) -> None:
    async def evening(here: House) -> None:
        ada, table = await public(here, ME_AND_OPEN)
        eve = await here.guest("Eve")
        async with ada.at(table) as a, eve.at(table) as e:
            private = await ada.table("kahuna", OPEN)
            link = await ada.link(private, "seat", 1)
            async with eve.at(private, link=link) as squatter, ada.at(private) as host:
                await squatter.command("sit", seat=1, link=link)
                await host.command("unseat", seat=1)
                assert (await squatter.command("sit", seat=1, link=link))["rule"] == "table.link-needed"
                newer = await ada.link(private, "seat", 1)
                assert (await squatter.command("sit", seat=1, link=newer))["type"] == "ack"
            assert (await e.command("unseat", seat=0))["rule"] == "table.host-only"
            three = await ada.table("kula_kula", [{"kind": "open"}] * 3, options={"players": 3}, visibility="public")
            async with eve.at(three) as squatter, ada.at(three) as host:
                await squatter.command("sit", seat=0)
                assert (await host.command("unseat", seat=0))["type"] == "ack"
                await squatter.until(lambda m: m["type"] == "yours" and m["seats"] == [])
                assert (await squatter.command("sit", seat=0))["rule"] == "table.link-needed"
            assert a.yours["host"]

    run(evening)


def test_the_host_mutes_and_removes_spectators(run: Callable[..., None]) -> None:
    async def evening(here: House) -> None:
        ada, table = await public(here, ME_AND_OPEN)
        eve = await here.guest("Eve")
        async with ada.at(table) as a, eve.at(table) as e:
            told = await a.until(lambda m: m["type"] == "audience" and m["spectators"] != [])
            (spectator,) = told["spectators"]
            assert spectator["name"] == "Eve"
            assert not any(m["type"] == "audience" for m in e.messages)
            assert (await e.command("mute", spectator=spectator["id"]))["rule"] == "table.host-only"
            assert (await e.command("chat", text="one"))["type"] == "ack"
            assert (await a.command("mute", spectator=spectator["id"]))["type"] == "ack"
            assert (await e.command("chat", text="two"))["rule"] == "table.muted"
            await a.until(lambda m: m["type"] == "audience" and m["spectators"][0].get("muted", False))
            await a.command("mute", spectator=spectator["id"], muted=False)
            assert (await e.command("chat", text="three"))["type"] == "ack"
            assert (await a.command("remove", spectator="nobody"))["rule"] == "table.no-such-spectator"
            assert (await a.command("remove", spectator=spectator["id"]))["type"] == "ack"
            assert await closed(e.connection) == 1008
            async with eve.connect(table) as again:
                await again.send('{"type":"hello","client":"eves-tab"}')
                assert await closed(again) == 1008
            assert (await eve.get(f"/api/tables/{table}"))[0] == 404
            watch = await ada.link(table, "watch")
            async with eve.at(table, link=watch) as e:
                assert e.position["seat"] is None

    run(evening)


def test_the_host_removes_spectators_without_a_name(run: Callable[..., None]) -> None:
    async def evening(here: House) -> None:
        ada, table = await public(here, ME_AND_OPEN)
        async with ada.at(table) as a, Guest(here.port).at(table) as nobody:
            await a.until(lambda m: m["type"] == "audience" and m.get("unnamed") == 1)
            assert (await a.command("remove", spectator=""))["type"] == "ack"
            assert await closed(nobody.connection) == 1008
            async with Guest(here.port).connect(table) as again:
                await again.send('{"type":"hello","client":"another-tab"}')
                assert await closed(again) == 1008
            named = await here.guest("Zoe")
            async with named.at(table) as z:
                assert z.position["seat"] is None

    run(evening)


def test_the_host_closes_a_table(run: Callable[..., None]) -> None:
    async def evening(here: House) -> None:
        ada, table = await public(here, [{"kind": "me"}, {"kind": "bot", "level": "random"}], "stonehenge")
        stranger = await here.guest("Zoe")
        assert [row["id"] for row in (await stranger.get("/api/tables"))[1]["public"]] == [table]
        async with ada.at(table) as a:
            await a.until_version((await a.command("close"))["version"])
            assert a.position["closed"]
            assert (await a.act("6@K"))["rule"] == "table.closed"
        assert (await stranger.get("/api/tables"))[1]["public"] == []
        assert (await ada.get("/api/tables"))[1]["yours"][0]["status"] == "closed"

    run(evening)


# Sessions and devices.


async def carried(guest: Guest) -> str:
    status, link = await guest.post("/api/session/links", {})
    assert status == 201
    return str(link["token"])


def test_no_link_replaces_somebody_who_has_seats(run: Callable[..., None]) -> None:
    async def evening(here: House) -> None:
        mallory, victim = await here.guest("Mallory"), await here.guest("Victim")
        table = await victim.table("kahuna", ME_AND_OPEN)
        token, cookie = await carried(mallory), victim.cookie
        status, asked = await victim.post("/api/session/arriving", {"token": token})
        assert (status, asked) == (200, {"name": "Mallory", "now": "Victim", "tables": 1})
        status, problem = await victim.post("/api/session/arrive", {"token": token})
        assert (status, problem["rule"]) == (409, "table.seats-held")
        assert victim.cookie == cookie
        assert (await victim.get("/api/session"))[1] == {"name": "Victim"}
        async with victim.at(table) as v:
            assert (await victim.post("/api/session/arrive", {"token": token, "replace": True}))[0] == 201
            assert await closed(v.connection) == 1008, "the session that was left ends"
        assert (await victim.get("/api/session"))[1] == {"name": "Mallory"}
        assert (await Guest(here.port, cookie).get("/api/session"))[1] == {"name": ""}

    run(evening)


def test_whoever_has_no_seats_arrives_at_once(run: Callable[..., None]) -> None:
    async def evening(here: House) -> None:
        ada, phone = await here.guest("Ada"), await here.guest("Phone")
        token = await carried(ada)
        assert (await phone.post("/api/session/arriving", {"token": token}))[1] == {"name": "Ada", "now": "Phone"}
        assert (await phone.post("/api/session/arrive", {"token": token}))[0] == 201
        assert (await phone.get("/api/session"))[1] == {"name": "Ada"}
        again, cookie = await carried(ada), phone.cookie
        assert (await phone.post("/api/session/arrive", {"token": again}))[0] == 201
        assert phone.cookie == cookie, "this device was Ada's already"

    run(evening)


def test_devices_are_listed_and_ended(run: Callable[..., None]) -> None:
    async def evening(here: House) -> None:
        ada = await here.guest("Ada")
        table = await ada.table("kahuna", ME_AND_OPEN)
        phones = [Guest(here.port), Guest(here.port)]
        for phone in phones:
            await phone.post("/api/session/arrive", {"token": await carried(ada)}, User_Agent=FIREFOX)
        devices = (await phones[0].get("/api/session/devices"))[1]["devices"]
        assert sorted(device["device"] for device in devices) == ["", "Firefox, Android", "Firefox, Android"]
        (mine,) = [device for device in devices if device.get("here")]
        async with phones[0].at(table) as first, phones[1].at(table) as second, ada.at(table) as desk:
            assert (await ada.post("/api/session/end", {"device": mine["id"]}))[0] == 204
            assert await closed(first.connection) == 1008
            assert (await phones[0].get("/api/session"))[1] == {"name": ""}
            assert (await ada.post("/api/session/end", {"device": mine["id"]}))[1]["rule"] == "table.no-such-device"
            assert (await ada.post("/api/session/end", {}))[0] == 204
            assert await closed(second.connection) == 1008
            assert (await desk.command("chat", text="still here"))["type"] == "ack"
        (left,) = (await ada.get("/api/session/devices"))[1]["devices"]
        assert (await ada.post("/api/session/end", {"device": left["id"]}))[0] == 204
        assert ada.cookie == "archipel="

    run(evening)


def test_devices_are_their_owners_alone(run: Callable[..., None]) -> None:
    async def evening(here: House) -> None:
        ada, eve = await here.guest("Ada"), await here.guest("Eve")
        (device,) = (await ada.get("/api/session/devices"))[1]["devices"]
        assert (await eve.post("/api/session/end", {"device": device["id"]}))[1]["rule"] == "table.no-such-device"
        assert (await Guest(here.port).get("/api/session/devices"))[0] == 401
        assert (await ada.get("/api/session"))[1] == {"name": "Ada"}

    run(evening)


def test_sessions_end_when_they_are_not_used(run: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    async def evening(here: House) -> None:
        start = here.hub.now()
        often, seldom = await here.guest("Often"), await here.guest("Seldom")
        for day in range(0, 40, 5):
            monkeypatch.setattr(here.hub, "now", lambda day=day: start + day * DAY)
            assert (await often.get("/api/session"))[1] == {"name": "Often"}
        assert (await seldom.get("/api/session"))[1] == {"name": ""}
        await here.api.sessions.sweep(here.hub.now())
        who = (await here.api.sessions.person(often.cookie.partition("=")[2], here.hub.now())).who
        assert len(await here.hub.store.cookies(who)) == 1
        assert await here.hub.store.end_unused(start + 1) == 0, "swept"

    run(evening, session_days=30)


@pytest.mark.parametrize(
    ("agent", "device"),
    [
        (FIREFOX, "Firefox, Android"),
        (
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0",
            "Edge, Windows",
        ),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1",
            "Safari, iPhone",
        ),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Chrome/140.0.0.0 Safari/537.36", "Chrome, macOS"),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox, Linux"),
        ("curl/8.5.0", ""),
        ("<script>Firefox/", "Firefox"),
    ],
)
def test_a_device_has_a_plain_name(agent: str, device: str) -> None:
    assert device_of(agent) == device


# A private server, and who runs it.


def test_without_the_password_nothing_answers(run: Callable[..., None]) -> None:
    async def evening(here: House) -> None:
        stranger = Guest(here.port)
        for path in ("/api/session", "/api/games", "/api/tables", "/api/tables/abc"):
            status, problem = await stranger.get(path)
            assert (status, problem["rule"]) == (401, "table.password-needed"), path
        assert (await stranger.post("/api/session", {"name": "Eve"}))[0] == 401
        with pytest.raises(InvalidStatus):
            async with stranger.connect("abc"):
                pass
        assert (await stranger.get("/healthz"))[0] == 200
        assert (await stranger.get("/"))[0] == 200
        assert (await stranger.post("/api/password", {"password": "Sesame"}))[1]["rule"] == "table.password"
        assert (await stranger.post("/api/password", {"password": "sesame"}))[0] == 204
        passed = stranger.cookie
        assert "sesame" not in passed
        assert (await stranger.get("/api/games"))[0] == 200
        await stranger.post("/api/session", {"name": "Ada"})
        stranger.cookie = f"{passed}; {stranger.cookie}"
        table = await stranger.table("kahuna", ME_AND_OPEN)
        async with stranger.at(table) as a:
            assert a.yours["seats"] == [0]

    run(evening, password="sesame")


def test_the_password_is_not_guessed_quickly(run: Callable[..., None]) -> None:
    async def evening(here: House) -> None:
        stranger = Guest(here.port)
        rules = [(await stranger.post("/api/password", {"password": f"guess {n}"}))[1]["rule"] for n in range(11)]
        assert rules == ["table.password"] * 10 + ["table.too-fast"]
        assert (await stranger.post("/api/password", {"password": "sesame"}))[0] == 429

    run(evening, password="sesame")


def test_a_server_without_a_password_takes_none(run: Callable[..., None]) -> None:
    async def evening(here: House) -> None:
        assert (await Guest(here.port).post("/api/password", {"password": "x"}))[1]["rule"] == "table.password"

    run(evening)


def test_the_operator_sees_the_house_and_no_hand(run: Callable[..., None]) -> None:
    async def evening(here: House) -> None:
        ada, table = await public(here, ME_AND_OPEN)
        bo, operator = await here.guest("Bo"), Guest(here.port)
        for token in ("", "wrong"):
            status, problem = await operator.get("/api/operator", archipel_operator=token)
            assert (status, problem["rule"]) == (403, "table.operator")
        async with ada.at(table) as a, bo.at(table) as b:
            await b.command("sit", seat=1)
            await a.until_version(here.hub.lives[table].table.version)
            status, report = await operator.get("/api/operator", archipel_operator="letmein")
            assert status == 200
            assert [(one["name"], one["tables"]) for one in report["people"]] == [("Ada", [table]), ("Bo", [table])]
            (listed,) = report["tables"]
            assert (listed["id"], listed["status"], listed["sockets"]) == (table, "playing", 2)
            assert [chair["name"] for chair in listed["chairs"]] == ["Ada", "Bo"]
            assert set(listed) == {"id", "game", "status", "visibility", "updated", "chairs", "sockets"}
            assert set(listed["chairs"][0]) == {"kind", "name"}
            bos = report["people"][1]["id"]
            assert (await operator.post("/api/operator/end", {"id": bos}))[0] == 403
            assert (await operator.post("/api/operator/end", {"id": bos}, archipel_operator="letmein"))[0] == 204
            assert await closed(b.connection) == 1008
            assert (await bo.get("/api/session"))[1] == {"name": ""}
            assert (await operator.post("/api/operator/close", {"id": table}, archipel_operator="letmein"))[0] == 204
            while not a.position.get("closed"):
                await a.next()
            missing = await operator.post("/api/operator/close", {"id": "nowhere"}, archipel_operator="letmein")
            assert missing[0] == 404

    run(evening, operator="letmein")


def test_the_operator_hears_of_trouble_without_names(run: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    async def evening(here: House) -> None:
        async def breaks(*_: Any) -> None:
            raise RuntimeError("a secret")

        monkeypatch.setattr(here.hub.store, "public", breaks)
        assert (await Guest(here.port).get("/api/tables"))[0] == 500
        _, report = await Guest(here.port).get("/api/operator", archipel_operator="letmein")
        assert report["troubles"][0]["what"] == "request-failed route=/api/tables"

    run(evening, operator="letmein")


def test_every_start_draws_a_token_unless_one_is_given() -> None:
    assert len(Settings().operator) >= 20
    assert Settings().operator != Settings().operator
    assert Settings(operator="fixed").operator == "fixed"
