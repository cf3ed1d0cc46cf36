"""Games that are over: step by step through any eyes, and played on from any step. Of those that run: nothing."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from archipel import Record
from archipel.core.rules import CHANCE, OVER
from archipel.table import protocol
from archipel.table.log import branch, events, records, replay
from archipel.table.log.decisions import Caller, Refusal
from archipel.table.log.fairness import TAKEN_OVER, NotFair, verify
from archipel.table.log.table import Table
from archipel.table.log.views import replayed
from tests.patience import PATIENCE
from tests.variants import EVERY, Options

from .house import House, house
from .room import NOW, Room
from .test_house import play_out, two

Eye = replay.Eye


def steps(table: Table, eye: Eye, game: int | None = None) -> list[dict[str, Any]]:
    """All steps of a game through these eyes, page by page."""
    played = replay.played(table, game)
    found: list[Any] = []
    while len(found) <= len(played.actions):
        told = msgspec.json.decode(msgspec.json.encode(replay.page(table, played, eye, len(found))))
        assert told["since"] == len(found)
        assert len(told["scores"]) == len(told["movers"]) == told["moves"] + 1
        found += told["steps"]
    return found


@pytest.mark.parametrize(("name", "options"), EVERY)
def test_every_step_is_what_those_eyes_saw(name: str, options: Options) -> None:
    room = Room(name, options).sit_all().play_out(seed=3)
    game = room.table.action_names.game
    state = game.new()
    states = [state]
    for action in room.table.history.actions:
        state = state.after(action)
        states.append(state)
    eyes: tuple[int | None, ...] = (None, 0, room.table.seats - 1)
    for eye in eyes:
        assert [step["view"] for step in steps(room.table, eye)] == [game.unaided(state.view(eye)) for state in states]
    everything = steps(room.table, "referee")
    assert [step["view"] for step in everything] == [state.snapshot() | {"seat": None} for state in states]
    assert [step["deed"]["action"] for step in everything[1:]] == records.record(room.table).actions


@pytest.mark.parametrize(("name", "options"), EVERY)
def test_deeds_are_told_as_they_were_at_the_table(name: str, options: Options) -> None:
    room = Room(name, options).sit_all().play_out(seed=5)
    told: list[Any] = []
    for entry in replayed(room.table, room.table.began, 0)[0]:
        if isinstance(entry, protocol.Acted | protocol.Happened):
            told.append((msgspec.json.decode(entry.action), entry.notation))
    assert [(step["deed"]["action"], step["deed"]["notation"]) for step in steps(room.table, 0)[1:]] == told


@pytest.mark.parametrize("eye", [None, 0, 1, "referee"])
def test_a_game_that_runs_shows_nothing(eye: Eye) -> None:
    room = Room("kahuna")
    for _ in range(2):
        with pytest.raises(Refusal, match="not over"):
            replay.played(room.table)
        if room.table.game == 0:
            room.sit_all()
    room.play_out()
    for who in ("Ada", "Bo"):
        room.say(who, protocol.Rematch)
    assert room.table.game == 2
    assert replay.page(room.table, replay.played(room.table), eye, 0).game == 1
    assert steps(room.table, eye) == steps(room.table, eye, 1)
    for game in (0, 2, 3):
        with pytest.raises(Refusal, match="not over"):
            replay.played(room.table, game)


def branched(room: Room, moves: int, seat: int = 0) -> Table:
    wanted = protocol.NewBranch(moves=moves, seat=seat, level="random")
    setup, entries = branch.branched(room.table, replay.played(room.table), wanted, Caller("Zoe", "Zoe"), NOW)
    return Table(setup, [events.decode(events.encode(entry)) for entry in entries])


@pytest.mark.parametrize(("name", "options"), EVERY)
def test_a_branch_begins_where_the_game_was(name: str, options: Options) -> None:
    room = Room(name, options).sit_all().play_out(seed=2)
    played = replay.played(room.table)
    moves = next(
        n
        for n in range(len(played.actions) // 2, len(played.actions))
        if replay.state_after(room.table, played, n).mover >= 0
    )
    table = branched(room, moves)
    assert table.playing
    assert table.state == replay.state_after(room.table, played, moves)
    assert [chair.kind for chair in table.chairs] == ["person", *["bot"] * (table.seats - 1)]


def test_a_branch_draws_anew_and_its_record_says_so() -> None:
    room = Room("kahuna").sit_all().play_out(seed=2)
    played = replay.played(room.table)
    table = branched(room, 40)
    rng = np.random.default_rng(0)
    again = Room("kahuna")
    again.table = table
    for seat in (0, 1):
        table.chairs[seat].who, table.chairs[seat].level = "Zoe", ""
    while table.mover != OVER:
        again.act_at_random(rng)
    record = records.record(table)
    assert record.fair["branch"] == {"table": room.table.setup.id, "game": 1, "moves": 40}
    before = sum(replay.state_after(room.table, played, n).mover == CHANCE for n in range(40))
    assert record.fair["draws"][:before] == [TAKEN_OVER] * before
    assert "taken over" in verify(Record.read(record.json())).draws
    record.fair.pop("branch")
    with pytest.raises(NotFair):
        verify(record)


def test_nobody_plays_on_where_the_game_is_over() -> None:
    room = Room("stonehenge").sit_all().play_out()
    for moves in (len(room.table.history.actions), 500):
        with pytest.raises(Refusal):
            branched(room, moves)
    with pytest.raises(Refusal, match="no such seat"):
        branched(room, 0, seat=2)


def test_over_the_wire(tmp_path: Path) -> None:
    async def evening(here: House) -> None:
        ada, bo, table, link = await two(here, "stonehenge")
        zoe = await here.guest("Zoe")
        address = f"/api/tables/{table}/replay"
        async with ada.at(table) as a, bo.at(table, link=link) as b:
            await b.command("sit", seat=1, link=link)
            await a.until_version(3)
            for guest in (ada, bo):
                for eye in ("0", "1", "referee", ""):
                    status, refused = await guest.get(f"{address}?eye={eye}")
                    assert (status, refused["rule"]) == (409, "table.not-over")
                assert (await guest.post(f"/api/tables/{table}/branch", new()))[0] == 409
            await play_out(here, table, a, b)
            hint = await a.command("ask-analysis", moves=3, game=1)
            assert hint["seat"] == 1
            assert hint["played"] in [opinion["notation"] for opinion in hint["ranking"]]
            assert {"action", "notation", "share", "value"} == set(hint["ranking"][0])
        status, told = await ada.get(f"{address}?eye=referee&since=4")
        assert (status, told["since"], told["eye"], told["chairs"][1]["name"]) == (200, 4, "referee", "Bo")
        assert (await ada.get(f"{address}?eye=7"))[1]["rule"] == "table.no-such-seat"
        await outsiders(here, ada, zoe, table)

    def new(**more: Any) -> dict[str, Any]:
        return {"moves": 4, "seat": 1, "level": "random"} | more

    async def outsiders(here: House, ada: Any, zoe: Any, table: str) -> None:
        address = f"/api/tables/{table}/replay"
        assert (await zoe.get(address))[0] == 404
        token = await ada.link(table, "watch")
        assert (await zoe.get(address, archipel_link="nothing"))[0] == 404
        assert (await zoe.get(address, archipel_link=token))[0] == 200
        assert (await zoe.get(f"/api/tables/{table}/record", archipel_link=token))[0] == 200
        other = await ada.table("stonehenge", [{"kind": "me"}, {"kind": "open"}])
        assert (await zoe.get(f"/api/tables/{other}/replay", archipel_link=token))[0] == 404
        status, made = await zoe.post(f"/api/tables/{table}/branch", new(), archipel_link=token)
        assert status == 201
        async with zoe.at(made["id"]) as z:
            assert z.yours == {"type": "yours", "seats": [1], "host": True}
            assert z.position["moves"] >= 4
        for body in (new(level="nobody"), new(seat=9), new(moves=900), {"moves": 1}):
            assert (await zoe.post(f"/api/tables/{table}/branch", body, archipel_link=token))[0] in (400, 409)

    async def spend() -> None:
        async with house(tmp_path / "tables.sqlite3") as here:
            await asyncio.wait_for(evening(here), PATIENCE)

    asyncio.run(spend())


def test_links_are_listed_and_revoked_by_whoever_may(tmp_path: Path) -> None:
    async def evening(here: House) -> None:
        ada, bo, table, seat = await two(here, "stonehenge")
        async with ada.at(table), bo.at(table, link=seat) as b:
            await b.command("sit", seat=1, link=seat)
        zoe = await here.guest("Zoe")
        watch, shoulder = await ada.link(table, "watch"), await bo.link(table, "shoulder", 1)
        address = f"/api/tables/{table}/links"
        assert (await zoe.get(address))[0] == 404
        of_ada, of_bo = [(await guest.get(address))[1]["links"] for guest in (ada, bo)]
        assert sorted((link["kind"], link["mine"]) for link in of_ada) == [("seat", True), ("watch", True)]
        assert [(link["kind"], link.get("seat"), link["mine"]) for link in of_bo] == [("shoulder", 1, True)]
        assert watch not in str(of_ada)
        assert (await ada.post("/api/links/revoke", {"id": of_bo[0]["id"]}))[0] == 409
        assert (await zoe.post("/api/links/revoke", {"id": of_ada[0]["id"]}))[0] == 409
        for guest, links in ((ada, of_ada), (bo, of_bo)):
            for link in links:
                assert (await guest.post("/api/links/revoke", {"id": link["id"]}))[0] == 204
        assert (await ada.get(address))[1] == {"links": []}
        for token in (watch, shoulder, seat):
            assert (await zoe.post("/api/links", {"token": token}))[0] == 404
        assert (await ada.post("/api/links/revoke", {}))[0] == 404

    async def spend() -> None:
        async with house(tmp_path / "tables.sqlite3") as here:
            await asyncio.wait_for(evening(here), PATIENCE)

    asyncio.run(spend())
