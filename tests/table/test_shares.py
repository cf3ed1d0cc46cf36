"""The start in two phases: hashes are frozen, then shares are opened, and nobody steers what is drawn."""

import asyncio
import hashlib
from pathlib import Path
from typing import Any

import pytest

from archipel import Record
from archipel.bench.grinding import ground
from archipel.table import protocol
from archipel.table.log import decisions, events, shares, views
from archipel.table.log.branch import branched
from archipel.table.log.decisions import Refusal
from archipel.table.log.fairness import NotFair, code_of, verify
from archipel.table.log.records import record
from archipel.table.log.replay import played
from archipel.table.log.table import Table
from archipel.table.protocol import NewChair
from tests.patience import PATIENCE

from .house import Guest, House, house
from .room import NAMES, NOW, Room


def share(name: str) -> str:
    """Somebody's share: as good as random, and the same every time."""
    return hashlib.sha256(name.encode()).hexdigest()


def seal(name: str) -> str:
    return shares.seal_of(share(name))


def seated(game: str = "kahuna", **more: Any) -> Room:
    """A room where everybody has sat down with the hash of a share."""
    room = Room(game, **more)
    for seat in range(room.table.seats):
        room.say(NAMES[seat], protocol.Sit, seat=seat, seal=seal(NAMES[seat]))
    return room


def open_all(room: Room, attempt: str = "") -> Room:
    """Everybody opens their share; who will have which seat is the table's to say."""
    for seat in list(room.table.start.closed):
        who = room.table.chairs[room.table.chair_of(seat)].who
        room.say(who, protocol.Open, seat=seat, share=share(who + attempt))
    return room


def ended(game: str = "kahuna", **more: Any) -> Room:
    return open_all(seated(game, **more)).play_out()


def kept(room: Room) -> Record:
    return Record.read(record(room.table).json())


# Starts


def test_nothing_is_drawn_before_all_shares_are_open() -> None:
    room = seated()
    opening = views.Views(room.table).position(None).opening
    assert opening
    assert opening.frozen
    assert (opening.commit, opening.seals) == (room.table.commit, [seal("Ada"), seal("Bo")])
    assert room.table.status == "waiting"
    room.say("Ada", protocol.Open, seat=0, share=share("Ada"))
    assert not any(isinstance(entry, events.Happened) for entry in room.table.log)
    entries = room.say("Bo", protocol.Open, seat=1, share=share("Bo"))
    assert [type(entry).__name__ for entry in entries[:3]] == ["Opened", "Started", "Happened"]
    assert room.table.lot.seeds == (share("Ada"), share("Bo"))
    assert views.Views(room.table).position(None).opening is None


@pytest.mark.parametrize("game", ["kahuna", "kula_kula", "krakatoa", "stonehenge"])
def test_a_whole_game_is_verified_with_the_code_that_was_shown(game: str) -> None:
    room = seated(game)
    code = code_of(room.table.commit, room.table.frozen_seals())
    found = verify(kept(open_all(room).play_out()), promised=code)
    assert found.fair
    assert set(found.shares) == {"player"}
    assert found.reason == "Every draw is what the promised seed and the players’ shares give."


def test_a_bot_s_share_is_the_server_s_and_a_client_that_sends_none_is_named() -> None:
    room = Room("kula_kula", {"players": 3, "turn_limit": 5})
    room.say("Ada", protocol.SeatBot, seat=2, level="random")
    room.say("Bo", protocol.Sit, seat=1, seed="a text in the clear")
    room.say("Ada", protocol.Sit, seat=0, seal=seal("Ada"))
    assert room.table.start.frozen == (seal("Ada"), "absent", "server")
    open_all(room)
    assert room.table.lot.seeds == (share("Ada"), "", "")
    while room.table.playing:
        state = room.table.state
        action = state.actions()[-1]
        if room.table.bot_to_move():
            room.take(decisions.bot_acts(room.table, room.table.position, action, room.now))
        else:
            room.act(state.decode(action))
    found = verify(kept(room))
    assert found.shares == ("player", "absent", "server")
    assert found.origins == ["Player 2 sent no share, so they rely on the other players for a fair deal."]


