"""Every move of a bot can be computed again from the record, and a bot that saw more than its seat is found out."""

import hmac
import re
from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np
import pytest

from archipel.bots import levels
from archipel.core import registry
from archipel.core.record import Record
from archipel.core.rules import OVER
from archipel.core.slow_chance import NotFair
from archipel.table import protocol
from archipel.table.log import bot_moves, decisions, shares, views
from archipel.table.log.fairness import Lot
from archipel.table.log.records import record
from archipel.table.play.recomputing import INSTEAD, NOT_MADE_AGAIN, NOT_RECORDED, OTHER_ENGINE, SAME, recomputed
from archipel.table.play.thinking import Choice, Question, move_question, think
from archipel.table.protocol import NewChair
from tests.table.room import Room, Simulated

SHARE = "5e" * 32
Answer = Callable[[Room, Question], Choice | None]


def honest(room: Room, question: Question) -> Choice | None:
    choice: Choice | None = think(question)
    return choice


def let_bots(room: Room, answer: Answer = honest) -> None:
    table = room.table
    while table.bot_to_move():
        action, extra = answer(room, move_question(table, table.bot_to_move() or "")) or (None, None)
        room.take(decisions.bot_acts(table, table.position, action, room.now, extra))


def table_of(game: str, bots: list[str], options: dict[str, Any] | None = None, **more: Any) -> Room:
    chairs = [NewChair("me", seal=shares.seal_of(SHARE)), *(NewChair("bot", level=level) for level in bots)]
    room = Room(game, options, chairs, **more)
    room.say("Ada", protocol.Open, seat=0, share=SHARE)
    return room


def played(game: str, bots: list[str], answer: Answer = honest, room: Room | None = None, **more: Any) -> Room:
    """A game of a person who moves at random against bots."""
    room = room or table_of(game, bots, **more)
    rng = np.random.default_rng(3)
    let_bots(room, answer)
    while room.table.mover != OVER:
        room.act_at_random(rng)
        let_bots(room, answer)
    return room


def kept(room: Room) -> Record:
    return Record.read(record(room.table).json())


GAMES = [
    ("kahuna", ["sailor"], {}),
    ("kahuna", ["fisher"], {"edition": "tilsit", "open_cards": True}),
    ("kula_kula", ["sailor", "chief"], {"turn_limit": 24}),
    ("stonehenge", ["sailor"], {}),
    ("stonehenge", ["fisher"], {"hidden": True}),
    ("krakatoa", ["sailor"], {"game": "basic"}),
]


@pytest.mark.parametrize(("game", "bots", "options"), GAMES)
def test_every_move_of_a_bot_is_computed_again(game: str, bots: list[str], options: dict[str, Any]) -> None:
    room = played(game, bots, options=options)
    found = recomputed(kept(room), think)
    assert [one.level for one in sorted(found, key=lambda one: bots.index(one.level))] == bots
    for one in found:
        assert one.found == {SAME: one.moves}
        assert one.moves > 3
        assert one.reason == f"All {one.moves} moves of {levels.title(one.level)} {max(levels.VERSIONS)} " + (
            "are what it plays on what it could see."
        )


def with_all_cards(room: Room, question: Question) -> Choice | None:
    """A cheating server: the bot is told what the other seat holds."""
    state = room.table.state
    hands = state.snapshot()["hands"]
    question.view = question.view | {"hands": [len(hands[0]), hands[1]], "known": hands, "maybe": [[], []]}
    return honest(room, question)


def test_a_bot_that_was_shown_other_cards_is_found_out() -> None:
    room = played("kahuna", ["sailor"], with_all_cards)
    with pytest.raises(NotFair, match=r"^Action \d+ is not what sailor@\d plays on what it could see: that is "):
        recomputed(kept(room), think)


def test_a_move_of_another_player_in_the_bot_s_name_is_found_out() -> None:
    room = played("stonehenge", ["navigator"], lambda room, question: (room.table.state.actions()[0], None))
    with pytest.raises(NotFair, match=r"is not what navigator@\d plays"):
        recomputed(kept(room), think)


def test_what_a_bot_saw_is_in_no_message() -> None:
    """A view's digest would let others guess hidden cards."""
    room = table_of("kahuna", ["fisher"])
    while not room.table.bot_to_move():
        room.play_out(most=1)
    question = move_question(room.table, "fisher")
    action, _ = honest(room, question) or (None, None)
    told: list[bytes] = []
    for entry in decisions.bot_acts(room.table, room.table.position, action, room.now):
        step = room.table.apply(entry)
        tell = views.entry_view(room.table, room.table.version, entry, step)
        told += [msgspec.json.encode(tell(eye)) for eye in (None, 0, 1)]
    (move,) = room.table.history.bot_moves.values()
    assert move.view == bot_moves.digest(question.view)
    assert not any(secret.encode() in message for message in told for secret in (move.view, move.engine))


