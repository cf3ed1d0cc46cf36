"""The server over real sockets: sessions, tables, links, play, coming back."""

import asyncio
import json
import random
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

import archipel
from archipel import Record
from archipel.table.log import events
from archipel.table.log.fairness import verify
from archipel.table.storage import Change, StorageError, Unsure
from tests.patience import PATIENCE

from .house import Guest, House, Player, closed, house

Json = dict[str, Any]
Evening = Callable[[House], Awaitable[None]]
ME_AND_OPEN: list[Json] = [{"kind": "me"}, {"kind": "open"}]


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., None]:
    """Spend an evening at a house."""

    def run(evening: Evening, **settings: Any) -> None:
        async def spend() -> None:
            async with house(tmp_path / "tables.sqlite3", **settings) as here:
                await asyncio.wait_for(evening(here), PATIENCE)

        asyncio.run(spend())

    return run


async def two(here: House, game: str = "kahuna", **more: Any) -> tuple[Guest, Guest, str, str]:
    """Ada has made a table, and Bo has a link to its other seat."""
    ada, bo = await here.guest("Ada"), await here.guest("Bo")
    table = await ada.table(game, ME_AND_OPEN, **more)
    return ada, bo, table, await ada.link(table, "seat", 1)


async def play_out(here: House, table: str, *players: Player, seed: int = 0) -> None:
    """Play at random to the end; every player looks through the seat of his number."""
    rng = random.Random(seed)
    live = here.hub.lives[table]
    while live.table.playing:
        for player in players:
            await player.until_version(live.table.version)
        mover = players[live.table.mover]
        answer = await mover.act(rng.choice(mover.position["legal"])["action"])
        assert answer["type"] == "ack"
    for player in players:
        await player.until_version(live.table.version)


def test_a_whole_evening(run: Callable[..., None]) -> None:
    async def evening(here: House) -> None:
        ada, bo, table, link = await two(here, "stonehenge")
        async with ada.at(table) as a, bo.at(table, link=link) as b:
            assert a.welcome["table"]["game"] == "stonehenge"
            assert (a.yours["seats"], a.yours["host"], b.yours["seats"]) == ([0], True, [])
            promise = a.welcome["commit"]
            await b.command("sit", seat=1, link=link, seed="of Bo")
            await a.until_version(3)
            assert [chair["name"] for chair in a.chairs] == ["Ada", "Bo"]
            assert next(e for e in a.entries if e["kind"] == "started")["commit"] == promise
            await play_out(here, table, a, b)
            assert a.position["over"]["by"] == "rules"
            assert a.position["over"] == b.position["over"]
            status, record = await bo.get(f"/api/tables/{table}/record")
            assert status == 200
            assert verify(Record.read(record)).fair
            assert record["players"] == ["Ada", "Bo"]
            assert record["fair"]["commit"] == promise
            assert (await ada.post("/api/verify", record))[1]["fair"]
            record["fair"]["seeds"] = ["", "of somebody else"]
            assert not (await ada.post("/api/verify", record))[1]["fair"] or not record["fair"]["draws"]
            await a.command("rematch")
            await b.command("rematch")
            await a.until(lambda m: m["type"] == "yours" and m["seats"] == [1])
            await a.until_version(here.hub.lives[table].table.version)
            assert a.position["seat"] == 1
            assert a.position["game"] == 2

    run(evening)


def test_an_answer_comes_after_the_log_is_written(run: Callable[..., None]) -> None:
    async def evening(here: House) -> None:
        ada, bo, table, link = await two(here, "stonehenge")
        async with ada.at(table) as a, bo.at(table, link=link) as b:
            await b.command("sit", seat=1, link=link)
            await a.until_version(3)
            answer = await a.act("6@K")
            kept = await here.hub.store.load(table)
            assert kept is not None
            assert len(kept.entries) >= answer["version"]

    run(evening)


