"""What may be done at a table, and what the table is afterwards."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from archipel.core.rules import OVER
from archipel.table import protocol
from archipel.table.log import decisions, events
from archipel.table.log.decisions import Refusal, plain
from archipel.table.log.records import games, record
from archipel.table.log.table import Table
from archipel.table.log.views import Views, caught_up, entry_view, replayed
from archipel.table.protocol import DaysClock, LiveClock, NewChair
from tests.variants import EVERY, VARIANTS, Options

from .room import NOW, Room


def refused(room: Room, who: str, kind: type[Any], **parameters: Any) -> str:
    """The rule that a command is refused by; nothing may have changed."""
    before = [events.encode(entry) for entry in room.table.log]
    with pytest.raises(Refusal) as refusal:
        room.say(who, kind, **parameters)
    assert [events.encode(entry) for entry in room.table.log] == before
    return refusal.value.rule


@pytest.mark.parametrize(("name", "options"), EVERY)
def test_the_log_is_the_table(name: str, options: Options) -> None:
    room = Room(name, options).sit_all().play_out()
    again = Table(room.table.setup, room.table.log)
    assert again.state == room.table.state
    assert (again.version, again.status, again.points) == (room.table.version, "over", room.table.points)
    for eye in (None, *range(again.seats)):
        assert Views(again).position(eye) == Views(room.table).position(eye)


def test_the_game_begins_when_the_last_seat_is_taken() -> None:
    room = Room("kahuna")
    room.say("Ada", protocol.Sit, seat=1)
    assert not room.table.playing
    promise = room.table.commit
    entries = room.say("Bo", protocol.Sit, seat=0)
    assert [type(entry) for entry in entries] == [events.Sat, events.Started] + [events.Happened] * 9
    assert room.table.status == "playing"
    assert room.table.commit == promise


def test_a_table_may_be_full_from_the_start() -> None:
    chairs = [NewChair("me"), NewChair("bot", level="greedy"), NewChair("here", name="Kim")]
    room = Room("kula_kula", {"players": 3}, chairs)
    assert [chair.kind for chair in room.table.chairs] == ["person", "bot", "person"]
    assert room.table.seats_of("Ada") == [0, 2]
    assert room.table.chairs[2].name == "Kim"
    assert room.table.playing


def test_chairs_must_be_as_many_as_the_game_has_seats() -> None:
    with pytest.raises(Refusal, match="Kahuna has 2 seats with these options, not 1"):
        Room("kahuna", {}, [NewChair("me")])


def test_seats_are_taken_once() -> None:
    room = Room("kula_kula")
    room.say("Ada", protocol.Sit, seat=0)
    assert refused(room, "Bo", protocol.Sit, seat=0) == "table.seat-taken"
    assert refused(room, "Bo", protocol.Sit, seat=9) == "table.no-such-seat"
    room.say("Ada", protocol.Rise, seat=0)
    room.say("Bo", protocol.Sit, seat=0)
    assert room.table.seats_of("Bo") == [0]


def test_without_a_link_nobody_sits_down() -> None:
    room = Room("kahuna")
    stranger = decisions.Caller(who="Zoe", name="Zoe", by="z")
    with pytest.raises(Refusal, match="link"):
        decisions.decide(room.table, stranger, protocol.Sit(n=1, seat=0), NOW, frozenset())


def test_only_the_mover_acts() -> None:
    room = Room("stonehenge").sit_all()
    assert refused(room, "Bo", protocol.Act, at=room.table.version, action="6@K") == "table.not-your-turn"
    assert refused(room, "Zoe", protocol.Act, at=room.table.version, action="6@K") == "table.not-your-turn"
    room.act("6@K")
    assert refused(room, "Bo", protocol.Act, at=room.table.version, action="6@K") == "stonehenge.place"
    assert refused(room, "Bo", protocol.Act, at=room.table.version, action="nonsense") == "stonehenge.actions"
    assert refused(room, "Bo", protocol.Act, at=room.table.version, action={"do": "fly"}) == "stonehenge.actions"


def test_an_action_meant_for_another_position_does_nothing() -> None:
    room = Room("stonehenge").sit_all()
    seen = room.table.version
    room.act("6@K")
    room.take([events.Spoke(at=room.now, name="Bo", text="hm", seat=1)])
    assert refused(room, "Bo", protocol.Act, at=seen, action="5@A") == "table.stale"
    assert refused(room, "Bo", protocol.Act, at=room.table.version + 1, action="5@A") == "table.stale"
    room.say("Bo", protocol.Act, at=room.table.version - 1, action="5@A")


def test_a_command_is_known_again() -> None:
    room = Room("stonehenge").sit_all()
    room.act("6@K")
    assert room.table.answered("client-of-Ada", room.n) == room.table.version
    again = Table(room.table.setup, [events.decode(events.encode(entry)) for entry in room.table.log])
    assert again.answered("client-of-Ada", room.n) == room.table.version
    assert again.last_n("client-of-Ada") == room.n
    assert again.answered("client-of-Bo", room.n) is None


# Undo.


def test_undo_where_nothing_is_hidden() -> None:
    room = Room("stonehenge").sit_all()
    start = room.table.state
    room.act("6@K")
    assert Views(room.table).position(0).undo
    assert not Views(room.table).position(1).undo
    assert refused(room, "Bo", protocol.Undo) == "table.not-yours"
    room.say("Ada", protocol.Undo)
    assert room.table.state == start
    room.act("5@K")
    room.act("5@A")
    assert refused(room, "Ada", protocol.Undo) == "table.not-yours"


def test_several_actions_of_a_turn_are_undone_one_by_one() -> None:
    room = Room("stonehenge", {"claims": "manual"}).sit_all()
    room.act("6@K")
    room.act("done")
    room.say("Ada", protocol.Undo)
    room.say("Ada", protocol.Undo)
    assert room.table.history.moves == 0
    assert refused(room, "Ada", protocol.Undo) == "table.not-yours"


def test_a_card_that_was_shown_cannot_be_taken_back() -> None:
    room = Room("kahuna").sit_all()
    bridge = next(a for a in map(room.table.state.decode, room.table.state.actions()) if a["do"] == "bridge")
    room.act(bridge)
    assert refused(room, "Ada", protocol.Undo) == "table.known"


def test_a_card_laid_face_down_can_be_taken_back() -> None:
    room = Room("kahuna").sit_all()
    hand = room.table.state.view(0)["hands"][0]
    room.act({"do": "discard", "card": hand[0]})
    room.say("Ada", protocol.Undo)
    assert room.table.state.view(0)["hands"][0] == hand


def test_a_druid_placed_face_down_can_be_taken_back_until_it_is_turned_up() -> None:
    room = Room("stonehenge", {"hidden": True}).sit_all()
    room.act("6@A")
    assert room.table.history.may_undo()
    room.act("5@B")
    assert not room.table.history.may_undo(), "the line AB is full and turned up"


def test_what_chance_has_done_stands() -> None:
    room = Room("kahuna").sit_all()
    room.act("draw deck")
    assert not room.table.history.may_undo()


@given(st.integers(0, len(VARIANTS) - 1), st.integers(0, 2**32), st.integers(1, 60))
def test_what_can_be_undone_taught_nobody_anything(variant: int, seed: int, actions: int) -> None:
    """After an undo everybody's view is what it was, and nobody was told of anything that he could not see again."""
    name, options = VARIANTS[variant]
    room = Room(name, options).sit_all().play_out(seed, actions)
    rng = np.random.default_rng(seed)
    if room.table.mover == OVER:
        return
    eyes = (None, *range(room.table.seats))
    views = [room.table.state.view(eye) for eye in eyes]
    mover = room.table.chairs[room.table.mover].who
    room.act_at_random(rng)
    if room.table.playing and room.table.history.may_undo() and room.table.holds(mover, room.table.history.movers[-1]):
        room.say(mover, protocol.Undo)
        assert [room.table.state.view(eye) for eye in eyes] == views


