"""The log: what was played is there, and what is wrong with it is said."""

import json
from pathlib import Path

import numpy as np
import pytest

from archipel.arena import ArenaError
from archipel.arena.entrants import Entrants
from archipel.arena.log import FILE, Log, _line
from archipel.arena.match import Result, play
from archipel.arena.plan import Plan

from .conftest import small

PLAN = small(("random", "other"), 6)


@pytest.fixture(scope="module")
def played() -> list[Result]:
    """The first four games."""
    results = []
    for number in range(4):
        match = PLAN.match(0, number)
        result = play(small(("random", "random"), 6).match(0, number), Entrants())
        results.append(Result(**{**vars(result), "seats": match.seats}))
    return results


@pytest.fixture
def file(tmp_path: Path, played: list[Result]) -> Path:
    """A log of four games."""
    with Log(tmp_path / "arena", PLAN) as log:
        for result in played:
            log.append([result])
    return tmp_path / "arena" / FILE


def read(file: Path, plan: Plan = PLAN) -> list[Result]:
    with Log(file.parent, plan) as log:
        return log.results


def test_what_was_written_is_read(file: Path, played: list[Result]) -> None:
    assert read(file) == played
    assert len(file.read_text("utf-8").splitlines()) == 5


def test_an_empty_folder_will_do(tmp_path: Path) -> None:
    assert read(tmp_path / FILE) == []


@pytest.mark.parametrize("cut", [1, 2, 50])
def test_a_last_line_that_was_broken_off_is_dropped(file: Path, played: list[Result], cut: int) -> None:
    file.write_bytes(file.read_bytes()[:-cut])
    with Log(file.parent, PLAN) as log:
        assert log.dropped
        assert log.results == played[:3]
        log.append(played[3:])
    assert read(file) == played


def test_a_last_line_of_rubbish_is_dropped(file: Path, played: list[Result]) -> None:
    whole = file.read_bytes()
    for rubbish in (b"\x00" * 40, b"\xff\xfe\n", b"{}\n", b"[[[\n", b"7\n"):
        file.write_bytes(whole + rubbish)
        assert read(file) == played
        assert file.read_bytes() == whole


def test_a_plan_that_was_broken_off_is_written_again(file: Path) -> None:
    header = file.read_bytes().splitlines(keepends=True)[0]
    for length in (0, 1, 30, len(header) - 1, len(header)):
        file.write_bytes(header[:length])
        assert read(file) == []
        assert file.read_bytes() == header


@pytest.mark.parametrize("line", [b"rubbish\n", b"{}\n", b"\x00\x00\n", b"\n", b"null\n"])
@pytest.mark.parametrize("number", [1, 2, 4])
def test_other_damage_is_refused_and_nothing_changed(file: Path, line: bytes, number: int) -> None:
    lines = file.read_bytes().splitlines(keepends=True)
    lines[number - 1] = line
    file.write_bytes(b"".join(lines))
    with pytest.raises(ArenaError, match=rf"games\.jsonl is damaged in line {number}[:,]") as refusal:
        read(file)
    assert "\n" not in str(refusal.value)
    assert file.read_bytes() == b"".join(lines)


@pytest.mark.parametrize(
    "change",
    [
        {"seats": ["other", "random"]},
        {"returns": [1, 1]},
        {"returns": [float("nan"), 1]},
        {"returns": [1]},
        {"decisions": [-1, 5]},
        {"scores": ["a", "b"]},
        {"table": 1},
        {"table": True},
        {"number": -1},
        {"drawn": 3},
        {"why": None},
        {"extra": 1},
    ],
)
def test_a_game_that_cannot_have_been_is_damage(file: Path, change: dict[str, object]) -> None:
    lines = file.read_bytes().splitlines(keepends=True)
    game = {key: value for key, value in json.loads(lines[1]).items() if key != "sum"}
    lines[1] = _line(game | change)
    file.write_bytes(b"".join(lines))
    with pytest.raises(ArenaError, match="damaged in line 2"):
        read(file)


def test_a_game_that_is_there_twice_is_damage(file: Path) -> None:
    lines = file.read_text("utf-8").splitlines(keepends=True)
    file.write_text("".join([*lines[:2], lines[1], *lines[2:]]), "utf-8")
    with pytest.raises(ArenaError, match="damaged in line 3"):
        read(file)


def test_no_byte_that_changed_goes_unnoticed(file: Path, played: list[Result]) -> None:
    whole, rng = file.read_bytes(), np.random.default_rng(1)
    last = whole[:-1].rindex(b"\n")  # the end of the line before the last
    for _ in range(300):
        bent, place = bytearray(whole), int(rng.integers(len(whole)))
        bent[place] ^= int(rng.integers(1, 256))
        file.write_bytes(bent)
        try:
            assert read(file) == played[: 3 if place > last else 2]
            assert place >= last
        except ArenaError:
            assert file.read_bytes() == bent


@pytest.mark.parametrize(
    ("other", "sentence"),
    [
        (small(("random", "other"), seed=2), "holds another arena (seed: 1, not 2): choose another folder"),
        (small(("random", "greedy")), "holds another arena (bots: random,other, not random,greedy)"),
        (small(("random", "other"), games=2), "holds more than 2 games of each table: ask for more with --games"),
    ],
)
def test_the_log_of_another_arena_is_refused(file: Path, other: Plan, sentence: str) -> None:
    before = file.read_bytes()
    with pytest.raises(ArenaError) as refusal:
        read(file, other)
    assert sentence in str(refusal.value)
    assert file.read_bytes() == before


def test_more_games_may_be_asked_for(file: Path, played: list[Result]) -> None:
    assert read(file, small(("random", "other"), games=100)) == played


def test_a_folder_with_other_things_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "diary.txt").write_text("Dear diary", "utf-8")
    with pytest.raises(ArenaError, match="holds other things and no arena"):
        Log(tmp_path, PLAN)
    with pytest.raises(ArenaError, match="is a file, not a folder"):
        Log(tmp_path / "diary.txt", PLAN)
    assert [path.name for path in tmp_path.iterdir()] == ["diary.txt"]


def test_two_at_once_are_one_too_many(file: Path) -> None:
    with Log(file.parent, PLAN), pytest.raises(ArenaError, match="Another arena is writing to"):
        read(file)
