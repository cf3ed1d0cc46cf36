"""Krakatoa's dice at the table: thrown with an aim, simulated elsewhere, kept; or rolled at home and typed in."""

import asyncio
import base64
import json
import random
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from archipel import Record
from archipel.games.krakatoa.board import DICE, SETS
from archipel.games.krakatoa.dice import Trajectory, Tray, at_table, wire
from archipel.games.krakatoa.dice.at_table import TABLE_DICE, straight
from archipel.games.krakatoa.dice.simulation import engine
from archipel.games.krakatoa.dice.tray import RADIUS, Lie
from archipel.table import protocol
from archipel.table.log import decisions, events
from archipel.table.log.decisions import Refusal
from archipel.table.log.fairness import NotFair, verify
from archipel.table.log.records import imported, record
from archipel.table.log.setup import Setup
from archipel.table.log.table import Table
from archipel.table.log.tasks import Task, carry_out
from archipel.table.log.views import Views, entry_view, replayed
from archipel.table.storage import Change, StorageError, Store
from tests.patience import PATIENCE

from .house import Guest, House, Player, house
from .room import NOW, Room, Simulated, a_few_throws
from .test_storage import appended

Json = dict[str, Any]
Evening = Callable[[House], Awaitable[None]]


def spend(database: Path | str, evening: Evening, **settings: Any) -> None:
    async def run() -> None:
        async with house(database, **{"pace": 0} | settings) as here:
            await evening(here)

    asyncio.run(asyncio.wait_for(run(), PATIENCE))


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    return tmp_path / "tables.sqlite3"


def chairs(seats: int) -> list[Json]:
    return [{"kind": "me"}, *({"kind": "here", "name": f"Guest {seat}"} for seat in range(1, seats))]


async def to_act(player: Player) -> int:
    """Wait until no dice are in the air; look through the eyes of whoever is to act, if it is not over."""
    while player.position["view"]["mover"] == -1 and not player.position.get("over"):
        await player.next()
    seat: int = player.position["view"]["mover"]
    if seat >= 0 and player.position["seat"] != seat:
        await player.send({"type": "look", "seat": seat})
        await player.until(lambda m: m["type"] == "update" and m["position"]["seat"] == seat)
    return seat


async def done(player: Player, action: Any) -> int:
    """Do something that is allowed; its version."""
    lies_of = await player.act(action)
    assert lies_of["type"] == "ack", lies_of
    await player.until_version(lies_of["version"])
    return int(lies_of["version"])


async def about_to_throw(player: Player) -> None:
    """Keep the first nine."""
    await to_act(player)
    assert (await player.act("keep"))["type"] == "ack"
    while player.position["view"]["phase"] != "throw":
        await player.next()


def falls(entries: list[Json]) -> list[Json]:
    return [entry["fall"] for entry in entries if "fall" in entry]


def written(lies: Json) -> str:
    tray = Tray({die: Lie(lie["x"], lie["y"], lie["face"], lie["turn"]) for die, lie in lies.items()})
    return tray.written


# Whole games.


def meant(rng: random.Random, position: Json) -> Json:
    """A legal action: a throw with an aim near a die, or straight at one, or as notation; or whatever else."""
    chosen = rng.choice(position["legal"])
    action = chosen["action"]
    if action["do"] != "throw" or "dice" not in position or rng.random() < 0.3:
        return {"action": chosen["notation"] if rng.random() < 0.5 else action}
    lie = position["dice"]["lies"][action["at"]]
    inwards = float(np.degrees(np.arctan2(lie["y"], lie["x"])))
    aim = {"x": lie["x"], "y": lie["y"], "direction": inwards, "strength": rng.uniform(40, 200)}
    return {"action": {"do": "throw", "set": action["set"]}, "aim": aim}


async def play_out(player: Player, rng: random.Random) -> None:
    while not player.position.get("over"):
        await to_act(player)
        if player.position.get("over"):
            break
        lies_of = await player.command("act", at=player.version, **meant(rng, player.position))
        assert lies_of["type"] == "ack", lies_of
        await player.until_version(lies_of["version"])


@pytest.mark.parametrize(
    "options",
    [
        {"game": "basic"},
        {"players": 3},
        {"players": 4, "teams": True},
        {"players": 4, "game": "basic"},
    ],
    ids=["basic", "three", "teams", "four"],
)
def test_a_whole_game_is_thrown(kept: Path, options: Json) -> None:
    async def evening(here: House) -> None:
        ada = await here.guest("Ada")
        table = await ada.table("krakatoa", chairs(options.get("players", 2)), options=options)
        async with ada.at(table) as player:
            assert player.welcome["table"]["dice"] == "physics"
            await play_out(player, random.Random(5))
            check_story(player)
            await check_late(here, ada, table, player)

    spend(kept, evening)