def test_a_command_sent_twice_happens_once(run: Callable[..., None]) -> None:
    async def evening(here: House) -> None:
        ada, bo, table, link = await two(here, "stonehenge")
        async with ada.at(table) as a, bo.at(table, link=link) as b:
            await b.command("sit", seat=1, link=link)
            await a.until_version(3)
            act = {"type": "act", "n": 1, "at": a.version, "action": "6@K"}
            for _ in range(3):
                await a.send(act)  # while it is being kept: one answer will do
            assert (await a.until(lambda m: m["type"] in ("ack", "refused")))["type"] == "ack"
            await a.send(act)
            assert (await a.until(lambda m: m["type"] in ("ack", "refused")))["type"] == "ack"
            assert here.hub.lives[table].table.history.moves == 1
            again = await a.command("act", at=a.version, action="5@A")
            assert (again["type"], again["n"]) == ("ack", 1), "the counter is that of the first command"

    run(evening)


def test_coming_back(run: Callable[..., None]) -> None:
    async def evening(here: House) -> None:
        ada, bo, table, link = await two(here, "stonehenge")
        async with bo.at(table, link=link) as b:
            async with ada.at(table) as a:
                await b.command("sit", seat=1, link=link)
                await a.until_version(3)
                await a.act("6@K")
                await a.until_version(4)
                seen = a.seen
            await b.until_version(4)
            await b.act("5@A")
            async with ada.at(table) as again:
                assert again.version == 5
                assert len(again.entries) == 5 - again_start(again)
            async with ada.connect(table) as connection:
                back = Player(connection)
                back.version = seen["since"]
                await back.hello(**seen)
                update = back.messages[-1]
                assert not update.get("whole")
                assert [entry["v"] for entry in update["entries"]] == [5]
                assert update["entries"][0]["notation"] == "5@A"
            async with ada.connect(table) as connection:
                drifted = Player(connection)
                await drifted.hello(since=seen["since"], hash="something else")
                assert drifted.messages[-1]["whole"]

    run(evening)


def again_start(player: Player) -> int:
    """The version before the first entry that a player was told."""
    return int(player.entries[0]["v"]) - 1


def test_tables_outlive_the_server(tmp_path: Path) -> None:
    database = tmp_path / "tables.sqlite3"

    async def before() -> tuple[Guest, Guest, str]:
        async with house(database) as here:
            ada, bo, table, link = await two(here)
            async with ada.at(table) as a, bo.at(table, link=link) as b:
                await b.command("sit", seat=1, link=link)
                await a.until_version(12)
                await a.act("draw deck")
                view = a.position["view"]
                assert view["game"] == "kahuna"
            return ada, bo, table

    async def after(ada: Guest, bo: Guest, table: str) -> None:
        async with house(database) as here:
            for guest in (ada, bo):
                guest.port, guest.origin = here.port, here.url
            async with ada.at(table) as a, bo.at(table) as b:
                assert a.yours["seats"] == [0]
                assert len(a.position["view"]["hands"][0]) == 4
                assert b.position["view"]["hands"][0] == 4
                await play_out(here, table, a, b)

    async def both() -> None:
        await after(*await before())

    asyncio.run(both())


def test_two_on_one_screen_see_one_hand_at_a_time(run: Callable[..., None]) -> None:
    async def evening(here: House) -> None:
        ada = await here.guest("Ada")
        table = await ada.table("kahuna", [{"kind": "me"}, {"kind": "here", "name": "Kim"}])
        async with ada.at(table) as a:
            assert a.yours["seats"] == [0, 1]
            assert a.position["seat"] is None
            assert a.position["view"]["hands"] == [3, 3]
            assert a.position["legal"] == []
            await a.send({"type": "look", "seat": 1})
            await a.until(lambda m: m["type"] == "update" and m["position"]["seat"] == 1)
            assert a.position["view"]["hands"][0] == 3
            assert len(a.position["view"]["hands"][1]) == 3
            await a.send({"type": "look", "seat": 0})
            await a.until(lambda m: m["type"] == "update" and m["position"]["seat"] == 0)
            assert (await a.act("draw deck"))["type"] == "ack"
            await a.send({"type": "look", "seat": 2})
            await a.until(lambda m: m["type"] == "trouble" and m["rule"] == "table.not-your-seat")

    run(evening)