# Taking back.


def test_the_others_may_allow_to_go_back() -> None:
    room = Room("kahuna").sit_all()
    room.act("draw deck")
    drawn = room.table.history.drawn
    assert refused(room, "Bo", protocol.AskBack) == "table.nothing-done"
    room.say("Ada", protocol.AskBack)
    assert refused(room, "Ada", protocol.Answer, agree=True) == "table.not-asked"
    assert refused(room, "Bo", protocol.AskBack) == "table.asked"
    position = Views(room.table).position(1)
    assert position.request == protocol.Request(0, 9, [1])
    room.say("Bo", protocol.Answer, agree=True)
    assert room.table.history.moves == 9
    assert room.table.mover == 0
    room.act("draw deck")
    assert room.table.history.draws[-1] > drawn, "what was drawn once is not drawn again"


def test_the_others_may_refuse_to_go_back() -> None:
    room = Room("kahuna").sit_all()
    room.act("draw deck")
    room.say("Ada", protocol.AskBack)
    room.say("Bo", protocol.Answer, agree=False)
    assert room.table.request is None
    assert room.table.history.moves > 9


def test_who_plays_bots_alone_may_always_go_back() -> None:
    room = Room("kahuna", {}, [NewChair("me"), NewChair("bot", level="random")])
    room.act("draw deck")
    room.say("Ada", protocol.AskBack)
    assert room.table.history.moves == 9