def check_story(player: Player) -> None:
    """Every throw has its aim and its fall, and the last one ends where the dice are said to lie."""
    entries = [entry for message in player.messages for entry in message.get("entries", [])]
    throws = [entry for entry in player.entries if entry["kind"] == "acted" and entry["action"]["do"] == "throw"]
    landings = [entry for entry in player.entries if entry["kind"] == "happened"]
    assert throws
    assert all("aim" in entry for entry in throws)
    assert all("fall" in entry and entry["draw"] == n for n, entry in enumerate(landings, 1))
    assert any("trajectory" in fall for fall in falls(entries))
    assert all(
        fall.get("scratch", False) == (entry["action"].get("touched") is False)
        for entry, fall in zip(landings, falls(landings), strict=True)
    )
    position = player.position
    assert written(position["dice"]["lies"]) == position["view"]["dice"]
    assert position["dice"]["last"] == landings[-1]["v"]


async def check_late(here: House, ada: Guest, table: str, player: Player) -> None:
    """Who comes late sees the same dice, is sent no ways, and may ask for each; the record can be verified."""
    async with ada.at(table, eye=player.position["seat"]) as late:
        assert late.position["dice"] == player.position["dice"]
        assert not any("trajectory" in fall for fall in falls(late.entries))
        assert len(late.entries) == len(player.entries)
        await late.send({"type": "ask-throw", "v": late.position["dice"]["last"]})
        thrown = await late.until(lambda m: m["type"] == "thrown")
        way = Trajectory.decode(base64.b64decode(thrown["trajectory"]))
        for die, pose in zip(way.dice, way.poses[-1], strict=True):
            lie = late.position["dice"]["lies"][die]
            assert np.allclose(pose[:2], (lie["x"], lie["y"]))
            assert abs(np.dot(pose[3:], lie["q"])) > 0.999
        await late.send({"type": "ask-throw", "v": 1})
        assert (await late.until(lambda m: m["type"] == "trouble"))["rule"] == "table.no-such-throw"
    status, lies_of = await ada.get(f"/api/tables/{table}/record")
    assert status == 200
    status, verdict = await ada.post("/api/verify", lies_of)
    assert (verdict["fair"], verdict["reason"]) == (True, "Every draw is what the promised seed gives.")


def test_fixed_odds_are_as_they_were(kept: Path) -> None:
    async def evening(here: House) -> None:
        ada = await here.guest("Ada")
        table = await ada.table("krakatoa", chairs(2), dice="odds")
        async with ada.at(table) as player:
            assert player.welcome["table"]["dice"] == "odds"
            assert player.position["view"]["mover"] >= 0
            await play_out(player, random.Random(1))
            assert not falls(player.entries)
            assert "dice" not in player.position
            aim = {"x": 0, "y": 0, "direction": 90}
        other = await ada.table("krakatoa", chairs(2), dice="odds")
        async with ada.at(other) as player:
            await to_act(player)
            lies_of = await player.command("act", at=player.version, action="keep", aim=aim)
            assert lies_of["rule"] == "table.aim"

    spend(kept, evening)


def test_only_krakatoa_has_dice(kept: Path) -> None:
    async def evening(here: House) -> None:
        ada = await here.guest("Ada")
        status, lies_of = await ada.post("/api/tables", {"game": "kahuna", "chairs": chairs(2), "dice": "physics"})
        assert (status, lies_of["rule"]) == (409, "table.options")
        _, games = await ada.get("/api/games")
        assert {game["name"]: game.get("dice", []) for game in games["games"]} == {
            "kahuna": [],
            "krakatoa": ["physics", "odds", "pad"],
            "kula_kula": [],
            "stonehenge": [],
        }
        table = await ada.table("stonehenge", chairs(2))
        async with ada.at(table) as player:
            assert player.welcome["table"].get("dice") is None

    spend(kept, evening)


# Bad aims.

GOOD = {"x": 0.0, "y": 0.0, "direction": 90.0}
BAD_AIMS: dict[str, tuple[Json, str]] = {
    "outside": ({"x": RADIUS + 1}, "outside the tray"),
    "far": ({"x": 1e300}, "outside the tray"),
    "weak": ({"strength": 39}, "40 to 200"),
    "strong": ({"strength": 201}, "40 to 200"),
    "narrow": ({"spread": 1}, "2.5 to 6"),
    "wide": ({"spread": 7}, "2.5 to 6"),
    "no room": ({"x": 0, "y": RADIUS - 0.1, "direction": 270.0}, "Your hand would be outside the tray"),
}