def test_links_let_in_and_are_revoked(run: Callable[..., None]) -> None:
    async def evening(here: House) -> None:
        ada, bo, table, link = await two(here)
        zoe = await here.guest("Zoe")
        async with zoe.connect(table) as connection:
            await connection.send('{"type":"hello","client":"zoes-tab"}')
            assert await closed(connection) == 1008
        assert (await zoe.get(f"/api/tables/{table}"))[0] == 404
        assert (await zoe.post("/api/links", {"token": link}))[1] == {"table": table, "kind": "seat", "seat": 1}
        async with bo.at(table, link=link) as b:
            assert (await b.command("sit", seat=1))["rule"] == "table.link-needed"
            assert (await b.command("sit", seat=1, link=link))["type"] == "ack"
        assert (await bo.post(f"/api/tables/{table}/links", {"kind": "shoulder", "seat": 0}))[0] == 409
        watch, shoulder = await bo.link(table, "watch"), await bo.link(table, "shoulder", 1)
        async with zoe.at(table, link=watch) as spectator, zoe.at(table, link=shoulder) as friend:
            assert spectator.position["view"]["hands"] == [3, 3]
            assert friend.position["seat"] == 1
            assert len(friend.position["view"]["hands"][1]) == 3
            assert friend.position["view"]["hands"][0] == 3
            assert (await friend.act("draw deck"))["rule"] == "table.looking-on"
            await friend.send({"type": "look", "seat": 0})
            await friend.until(lambda m: m["type"] == "trouble")
            assert (await ada.post("/api/links/revoke", {"token": shoulder}))[0] == 409
            assert (await bo.post("/api/links/revoke", {"token": shoulder}))[0] == 204
            assert await closed(friend.connection) == 1008
        assert (await zoe.post("/api/links", {"token": shoulder}))[0] == 404

    run(evening)


def test_a_session_is_carried_to_another_device(run: Callable[..., None]) -> None:
    async def evening(here: House) -> None:
        ada = await here.guest("Ada")
        table = await ada.table("stonehenge", ME_AND_OPEN)
        status, link = await ada.post("/api/session/links", {})
        assert status == 201
        phone = Guest(here.port)
        assert (await phone.post("/api/session/arrive", {"token": link["token"]}))[0] == 201
        assert phone.cookie != ada.cookie
        assert (await phone.get("/api/session"))[1] == {"name": "Ada"}
        async with phone.at(table) as a:
            assert a.yours["seats"] == [0]
        assert (await Guest(here.port).post("/api/session/arrive", {"token": link["token"]}))[0] == 404
        await phone.post("/api/session", {"name": "Ada Lovelace"})
        assert (await ada.get("/api/session"))[1] == {"name": "Ada Lovelace"}

    run(evening)


def test_presence_and_chat(run: Callable[..., None]) -> None:
    async def evening(here: House) -> None:
        ada, bo, table, link = await two(here, "stonehenge")
        async with ada.at(table) as a:
            async with bo.at(table, link=link) as b:
                await b.command("sit", seat=1, link=link)
                await a.until(lambda m: m["type"] == "presence" and m["here"] == [True, True])
                await b.command("chat", text="Good luck <script>")
                said = await a.until(lambda m: m["type"] == "said")
                assert [(one["name"], one["text"], one["seat"]) for one in said["remarks"]] == [
                    ("Bo", "Good luck <script>", 1)
                ]
            await a.until(lambda m: m["type"] == "presence" and m["here"] == [True, False])
            assert (await a.command("bot", seat=1, level="random"))["rule"] == "table.still-here"

    run(evening)