def test_without_any_hash_a_game_begins_as_it_always_did() -> None:
    room = Room("kahuna").sit_all()
    assert room.table.playing
    found = verify(kept(room.play_out()))
    assert (found.fair, found.shares) == (True, ())
    assert found.origins == [
        "The players’ texts were sent in the clear: the person who ran the server could have tried several."
    ]


def test_seats_at_one_screen_have_a_share_each() -> None:
    chairs = [NewChair("me", seal=seal("first")), NewChair("here", "Bo", seal=seal("second"))]
    room = Room("kahuna", chairs=chairs)
    assert room.table.opening
    room.say("Ada", protocol.Open, seat=1, share=share("second"))
    room.say("Ada", protocol.Open, seat=0, share=share("first"))
    assert room.table.playing


def test_a_rematch_has_new_shares_in_the_order_of_its_own_seats() -> None:
    room = ended()
    for who in ("Ada", "Bo"):
        room.say(who, protocol.Rematch, seals=[seal(who + "2")])
    assert room.table.start.frozen == (seal("Bo2"), seal("Ada2"))
    commit = room.table.commit
    with pytest.raises(Refusal, match="That seat is not yours"):
        room.say("Ada", protocol.Open, seat=0, share=share("Ada2"))
    open_all(room, "2").play_out()
    again = kept(room)
    assert again.fair["commit"] == commit
    assert again.fair["seeds"] == [share("Bo2"), share("Ada2")]
    assert verify(again, promised=code_of(commit, again.fair["seals"])).fair


def test_a_branch_waits_for_its_share_and_then_goes_on_from_there() -> None:
    room = ended()
    game = played(room.table)
    wanted = protocol.NewBranch(moves=20, seat=0, level="sailor", seal=seal("branch"))
    setup, entries = branched(room.table, game, wanted, room.caller("Ada"), NOW)
    assert [type(entry).__name__ for entry in entries] == ["Sat", "BotSat", "Frozen"]
    setup.secret = b"t" * 32
    there = Room("kahuna")
    there.table = Table(setup, [events.decode(events.encode(entry)) for entry in entries])
    there.say("Ada", protocol.Open, seat=0, share=share("branch"))
    assert tuple(there.table.history.actions[:20]) == game.actions[:20]
    assert there.table.history.draws[:9] == [-1] * 9
    assert there.table.lot.seeds == (share("branch"), "")


def test_a_table_comes_back_from_its_log_in_the_middle_of_a_start() -> None:
    room = seated()
    room.say("Ada", protocol.Open, seat=0, share=share("Ada"))
    again = Table(room.table.setup, [events.decode(events.encode(entry)) for entry in room.table.log])
    assert (again.start.frozen, again.start.opened) == (room.table.start.frozen, room.table.start.opened)
    room.table = again
    room.say("Bo", protocol.Open, seat=1, share=share("Bo"))
    assert room.table.playing


def test_another_device_sends_another_hash_before_the_freeze() -> None:
    room = Room("kahuna")
    room.say("Ada", protocol.Sit, seat=0, seal=seal("Ada"))
    room.say("Ada", protocol.Seal, seat=0, seal=seal("phone"))
    room.say("Bo", protocol.Sit, seat=1, seal=seal("Bo"))
    assert room.table.start.frozen == (seal("phone"), seal("Bo"))


# Void starts