async def refused(player: Player, **said: Any) -> Json:
    """Something that is refused, and moves nothing."""
    before = player.version, player.position
    lies_of = await player.command("act", at=player.version, **said)
    assert lies_of["type"] == "refused", lies_of
    assert lies_of["reason"].endswith((".", "!"))
    assert (player.version, player.position) == before
    return lies_of


def test_what_cannot_be_aimed_is_refused(kept: Path) -> None:
    async def evening(here: House) -> None:
        ada = await here.guest("Ada")
        table = await ada.table("krakatoa", chairs(2))
        async with ada.at(table) as player:
            await to_act(player)
            assert (await refused(player, action="keep", aim=GOOD))["rule"] == "table.aim"
            await about_to_throw(player)
            throw = {"do": "throw", "set": "ash"}
            for change, part in BAD_AIMS.values():
                lies_of = await refused(player, action=throw, aim=GOOD | change)
                assert lies_of["rule"] == "table.aim"
                assert part in lies_of["reason"]
            await refused(player, action=throw)
            await refused(player, action=throw | {"at": "ash1"}, aim=GOOD)
            await refused(player, action=throw | {"at": "ash1"})
            await refused(player, action={"do": "throw", "set": "mud"}, aim=GOOD)
            await check_other_die(player)
            await check_no_numbers(player)
            live = here.hub.lives[table]
            assert live.table.version == player.version

    spend(kept, evening)


async def check_other_die(player: Player) -> None:
    """An aim at one die beside the name of another."""
    lies = {die: lie for die, lie in player.position["dice"]["lies"].items() if not die.startswith("ash")}
    near = min(lies, key=lambda die: lies[die]["x"] ** 2 + lies[die]["y"] ** 2)
    far = next(die for die in lies if die != near)
    lies_of = await refused(player, action={"do": "throw", "set": "ash", "at": far}, aim=GOOD)
    assert lies_of["reason"] == f"You aim at {far}, but {near} is nearer to the point."


async def check_no_numbers(player: Player) -> None:
    """What is no number in JSON is no message."""
    before = player.version
    for value in ("NaN", "Infinity", "-Infinity", "1e999"):
        aim = f'{{"x": {value}, "y": 0, "direction": 90}}'
        await player.send(f'{{"type":"act","n":9999,"at":{before},"action":{{"do":"throw","set":"ash"}},"aim":{aim}}}')
        lies_of = await player.until(lambda m: m["type"] in ("trouble", "refused", "ack"))
        assert lies_of["type"] == "trouble", value
        assert lies_of["rule"] == "table.not-understood"
    wrong: list[Any] = ["far", None, []]
    for x in wrong:
        lies_of = await refused(player, action={"do": "throw", "set": "ash"}, aim=GOOD | {"x": x})
        assert lies_of["rule"] == "table.aim"
    assert player.version == before


# The aim comes first, and the dice stay where they lie.


def tray_of(room: Room) -> Tray:
    assert room.table.last_detail
    return at_table.tray(room.table.last_detail)


def given_up(room: Room) -> Record:
    """The record, when seat 0 has given the game up."""
    room.say("Ada", protocol.Resign, seat=0)
    return Record.read(json.loads(json.dumps(record(room.table).json())))


def test_the_aim_is_kept_before_anything_is_drawn() -> None:
    room = a_few_throws(0)
    said = {"do": "throw", "set": "ash"}
    aim = straight(tray_of(room), "lava2").json()
    command = protocol.Act(n=99, at=room.table.version, action=said, extra=aim)
    who = room.table.chairs[room.table.mover].who
    (acted,) = decisions.decide(room.table, room.caller(who), command, NOW, frozenset())
    assert isinstance(acted, events.Acted)
    assert msgspec.json.decode(acted.extra) == aim
    assert msgspec.json.decode(acted.action) == said | {"at": "lava2"}
    drawn = room.table.history.drawn
    Room.take(room, [acted])
    assert room.table.computing
    assert room.table.history.drawn == drawn
    assert room.table.order().order.numbers == room.table.lot.first_numbers(drawn + 1)


