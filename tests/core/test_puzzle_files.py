"""The puzzles' files for pages: whatever somebody tries, they show what the rules say."""

import json
from datetime import date, timedelta
from typing import Any

import pytest

from archipel.core import puzzle_files, puzzles
from archipel.core.puzzle_files import CHUNK, NOWHERE
from archipel.core.rules import CHANCE
from archipel.core.state import State


def patched(base: dict[str, Any], patch: dict[str, Any]) -> dict[str, Any]:
    """As the page does it: objects are merged, `{"=": value}` replaces one."""
    found = dict(base)
    for key, value in patch.items():
        if not isinstance(value, dict):
            found[key] = value
        elif "=" in value:
            found[key] = value["="]
        else:
            found[key] = patched(found.get(key, {}), value)
    return found


def follow(state: State, shown: dict[str, Any], names: dict[str, Any], at: int, seat: int, seen: set[int]) -> None:
    """Every position that is shown after this one is what the rules make of it."""
    if at in seen:
        return
    seen.add(at)
    position = shown["positions"][at]
    assert patched(shown["view"], position["view"]) == json.loads(json.dumps(state.game.unaided(state.view(seat))))
    for action, to in position["to"].items():
        assert state.encode(names[action][0]) == int(action)
        assert names[action][1] == state.notation(int(action))
        after = state.after(int(action))
        if after.mover == CHANCE:
            assert to == NOWHERE
        else:
            follow(after, shown, names, to, seat, seen)


@pytest.mark.parametrize("game", puzzles.games())
def test_every_position_of_a_file_is_what_the_rules_make_of_it(game: str) -> None:
    packed = puzzle_files.content(f"{game}/0.json")
    assert packed is not None
    chunk = json.loads(packed)
    found = puzzles.load(game)[:CHUNK]
    assert len(chunk["puzzles"]) == len(found)
    for puzzle, shown in zip(found, chunk["puzzles"], strict=True):
        state, seen = puzzle.state(game), set[int]()
        follow(state, shown, chunk["actions"], 0, state.mover, seen)
        assert seen == set(range(len(shown["positions"])))
        assert {int(action) for action in shown["positions"][0]["to"]} == {*puzzles.maker(game).offered(state)}
        for answer in puzzle.answers:
            assert set(map(str, answer)) <= chunk["actions"].keys()


@pytest.mark.parametrize("game", puzzles.games())
def test_the_last_file_has_the_last_puzzle(game: str) -> None:
    count = len(puzzles.load(game))
    last = (count - 1) // CHUNK
    packed = puzzle_files.content(f"{game}/{last}.json")
    assert packed is not None
    assert len(json.loads(packed)["puzzles"]) == (count - 1) % CHUNK + 1
    assert puzzle_files.content(f"{game}/{last + 1}.json") is None


def test_the_index_says_what_a_page_needs_for_the_puzzle_of_the_day() -> None:
    packed = puzzle_files.content("index.json")
    assert packed is not None
    index = json.loads(packed)
    day = date(2026, 11, 18)
    for game, count in index["games"].items():
        assert (day - date.fromisoformat(index["first"])).days % count + 1 == puzzles.daily(game, day)


@pytest.mark.parametrize(
    "path",
    ["", "index", "/index.json", "stonehenge", "stonehenge/-1.json", "stonehenge/٣.json", "nothing/0.json", "../x"],
)
def test_other_paths_have_no_file(path: str) -> None:
    assert puzzle_files.content(path) is None


def test_a_static_house_has_the_puzzles_of_its_days() -> None:
    day = date(2026, 11, 18)
    files = dict(puzzle_files.static(day, 12))
    index = json.loads(files["index.json"])
    for game in puzzles.games():
        for n in range(12):
            number = puzzles.daily(game, day + timedelta(n))
            assert (number - 1) // CHUNK in index["files"][game]
        for number in index["files"][game]:
            assert files[f"{game}/{number}.json"] == puzzle_files.content(f"{game}/{number}.json")
        assert len(json.loads(files[f"{game}/ratings.json"])) == index["games"][game]
