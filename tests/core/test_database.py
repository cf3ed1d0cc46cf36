"""A collection of games: what goes in is found again, by everything that one may ask for."""

from pathlib import Path

import pytest

import archipel
from archipel.core.record import Record
from archipel.core.scoresheet import Scoresheet, write_all
from archipel.database import Database
from tests.variants import played


def sheet(name: str, seed: int, players: list[str], whole: bool = True) -> Scoresheet:
    steps = list(played(archipel.game(name), seed))
    steps = steps if whole else steps[:4]
    states, actions = [state for state, _ in steps], [action for _, action in steps[:-1]]
    return Scoresheet.of(Record.of(states, actions, players), Date=f"2026-11-{10 + seed}")


@pytest.fixture
def games(tmp_path: Path) -> Database:
    made = Database(tmp_path / "games.sqlite")
    for seed in range(4):
        assert made.add(sheet("stonehenge", seed, ["Ann", "chief"] if seed % 2 else ["chief", "Bob"]))
    made.add(sheet("kahuna", 1, ["Ann", "Bob"]))
    made.add(sheet("stonehenge", 9, ["Ann", "Bob"], whole=False))
    return made


def test_a_game_is_kept_once(games: Database, tmp_path: Path) -> None:
    assert len(games) == 6
    assert not games.add(sheet("stonehenge", 1, ["Ann", "chief"]))
    games.close()
    with Database(tmp_path / "games.sqlite") as again:
        assert len(again) == 6
        newest = next(again.find())
        assert again.sheet(newest.id) == sheet("stonehenge", 9, ["Ann", "Bob"], whole=False)
        with pytest.raises(ValueError, match="There is no game number 77 here"):
            again.sheet(77)


def test_games_are_found_by_what_is_known_of_them(games: Database) -> None:
    everything = list(games.find())
    assert {found.game for found in games.find(game="kahuna")} == {"kahuna"}
    assert all("chief" in found.players for found in games.find(player="chief"))
    assert len(list(games.find(player="chief"))) == 4
    for seat in (0, 1):
        won = [found.id for found in everything if found.result == str(seat)]
        assert [found.id for found in games.find(result=seat)] == won
    assert [found.players for found in games.find(result="unfinished")] == [["Ann", "Bob"]]
    assert list(games.find(result="shared")) == [found for found in everything if "," in found.result]
    for found in games.find(winner="chief"):
        assert found.players[int(found.result)] == "chief"
    assert len(list(games.find(limit=2))) == 2
    assert list(games.find(game="chess")) == []


def test_an_opening_is_what_the_seats_did_first(games: Database) -> None:
    found = next(games.find(game="kahuna"))
    first, second, *_ = found.opening.split(";")
    for asked in (first, f"{first.upper()} ; {second}", f"{first};{second};", ""):
        assert found in games.find(opening=asked)
    assert list(games.find(opening=f"{second}x")) == []
    assert "deal" not in found.opening


def test_files_of_both_kinds_are_added_and_the_damaged_named(tmp_path: Path) -> None:
    one, two, three = (sheet("stonehenge", seed, ["Ann", "Bob"]) for seed in range(3))
    one.record().save(tmp_path / "one.json")
    text = write_all([two, one, three])
    (tmp_path / "many.agn").write_text(text.replace("[Game", "[Gamme", 2).replace("[Gamme", "[Game", 1), "utf-8")
    with Database(tmp_path / "games.sqlite") as games:
        assert list(games.add_file(tmp_path / "one.json")) == [True]
        added, damaged, more = games.add_file(tmp_path / "many.agn")
        assert (added, more) == (True, True)
        assert "many.agn: Line " in str(damaged)
        assert "the header Game is missing" in str(damaged)


def test_an_illegal_move_in_the_middle_of_a_file_is_named(tmp_path: Path) -> None:
    text = write_all([sheet("stonehenge", seed, ["Ann", "Bob"]) for seed in range(3)])
    first, second, third = text.split("[Archipel")[1:]
    spoilt = second.replace("; ", "; 9@Z; ", 1)
    (tmp_path / "many.agn").write_text("".join(f"[Archipel{part}" for part in (first, spoilt, third)), "utf-8")
    with Database(tmp_path / "games.sqlite") as games:
        added, damaged, more = games.add_file(tmp_path / "many.agn")
        assert (added, more, len(games)) == (True, True, 2)
        assert "'9@Z' cannot be played" in str(damaged)


def test_another_file_is_no_collection(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("These are notes, and quite some of them. " * 30)
    with pytest.raises(ValueError, match=r"notes\.txt is not a collection of games"):
        Database(tmp_path / "notes.txt")