@pytest.mark.parametrize("n", range(6))
def test_there_is_always_room_for_a_straight_throw(n: int) -> None:
    """At any die that lies anywhere in the tray, also at its rim."""
    rng = np.random.default_rng(n)
    for angle in rng.uniform(0, 2 * np.pi, 60):
        far = (RADIUS - 0.95) / np.cos((angle + np.pi / 8) % (np.pi / 4) - np.pi / 8)
        tray = Tray({"lava1": Lie.near(far * np.cos(angle), far * np.sin(angle), 0, 0.0)})
        assert straight(tray, "lava1").target(tray, "ash") == "lava1"


def test_dice_stay_where_they_lie() -> None:
    """What is not touched, nor thrown, lies where it lay; after going back all lie as they lay then."""
    room = a_few_throws(2)
    *_, before, last = (at_table.tray(detail) for _, detail in room.table.history.details.values())
    assert any(last.lies[die] == before.lies[die] for die in DICE)
    draws = room.table.history.drawn
    room.say(room.table.chairs[room.table.mover].who, protocol.AskBack)
    other = next(who for who in ("Ada", "Bo") if room.table.request and who not in _asker(room))
    room.say(other, protocol.Answer, agree=True)
    assert tray_of(room) == before
    position = Views(room.table).position(0)
    assert position.chance is not None
    assert msgspec.json.decode(position.chance, type=wire.Dice).lies == at_table.lies_of(before)
    room.act_at_random(np.random.default_rng(2))
    assert room.table.history.drawn == draws + 1, "what was drawn once is never drawn again"


def _asker(room: Room) -> str:
    assert room.table.request
    return room.table.chairs[room.table.request.seat].who


def test_scratches_and_cocked_dice_are_told() -> None:
    """Weak throws, until both have happened: the entry says so, and a scratch leaves all letters as they were."""
    room = a_few_throws(0)
    seen: set[str] = set()
    throws = 0
    while not {"scratch", "cocked"} <= seen and throws < 200:
        throws += 1
        before = room.table.state.snapshot()
        said = room.table.state.decode(room.table.state.actions()[-1])
        if said["do"] != "throw":
            room.act("keep")
            continue
        aim = straight(tray_of(room), said["at"]).json() | {"strength": 40.0}
        who = room.table.chairs[room.table.mover].who
        room.say(who, protocol.Act, at=room.table.version, action=said, extra=aim)
        version = next(v for v in range(room.table.version, 0, -1) if _aimed_landing(room.table.log[v - 1]))
        entry = next(e for e in replayed(room.table, version - 1, 0)[0] if e.v == version)
        assert isinstance(entry, protocol.Happened)
        assert entry.detail
        fall = msgspec.json.decode(entry.detail, type=wire.Fall)
        assert len(fall.hand) == 3
        seen |= {"cocked"} if fall.cocked else set()
        if fall.scratch:
            seen.add("scratch")
            assert entry.notation.endswith("scratch")
            kept = {
                name: shows for name, shows in zip(SETS, before["dice"].split(), strict=True) if name != said["set"]
            }
            after = msgspec.json.decode(entry.action)["faces"].split()
            assert kept == {name: shows for name, shows in zip(SETS, after, strict=True) if name in kept}
        if room.table.ending:
            room = a_few_throws(0, secret=bytes([throws]) * 32)
    assert {"scratch", "cocked"} <= seen


def _aimed_landing(entry: events.Entry) -> bool:
    return isinstance(entry, events.Happened) and b"touched" in bytes(entry.action)


def test_two_seeds_are_not_told_apart_before_the_end() -> None:
    """Two tables with other seeds and the same log send the same bytes: nothing of a seed leaves before it is shown."""
    one, other = a_few_throws(2), Simulated(secret=b"t" * 32)
    for entry in one.table.log:
        step = other.table.apply(entry)
        version = other.table.version
        if isinstance(entry, events.Started):
            continue
        for eye in (None, 0, 1):
            lies_of = entry_view(other.table, version, entry, step)(eye)
            assert other.table.lot.seed.hex() not in msgspec.json.encode(lies_of).decode()
    for eye in (None, 0, 1):
        sent = [msgspec.json.encode(Views(room.table).position(eye)) for room in (one, other)]
        assert sent[0] == sent[1]
    sent_to_bots = [TABLE_DICE.seen(room.table.state, room.table.last_detail) for room in (one, other)]
    assert sent_to_bots[0] == sent_to_bots[1] is not None


