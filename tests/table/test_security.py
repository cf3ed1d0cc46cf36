"""Who is let in, how much he may do, and what he is told when he may not."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from archipel.table.limits import Bucket, Buckets, Tally
from archipel.table.net.security import Guard
from archipel.table.settings import Settings, settings
from tests.patience import PATIENCE

from .house import Guest, House, closed, house

ME_AND_OPEN = [{"kind": "me"}, {"kind": "open"}]
Evening = Callable[[House], Awaitable[None]]


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., None]:
    def run(evening: Evening, **chosen: Any) -> None:
        async def spend() -> None:
            async with house(tmp_path / "tables.sqlite3", **chosen) as here:
                await asyncio.wait_for(evening(here), PATIENCE)

        asyncio.run(spend())

    return run


# Whose pages.


@pytest.mark.parametrize(
    ("public", "host", "ours"),
    [
        ("", "127.0.0.1:8300", True),
        ("", "localhost:8300", True),
        ("", "192.168.1.7:8300", True),
        ("", "[::1]:8300", True),
        ("", "evil.example", False),
        ("", "127.0.0.1.evil.example", False),
        ("", "", False),
        ("", "[", False),
        ("https://games.example", "games.example", True),
        ("https://games.example", "GAMES.example", True),
        ("https://games.example", "other.example", False),
        ("https://games.example", "192.168.1.7", False),
        ("https://games.example", "127.0.0.1:8300", True),
    ],
)
def test_only_names_of_our_own_are_ours(public: str, host: str, ours: bool) -> None:
    assert Guard(Settings(public_url=public)).is_our_host(host) is ours


@pytest.mark.parametrize(
    ("headers", "ours"),
    [
        ({"origin": "https://games.example"}, True),
        ({"origin": "http://games.example"}, False),
        ({"origin": "https://games.example.evil.example"}, False),
        ({"origin": "https://evil.example"}, False),
        ({"origin": "null"}, False),
        ({"sec-fetch-site": "same-origin"}, True),
        ({"sec-fetch-site": "same-site"}, False),
        ({"sec-fetch-site": "cross-site"}, False),
        ({}, True),
    ],
)
def test_only_our_own_pages_may_ask(headers: dict[str, str], ours: bool) -> None:
    guard = Guard(Settings(public_url="https://games.example"))
    assert guard.is_our_page({"host": "games.example"} | headers) is ours


def test_foreign_pages_are_refused(run: Callable[..., None]) -> None:
    async def evening(here: House) -> None:
        ada = await here.guest("Ada")
        body = {"game": "kahuna", "chairs": ME_AND_OPEN}
        assert (await ada.post("/api/tables", body, Origin="http://evil.example"))[1]["rule"] == "table.foreign-page"
        assert (await ada.get("/api/tables", Host="evil.example"))[1]["rule"] == "table.foreign-host"
        table = await ada.table("kahuna", ME_AND_OPEN)
        for origin in ("http://evil.example", f"https://127.0.0.1:{here.port}"):
            with pytest.raises(InvalidStatus) as refused:
                await connect(
                    f"ws://127.0.0.1:{here.port}/ws/{table}",
                    origin=origin,  # type: ignore[arg-type]
                    additional_headers={"Cookie": ada.cookie},
                )
            assert refused.value.response.status_code == 403

    run(evening)


def test_answers_keep_browsers_careful(run: Callable[..., None]) -> None:
    async def evening(here: House) -> None:
        import urllib.request

        def headers(path: str) -> Any:
            with urllib.request.urlopen(here.url + path, timeout=20) as answer:
                return answer.headers

        for path in ("/", "/join/some-token", "/api/games", "/healthz"):
            found = await asyncio.to_thread(headers, path)
            policy = found["content-security-policy"]
            assert "default-src 'none'" in policy
            assert "unsafe-inline" not in policy
            assert found["x-content-type-options"] == "nosniff"
            assert found["referrer-policy"] == "no-referrer"
            assert found["server"] is None

    run(evening)


def test_the_cookie_is_kept_from_scripts_and_other_sites(tmp_path: Path) -> None:
    from archipel.table.people.sessions import Sessions
    from archipel.table.storage import Store

    store = Store(str(tmp_path / "t.sqlite3"))
    plain, secure = Sessions(store, False, 180), Sessions(store, True, 0)
    assert plain.header("x") == "archipel=x; Path=/; Max-Age=15552000; HttpOnly; SameSite=Strict"
    assert secure.header("x") == "__Host-archipel=x; Path=/; Max-Age=34560000; HttpOnly; SameSite=Strict; Secure"


def test_what_is_kept_of_a_cookie_cannot_be_used(run: Callable[..., None], tmp_path: Path) -> None:
    async def evening(here: House) -> None:
        ada = await here.guest("Ada")
        table = await ada.table("kahuna", ME_AND_OPEN)
        link = await ada.link(table, "seat", 1)
        secret = ada.cookie.partition("=")[2]
        await asyncio.sleep(0.1)
        kept = b"".join(path.read_bytes() for path in tmp_path.iterdir())
        assert secret.encode() not in kept
        assert link.encode() not in kept
        assert len(secret) >= 22

    run(evening)


# How much.


def test_long_messages_and_bodies_are_refused(run: Callable[..., None]) -> None:
    async def evening(here: House) -> None:
        ada = await here.guest("Ada")
        status, said = await ada.post("/api/tables", b" " * 20_000)
        assert (status, said["rule"]) == (413, "table.too-long")
        table = await ada.table("kahuna", ME_AND_OPEN)
        async with ada.at(table) as a:
            await a.send(json.dumps({"type": "chat", "n": 1, "text": "x" * 17_000}))
            assert await closed(a.connection) == 1009

    run(evening)


def test_who_sends_too_much_is_slowed_and_then_put_out(run: Callable[..., None]) -> None:
    async def evening(here: House) -> None:
        ada = await here.guest("Ada")
        table = await ada.table("stonehenge", ME_AND_OPEN)
        async with ada.at(table) as a:
            for number in range(8):
                await a.send({"type": "chat", "n": number + 1, "text": "hello"})
            await a.until(lambda m: m["type"] == "refused" and m["rule"] == "table.too-fast")
            for number in range(400):
                await a.send({"type": "ping", "sent": number})
            assert await closed(a.connection) == 1008

    run(evening, messages=10)


def test_requests_are_limited_by_address(run: Callable[..., None]) -> None:
    async def evening(here: House) -> None:
        guest = Guest(here.port)
        statuses = [(await guest.get("/api/session"))[0] for _ in range(40)]
        assert statuses[0] == 200
        assert statuses[-1] == 429

    run(evening, requests=0.5)


def test_tables_and_sockets_are_limited(run: Callable[..., None]) -> None:
    async def evening(here: House) -> None:
        ada = await here.guest("Ada")
        table = await ada.table("stonehenge", ME_AND_OPEN)
        await ada.table("stonehenge", ME_AND_OPEN)
        status, said = await ada.post("/api/tables", {"game": "stonehenge", "chairs": ME_AND_OPEN})
        assert (status, said["rule"]) == (429, "table.too-fast")
        async with ada.at(table), ada.at(table):
            with pytest.raises(InvalidStatus):
                await ada.connect(table)
        async with ada.at(table):
            pass

    run(evening, tables_each=2, sockets_each=2)


def test_a_table_needs_a_person_and_its_bots_are_levels(run: Callable[..., None]) -> None:
    async def evening(here: House) -> None:
        ada = await here.guest("Ada")

        async def refused(*chairs: dict[str, str]) -> str:
            status, said = await ada.post("/api/tables", {"game": "stonehenge", "chairs": chairs})
            assert status == 409
            return str(said["rule"])

        sailor = {"kind": "bot", "level": "sailor"}
        assert await refused(sailor, sailor) == "table.person-needed"
        for name in ("expert", "mcts", "random"):
            assert await refused({"kind": "me"}, {"kind": "bot", "level": name}) == "table.level"
        table = await ada.table("stonehenge", [sailor, {"kind": "open"}])
        async with ada.at(table) as a:
            assert (await a.command("bot", seat=1, level="sailor"))["rule"] == "table.person-needed"
            assert (await a.command("bot", seat=1, level="expert"))["rule"] == "table.level"
            assert (await a.command("sit", seat=1))["type"] == "ack"

    run(evening, any_bot=False)


def test_a_full_house(run: Callable[..., None]) -> None:
    async def evening(here: House) -> None:
        ada = await here.guest("Ada")
        first, second = [await ada.table("stonehenge", ME_AND_OPEN) for _ in range(2)]
        async with ada.at(first), ada.connect(second) as connection:
            await connection.send('{"type":"hello","client":"another-tab"}')
            assert json.loads(await connection.recv())["rule"] == "table.full-house"
        async with ada.at(second):
            pass

    run(evening, tables=1)


def test_buckets_fill_again() -> None:
    bucket = Bucket(2, 1, 0.0)
    assert [bucket.take(0.0) for _ in range(3)] == [True, True, False]
    assert [bucket.take(1.0) for _ in range(2)] == [True, False]
    buckets = Buckets(1, 1, most=2)
    assert [buckets.take(key, 0.0) for key in ("a", "a", "b", "c", "a")] == [True, False, True, True, True]


def test_a_tally_counts_down() -> None:
    tally = Tally(1, 2)
    assert [tally.add(key) for key in ("a", "a", "b", "c")] == [True, False, True, False]
    tally.remove("a")
    assert tally.add("c")
    assert tally.total == 2


# What is told.


@pytest.mark.parametrize("path", ["/api/nothing", "/api/tables/nothing", "/api/tables/../../etc/passwd/record"])
def test_errors_tell_no_secrets(run: Callable[..., None], path: str) -> None:
    async def evening(here: House) -> None:
        status, said = await Guest(here.port).get(path)
        assert status == 404
        assert "/" not in json.dumps(said if isinstance(said, dict) else said.decode())

    run(evening)


def test_what_breaks_inside_stays_inside(run: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    async def evening(here: House) -> None:
        ada = await here.guest("Ada")

        async def broken(*_: Any) -> None:
            raise RuntimeError("the secret path /etc/shadow")

        monkeypatch.setattr(here.hub.store, "public", broken)
        status, said = await ada.get("/api/tables")
        assert (status, said) == (500, {"rule": "table.trouble", "reason": "Something went wrong here."})

    run(evening)


def test_health_and_metrics(run: Callable[..., None]) -> None:
    async def evening(here: House) -> None:
        guest = Guest(here.port)
        assert await guest.get("/healthz") == (200, {"status": "ok"})
        status, page = await guest.get("/metrics")
        assert status == 200
        assert b"archipel_sockets 0.0" in page
        here.hub.stopping = True
        assert (await guest.get("/healthz"))[0] == 503

    run(evening)


# Settings.


def test_settings_come_from_the_command_line_then_the_environment() -> None:
    environment = {"ARCHIPEL_PORT": "9000", "ARCHIPEL_HOST": "0.0.0.0", "OTHER": "x"}
    chosen = settings({"port": 9001, "host": None}, environment)
    assert (chosen.port, chosen.host, chosen.workers) == (9001, "0.0.0.0", 1)
    with pytest.raises(ValueError, match="ARCHIPEL_PORT is a whole number, not many"):
        settings({}, {"ARCHIPEL_PORT": "many"})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("BOTS", "-1"),
        ("WORKERS", "0"),
        ("PORT", "70000"),
        ("PACE", "nan"),
        ("SOCKETS", "0"),
        ("REQUESTS", "-3"),
        ("LEASE", "0"),
        ("SPECTATORS", "-1"),
        ("LOG_FORMAT", "loud"),
        ("REDIS", "hints"),
        ("PROXIES", "nginx"),
        ("ANY_BOT", "perhaps"),
    ],
)
def test_nonsense_is_no_setting(name: str, value: str) -> None:
    with pytest.raises(ValueError, match=r"^[A-Z].* (is|has) .*\.$"):
        settings({}, {f"ARCHIPEL_{name}": value})