def test_a_share_that_is_late_makes_the_start_void_and_the_log_says_whose() -> None:
    room = seated()
    room.say("Ada", protocol.Open, seat=0, share=share("Ada"))
    room.take(decisions.late(room.table, [0, 1], room.now))
    void = room.table.log[-1]
    assert isinstance(void, events.Voided)
    assert (void.seats, void.how) == ([1], "late")
    opening = views.Views(room.table).position(None).opening
    assert opening
    assert opening.void == protocol.Void([1], "late")
    assert opening.awaited == [0, 1]
    assert not opening.frozen
    with pytest.raises(Refusal, match="No shares are being opened now"):
        room.say("Bo", protocol.Open, seat=1, share=share("Bo"))
    for who in ("Bo", "Ada"):
        room.say(who, protocol.Seal, seat=NAMES.index(who), seal=seal(who + "2"))
    found = verify(kept(open_all(room, "2").play_out()))
    assert found.fair
    assert found.origins == ["An earlier start of this game was void because of player 2."]


def test_nobody_is_late_once_the_game_has_begun() -> None:
    room = open_all(seated())
    assert decisions.late(room.table, [0, 1], room.now) == []


@pytest.mark.parametrize(
    ("who", "command", "how"), [("Bo", protocol.Rise, "left"), ("Ada", protocol.Unseat, "removed")]
)
def test_whoever_goes_or_is_sent_away_makes_the_start_void(who: str, command: type, how: str) -> None:
    room = seated()
    entries = room.say(who, command, seat=1)
    assert isinstance(entries[0], events.Voided)
    assert (entries[0].seats, entries[0].how) == ([1], how)
    assert room.table.start.awaited == {0}
    room.say("Cleo", protocol.Sit, seat=1, seal=seal("Cleo"))
    assert not room.table.opening, "Ada must agree to another start"
    room.say("Ada", protocol.Seal, seat=0, seal=seal("Ada2"))
    assert room.table.start.frozen == (seal("Ada2"), seal("Cleo"))


def test_whoever_lost_a_share_says_so_and_all_begin_anew() -> None:
    room = seated()
    entries = room.say("Bo", protocol.Seal, seat=1, seal=seal("Bo2"))
    assert isinstance(entries[0], events.Voided)
    assert (entries[0].seats, entries[0].how) == ([1], "lost")
    room.say("Ada", protocol.Seal, seat=0, seal=seal("Ada2"))
    assert open_all(room, "2").table.playing


def test_a_rematch_can_be_void_too() -> None:
    room = ended()
    for who in ("Ada", "Bo"):
        room.say(who, protocol.Rematch, seals=[seal(who + "2")])
    room.take(decisions.late(room.table, [0], room.now))  # Bo, who sat at seat 1, would have had seat 0
    assert room.table.status == "over"
    for who in ("Ada", "Bo"):
        room.say(who, protocol.Seal, seat=NAMES.index(who), seal=seal(who + "3"))
    assert open_all(room, "3").table.game == 2


# Bad input