def test_words_of_a_throw_are_never_sent(kept: Path) -> None:
    async def evening(here: House) -> None:
        ada = await here.guest("Ada")
        table = await ada.table("krakatoa", chairs(2))
        async with ada.at(table) as player:
            await about_to_throw(player)
            await done(player, "ash>lava1")
            await to_act(player)
            lot = here.hub.lives[table].table.lot
            sent = "".join(player.raw)
        for draw in range(1, 12):
            assert not any(str(word) in sent or f"{word:x}" in sent for word in lot.first_numbers(draw))
        assert lot.seed.hex() not in sent
        assert lot.salt.hex() not in sent

    spend(kept, evening)


# Verifying.


def test_a_thrown_game_can_be_verified_and_imported() -> None:
    room = a_few_throws(3)
    lies_of = given_up(room)
    assert verify(lies_of).fair
    setup, entries = imported(lies_of, NOW)
    table = Table(setup, entries)
    assert setup.mode == "physics"
    assert table.last_detail == room.table.last_detail
    assert record(table).actions == lies_of.actions
    assert verify(Record.read(record(table).json())).fair


TAMPERED = ["landing", "aim", "lies", "way", "cocked", "fewer", "by", "nonsense", "words"]


@pytest.mark.parametrize("change", TAMPERED)
def test_a_throw_that_was_changed_is_found_out(change: str) -> None:
    lies_of = given_up(a_few_throws(2))
    throws: list[Json] = lies_of.fair["dice"]["throws"]
    match change:
        case "landing":
            lies_of.actions[-1]["faces"] = " ".join("RYB" for _ in range(3))
            lies_of.actions[-1]["touched"] = True
        case "aim":
            throws[-1]["aim"]["strength"] += 1
        case "lies":
            throws[-1]["lies"]["lava1"][0] += 0.005
        case "way":
            throws[-1]["sha256"] = "0" * 64
        case "cocked":
            throws[0]["cocked"] = throws[0].get("cocked", 0) + 1
        case "fewer":
            throws.pop()
        case "by":
            lies_of.fair["dice"] = {"by": "magic"}
        case "nonsense":
            throws[0] = {"lies": 3}
        case "words":
            lies_of.fair["draws"][-1] += 1
    with pytest.raises(NotFair):
        verify(lies_of)


def test_what_another_engine_moved_is_not_thrown_again() -> None:
    lies_of = given_up(a_few_throws(1))
    throws: list[Json] = lies_of.fair["dice"]["throws"]
    for throw in throws:
        throw["engine"] = "mujoco-core 9.9.9"
    checked = verify(lies_of)
    assert checked.note == (
        f"{len(throws)} throws were not made again: mujoco-core 9.9.9 moved the dice, and here is {engine()}."
    )
    assert "here is nothing that moves dice" in verify(lies_of, lambda task: None).note
    throws[-1]["lies"]["ash1"][2] = (throws[-1]["lies"]["ash1"][2] + 3) % 12
    with pytest.raises(NotFair):
        verify(lies_of)


def test_tables_from_before_dice_fell_go_on_by_odds() -> None:
    setup = msgspec.json.decode(msgspec.json.encode(Room("krakatoa").table.setup))
    del setup["dice"]
    old = msgspec.json.decode(msgspec.json.encode(setup), type=Setup)
    assert old.chance == "drawn"
    assert Views(Table(old)).position(None).chance is None


# Whoever lets the dice fall may be lost.


def test_the_server_itself_moves_no_dice() -> None:
    """What does is large, and is loaded by the processes that need it."""
    looked = "import sys, archipel.table.serving; print('mujoco' in sys.modules)"
    said = subprocess.run([sys.executable, "-c", looked], capture_output=True, text=True, check=True)
    assert said.stdout == "False\n"


def test_a_thrower_that_is_killed_is_replaced(kept: Path) -> None:
    """The throw is made again from the aim and the draw that are kept, with the same bytes."""

    async def evening(here: House) -> None:
        ada = await here.guest("Ada")
        table = await ada.table("krakatoa", chairs(2))
        async with ada.at(table) as player:
            await about_to_throw(player)
            crew: Any = here.hub.outcomes
            await done(player, "ash>lava1")
            for leader in crew._leaders:
                leader._worker.process.kill()
            await to_act(player)
            live = here.hub.lives[table].table
            replayed = Table(live.setup, live.log[: player.position["dice"]["last"] - 1])
            again = carry_out(replayed.order())
            assert again
            way = await here.hub.store.recording(table, player.position["dice"]["last"])
            assert way == again.recording
            assert falls(player.entries)[-1]["trajectory"] == base64.b64encode(way).decode()

    spend(kept, evening)


