"""A game with anything wrong must fail the conformance checks, however well the rest of it works."""

import json
import re
from collections.abc import Callable
from typing import Any
from zlib import crc32

import numpy as np
import pytest

import archipel
from archipel import CHANCE, OVER, Game, IllegalAction, Record, State
from archipel.testing import check_game

Patch = Callable[[pytest.MonkeyPatch], None]

after, actions, chances, returns = State.after, State.actions, State.chances, State.returns
encode, notation, parse, view = State.encode, State.notation, State.parse, State.view
restore, snapshot, imagine, game_view = Game.restore, Game.snapshot, Game.imagine, Game.view


def test_a_sound_game_passes() -> None:
    report = check_game(archipel.game("kahuna"), plays=1, thorough=0.01)
    assert (report.plays, report.hides) == (1, True)
    assert report.states > 50
    assert 0 < report.varied <= report.imagined
    assert report.posteriors > 0
    assert {"deal", "bridge", "draw"} <= report.kinds
    assert str(report).startswith("1 games, ")


def test_the_same_seed_checks_the_same() -> None:
    game = archipel.game("stonehenge", hidden=True)
    assert check_game(game, plays=2, seed=3) == check_game(game, plays=2, seed=3)


# What imagine may do wrong.


def imagine_is_the_truth(patch: pytest.MonkeyPatch) -> None:
    """The view's state is kept aside, and given back instead of an imagined one."""
    truth: list[State] = []

    def remember(self: Game, state: State, seat: int | None) -> dict[str, Any]:
        truth[:] = [state]
        return game_view(self, state, seat)

    patch.setattr(Game, "view", remember)
    patch.setattr(Game, "imagine", lambda self, seen, rng: truth[0])


def imagine_is_always_the_same(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Game, "imagine", lambda self, seen, rng: imagine(self, seen, np.random.default_rng(0)))


def imagine_hardly_varies(patch: pytest.MonkeyPatch) -> None:
    def stubborn(self: Game, seen: dict[str, Any], rng: np.random.Generator) -> State:
        return imagine(self, seen, np.random.default_rng(0) if rng.random() < 0.5 else rng)

    patch.setattr(Game, "imagine", stubborn)


def imagine_forgets(patch: pytest.MonkeyPatch) -> None:
    """The watcher's own cards are dealt anew as well."""

    def forgetful(self: Game, seen: dict[str, Any], rng: np.random.Generator) -> State:
        world = imagine(self, seen, rng)
        return imagine(self, game_view(self, world, None), rng)

    patch.setattr(Game, "imagine", forgetful)


def imagine_listens_at_the_door(patch: pytest.MonkeyPatch) -> None:
    """The view is honest, but what is imagined depends on the hidden state through the random numbers."""

    def overhear(self: State, seat: int | None, rng: np.random.Generator) -> State:
        salt = crc32(json.dumps(self.snapshot()).encode())
        return self.game.imagine(self.view(seat), np.random.default_rng(rng.integers(1 << 32) + salt))

    patch.setattr(State, "imagine", overhear)


def imagine_changes_the_mover(patch: pytest.MonkeyPatch) -> None:
    def hasty(self: Game, seen: dict[str, Any], rng: np.random.Generator) -> State:
        world = imagine(self, seen, rng)
        return world if world.mover in (CHANCE, OVER) else world.after(world.actions()[0])

    patch.setattr(Game, "imagine", hasty)


# What views may do wrong.


def view_leaks_a_card(patch: pytest.MonkeyPatch) -> None:
    def leak(self: Game, state: State, seat: int | None) -> dict[str, Any]:
        opponent = 1 - (seat or 0)
        return game_view(self, state, seat) | {"peek": snapshot(self, state)["hands"][opponent][:1]}

    def blind(self: Game, seen: dict[str, Any], rng: np.random.Generator) -> State:
        return imagine(self, {key: value for key, value in seen.items() if key != "peek"}, rng)

    patch.setattr(Game, "view", leak)
    patch.setattr(Game, "imagine", blind)


def view_is_the_snapshot(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Game, "view", lambda self, state, seat: snapshot(self, state) | {"seat": seat})


def view_lacks_a_key(patch: pytest.MonkeyPatch) -> None:
    def shorter(self: Game, state: State, seat: int | None) -> dict[str, Any]:
        return {key: value for key, value in game_view(self, state, seat).items() if key != "winner"}

    patch.setattr(Game, "view", shorter)