def test_taken_back_draws_are_told_by_the_record() -> None:
    room = Room("kahuna").sit_all()
    room.act("draw deck")
    room.say("Ada", protocol.AskBack)
    room.say("Bo", protocol.Answer, agree=True)
    room.play_out()
    from archipel.table.log.fairness import verify

    assert verify(record(room.table)).skipped
    assert not verify(record(room.table)).fair


# Leaving, bots, giving up.


def test_a_seat_that_was_left_is_given_to_a_bot_and_taken_again() -> None:
    room = Room("stonehenge").sit_all()
    assert refused(room, "Bo", protocol.SeatBot, seat=0, level="random") == "table.still-here"
    room.say("Ada", protocol.Rise, seat=0)
    assert refused(room, "Zoe", protocol.SeatBot, seat=0, level="random") == "table.players-only"
    room.say("Bo", protocol.SeatBot, seat=0, level="random")
    assert room.table.bot_to_move() == decisions.STAND_IN, "an opponent would choose the weakest"
    assert refused(room, "Ada", protocol.Act, at=room.table.version, action="6@K") == "table.not-your-turn"
    entries = decisions.bot_acts(room.table, room.table.position, room.table.state.parse("6@K"), NOW)
    room.take(entries)
    room.say("Ada", protocol.Sit, seat=0)
    assert room.table.chairs[0].kind == "person"


def test_a_bot_that_thought_about_another_position_does_nothing() -> None:
    room = Room("stonehenge", {}, [NewChair("bot", level="random"), NewChair("me")])
    assert decisions.bot_acts(room.table, room.table.position - 1, 0, NOW) == []


def test_somebody_who_is_away_can_be_replaced_too() -> None:
    room = Room("stonehenge").sit_all()
    room.say("Bo", protocol.SeatBot, away=frozenset({0}), seat=0, level="random")
    assert room.table.bot_to_move() == decisions.STAND_IN


def test_where_there_are_days_for_a_move_nobody_is_replaced_for_being_away() -> None:
    room = Room("stonehenge", clock=DaysClock(days=3)).sit_all()
    away = frozenset({0})
    assert refused(room, "Bo", protocol.SeatBot, away=away, seat=0, level="random") == "table.days"
    room.say("Ada", protocol.Rise, seat=0)
    room.say("Bo", protocol.SeatBot, seat=0, level="random")
    assert room.table.bot_to_move() == decisions.STAND_IN


def test_the_owner_of_a_minded_seat_has_to_agree_to_go_back() -> None:
    room = Room("stonehenge").sit_all()
    room.act("6@K")
    room.act("5@A")
    room.say("Bo", protocol.SeatBot, away=frozenset({0}), seat=0, level="random")
    room.say("Bo", protocol.AskBack)
    assert room.table.history.moves == 2, "nobody has agreed"
    assert room.table.request is not None
    assert room.table.request.waiting == [0]
    room.say("Ada", protocol.Answer, agree=True)
    assert room.table.history.moves == 1


def test_whoever_comes_back_has_the_seat_again() -> None:
    room = Room("stonehenge").sit_all()
    room.say("Bo", protocol.SeatBot, away=frozenset({0}), seat=0, level="random")
    assert decisions.comes_back(room.table, "Zoe", NOW) == []
    room.take(decisions.comes_back(room.table, "Ada", NOW))
    assert room.table.sits("Ada", 0)
    assert decisions.comes_back(room.table, "Ada", NOW) == []