def test_a_throw_outlives_its_server(database: str) -> None:
    """The aim is kept, then the server goes; the next one lets the dice fall, as the old one would have."""
    tables: list[str] = []

    async def before(here: House) -> None:
        ada = await here.guest("Ada")
        tables.extend([await ada.table("krakatoa", chairs(2)), ada.cookie])
        async with ada.at(tables[0]) as player:
            await about_to_throw(player)
            here.hub.outcomes.compute = lambda *_: None  # type: ignore[method-assign]
            await done(player, "lava>ash2")
            assert here.hub.lives[tables[0]].table.computing

    async def after(here: House) -> None:
        ada = Guest(here.port, tables[1])
        async with ada.at(tables[0]) as player:
            await to_act(player)
            last = player.position["dice"]["last"]
            live = here.hub.lives[tables[0]].table
            again = carry_out(Table(live.setup, live.log[: last - 1]).order())
            assert again
            assert await here.hub.store.recording(tables[0], last) == again.recording
            assert (await here.hub.store.recordings(tables[0], last - 1)) == {last: again.recording}
            await done(player, player.position["legal"][0]["action"])

    spend(database, before)
    spend(database, after)


def test_a_throw_that_cannot_be_made_is_tried_again(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def evening(here: House) -> None:
        real = here.hub.outcomes.compute
        failed: list[Task] = []

        def compute(table: str, task: Task, lies_of: Any) -> None:
            if len(failed) < 2:
                failed.append(task)
                lies_of(None)
            else:
                real(table, task, lies_of)

        monkeypatch.setattr(here.hub.outcomes, "compute", compute)
        monkeypatch.setattr("archipel.table.play.live_table.AGAIN", 0.01)
        ada = await here.guest("Ada")
        async with ada.at(await ada.table("krakatoa", chairs(2))) as player:
            assert await to_act(player) >= 0
            assert len(failed) == 2

    spend(kept, evening)


def test_a_landing_that_was_not_kept_is_thrown_again(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the same bytes, for nothing else was kept either."""

    async def evening(here: House) -> None:
        real = here.hub.store.append
        lost: list[Change] = []

        def append(change: Change, lies_of: Any) -> None:
            if change.recordings and not lost:
                lost.append(change)
                lies_of(None, StorageError("The disk is full."))
            else:
                real(change, lies_of)

        monkeypatch.setattr(here.hub.store, "append", append)
        monkeypatch.setattr("archipel.table.play.live_table.AGAIN", 0.01)
        ada = await here.guest("Ada")
        table = await ada.table("krakatoa", chairs(2))
        async with ada.at(table) as player:
            assert await to_act(player) >= 0
            ((version, way),) = lost[0].recordings.items()
            assert await here.hub.store.recording(table, version) == way

    spend(kept, evening)


def test_who_gives_up_need_not_wait_for_the_dice(kept: Path) -> None:
    async def evening(here: House) -> None:
        ada = await here.guest("Ada")
        table = await ada.table("krakatoa", chairs(2))
        async with ada.at(table) as player:
            await about_to_throw(player)
            seat = player.position["seat"]
            lies_of: list[Any] = []
            here.hub.outcomes.compute = lambda *asked: lies_of.append(asked)  # type: ignore[method-assign]
            await done(player, "lava>ash2")
            await player.command("resign", seat=seat)
            while not player.position.get("over"):
                await player.next()
            ((_, task, answer),) = lies_of
            answer(carry_out(task))
            await asyncio.sleep(0.05)
            assert here.hub.lives[table].table.log[-1].__class__ is events.Ended
            assert "hand" not in player.position["dice"]

    spend(kept, evening)


# Bots.


def test_bots_aim_and_steady_ones_look_first(kept: Path) -> None:
    async def evening(here: House) -> None:
        ada = await here.guest("Ada")
        bots = [{"kind": "bot", "level": "navigator"}, {"kind": "bot", "level": "random"}]
        table = await ada.table("krakatoa", bots, visibility="public")
        async with ada.at(table) as player:
            aims: dict[int, list[Json]] = {0: [], 1: []}
            while not all(len(each) >= 4 for each in aims.values()):
                message = await player.next()
                for entry in message.get("entries", []):
                    if entry["kind"] == "acted" and entry["action"]["do"] == "throw":
                        aims[entry["seat"]].append(entry["aim"])
            assert len({aim["strength"] for aim in aims[0]}) > 1
            assert {aim["strength"] for aim in aims[1]} == {120.0}

    spend(kept, evening)


# Rolled at home.


def rolled(rng: random.Random, position: Json) -> Json:
    """How dice at home may land."""
    view, hand = position["view"], position["dice"]["hand"]
    if len(hand) == 3 and view["phase"] == "throwoff":
        return {"do": "land", "faces": "".join(rng.choices("YRB", k=3))}
    faces = " ".join("".join(rng.choices("YRB", k=3)) for _ in range(3))
    if view["phase"] == "land" and view["aim"] is None:
        return {"do": "land", "faces": faces}
    if rng.random() < 0.2:
        still = [
            shows if name != view["aim"]["set"] else "YYB"
            for name, shows in zip(("steam", "ash", "lava"), view["dice"].split(), strict=True)
        ]
        return {"do": "land", "faces": " ".join(still), "touched": False}
    return {"do": "land", "faces": "YYY RRR BBB" if view["round"] == 6 else faces, "touched": True}


async def to_type(player: Player) -> None:
    """Look through the eyes of whoever is to say something."""
    position = player.position
    seat = position["dice"]["thrower"] if position["view"]["mover"] == -1 else position["view"]["mover"]
    if position["seat"] != seat:
        await player.send({"type": "look", "seat": seat})
        await player.until(lambda m: m["type"] == "update" and m["position"]["seat"] == seat)


@pytest.mark.parametrize(
    "options",
    [{"game": "basic"}, {}, {"players": 3}, {"players": 4}, {"players": 4, "teams": True}],
    ids=["basic", "advanced", "three", "four", "teams"],
)
def test_a_whole_game_with_dice_at_home(kept: Path, options: Json) -> None:
    async def evening(here: House) -> None:
        rng = random.Random(3)
        ada = await here.guest("Ada")
        table = await ada.table("krakatoa", chairs(options.get("players", 2)), options=options, dice="pad")
        boxes = set()
        async with ada.at(table) as player:
            assert player.welcome["table"]["dice"] == "pad"
            while not player.position.get("over"):
                await to_type(player)
                boxes.add(player.position["view"]["boxes_left"])
                waiting = player.position["view"]["mover"] == -1
                assert player.position["dice"].get("land", False) is waiting
                legal = player.position["legal"]
                action = rolled(rng, player.position) if waiting else rng.choice(legal)["action"]
                lies_of = await player.act(action)
                assert lies_of["type"] == "ack", (lies_of, action)
                await player.until_version(lies_of["version"])
            assert not any("fall" in entry or "aim" in entry for entry in player.entries)
            landings = [entry for entry in player.entries if entry["kind"] == "happened"]
            assert {entry["draw"] for entry in landings} == {0}
            assert any(entry["action"].get("touched") is False for entry in landings)
            assert boxes == ({0} if options.get("game") == "basic" else {0, 1, 2, 3})
        _, lies_of = await ada.get(f"/api/tables/{table}/record")
        assert verify(Record.read(lies_of)).note == "The dice were rolled at home and typed in, so nothing was drawn."
        setup, entries = imported(Record.read(lies_of), NOW)
        assert setup.mode == "pad"
        assert Table(setup, entries).ending

    spend(kept, evening)


BAD_LANDINGS: list[tuple[Any, str]] = [
    ({"do": "land", "faces": "YRB YR", "touched": True}, "Faces are written like"),
    ({"do": "land", "faces": "YRB YRB YRBY", "touched": True}, "Faces are written like"),
    ({"do": "land", "faces": "YRB YRG YRB", "touched": True}, "Faces are written like"),
    ({"do": "land", "faces": "YRB YRB YRB"}, "This landing takes faces and touched"),
    ({"do": "land", "faces": "YRB YRB YRB", "touched": "yes"}, "true or false"),
    ({"do": "land", "faces": "YYY YRB BBB", "touched": False}, "leaves the table as it was"),
    ({"do": "land"}, "This landing takes"),
    ({"do": "keep"}, ""),
    ("YRB", ""),
    ("", ""),
]


def test_landings_that_cannot_be_are_refused(kept: Path) -> None:
    async def evening(here: House) -> None:
        ada, bo = await here.guest("Ada"), await here.guest("Bo")
        table = await ada.table("krakatoa", [{"kind": "me"}, {"kind": "open"}], dice="pad", visibility="public")
        async with ada.at(table) as a, bo.at(table) as b:
            assert (await b.command("sit", seat=1))["type"] == "ack"
            for each in (a, b):
                await each.until_version(3)
            assert (a.position["dice"]["thrower"], a.position["dice"]["land"]) == (0, True)
            assert "land" not in b.position["dice"]
            assert (await b.act("YRB"))["rule"] == "table.not-your-turn"
            for typed in ("YRBB", "YR", "YRG", {"do": "land", "faces": "YRB", "touched": True}):
                await refused(a, action=typed)
            for player, typed in ((a, "YYY"), (b, "RRB"), (a, "YRB YRB YRB"), (a, "keep"), (a, "ash>lava1")):
                version = await done(player, typed)
                for each in (a, b):
                    await each.until_version(version)
            assert a.position["dice"]["hand"] == ["ash1", "ash2", "ash3"]
            for typed, part in BAD_LANDINGS:
                assert part in (await refused(a, action=typed))["reason"]
            lies_of = await refused(a, action={"do": "land", "faces": "YRB YRB YRB", "touched": True}, aim=GOOD)
            assert lies_of["rule"] == "table.aim"
            assert (await a.act("YRB BBB YRB scratch"))["type"] == "ack"

    spend(kept, evening)


def test_a_bots_dice_are_rolled_by_whoever_plays(kept: Path) -> None:
    async def evening(here: House) -> None:
        ada, zoe = await here.guest("Ada"), await here.guest("Zoe")
        seats = [{"kind": "bot", "level": "random"}, {"kind": "me"}]
        table = await ada.table("krakatoa", seats, dice="pad", visibility="public")
        async with ada.at(table) as player, zoe.at(table) as spectator:
            assert (player.position["dice"]["thrower"], player.position["dice"]["land"]) == (0, True)
            assert "land" not in spectator.position["dice"]
            assert (await spectator.act("YRB"))["rule"] == "table.not-your-turn"
            for typed in ("YYY", "RRB", "YRB YRB YRB"):
                await done(player, typed)
            while player.position["view"]["phase"] != "land" or not player.position["view"]["aim"]:
                if player.position["dice"].get("land"):
                    await done(player, "YRB YRB YRR")
                else:
                    await player.next()
            assert player.position["dice"]["land"]

    spend(kept, evening)


def test_what_was_typed_may_be_typed_anew() -> None:
    """Nobody learns anything from it that does not lie before him."""
    room = Room("krakatoa", mode="pad").sit_all()

    def typed(who: str, action: str) -> None:
        room.say(who, protocol.Act, at=room.table.version, action=action)

    typed("Ada", "YRB")
    assert Views(room.table).position(0).undo
    assert not Views(room.table).position(1).undo
    with pytest.raises(Refusal, match="not yours"):
        room.say("Bo", protocol.Undo)
    room.say("Ada", protocol.Undo)
    typed("Ada", "YYY")
    typed("Bo", "RRB")
    typed("Ada", "YRB YRB YRB")
    typed("Ada", "keep")
    typed("Ada", "ash>lava1")
    room.say("Ada", protocol.Undo)
    typed("Ada", "ash>lava2")
    assert room.table.entering
    thrown = a_few_throws(1)
    with pytest.raises(Refusal):
        thrown.say(thrown.table.chairs[thrown.table.mover].who, protocol.Undo)


def test_the_clock_runs_for_whoever_rolls_at_home() -> None:
    clock = protocol.LiveClock(initial=60_000)
    room = Room("krakatoa", mode="pad", clock=clock).sit_all()
    assert room.table.timer.running == 0
    for who, typed in (("Ada", "YRB"), ("Bo", "YYY")):
        room.say(who, protocol.Act, at=room.table.version, action=typed)
    assert room.table.timer.running == 1
    thrown = Simulated(clock=clock)
    assert thrown.sit_all().table.timer.running == thrown.table.mover
    with pytest.raises(Refusal):
        room.say("Ada", protocol.Act, at=room.table.version, action="YRB YRB YRB")


# What is kept.


def test_ways_are_kept_beside_the_log(database: str) -> None:
    room = a_few_throws(1)
    table = room.table

    async def run() -> None:
        store = Store(database)
        store.prepare()
        store.start()
        row = {"status": "playing", "updated": NOW, "due": None}
        try:
            await store.create(table.setup, [], row, [])
            assert await appended(store, Change(table.setup.id, 0, table.log, recordings=room.recordings)) is None
            loaded = await store.load(table.setup.id)
            assert loaded
            again = Table(loaded.setup, loaded.entries)
            assert again.last_detail == table.last_detail
            assert await store.recordings(table.setup.id, 0) == room.recordings
            for version, recording in room.recordings.items():
                assert await store.recording(table.setup.id, version) == recording
            assert await store.recording(table.setup.id, 1) is None
        finally:
            await store.close()

    asyncio.run(run())