@pytest.mark.parametrize(
    ("who", "command", "said"),
    [
        ("Ada", protocol.Open(1, 0, share("Bo")), "That share does not fit the hash that was sent before."),
        ("Ada", protocol.Open(1, 1, share("Ada")), "That seat is not yours."),
        ("Cleo", protocol.Open(1, 0, share("Ada")), "That seat is not yours."),
        ("Ada", protocol.Open(1, 7, share("Ada")), "This table has 2 seats, numbered from 0."),
        ("Cleo", protocol.Sit(1, 1, seal=seal("Cleo")), "The game is about to begin"),
        ("Ada", protocol.SeatBot(1, 1, "sailor"), "The game is about to begin"),
        ("Cleo", protocol.Seal(1, 0, seal("Cleo")), "That seat is not yours."),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(who: str, command: Any, said: str) -> None:
    room = seated()
    before = room.table.version
    with pytest.raises(Refusal, match=said):
        decisions.decide(room.table, room.caller(who), command, room.now, frozenset())
    assert room.table.version == before
    assert open_all(room).table.playing


def test_a_share_is_opened_once_and_changed_never() -> None:
    room = seated()
    room.say("Ada", protocol.Open, seat=0, share=share("Ada"))
    for command in (protocol.Open(9, 0, share("Ada")), protocol.Seal(9, 0, seal("Ada2"))):
        with pytest.raises(Refusal, match="Your share is open already"):
            decisions.decide(room.table, room.caller("Ada"), command, room.now, frozenset())


def test_a_share_comes_too_late_once_the_game_runs() -> None:
    room = open_all(seated())
    for command in (protocol.Open(9, 0, share("Ada")), protocol.Seal(9, 0, seal("Ada2"))):
        with pytest.raises(Refusal, match=r"No shares are being opened now|The game has begun"):
            decisions.decide(room.table, room.caller("Ada"), command, room.now, frozenset())


# Forged records


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"seeds": [share("Ada"), share("Cleo")]}, "The share of player 2 does not fit"),
        ({"seeds": [share("Bo"), share("Ada")]}, "The share of player 1 does not fit"),
        ({"seals": [seal("Ada")]}, "a hash and a share for every seat"),
        ({"seals": [seal("Ada"), "absent"]}, "Player 2 has a share in the draws, but no hash"),
        ({"seals": [seal("Ada"), "none"]}, "The share of player 2 does not fit"),
        ({"seeds": [share("Ada")]}, "a hash and a share for every seat"),
        ({"scheme": 3}, "scheme 3, which this version does not know"),
        ({"scheme": 1}, "hashes only under scheme 2"),
        ({"seals": "none"}, "must be a list of texts"),
        ({"voids": [1]}, "A void start must name its seats"),
        (
            {"seeds": [share("Ada"), share("Cleo")], "seals": [seal("Ada"), seal("Cleo")]},
            "the seed gives that for draw 1",
        ),
    ],
)
def test_a_record_with_other_shares_is_refused_with_its_reason(change: dict[str, Any], said: str) -> None:
    forged = kept(ended())
    forged.fair |= change
    with pytest.raises(NotFair, match=said):
        verify(forged)


def test_a_record_played_again_with_other_shares_has_another_code() -> None:
    """The host keeps the promised seed, but makes a whole game up with shares that please."""
    room = ended()
    code = room.table.lot.code
    forged = Room("kahuna")
    for who in ("Ada", "Bo"):
        forged.say(who, protocol.Sit, seat=NAMES.index(who), seal=seal(who + " forged"))
    made_up = kept(open_all(forged, " forged").play_out())
    assert made_up.fair["commit"] == kept(room).fair["commit"]
    assert verify(made_up).fair
    with pytest.raises(NotFair, match="does not have the fairness code that you saw"):
        verify(made_up, promised=code)


def test_actions_cut_off_or_reordered_are_found_out() -> None:
    whole = kept(ended())
    cut = Record(whole.game, whole.options, whole.actions[:30], whole.players, None, dict(whole.fair))
    with pytest.raises(NotFair, match="draws but numbers"):
        verify(cut)
    moved = kept(ended())
    first = next(n for n, action in enumerate(moved.actions[:9]) if action != moved.actions[0])
    moved.actions[0], moved.actions[first] = moved.actions[first], moved.actions[0]
    with pytest.raises(NotFair, match="Action 1 should have been"):
        verify(moved)


# A host who cheats


def test_a_host_who_grinds_shares_gets_no_better_deals_than_chance() -> None:
    """The host knows the server's seed and the other's hash, sits down last, and tries many shares of their own.

    `archipel.bench.grinding` does the same with a million.
    """
    old, new = ground(games=400, tries=25, scheme=1), ground(games=400, tries=25, scheme=2)
    assert old.pleased > 0.85, "in the clear, the host finds a text that pleases"
    assert abs(new.z) < 3.3, new


# Over real sockets


def evening(spend: Any, folder: Path, **settings: Any) -> None:
    async def run() -> None:
        async with house(folder / "tables.sqlite3", **settings) as here:
            await asyncio.wait_for(spend(here), PATIENCE)

    asyncio.run(run())


