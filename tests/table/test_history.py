"""A person's history: every finished game, head-to-head, ratings, records; and the phrase that carries it."""

import asyncio
import json
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from archipel import Record
from archipel.arena import ladder
from archipel.table import protocol
from archipel.table.log import events
from archipel.table.log.decisions import Refusal
from archipel.table.log.results import all_results, results
from archipel.table.people import history, phrases
from archipel.table.people.sessions import Person
from archipel.table.protocol import NewChair
from archipel.table.storage import Change, Histories, Store
from archipel.table.storage.histories import Wanted
from tests.patience import PATIENCE

from .house import Guest, House, house
from .room import NOW, Room
from .test_storage import ROW, appended, spend

STORED = Path(__file__).parent / "stored"
Evening = Callable[[House], Awaitable[None]]
ADA, BO = Person("Ada", "Ada"), Person("Bo", "Bo")


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., None]:
    def run(evening: Evening, **settings: Any) -> None:
        async def spend() -> None:
            async with house(tmp_path / "tables.sqlite3", **settings) as here:
                await asyncio.wait_for(evening(here), PATIENCE)

        asyncio.run(spend())

    return run


def resigned(who: str = "Bo", seat: int = 1, game: str = "stonehenge", **more: Any) -> Room:
    room = Room(game, **more).sit_all()
    room.act(room.table.state.decode(room.table.state.actions()[0]))
    room.say(who, protocol.Resign, seat=seat)
    return room


async def keep(store: Store, room: Room) -> None:
    """A whole log, as a server keeps it: the last change brings the results."""
    table, again = room.table, Room(room.table.setup.game, secret=room.table.setup.secret).table
    for entry in table.log[:-1]:
        again.apply(entry)
    last = table.log[-1:]
    await store.create(table.setup, table.log[:-1], ROW, ["Ada", "Bo"])
    change = Change(table.setup.id, len(table.log) - 1, last, {"status": "over"}, game=table.setup.game)
    change.results = results(again, last)
    assert await appended(store, change) is None


def test_a_game_that_ends_is_in_the_history_of_each_who_played(database: str) -> None:
    room = resigned()

    async def evening(store: Store) -> None:
        await keep(store, room)
        kept = Histories(store)
        (mine,), (theirs,) = [await kept.page(who, Wanted(), None, 10) for who in ("Ada", "Bo")]
        assert (mine.result.result, theirs.result.result) == ("won", "lost")
        assert (mine.result.how, mine.result.moves, mine.result.number) == ("resigned", 1, 1)
        assert [(met.kind, met.opponent, met.result) for met in mine.result.met] == [("person", "Bo", "won")]
        assert await kept.page("Cleo", Wanted(), None, 10) == []

    spend(database, evening)


def test_results_are_those_of_the_state_that_the_last_action_leads_to() -> None:
    room = Room("stonehenge").sit_all().play_out(seed=3)
    before = Room("stonehenge").table
    end = next(n for n, entry in enumerate(room.table.log) if isinstance(entry, events.Ended))
    for entry in room.table.log[: end - 1]:
        before.apply(entry)
    found = results(before, room.table.log[end - 1 :])
    assert {one.who: one.result for one in found} == {
        "Ada": "won" if room.table.ending and room.table.ending.winner == 0 else "lost",
        "Bo": "won" if room.table.ending and room.table.ending.winner == 1 else "lost",
    }
    assert found == all_results(room.table)
    assert found[0].moves == len(room.table.history.actions)


def test_everybody_at_one_screen_has_a_record_of_their_own(database: str) -> None:
    chairs = [NewChair("here", "Mia"), NewChair("here", "Leo")]
    room = Room("stonehenge", chairs=chairs)
    room.say("Ada", protocol.Resign, seat=0)

    async def evening(store: Store) -> None:
        await keep(store, room)
        kept = Histories(store)
        assert len(await kept.page("Ada", Wanted(), None, 10)) == 1, "one game is listed once"
        (leo,) = await kept.page("Ada", Wanted(name="Leo"), None, 10)
        assert leo.result.result == "won"
        told = await history.figures(kept, ADA)
        assert sorted(told.names) == ["Leo", "Mia"]
        assert {(one.name, one.opponent, one.won, one.lost) for one in told.against} == {
            ("Mia", "Leo", 0, 1),
            ("Leo", "Mia", 1, 0),
        }

    spend(database, evening)


