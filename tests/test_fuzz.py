"""Every parser is fed nonsense: it must answer with its own error, change nothing, and mean what it takes."""

import json
import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, TypeVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import archipel
from archipel import OVER, IllegalAction, InvalidAction, Record, RecordError, State
from tests.mutations import JSON, misspelt, near
from tests.variants import VARIANTS, chosen, played, positions

Answer = TypeVar("Answer")

DATA = st.data()
VARIANT = st.integers(0, len(VARIANTS) - 1)


def many(times: float) -> settings:
    """So many times the examples of the profile."""
    return settings(max_examples=round(times * settings().max_examples))


@st.composite
def states(draw: st.DrawFn) -> State:
    """Any state of a random game of any variant."""
    return draw(st.sampled_from(positions(draw(VARIANT), draw(st.integers(0, 1)))))


@contextmanager
def unchanged(*things: Any) -> Iterator[None]:
    """Whatever happens, these stay as they were."""
    before = [pickle.dumps(thing) for thing in things]
    yield
    assert [pickle.dumps(thing) for thing in things] == before


def answer(read: Callable[..., Answer], *given: Any, error: type[ValueError]) -> Answer | None:
    """What the parser makes of it; None if it refuses with just this error and a sentence."""
    try:
        return read(*given)
    except error as refusal:
        kind, sentence = type(refusal), str(refusal)
    assert issubclass(kind, error)
    assert kind is not ValueError or error is ValueError
    assert sentence
    return None


def is_playable(state: State, rng: np.random.Generator) -> None:
    """A state that was let in can be shown and played on, and what follows would be let in too."""
    assert str(state)
    assert state._repr_svg_()
    for _ in range(6):
        assert state.game.restore(json.loads(json.dumps(state.snapshot()))) == state
        for seat in (*range(state.game.seats), None):
            state.imagine(seat, rng)
        assert (state.winner is not None) == (state.mover == OVER)
        assert abs(sum(state.returns())) < 1e-9
        if state.mover == OVER:
            return
        action = chosen(state, rng)
        is_an_action(state, action)
        state = state.after(action)


def is_an_action(state: State, action: int) -> None:
    """It has words both ways, and is legal or refused with a reason."""
    assert state.encode(state.decode(action)) == action
    assert state.parse(state.notation(action)) == action
    assert (answer(state.after, action, error=IllegalAction) is not None) == state.is_legal(action)


# Notation and JSON actions.


@st.composite
def some_action(draw: st.DrawFn, state: State) -> int:
    """A legal action, or any other that has a name in this state."""
    if state.mover != OVER and draw(st.booleans()):
        return chosen(state, np.random.default_rng(draw(st.integers(0, 9))))
    return draw(st.integers(0, len(state.game.vocabulary(state)) - 1))


@many(4)
@given(states(), DATA)
def test_notation(state: State, data: st.DataObject) -> None:
    sound = state.notation(data.draw(some_action(state)))
    text = data.draw(misspelt(sound) | st.text() | st.just(sound))
    with unchanged(state):
        action = answer(state.parse, text, error=InvalidAction)
        if action is not None:
            is_an_action(state, action)


@many(4)
@given(states(), DATA)
def test_json_actions(state: State, data: st.DataObject) -> None:
    said = data.draw(near(state.decode(data.draw(some_action(state)))) | JSON)
    with unchanged(state, said):
        action = answer(state.encode, said, error=InvalidAction)
        if action is not None:
            assert json.dumps(state.decode(action), sort_keys=True) == json.dumps(said, sort_keys=True)
            is_an_action(state, action)


@given(states(), JSON)
def test_numbers(state: State, number: Any) -> None:
    with unchanged(state):
        for read in (state.after, state.decode, state.notation):
            answer(read, number, error=IllegalAction)
        assert isinstance(state.is_legal(number), bool)


# Snapshots and views.


def complete(snapshot: dict[str, Any]) -> dict[str, Any]:
    """What a snapshot means: options that it leaves out, as old ones do, have their defaults."""
    if "options" not in snapshot:
        return snapshot
    return snapshot | {"options": archipel.game(snapshot["game"]).options | snapshot["options"]}


@many(8)
@given(states(), DATA)
def test_snapshots(state: State, data: st.DataObject) -> None:
    snapshot = data.draw(near(state.snapshot(), 3))
    with unchanged(state, snapshot):
        restored = answer(state.game.restore, snapshot, error=ValueError)
        if restored is not None:
            written = restored.snapshot()
            assert {key: written[key] for key in snapshot} == complete(snapshot)
            is_playable(restored, np.random.default_rng(0))