def test_whoever_left_on_purpose_comes_back_on_purpose() -> None:
    room = Room("stonehenge").sit_all()
    room.say("Ada", protocol.Rise, seat=0)
    room.say("Bo", protocol.SeatBot, seat=0, level="random")
    assert decisions.comes_back(room.table, "Ada", NOW) == []
    room.say("Ada", protocol.Sit, seat=0)
    assert room.table.sits("Ada", 0)


# A seat that was left in a running game.


def left(players: int = 3) -> Room:
    """Ada has left in the middle of a game."""
    room = Room("kula_kula", {"players": players}).sit_all()
    room.say("Ada", protocol.Rise, seat=0)
    return room


def test_a_player_cannot_take_a_seat_that_was_left() -> None:
    room = left()
    assert refused(room, "Bo", protocol.Sit, seat=0) == "table.seen-a-hand"
    room.say("Ada", protocol.Sit, seat=0)
    assert room.table.sits("Ada", 0)


def test_nor_can_somebody_who_has_left_another_seat() -> None:
    room = left()
    room.say("Bo", protocol.Rise, seat=1)
    assert refused(room, "Bo", protocol.Sit, seat=0) == "table.seen-a-hand"


def test_nor_can_somebody_who_has_looked_over_a_shoulder() -> None:
    room = left()
    looker = decisions.Caller(who="Zoe", name="Zoe", by="z", may_sit=True, has_looked=True)
    with pytest.raises(Refusal, match="seen a hand"):
        decisions.decide(room.table, looker, protocol.Sit(n=1, seat=0), NOW, frozenset())


def test_a_stranger_has_a_left_seat_once_all_players_agree() -> None:
    room = left()
    room.say("Zoe", protocol.Sit, seat=0)
    assert room.table.seats_of("Zoe") == []
    assert Views(room.table).position(1).candidate == protocol.Candidate(0, "Zoe", [1, 2])
    assert refused(room, "Yan", protocol.Sit, seat=0) == "table.asked"
    assert refused(room, "Zoe", protocol.Admit, agree=True) == "table.not-asked"
    assert refused(room, "Ada", protocol.Admit, agree=True) == "table.not-asked"
    room.say("Bo", protocol.Admit, agree=True)
    assert room.table.seats_of("Zoe") == []
    room.say("Cleo", protocol.Admit, agree=True)
    assert room.table.sits("Zoe", 0)
    assert room.table.candidate is None
    assert refused(room, "Ada", protocol.Sit, seat=0) == "table.seat-taken"
    again = Table(room.table.setup, room.table.log)
    assert (again.chairs, again.held) == (room.table.chairs, room.table.held)


def test_one_player_who_says_no_is_enough() -> None:
    room = left()
    room.say("Zoe", protocol.Sit, seat=0)
    room.say("Bo", protocol.Admit, agree=True)
    room.say("Cleo", protocol.Admit, agree=False)
    assert room.table.candidate is None
    assert refused(room, "Zoe", protocol.Sit, seat=0) == "table.turned-away"
    room.say("Yan", protocol.Sit, seat=0)


def test_the_owner_comes_before_whoever_asks() -> None:
    room = left()
    room.say("Zoe", protocol.Sit, seat=0)
    room.say("Ada", protocol.Sit, seat=0)
    assert room.table.candidate is None
    assert refused(room, "Bo", protocol.Admit, agree=True) == "table.not-asked"


def test_whoever_asks_asks_those_who_play() -> None:
    room = left()
    room.say("Zoe", protocol.Sit, seat=0)
    room.say("Bo", protocol.Rise, seat=1)
    assert room.table.candidate is None, "one who was asked has gone"
    room.say("Cleo", protocol.Rise, seat=2)
    assert refused(room, "Zoe", protocol.Sit, seat=0) == "table.nobody-to-ask"


def test_a_bot_may_mind_the_seat_that_somebody_asks_for() -> None:
    room = left()
    room.say("Bo", protocol.SeatBot, seat=0, level="random")
    room.say("Zoe", protocol.Sit, seat=0)
    room.say("Bo", protocol.Admit, agree=True)
    room.say("Cleo", protocol.Admit, agree=True)
    assert room.table.chairs[0].kind == "person"
    assert room.table.sits("Zoe", 0)


def test_after_the_game_a_left_seat_is_free() -> None:
    room = Room("stonehenge").sit_all()
    room.say("Ada", protocol.Resign, seat=0)
    room.say("Ada", protocol.Rise, seat=0)
    room.say("Zoe", protocol.Sit, seat=0)
    assert room.table.sits("Zoe", 0)