def legal_actions_tell(patch: pytest.MonkeyPatch) -> None:
    """A seat may not pass while its opponent holds a certain card."""

    def entry_view(self: State) -> list[int]:
        listed = actions(self)
        if self.mover < 0 or len(listed) < 3:
            return listed
        return listed[:-1] if "ALOA" in self.snapshot()["hands"][1 - self.mover] else listed

    patch.setattr(State, "actions", entry_view)


# What playing may do wrong.


def after_changes_the_old_state(patch: pytest.MonkeyPatch) -> None:
    def trample(self: State, action: int) -> State:
        new = after(self, action)
        self._raw[:] = new._raw
        return new

    patch.setattr(State, "after", trample)


def refusals_change_the_state(patch: pytest.MonkeyPatch) -> None:
    def trample(self: State, action: int) -> State:
        try:
            return after(self, action)
        except IllegalAction:
            self._raw[-1] ^= 1
            raise

    patch.setattr(State, "after", trample)


def an_illegal_action_is_played(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(State, "after", lambda self, action: self if action == 1 << 40 else after(self, action))


def a_refusal_has_no_reason(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Game, "refusal", lambda self, state, action: IllegalAction("no", "kahuna.no"))


def a_refusal_names_another_games_rule(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Game, "refusal", lambda self, state, action: IllegalAction("You may not.", "chess.castling"))


def an_action_is_missing(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(State, "actions", lambda self: actions(self)[1:] or actions(self))


def an_action_too_many(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(State, "actions", lambda self: sorted({*actions(self), 171}) if self.mover >= 0 else actions(self))


def actions_are_not_sorted(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(State, "actions", lambda self: actions(self)[::-1])


def actions_after_the_end(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(State, "actions", lambda self: actions(self) or [0])


# What numbers may do wrong.


def chances_do_not_sum_to_one(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(State, "chances", lambda self: [(outcome, p * 0.99) for outcome, p in chances(self)])


def chances_list_the_impossible(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(State, "chances", lambda self: [*chances(self), (99, 0.0)])


def chances_are_not_the_odds(patch: pytest.MonkeyPatch) -> None:
    def even(self: State) -> list[tuple[int, float]]:
        return [(outcome, 1 / len(chances(self))) for outcome, _ in chances(self)]

    patch.setattr(State, "chances", even)


def returns_do_not_sum_to_zero(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(State, "returns", lambda self: [max(0.0, value) for value in returns(self)])


def returns_are_doubled(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(State, "returns", lambda self: [2 * value for value in returns(self)])


def returns_come_early(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(State, "returns", lambda self: [1.0, -1.0])


def a_score_is_missing(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(State, "scores", property(lambda self: [0]))


def there_is_always_a_winner(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(State, "winner", property(lambda self: 0))


# What words may do wrong.


def notation_is_always_the_same(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(State, "notation", lambda self, action: "pass")


def notation_cannot_be_read(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(State, "notation", lambda self, action: notation(self, action) + "!?")


def anything_is_an_action(patch: pytest.MonkeyPatch) -> None:
    def lenient(self: State, action: Any) -> int:
        known = {key: action[key] for key in action if key != "more"} if isinstance(action, dict) else action
        return encode(self, known)

    patch.setattr(State, "encode", lenient)


# What shapes may do wrong.


def a_snapshot_is_not_json(patch: pytest.MonkeyPatch) -> None:
    def odd(self: Game, state: State) -> dict[str, Any]:
        return snapshot(self, state) | {"mover": np.int8(state.mover)}

    patch.setattr(Game, "snapshot", odd)


def a_snapshot_lies_about_the_mover(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Game, "snapshot", lambda self, state: snapshot(self, state) | {"mover": 0})


def restore_gives_the_first_state(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Game, "restore", lambda self, given: self.new())


def there_is_no_text(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(State, "__str__", lambda self: "\n")


def the_picture_is_torn(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(State, "_repr_svg_", lambda self: "<svg><rect></svg>")


def equal_states_hash_apart(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(State, "__hash__", lambda self: id(self))


def records_lose_an_action(patch: pytest.MonkeyPatch) -> None:
    read = Record.read

    def shorter(data: dict[str, Any]) -> Record:
        record = read(data)
        record.actions.pop()
        return record

    patch.setattr(Record, "read", shorter)


def options_are_not_complete(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Game, "__eq__", lambda self, other: self is other)


BROKEN: dict[Patch, str] = {
    imagine_is_the_truth: "does not imagine by the odds",
    imagine_is_always_the_same: "does not imagine by the odds",
    imagine_hardly_varies: "does not imagine by the odds",
    imagine_forgets: "imagines what it knows to be otherwise",
    imagine_listens_at_the_door: "imagine depends on what the seat cannot know",
    imagine_changes_the_mover: "imagines what it knows to be otherwise",
    view_leaks_a_card: "imagines what it knows to be otherwise",
    view_is_the_snapshot: "ValueError: The snapshot's hands",
    view_lacks_a_key: "a view has all of a snapshot's keys",
    legal_actions_tell: "the seat's actions depend on what it cannot know",
    after_changes_the_old_state: "IllegalAction",
    refusals_change_the_state: "a refusal changed the state",
    an_illegal_action_is_played: "was not legal but was played",
    a_refusal_has_no_reason: "IllegalAction",
    a_refusal_names_another_games_rule: "IllegalAction",
    an_action_is_missing: "chances and actions differ",
    an_action_too_many: "IllegalAction: A bridge without a card",
    actions_are_not_sorted: "not ascending",
    actions_after_the_end: "a finished game still has actions",
    chances_do_not_sum_to_one: "do not sum to 1",
    chances_list_the_impossible: "chances and actions differ",
    chances_are_not_the_odds: "does not imagine by the odds",
    returns_do_not_sum_to_zero: "do not sum to 0",
    returns_are_doubled: "returns [2.0, -2.0], not [1.0, -1.0]",
    returns_come_early: "a running game has a winner or returns",
    a_score_is_missing: "a score and a return for each seat",
    there_is_always_a_winner: "a running game has a winner or returns",
    notation_is_always_the_same: "InvalidAction: 'pass'",
    notation_cannot_be_read: "InvalidAction: ",
    anything_is_an_action: "was taken for an action",
    a_snapshot_is_not_json: "not JSON serializable",
    a_snapshot_lies_about_the_mover: "the snapshot says otherwise than the state",
    restore_gives_the_first_state: "restore gives another state",
    there_is_no_text: "the state has no text",
    the_picture_is_torn: "ParseError",
    equal_states_hash_apart: "restore gives another state",
    records_lose_an_action: "the record replays to another game",
    options_are_not_complete: "the options do not make the same game again",
}
"""What may be wrong, and what the checks say to it."""


@pytest.mark.parametrize("broken", list(BROKEN), ids=lambda broken: broken.__name__)
def test_a_broken_game_fails(broken: Patch, monkeypatch: pytest.MonkeyPatch) -> None:
    broken(monkeypatch)
    with pytest.raises(AssertionError, match=re.escape(BROKEN[broken])):
        check_game(archipel.game("kahuna"), plays=1, thorough=0.01)


def test_draws_against_the_odds_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """No single state gives away that the last possible outcome is drawn a little too often; many do."""
    sample = State.sample

    def biased(self: State, rng: np.random.Generator) -> int:
        return self.actions()[-1] if rng.random() < 0.1 else sample(self, rng)

    monkeypatch.setattr(State, "sample", biased)
    with pytest.raises(AssertionError, match="sample does not draw by the chances"):
        check_game(archipel.game("kula_kula", turn_limit=20), plays=1, thorough=0.0)


def test_the_identity_fails_where_no_posterior_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    imagine_is_the_truth(monkeypatch)
    with pytest.raises(AssertionError, match="never differs from the truth"):
        check_game(archipel.game("stonehenge", hidden=True), plays=3)


def test_a_failure_says_where(monkeypatch: pytest.MonkeyPatch) -> None:
    returns_are_doubled(monkeypatch)
    with pytest.raises(AssertionError) as caught:
        check_game(archipel.game("stonehenge"), plays=1, seed=4)
    first, second = str(caught.value).splitlines()
    assert first.startswith("winner 0 returns [2.0, -2.0], not [1.0, -1.0]")
    assert second.startswith(
        "in play 0 of archipel.game('stonehenge', hidden=False, claims='auto') with seed 4, after: "
    )
    assert "@" in second
