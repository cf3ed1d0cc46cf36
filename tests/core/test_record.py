"""Records: written whole or not at all, and read only if every action can be."""

import base64
import gzip
import html
import json
import os
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import archipel
from archipel import Record, RecordError
from tests.variants import EVERY, played


def record_of(name: str, seed: int = 0, length: int | None = None, **options: Any) -> Record:
    states, actions = zip(*played(archipel.game(name, **options), seed), strict=True)
    end = len(states) if length is None else length + 1
    return Record.of(states[:end], actions[: min(end, len(states)) - 1])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game.json"


# Writing.


@pytest.mark.parametrize(("name", "options"), EVERY)
def test_there_and_back(name: str, options: dict[str, Any], path: Path) -> None:
    record = record_of(name, **options)
    record.save(path)
    again = Record.load(path)
    assert again == record
    assert list(again.states()) == [state for state, _ in played(archipel.game(name, **options))]
    before = path.read_bytes()
    again.save(str(path))
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_a_record_is_one_object_with_an_action_a_line(path: Path) -> None:
    record = record_of("stonehenge", length=2)
    record.save(path)
    lines = path.read_text("utf-8").splitlines()
    assert lines[0] == "{"
    assert lines[1] == ' "archipel": 1,'
    assert lines[6:8] == [f"  {json.dumps(record.actions[0])},", f"  {json.dumps(record.actions[1])}"]
    assert json.loads(path.read_text("utf-8")) == record.json()


def test_a_game_without_actions(path: Path) -> None:
    record = record_of("kahuna", length=0)
    record.save(path)
    assert Record.load(path).actions == []
    assert [state.mover for state in record.states()] == [archipel.CHANCE]


def test_names_in_any_script(path: Path) -> None:
    record = record_of("stonehenge", length=3)
    record.players = ["Aloïs", "火山 🌋"]
    record.save(path)
    assert Record.load(path).players == ["Aloïs", "火山 🌋"]


def test_an_unsound_record_is_not_written(path: Path) -> None:
    record_of("stonehenge").save(path)
    before = path.read_bytes()
    record = record_of("stonehenge")
    record.actions[3] = record.actions[2]
    with pytest.raises(RecordError, match="Action 4 of the record"):
        record.save(path)
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("broken", ["fsync", "replace"])
def test_a_failing_disk_leaves_the_old_record(broken: str, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record_of("stonehenge").save(path)
    before = path.read_bytes()

    def fail(*given: Any) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(*((os, "fsync", fail) if broken == "fsync" else (Path, "replace", fail)))
    with pytest.raises(OSError, match="disk full"):
        record_of("stonehenge", seed=1).save(path)
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_what_is_not_json_is_not_written(path: Path) -> None:
    record = record_of("stonehenge")
    record.fair = {"seed": object()}
    with pytest.raises(TypeError):
        record.save(path)
    assert list(path.parent.iterdir()) == []


# Reading.


def changed(record: Record, **changes: Any) -> dict[str, Any]:
    return {**record.json(), **changes}


def without(record: Record, key: str) -> dict[str, Any]:
    return {name: value for name, value in record.json().items() if name != key}


SOUND = record_of("stonehenge")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (None, 'This is not a record: it must be a JSON object with "archipel": 1.'),
        ([], "This is not a record"),
        ({}, "This is not a record"),
        (changed(SOUND, archipel=2), "This is not a record"),
        (changed(SOUND, archipel=True), "This is not a record"),
        (changed(SOUND, archipel="1"), "This is not a record"),
        (changed(SOUND, colour=1), "A record has no 'colour'."),
        (without(SOUND, "game"), "The record's 'game' must be a name."),
        (without(SOUND, "options"), "The record's 'options' must be an object."),
        (without(SOUND, "actions"), "The record's 'actions' must be a list."),
        (changed(SOUND, players="Ada"), "The record's 'players' must be a list."),
        (changed(SOUND, players=["Ada", 2]), "The record's players must be names."),
        (changed(SOUND, players=["Ada"]), "The record names 1 players for 2 seats."),
        (changed(SOUND, fair=[]), "The record's 'fair' must be an object."),
        (changed(SOUND, game="go"), "The record's game cannot be set up: There is no game 'go'"),
        (changed(SOUND, options={"x": 1}), "The record's game cannot be set up: stonehenge has no option 'x'"),
        (changed(SOUND, options={"hidden": 1}), "The record's game cannot be set up: stonehenge: option 'hidden'"),
        (changed(SOUND, actions=[None]), "Action 1 of the record, null, cannot be: An action is a JSON object"),
        (
            changed(SOUND, actions=[*SOUND.actions[:2], SOUND.actions[0]]),
            f"Action 3 of the record, {json.dumps(SOUND.actions[0])}, cannot be: ",
        ),
        (
            changed(SOUND, actions=[*SOUND.actions, {"do": "done"}]),
            f'Action {len(SOUND.actions) + 1} of the record, {{"do": "done"}}, cannot be: The game is over.',
        ),
        (changed(SOUND, actions=SOUND.actions[:-1]), "but its actions lead to None."),
        (changed(SOUND, result=None), "The record says its result is None, but its actions lead to {'winner': "),
        (changed(SOUND, result={**(SOUND.result or {}), "scores": [0, 8]}), "but its actions lead to"),
    ],
)
def test_what_is_wrong_is_named(data: Any, said: str) -> None:
    before = json.dumps(data)
    with pytest.raises(RecordError) as caught:
        Record.read(data)
    assert said in str(caught.value)
    assert json.dumps(data) == before