def test_bots_play_and_a_left_seat_is_theirs(run: Callable[..., None]) -> None:
    async def evening(here: House) -> None:
        ada, bo, table, link = await two(here, "stonehenge")
        async with ada.at(table) as a:
            async with bo.at(table, link=link) as b:
                await b.command("sit", seat=1, link=link)
                await b.command("rise", seat=1)
            assert (await a.command("bot", seat=1, level="nobody"))["rule"] == "table.level"
            assert (await a.command("bot", seat=1, level="random"))["type"] == "ack"
            live, rng = here.hub.lives[table], random.Random(292)
            while live.table.playing:
                await a.until_version(live.table.version)
                if a.position["legal"]:
                    await a.act(rng.choice(a.position["legal"])["action"])
                else:
                    await a.next()
            await a.until_version(live.table.version)
            assert a.entries[-1]["kind"] == "ended"

    run(evening)


def test_bots_among_themselves(run: Callable[..., None]) -> None:
    async def evening(here: House) -> None:
        ada = await here.guest("Ada")
        bots = [{"kind": "bot", "level": "random"}, {"kind": "bot", "level": "random"}]
        table = await ada.table("stonehenge", bots, visibility="public")
        async with Guest(here.port).at(table) as spectator:
            while not spectator.position.get("over"):
                await spectator.next()
        assert (await ada.get("/api/tables"))[1]["yours"][0]["status"] == "over"

    run(evening)


def test_hints_come_from_the_pool(run: Callable[..., None]) -> None:
    async def evening(here: House) -> None:
        ada = await here.guest("Ada")
        table = await ada.table("stonehenge", [{"kind": "me"}, {"kind": "bot", "level": "random"}])
        async with ada.at(table) as a:
            hint = await a.command("ask-hint")
            assert hint["type"] == "hint"
            assert hint["ranking"][0]["action"] in [legal["action"] for legal in a.position["legal"]]
            assert (await a.command("ask-analysis", moves=0))["rule"] == "table.not-over"
            await a.command("resign", seat=0)
            assert (await a.command("ask-analysis", moves=0))["type"] == "hint"
            assert (await a.command("ask-analysis", moves=9))["rule"] == "table.no-such-step"

    run(evening)


def test_hints_are_not_for_those_who_play_each_other(run: Callable[..., None]) -> None:
    async def evening(here: House) -> None:
        ada, bo, table, link = await two(here, "stonehenge")
        async with ada.at(table) as a, bo.at(table, link=link) as b:
            await b.command("sit", seat=1, link=link)
            assert (await a.command("ask-hint"))["rule"] == "table.no-hints"

    run(evening)


def test_the_clock_ends_a_game(run: Callable[..., None]) -> None:
    async def evening(here: House) -> None:
        ada, bo, table, link = await two(here, "stonehenge", clock={"kind": "live", "initial": 10_000})
        live = await here.hub.find(table)
        assert live is not None
        async with ada.at(table) as a, bo.at(table, link=link) as b:
            await b.command("sit", seat=1, link=link)
            await a.until_version(3)
            assert a.position["time"]["running"] == 0
            live.table.timer.left[0] = 100
            live.look_after()
            await a.until(lambda m: m["type"] == "update" and m["entries"][-1]["kind"] == "ended")
            assert a.position["over"] == {"by": "time", "winner": 1, "seat": 0}

    run(evening)


@pytest.mark.parametrize("why", ["bot", "stopping"])
def test_a_clock_that_can_end_nothing_does_not_ring_without_end(run: Callable[..., None], why: str) -> None:
    """A bot that has been asked may take longer than its time; and a server that stops decides nothing more."""

    async def evening(here: House) -> None:
        ada, bo, table, link = await two(here, "stonehenge", clock={"kind": "live", "initial": 10_000})
        live = await here.hub.find(table)
        assert live is not None
        async with ada.at(table) as a, bo.at(table, link=link) as b:
            await b.command("sit", seat=1, link=link)
            await a.until_version(3)
            rings, ring = [], live._ring
            live._ring = lambda: (rings.append(1), ring())  # type: ignore[method-assign, assignment, func-returns-value]
            live.table.timer.left[0] = -1
            live._asked = live.table.position
            if why == "bot":
                live.table.chairs[0].level = "random"
            else:
                here.hub.stopping = True
            live.look_after()
            for _ in range(100):
                await asyncio.sleep(0)
            here.hub.stopping = False
            assert len(rings) <= 1

    run(evening)