# The host's own house.


def test_one_link_leads_to_one_seat() -> None:
    room = Room("kula_kula")
    room.say("Bo", protocol.Sit, seat=0)
    bo = decisions.Caller(who="Bo", name="Bo", by="b")
    with pytest.raises(Refusal, match="link to that seat"):
        decisions.decide(room.table, bo, protocol.Sit(n=1, seat=1), NOW, frozenset())


def test_the_host_frees_a_seat_before_the_game() -> None:
    room = Room("kula_kula")
    room.say("Bo", protocol.Sit, seat=0)
    assert refused(room, "Bo", protocol.Unseat, seat=0) == "table.host-only"
    assert refused(room, "Ada", protocol.Unseat, seat=1) == "table.seat-open"
    room.say("Ada", protocol.Unseat, seat=0)
    assert room.table.chairs[0].kind == "open"
    assert "Bo" in room.table.unseated
    room.say("Ada", protocol.SeatBot, seat=0, level="random")
    room.say("Ada", protocol.Unseat, seat=0)
    assert room.table.chairs[0].kind == "open"
    room.sit_all()
    assert refused(room, "Ada", protocol.Unseat, seat=1) == "table.begun"


def test_a_closed_table_stands_still() -> None:
    room = Room("stonehenge", clock=LiveClock(initial=60_000)).sit_all()
    assert refused(room, "Bo", protocol.Close) == "table.host-only"
    room.say("Ada", protocol.Close)
    assert room.table.status == "closed"
    assert room.table.timer.deadline is None
    for command in (protocol.Close, protocol.Undo, protocol.Rematch):
        assert refused(room, "Ada", command) == "table.closed"
    assert refused(room, "Ada", protocol.Act, at=room.table.version, action="6@K") == "table.closed"
    assert Views(room.table).position(None).closed
    with pytest.raises(ValueError, match="game is over"):
        record(room.table)
    assert Table(room.table.setup, room.table.log).status == "closed"


def test_giving_up_ends_a_game_of_two() -> None:
    room = Room("stonehenge").sit_all()
    assert refused(room, "Ada", protocol.Resign, seat=1) == "table.not-your-seat"
    room.say("Ada", protocol.Resign, seat=0)
    assert room.table.ending is not None
    assert (room.table.ending.how, room.table.ending.winner) == ("resigned", 1)
    assert refused(room, "Bo", protocol.Act, at=room.table.version, action="6@K") == "table.over"
    kept = record(room.table)
    assert kept.result is None
    assert kept.fair["ended"] == {"by": "resigned", "seat": 0}


def test_where_more_play_a_bot_plays_on() -> None:
    room = Room("kula_kula").sit_all()
    room.say("Ada", protocol.Resign, seat=0)
    assert room.table.playing
    assert room.table.chairs[0].kind == "bot"
    assert refused(room, "Ada", protocol.Sit, seat=0) == "table.out"


# Rematch and series.


def test_a_rematch_turns_the_seats() -> None:
    room = Room("stonehenge", series=2).sit_all()
    assert refused(room, "Ada", protocol.Rematch) == "table.not-over"
    room.play_out()
    scores, promise = room.table.state.scores, room.table.commit
    room.say("Ada", protocol.Rematch, seed="again")
    assert room.table.status == "over"
    room.say("Bo", protocol.Rematch)
    assert [chair.name for chair in room.table.chairs] == ["Bo", "Ada"]
    assert room.table.lot.seeds == ("", "again")
    assert room.table.commit == promise
    assert room.table.points == scores[::-1]
    room.play_out(1)
    assert [kept.players for kept in games(room.table)] == [["Ada", "Bo"], ["Bo", "Ada"]]
    assert room.table.points == [a + b for a, b in zip(scores[::-1], room.table.state.scores, strict=True)]
    room.say("Ada", protocol.Rematch)
    room.say("Bo", protocol.Rematch)
    assert room.table.points == [0, 0]


def test_one_may_think_again_about_a_rematch() -> None:
    room = Room("stonehenge").sit_all().play_out()
    room.say("Ada", protocol.Rematch)
    room.say("Ada", protocol.Rematch, agree=False)
    room.say("Bo", protocol.Rematch)
    assert room.table.status == "over"


# The clock.