def test_players_and_fair_may_be_missing() -> None:
    data = SOUND.json()
    del data["players"], data["fair"]
    assert Record.read(data).players == []


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is not a record: "),
        (b"\xff\xfe", "is not a record: "),
        (b"\xef\xbb\xbf{}", "is not a record: "),
        (b"{", "is not a record: "),
        (b"[" * 100_000, "is not a record: "),
        (b'{"archipel": 1' + b"0" * 5000 + b"}", "is not a record: "),
        (b'{"archipel": NaN}', "is not a record: NaN is not a number in JSON"),
        (b"{}", "This is not a record"),
        (json.dumps(SOUND.json()).encode()[:-20], "is not a record: "),
    ],
)
def test_damaged_files(content: bytes, said: str, path: Path) -> None:
    path.write_bytes(content)
    with pytest.raises(RecordError) as caught:
        Record.load(path)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert path.read_bytes() == content


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="no-such-file cannot be read: No such file or directory"):
        Record.load(tmp_path / "no-such-file")
    with pytest.raises(RecordError, match="cannot be read: Is a directory"):
        Record.load(tmp_path)


def test_every_truncation_is_noticed(path: Path) -> None:
    record_of("stonehenge", length=3).save(path)
    whole = path.read_bytes()
    for end in range(len(whole) - 2):
        path.write_bytes(whole[:end])
        with pytest.raises(RecordError):
            Record.load(path)


def test_every_illegal_action_is_noticed_where_it_is() -> None:
    record = record_of("kahuna", length=40)
    for number in range(40):
        actions = [*record.actions[:number], {"do": "fly"}, *record.actions[number + 1 :]]
        with pytest.raises(RecordError, match=f"^Action {number + 1} of the record, "):
            Record.read(changed(record, actions=actions))


def test_states_stop_at_the_first_bad_action() -> None:
    record = record_of("stonehenge")
    record.actions[5] = {"do": "fly"}
    states = record.states()
    assert [next(states).mover for _ in range(6)] == [0, 1, 0, 1, 0, 1]
    with pytest.raises(RecordError, match="Action 6"):
        next(states)


@pytest.mark.parametrize("name", archipel.GAMES)
def test_a_record_plays_itself_in_a_notebook(name: str) -> None:
    states, actions = [archipel.game(name).new()], []
    rng = np.random.default_rng(4)
    while states[-1].mover != archipel.OVER and len(states) < 15:
        state = states[-1]
        chance = state.mover == archipel.CHANCE
        actions.append(state.sample(rng) if chance else int(rng.choice(state.actions())))
        states.append(state.after(actions[-1]))
    record = archipel.Record.of(states, actions, [f"<{seat}>" for seat in range(states[0].game.seats)])
    page = record.html()
    assert "<0>" not in page
    assert "&lt;0&gt;" in page
    (packed,) = re.findall(r'atob\("([^"]+)"\)', page)
    shown = json.loads(gzip.decompress(base64.b64decode(packed)))
    assert shown["pictures"] == [state._repr_svg_() for state in states]
    assert shown["moves"][-1].endswith(states[-2].notation(actions[-1]))
    frame = record._repr_html_()
    assert frame.startswith('<iframe sandbox="allow-scripts"')
    assert html.escape(page) in frame