def test_a_slow_reader_is_sent_the_whole_view_instead(run: Callable[..., None]) -> None:
    async def evening(here: House) -> None:
        ada, _, table, _ = await two(here, "stonehenge")
        async with ada.at(table) as a:
            (socket,) = here.hub.lives[table].sockets
            line: Any = socket._connection
            line.pause_writing()
            for number in range(200):
                socket.post(b'{"type":"pong","sent":%d,"now":0}' % number)
            line.resume_writing()
            await a.until(lambda m: m["type"] == "update" and m.get("whole", False))
            assert sum(m["type"] == "pong" for m in a.messages) < 200

    run(evening)


def test_goodbye(tmp_path: Path) -> None:
    async def evening() -> None:
        async with house(tmp_path / "tables.sqlite3") as here:
            ada = await here.guest("Ada")
            table = await ada.table("stonehenge", ME_AND_OPEN)
            connection = await ada.connect(table)
            player = Player(connection)
            await player.hello()
        goodbye = await player.until(lambda m: m["type"] == "goodbye")
        assert goodbye == {"type": "goodbye", "rule": "table.stopping", "after": 2000}
        assert await closed(connection) == 1012

    asyncio.run(evening())


def test_lists_of_tables_and_games(run: Callable[..., None]) -> None:
    async def evening(here: House) -> None:
        ada, bo = await here.guest("Ada"), await here.guest("Bo")
        public = await ada.table("kahuna", ME_AND_OPEN, visibility="public")
        await ada.table("stonehenge", ME_AND_OPEN)
        _, games = await bo.get("/api/games")
        assert [game["name"] for game in games["games"]] == list(archipel.GAMES)
        assert {game["name"]: game["seats"] for game in games["games"]}["kula_kula"] == [3, 4, 5]
        assert len((await ada.get("/api/tables"))[1]["yours"]) == 2
        listed = (await bo.get("/api/tables"))[1]
        assert [table["id"] for table in listed["public"]] == [public]
        assert listed["yours"] == []
        async with bo.at(public) as b:
            await b.command("sit", seat=1)
            assert b.yours["seats"] == [1] or await b.until(lambda m: m["type"] == "yours")
        assert (await bo.get(f"/api/tables/{public}"))[1]["yours"] == [1]

    run(evening)


@pytest.mark.parametrize(
    ("body", "status", "rule"),
    [
        ({"game": "chess", "chairs": []}, 409, "table.options"),
        ({"game": "kahuna", "chairs": [{"kind": "me"}]}, 409, "table.seats"),
        ({"game": "kahuna", "chairs": ME_AND_OPEN, "options": {"edition": "mine"}}, 409, "table.options"),
        ({"game": "kahuna", "chairs": [{"kind": "me"}, {"kind": "bot"}]}, 409, "table.level"),
        ({"game": "kahuna", "chairs": ME_AND_OPEN, "colour": "red"}, 400, "table.not-understood"),
        ({"game": "kahuna", "chairs": ME_AND_OPEN, "clock": {"kind": "live"}}, 400, "table.not-understood"),
    ],
)
def test_tables_that_cannot_be(run: Callable[..., None], body: Json, status: int, rule: str) -> None:
    async def evening(here: House) -> None:
        ada = await here.guest("Ada")
        assert (await Guest(here.port).post("/api/tables", {"game": "kahuna", "chairs": ME_AND_OPEN}))[0] == 401
        answer = await ada.post("/api/tables", body)
        assert (answer[0], answer[1]["rule"]) == (status, rule)

    run(evening)