def test_the_clock_runs_for_the_mover_alone() -> None:
    room = Room("stonehenge", clock=LiveClock(60_000, 2_000)).sit_all()
    began = room.now
    room.now += 9_000
    room.act("6@K")
    assert room.table.timer.left == [52_000, 60_000]
    assert room.table.timer.deadline == began + 10_000 + 60_000


def test_time_that_is_up_ends_the_game() -> None:
    room = Room("stonehenge", clock=LiveClock(60_000)).sit_all()
    assert decisions.time_is_up(room.table, room.now + 59_999) == []
    room.take(decisions.time_is_up(room.table, room.now + 60_000))
    assert room.table.ending is not None
    assert (room.table.ending.how, room.table.ending.seat, room.table.ending.winner) == ("time", 0, 1)
    assert room.table.timer.deadline is None


def test_a_live_clock_stands_still_while_the_table_is_away() -> None:
    room = Room("stonehenge", clock=LiveClock(60_000)).sit_all()
    room.take([events.Resumed(at=room.now + 500_000)])
    assert room.table.timer.deadline == room.now + 560_000


def test_days_are_counted_for_every_move() -> None:
    day = 86_400_000
    room = Room("stonehenge", clock=DaysClock(2)).sit_all()
    assert room.table.timer.deadline == room.now + 2 * day
    room.now += day
    room.act("6@K")
    assert room.table.timer.deadline == room.now + 2 * day


def test_without_a_clock_nobody_is_late() -> None:
    room = Room("stonehenge").sit_all()
    assert decisions.time_is_up(room.table, 10**15) == []


# Chat and names.


def test_what_is_said_is_plain_text() -> None:
    room = Room("stonehenge").sit_all()
    bo, said = room.caller("Bo"), protocol.Chat(1, "  <b>hi</b>\n\u202eevil\x00  ")
    assert decisions.remark(room.table, bo, said) == ("Bo", "<b>hi</b> evil", 1)
    with pytest.raises(decisions.Refusal, match="The message is empty"):
        decisions.remark(room.table, bo, protocol.Chat(2, "\u200b\n"))


@given(st.text())
def test_plain_text_stays_plain(text: str) -> None:
    assert plain(plain(text)) == plain(text)
    assert plain(text).isprintable()


# What leaves by the door.


@pytest.mark.parametrize(("name", "options"), EVERY)
def test_what_is_told_at_once_is_what_is_told_later(name: str, options: Options) -> None:
    """Somebody who comes late is told the same as somebody who was there."""
    room = Room(name, options).sit_all()
    eyes = (None, *range(room.table.seats))
    entries = list(room.table.log)
    room = Room(name, options)
    told: dict[int | None, list[Any]] = {eye: [] for eye in eyes}
    rng = np.random.default_rng(3)

    def take(entry: events.Entry) -> None:
        tell = entry_view(room.table, room.table.version + 1, entry, room.table.apply(entry))
        for eye in eyes:
            told[eye].append(tell(eye))

    for entry in entries:
        take(entry)
    for _ in range(25):
        if room.table.mover == OVER:
            break
        state = room.table.state
        action = state.decode(int(rng.choice(state.actions())))
        act = protocol.Act(n=1, at=room.table.version, action=action)
        caller = room.caller(room.table.chairs[state.mover].who)
        for entry in decisions.decide(room.table, caller, act, NOW, frozenset()):
            take(entry)
    for eye in eyes:
        late, _ = replayed(room.table, room.table.began, eye)
        assert late == told[eye][room.table.began :]


def test_who_comes_back_is_told_what_he_missed() -> None:
    import msgspec

    room = Room("kahuna").sit_all()
    door = Views(room.table)
    seen, version = door.position(0).hash, room.table.version
    room.act("draw deck")
    missed = msgspec.json.decode(caught_up(door, version, seen, 0), type=protocol.Update)
    assert (missed.whole, missed.since, missed.version) == (False, version, room.table.version)
    assert [entry.v for entry in missed.entries] == list(range(version + 1, room.table.version + 1))
    for since, hash_ in ((version, "drifted"), (version + 1000, seen), (None, None), (version, None)):
        whole = msgspec.json.decode(caught_up(door, since, hash_, 0), type=protocol.Update)
        assert (whole.whole, whole.since) == (True, room.table.began)
        assert len(whole.entries) == room.table.version - room.table.began