@given(VARIANT, JSON)
def test_snapshots_of_anything(variant: int, snapshot: Any) -> None:
    assert answer(positions(variant)[0].game.restore, snapshot, error=ValueError) is None


@many(8)
@given(states(), DATA)
def test_views(state: State, data: st.DataObject) -> None:
    seat = data.draw(st.sampled_from([*range(state.game.seats), None]))
    view = data.draw(near(state.view(seat), 3))
    with unchanged(state, view):
        world = answer(state.game.imagine, view, np.random.default_rng(0), error=ValueError)
        if world is not None:
            seen = world.view(view["seat"])
            assert {key: seen[key] for key in view} == complete(view)
            is_playable(world, np.random.default_rng(0))


@given(VARIANT, JSON)
def test_views_of_anything(variant: int, view: Any) -> None:
    assert answer(positions(variant)[0].game.imagine, view, np.random.default_rng(0), error=ValueError) is None


# Options.


@many(2)
@given(VARIANT, DATA)
def test_options(variant: int, data: st.DataObject) -> None:
    game = positions(variant)[0].game
    options = data.draw(near(game.options))
    with unchanged(options):
        other = answer(partial(archipel.game, game.name, **options), error=ValueError)
        if other is not None:
            assert archipel.game(game.name, **json.loads(json.dumps(other.options))) == other
            is_playable(other.new(), np.random.default_rng(0))


# Records.


@st.composite
def records(draw: st.DrawFn) -> dict[str, Any]:
    """The record of the beginning of a game, or of a whole short one."""
    name, options = VARIANTS[draw(VARIANT)]
    states, actions = zip(*played(archipel.game(name, **options)), strict=True)
    length = min(draw(st.integers(0, 30)), len(states) - 1)
    return Record.of(states[: length + 1], actions[:length]).json()


def is_sound(record: Record) -> None:
    """A record that was let in says what it is, and replays."""
    assert Record.read(json.loads(json.dumps(record.json()))) == record
    assert len(list(record.states())) == len(record.actions) + 1


@many(2)
@given(records(), DATA)
def test_records(record: dict[str, Any], data: st.DataObject) -> None:
    changed = data.draw(near(record))
    with unchanged(changed):
        read = answer(Record.read, changed, error=RecordError)
        if read is not None:
            is_sound(read)


@given(JSON)
def test_records_of_anything(record: Any) -> None:
    assert answer(Record.read, record, error=RecordError) is None


@given(records(), DATA)
def test_record_files(tmp_path_factory: pytest.TempPathFactory, record: dict[str, Any], data: st.DataObject) -> None:
    sound = json.dumps(record).encode()
    here = data.draw(st.integers(0, len(sound)))
    between = data.draw(st.binary(max_size=20))
    path = tmp_path_factory.getbasetemp() / "fuzzed.json"
    path.write_bytes(data.draw(st.sampled_from([sound[:here], sound[here:], sound[:here] + between + sound[here:]])))
    before = path.read_bytes()
    read = answer(Record.load, path, error=RecordError)
    if read is not None:
        is_sound(read)
    assert path.read_bytes() == before


# As deep as Python can go.


def nested(depth: int) -> Any:
    value: Any = []
    for _ in range(depth):
        value = [value]
    return value


DEEP = [nested(depth) for depth in (400, 900, 20_000)]


@pytest.mark.parametrize("deep", DEEP, ids=len)
def test_deep_nesting(deep: Any) -> None:
    for variant, (name, _) in enumerate(VARIANTS):
        state = next(state for state in positions(variant) if state.mover >= 0)
        said, snapshot, view = state.decode(state.actions()[0]), state.snapshot(), state.view(0)
        for key in said:
            assert answer(state.encode, said | {key: deep}, error=InvalidAction) is None
        for key in snapshot:
            assert answer(state.game.restore, snapshot | {key: deep}, error=ValueError) is None
        for key in view:
            assert answer(state.game.imagine, view | {key: deep}, np.random.default_rng(0), error=ValueError) is None
        for key in state.game.options:
            assert answer(partial(archipel.game, name, **{key: deep}), error=ValueError) is None


@pytest.mark.parametrize("deep", DEEP, ids=len)
def test_deep_nesting_in_records(deep: Any) -> None:
    states, actions = zip(*played(archipel.game("stonehenge")), strict=True)
    record = Record.of(states, actions[:-1]).json()
    for key in record:
        assert answer(Record.read, record | {key: deep}, error=RecordError) is None
    assert answer(Record.read, record | {"actions": [{"do": "place", "druid": deep}]}, error=RecordError) is None