def test_ten_thousand_games_come_page_by_page(database: str) -> None:
    room = resigned()
    (ada, _) = all_results(room.table)

    async def evening(store: Store) -> None:
        kept = Histories(store)

        def fill(connection: Any) -> None:
            from msgspec.structs import replace

            for number in range(1, 10_001):
                when, who = NOW + number // 3, ("Bo", "Cleo")[number % 2]
                opponent = replace(ada.met[0], opponent=who, name=who)
                result = "won" if number % 5 else "lost"
                many.append(replace(ada, number=number, at=when, met=(opponent,), result=result))
            store.changes.note(connection, "t", "stonehenge", many)

        many: list[Any] = []
        await store.write(fill)
        seen: list[int] = []
        before, pages = "", 0
        while True:
            page = await history.page(kept, ADA, {"result": "lost", "search": "cLE"}, before)
            assert page.total == 1_000
            seen += [game.number for game in page.games]
            before, pages = page.next, pages + 1
            if not before:
                break
        assert pages == 1_000 // history.PAGE
        assert len(set(seen)) == len(seen) == 1_000
        assert {number % 10 for number in seen} == {5}
        told = await history.figures(kept, ADA)
        cleo = next(one for one in told.against if one.opponent == "Cleo")
        assert (cleo.won, cleo.lost) == (5_000, 0), "what counts between two is who of them won"
        chosen = await history.page(kept, ADA, {"opponent": cleo.id}, "")
        assert chosen.total == 5_000
        assert (await history.page(kept, BO, {"opponent": cleo.id}, "")).total == 0
        with pytest.raises(Refusal, match="no such page"):
            await history.page(kept, ADA, {}, "yesterday")
        await history.forget(kept, ADA)
        assert (await history.page(kept, ADA, {}, "")).total == 0

    spend(database, evening)


def test_games_from_before_are_read_into_the_history(tmp_path: Path) -> None:
    path = tmp_path / "tables.sqlite3"
    with sqlite3.connect(path) as connection:
        connection.executescript((STORED / "krakatoa.sql").read_text("utf-8"))
    connection.close()

    async def read() -> None:
        async with house(path) as here:
            kept = here.api.histories
            while await kept.unread(1):
                await asyncio.sleep(0.05)
            people = {chair.who for name in await here.hub.store.ids() for chair in await chairs_of(here, name)}
            games = [game for who in people for game in await kept.page(who, Wanted(), None, 100)]
            over = [name for name in await here.hub.store.ids() if await is_over(here, name)]
            assert over
            assert {game.table for game in games} == set(over)

    asyncio.run(read())


async def chairs_of(here: House, name: str) -> list[Any]:
    live = await here.hub.find(name)
    return [chair for chair in live.table.chairs if chair.who] if live else []


async def is_over(here: House, name: str) -> bool:
    live = await here.hub.find(name)
    return bool(live and any(isinstance(entry, events.Ended) for entry in live.table.log))


# Ratings.


def test_a_rating_is_honest_about_few_games() -> None:
    once = ladder.standing("stonehenge", [ladder.Played(("sailor",), won=1)])
    often = ladder.standing("stonehenge", [ladder.Played(("sailor",), won=60, lost=40)])
    assert once
    assert often
    sailor = ladder.elo_of("stonehenge")["sailor"]
    assert once.low < sailor < once.high
    assert once.high - once.low > 3 * (often.high - often.low)
    assert sailor + 30 < often.elo < sailor + 100, "six of ten are 70 points"
    assert (often.games, often.next) == (100, "sailor")


def test_who_beats_every_level_is_to_play_the_strongest_and_nobody_without_games_is_rated() -> None:
    won = [ladder.Played((level,), won=20) for level in ladder.elo_of("kahuna")]
    found = ladder.standing("kahuna", won)
    assert found
    assert found.next == "chief"
    assert ladder.standing("kahuna", []) is None
    assert ladder.standing("no such game", won) is None


def test_among_more_than_two_a_win_counts_for_more() -> None:
    two = ladder.standing("kula_kula", [ladder.Played(("sailor",), won=5, lost=5)])
    four = ladder.standing("kula_kula", [ladder.Played(("sailor",) * 3, won=5, lost=5)])
    assert two
    assert four
    assert four.elo > two.elo + 100


# Over HTTP.