async def pair(here: House, **more: Any) -> tuple[Guest, Guest, str, str]:
    """Ada has made a table with the hash of her share; Bo has a link to its other seat."""
    ada, bo = await here.guest("Ada"), await here.guest("Bo")
    table = await ada.table("kahuna", [{"kind": "me", "seal": seal("Ada")}, {"kind": "open"}], **more)
    return ada, bo, table, await ada.link(table, "seat", 1)


def test_a_start_outlives_a_restart_of_the_server(tmp_path: Path) -> None:
    there: list[Any] = []

    async def sit(here: House) -> None:
        ada, bo, table, link = await pair(here)
        async with ada.at(table) as a, bo.at(table, link=link) as b:
            await b.command("sit", seat=1, link=link, seal=seal("Bo"))
            assert (await b.command("open", seat=1, share=share("Bo")))["type"] == "ack"
            await a.until_version(b.version)
        there.extend((ada.cookie, table))

    async def come_back(here: House) -> None:
        ada = Guest(here.port, there[0])
        async with ada.at(there[1]) as a:
            assert a.position["opening"]["opened"] == [1]
            answer = await a.command("open", seat=0, share=share("Ada"))
            assert answer["type"] == "ack"
            await a.until(lambda _: a.position["game"] == 1)

    evening(sit, tmp_path)
    evening(come_back, tmp_path)


def test_whoever_is_connected_and_opens_nothing_makes_the_start_void(tmp_path: Path) -> None:
    async def spend(here: House) -> None:
        ada, bo, table, link = await pair(here)
        async with ada.at(table) as a, bo.at(table, link=link) as b:
            await b.command("sit", seat=1, link=link, seal=seal("Bo"))
            assert (await b.command("open", seat=1, share=share("Bo")))["type"] == "ack"
            await a.until(lambda _: "void" in a.position.get("opening", {}))
            assert a.position["opening"]["void"] == {"seats": [0], "by": "late"}
            assert a.entries[-1]["kind"] == "void"

    evening(spend, tmp_path, opening=1_000)


@pytest.mark.parametrize(
    ("clock", "waits"), [({"kind": "days", "days": 2}, True), ({"kind": "live", "initial": 60_000}, False)]
)
def test_a_start_waits_for_whoever_is_away_unless_a_live_clock_is_to_run(
    tmp_path: Path, clock: dict[str, Any], waits: bool
) -> None:
    async def spend(here: House) -> None:
        _, bo, table, link = await pair(here, clock=clock)
        async with bo.at(table, link=link) as b:
            await b.command("sit", seat=1, link=link, seal=seal("Bo"))
            assert (await b.command("open", seat=1, share=share("Bo")))["type"] == "ack"
            live = here.hub.lives[table]
            live._share_due()
            assert live.table.opening, "nobody is late at once"
            live._opening = live._opening[0], live._opening[1] - 1_000_000
            live._share_due()
            if waits:
                assert live.table.opening
                assert not live.busy
            else:
                await b.until(lambda _: "void" in b.position.get("opening", {}))

    evening(spend, tmp_path)


def test_messages_that_are_no_share_are_not_understood(tmp_path: Path) -> None:
    async def spend(here: House) -> None:
        ada, _, table, _ = await pair(here)
        async with ada.at(table) as a:
            for bad in ("", "00", "g" * 64, "A" * 64, "0" * 66, 7, None):
                for kind, field in (("open", "share"), ("seal", "seal")):
                    await a.send({"type": kind, "n": a.n + 1, "seat": 0, field: bad})
                    assert (await a.until(lambda m: m["type"] == "trouble"))["rule"] == "table.not-understood"
            assert (await a.command("seal", seat=0, seal=seal("phone")))["type"] == "ack"

    evening(spend, tmp_path)