def test_what_cannot_be_kept_is_refused_and_changes_nothing(run: Callable[..., None]) -> None:
    async def evening(here: House) -> None:
        ada, bo, table, link = await two(here, "stonehenge")
        async with ada.at(table) as a, bo.at(table, link=link) as b:
            await b.command("sit", seat=1, link=link)
            await a.until_version(3)
            append = here.hub.store.append
            here.hub.store.append = lambda change, callback: callback(None, StorageError("full"))  # type: ignore[method-assign]
            assert (await a.act("6@K"))["rule"] == "table.not-kept"
            here.hub.store.append = append  # type: ignore[method-assign]
            assert (await a.act("6@K"))["type"] == "ack"

    run(evening)


def test_where_it_is_not_sure_the_log_is_asked(run: Callable[..., None]) -> None:
    """The connection to the database was lost after it had taken the move: the move stands, and is known again."""

    async def evening(here: House) -> None:
        ada, bo, table, link = await two(here, "stonehenge")
        async with ada.at(table) as a, bo.at(table, link=link) as b:
            await b.command("sit", seat=1, link=link)
            await a.until_version(3)
            append = here.hub.store.append

            def unsure(change: Any, callback: Any) -> None:
                append(change, lambda _, error: callback(None, Unsure("lost")))

            here.hub.store.append = unsure  # type: ignore[method-assign]
            act = {"type": "act", "n": 1, "at": 3, "action": "6@K"}
            await a.send(act)
            assert (await a.until(lambda m: m["type"] == "goodbye"))["rule"] == "table.moved"
            here.hub.store.append = append  # type: ignore[method-assign]
            async with ada.connect(table) as connection:
                again = Player(connection, a.client)
                await again.hello()
                assert again.version == 4
                await again.send(act)
                assert (await again.until(lambda m: m["type"] == "ack"))["version"] == 4

    run(evening)


def test_a_table_of_other_rules_is_left_alone(run: Callable[..., None]) -> None:
    async def evening(here: House) -> None:
        ada = await here.guest("Ada")
        table = await ada.table("stonehenge", ME_AND_OPEN)
        kept = await here.hub.store.load(table)
        assert kept is not None
        wrong: list[events.Entry] = [events.Acted(at=1, seat=0, action=msgspec.Raw(b'{"do":"fly"}'))]
        done = asyncio.get_running_loop().create_future()
        here.hub.store.append(Change(table, len(kept.entries), wrong), lambda _, error: done.set_result(error))
        assert await done is None
        for live in list(here.hub.lives.values()):
            here.hub.drop(live)
        async with ada.connect(table) as connection:
            await connection.send('{"type":"hello","client":"some-tab"}')
            assert json.loads(await connection.recv())["rule"] == "table.other-rules"
        assert (await ada.get("/api/tables"))[1]["yours"] == []

    run(evening)


def test_a_view_is_drawn_for_pages_without_a_board(run: Callable[..., None]) -> None:
    async def evening(here: House) -> None:
        ada = await here.guest("Ada")
        state = archipel.game("kahuna").new()
        status, drawn = await ada.post("/api/picture", state.view(0))
        assert status == 200
        assert drawn == {"svg": state.game.svg(state.view(0)), "text": state.game.text(state.view(0))}
        status, whole = await ada.post("/api/picture", state.snapshot() | {"seat": None})
        assert (status, whole["text"]) == (200, state.game.text(state.snapshot()))
        for wrong in ({}, {"game": "kahuna", "options": {}}, state.view(0) | {"bridges": 3}, {"game": 1, "options": 2}):
            assert (await ada.post("/api/picture", wrong))[0] == 400

    run(evening)


def test_a_table_says_whether_seats_have_secrets(run: Callable[..., None]) -> None:
    async def evening(here: House) -> None:
        ada = await here.guest("Ada")
        for game, options, secret in (
            ("kahuna", {}, True),
            ("kula_kula", {}, True),
            ("stonehenge", {}, False),
            ("stonehenge", {"hidden": True}, True),
            ("krakatoa", {}, False),
        ):
            seats = 3 if game == "kula_kula" else 2
            table = await ada.table(game, [{"kind": "me"}, *[{"kind": "open"}] * (seats - 1)], options=options)
            async with ada.at(table) as player:
                assert player.welcome["table"]["secret"] is secret

    run(evening)