def test_after_a_takeback_the_moves_that_stand_are_computed_again() -> None:
    room = table_of("stonehenge", ["sailor"])
    for _ in range(3):
        let_bots(room)
        room.play_out(most=1)
    let_bots(room)
    room.say("Ada", protocol.AskBack)
    found = recomputed(kept(played("stonehenge", ["sailor"], room=room)), think)
    assert [one.found for one in found] == [{SAME: found[0].moves}]


def test_a_stand_in_is_asked_as_any_bot() -> None:
    room = Room("kahuna").sit_all()
    room.play_out(most=6)
    room.say("Bo", protocol.Rise, seat=1)
    room.say("Ada", protocol.SeatBot, seat=1, level="chief")
    (found,) = recomputed(kept(played("kahuna", [], room=room)), think)
    assert (found.level, set(found.found)) == (decisions.STAND_IN, {SAME})


def test_a_bot_that_fails_is_named_and_its_move_follows_from_the_seed() -> None:
    room = played("stonehenge", ["sailor"], lambda room, question: None)
    record = kept(room)
    (found,) = recomputed(record, think)
    assert found.found == {INSTEAD: found.moves}
    assert found.reason == (
        f"0 of {found.moves} moves of Sailor {max(levels.VERSIONS)} are what it plays on what it could see; "
        "the others could not be compared."
    )
    record.fair["bots"][0]["view"] = "0" * 64
    with pytest.raises(NotFair, match="was shown something else than its seat could see"):
        recomputed(record, think)


def test_only_what_fell_by_odds_is_computed_again_where_dice_lie_in_a_tray(monkeypatch: pytest.MonkeyPatch) -> None:
    chairs = [NewChair("me"), NewChair("bot", level="beachcomber")]
    room = Simulated(chairs=chairs, options={"game": "basic"})
    rng = np.random.default_rng(3)
    let_bots(room)
    while not room.table.history.bot_moves:
        room.act_at_random(rng)
        let_bots(room)
    room.say("Ada", protocol.Resign, seat=0)
    made = kept(room)
    (found,) = recomputed(made, think)
    assert found.found == {NOT_MADE_AGAIN: found.moves}
    monkeypatch.setattr(registry, "slow_chance", lambda name: None)  # as in a page
    (found,) = recomputed(made, think)
    assert found.found == {NOT_MADE_AGAIN: found.moves}


def forged(change: Callable[[list[dict[str, Any]]], Any]) -> Record:
    made = kept(played("stonehenge", ["fisher"]))
    change(made.fair["bots"])
    return made


def test_a_move_that_a_record_keeps_silent_about_is_counted() -> None:
    told, silent = recomputed(forged(lambda bots: bots.pop(2)), think)
    assert told.found == {SAME: told.moves}
    assert (silent.title, silent.found) == ("Fisher", {NOT_RECORDED: 1})


def test_another_engine_is_believed_only_as_another_engine() -> None:
    """Whoever names another engine is not accused, but nothing is certified either."""
    made = forged(lambda bots: bots[0].update(engine="f" * 16, view="0" * 64))
    (found,) = recomputed(made, think)
    assert found.found == {SAME: found.moves - 1, OTHER_ENGINE: 1}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda bots: bots[0].update(action=999), "The record names a bot for action 999, which no player chose."),
        (lambda bots: bots[1].update(action=bots[0]["action"]), "The record names two bots for one action."),
        (lambda bots: bots[0].update(level="chief"), "Action 2 is said to be chief’s, but fisher played at that seat."),
        (lambda bots: bots[0].update(view=7), "What the record says of its bots must be a list of moves, not "),
        (lambda bots: bots.append("chief"), "What the record says of its bots must be a list of moves, not "),
    ],
)
def test_what_a_record_cannot_say_of_bots_is_refused(change: Any, said: str) -> None:
    with pytest.raises(NotFair, match=f"^{re.escape(said)}"):
        recomputed(forged(change), think)


def test_the_seed_follows_from_the_shares_and_is_another_for_every_move() -> None:
    lot = Lot(b"a" * 32, b"b" * 32, ("mine", "yours"))
    message = b'["mine","yours"] bot 7'
    assert lot.thought(7) == int.from_bytes(hmac.digest(lot.seed, message, "sha256")[:8], "big") >> 1
    assert len({Lot(lot.seed, lot.salt, ("mine", share)).thought(n) for share in "ab" for n in range(50)}) == 100