async def a_game(here: House, ada: Guest, level: str = "beachcomber") -> str:
    table = await ada.table("stonehenge", [{"kind": "me"}, {"kind": "bot", "level": level}])
    async with ada.at(table) as player:
        await player.command("resign", seat=0)
    return table


def test_a_history_over_http(run: Callable[..., None]) -> None:
    async def evening(here: House) -> None:
        ada, eve = await here.guest("Ada"), await here.guest("Eve")
        table = await a_game(here, ada)
        running = await ada.table("stonehenge", [{"kind": "me"}, {"kind": "open"}])
        status, told = await ada.get("/api/history")
        assert (status, told["total"]) == (200, 1)
        game = told["games"][0]
        assert (game["table"], game["result"], game["how"]) == (table, "lost", "resigned")
        assert [(one["kind"], one["id"]) for one in game["opponents"]] == [("bot", "beachcomber")]
        assert "who" not in json.dumps(told)
        assert [one["id"] for one in (await ada.get("/api/tables/running"))[1]["tables"]] == [running]
        status, lines = await ada.get("/api/history/records")
        records = [json.loads(line) for line in lines.splitlines()]
        assert [one["fair"]["table"] for one in records] == [table]
        Record.read(records[0]).check()
        figures = (await ada.get("/api/history/figures"))[1]
        assert [(one["opponent"], one["lost"]) for one in figures["against"]] == [("beachcomber", 1)]
        assert figures["ratings"][0]["low"] < figures["ratings"][0]["elo"] < figures["ratings"][0]["high"]
        assert (await eve.get("/api/history"))[1]["total"] == 0
        assert (await Guest(here.port).get("/api/history"))[0] == 401
        assert (await eve.post("/api/history/delete", {}))[0] == 204
        assert (await ada.get("/api/history"))[1]["total"] == 1, "one's own is deleted, and nobody else's"
        assert (await ada.post("/api/history/delete", {}))[0] == 204
        assert (await ada.get("/api/history"))[1]["total"] == 0
        assert (await ada.get(f"/api/tables/{table}"))[0] == 200, "the table stays"

    run(evening)


# The phrase.


def test_a_phrase_is_read_however_it_is_typed() -> None:
    phrase = phrases.new()
    assert len(phrase.split()) == phrases.WORDS
    assert phrases.read(f"  {phrase.upper().replace(' ', ' - ')}\n") == phrase


def test_a_slip_is_told_from_a_phrase_that_nobody_has() -> None:
    phrase = phrases.new()
    slip = ("ba" if phrase[:2] != "ba" else "be") + phrase[2:]
    with pytest.raises(Refusal, match="typing mistake"):
        phrases.read(slip)
    for none in ("", "hello", phrase[:-1], phrase + " kalu", "é" * 24):
        with pytest.raises(Refusal, match="6 words"):
            phrases.read(none)


def test_a_phrase_lets_its_owner_in_once(run: Callable[..., None]) -> None:
    async def evening(here: House) -> None:
        ada = await here.guest("Ada")
        await a_game(here, ada)
        old = (await ada.post("/api/session/phrase", {}))[1]["phrase"]
        phrase = (await ada.post("/api/session/phrase", {}))[1]["phrase"]
        kept = Path(str(here.hub.store.url.database)).read_bytes()
        assert phrase.split()[0].encode() not in kept
        phone, thief = Guest(here.port), Guest(here.port)
        status, said = await thief.post("/api/session/recover", {"phrase": old})
        assert (status, said["rule"]) == (409, "table.phrase"), "a newer one takes its place"
        assert (await phone.post("/api/session/recover", {"phrase": phrase}))[1] == {"name": "Ada"}
        assert (await phone.get("/api/history"))[1]["total"] == 1
        status, said = await thief.post("/api/session/recover", {"phrase": phrase})
        assert (status, said["rule"]) == (409, "table.phrase")
        assert "works once" in said["reason"]
        assert (await thief.get("/api/session"))[1] == {"name": ""}
        assert (await ada.get("/api/session"))[1] == {"name": "Ada"}, "the first device stays"

    run(evening)


def test_phrases_cannot_be_guessed_quickly(run: Callable[..., None]) -> None:
    async def evening(here: House) -> None:
        thief = Guest(here.port)
        answers = [(await thief.post("/api/session/recover", {"phrase": phrases.new()}))[0] for _ in range(14)]
        assert answers[0] == 409
        assert answers[-1] == 429

    run(evening)
