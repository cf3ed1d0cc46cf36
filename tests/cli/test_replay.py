"""Kept games, shown again."""

import json
from pathlib import Path

import pytest

import archipel
from archipel import Record
from archipel.cli.story import Eyes

from .conftest import Terminal


@pytest.fixture
def kahuna(terminal: Terminal, folder: Path) -> Record:
    """A game between bots in game.json."""
    terminal("play", "kahuna", "--seat", "random", "random", "--seed", "1", "--record", "game.json")
    return Record.load(folder / "game.json")


def test_every_state_with_its_notation(terminal: Terminal, kahuna: Record) -> None:
    said = terminal("replay", "game.json")
    assert (said.code, said.err) == (0, "")
    states = list(kahuna.states())
    for number, (state, action) in enumerate(zip(states, kahuna.actions, strict=False), 1):
        assert f"{number} · " in said.out
        assert state.notation(state.encode(action)) in said.out
    assert said.out.count("open row") == len(states)
    assert " wins." in said.out


def test_as_a_seat_saw_it(terminal: Terminal, kahuna: Record) -> None:
    said = terminal("replay", "game.json", "--seat", "1")
    assert "1 · chance · deal ?" in said.out
    assert f"4 · chance · deal {kahuna.actions[3]['card']}" in said.out
    assert said.out.count("hand of") == len(kahuna.actions) + 1


def test_step_by_step(terminal: Terminal, kahuna: Record) -> None:
    said = terminal("replay", "game.json", "--step", typed="\n\n")
    assert said.code == 0
    assert "2 · chance" in said.out
    assert "3 · chance" not in said.out


def test_a_seat_that_is_not_there(terminal: Terminal, kahuna: Record) -> None:
    said = terminal("replay", "game.json", "--seat", "2")
    assert (said.code, said.out) == (2, "")
    assert said.err == "Kahuna has seats 0 to 1 here, not 2.\n"


def test_a_game_that_was_left(terminal: Terminal) -> None:
    terminal("play", "stonehenge", "--seat", "human", "random", "--record", "game.json", typed="6@K\n")
    said = terminal("replay", "game.json")
    assert said.code == 0
    assert "2 · seat 1 (random) · " in said.out


def test_damaged_records(terminal: Terminal, kahuna: Record, folder: Path) -> None:
    text = (folder / "game.json").read_text("utf-8")
    data = json.loads(text)
    illegal = data | {"actions": [*data["actions"][:9], {"do": "pass"}, {"do": "pass"}], "result": None}
    damaged = {
        text[:200]: "game.json is not a record: ",
        "[]": "This is not a record: it must be a JSON object",
        json.dumps(data | {"game": "chess"}): "There is no game 'chess'",
        json.dumps(data | {"options": {"edition": "gold"}}): "option 'edition' must be",
        json.dumps(illegal): "Action 11 of the record",
        json.dumps(data | {"result": None}): "The record says its result is None",
    }
    for content, sentence in damaged.items():
        (folder / "game.json").write_text(content, "utf-8")
        said = terminal("replay", "game.json")
        assert (said.code, said.out) == (2, "")
        assert sentence in said.err
        assert said.err.count("\n") == 1
        assert (folder / "game.json").read_text("utf-8") == content


def test_names_cannot_play_tricks_on_the_screen(terminal: Terminal, kahuna: Record, folder: Path) -> None:
    kahuna.players = ["[/bold]", "\x1b[2J\r:smile:"]
    kahuna.save(folder / "game.json")
    said = terminal("replay", "game.json")
    assert said.code == 0
    assert "seat 0 ([/bold])" in said.out
    assert "seat 1 (?[2J?:smile:)" in said.out


def test_an_spectator_sees_no_hand(kahuna: Record, capsys: pytest.CaptureFixture[str]) -> None:
    *_, last = list(kahuna.states())[:20]
    Eyes().show(last)
    assert capsys.readouterr().out.count("hand of") == 2


def test_games_are_collected_and_found(terminal: Terminal, folder: Path) -> None:
    for seed in ("1", "2"):
        terminal("play", "stonehenge", "--seat", "random", "random", "--seed", seed, "--record", f"{seed}.json")
    said = terminal("db", "games.sqlite", "--add", "1.json", "2.json", "1.json")
    assert (said.code, said.out) == (0, "2 games added, 1 there already, 0 damaged.\n")
    found = json.loads(terminal("db", "games.sqlite", "--player", "random", "--json").out)
    assert [game["game"] for game in found] == ["stonehenge", "stonehenge"]
    assert terminal("db", "games.sqlite", "--export", "games.agn").code == 0
    assert terminal("db", "games.sqlite", "--game", "kahuna").out.strip() == ""
    (folder / "games.agn").write_text((folder / "games.agn").read_text().replace("[Game", "[Same", 1))
    said = terminal("db", "other.sqlite", "--add", "games.agn", "absent.json")
    assert said.code == 2
    assert said.out == "1 games added, 0 there already, 2 damaged.\n"
    assert len(said.err.splitlines()) == 2
    assert "games.agn: Line 1: the header Game is missing." in said.err
    assert terminal("db", "nothing.sqlite").code == 2


def test_a_game_and_a_position_are_analysed(terminal: Terminal, folder: Path) -> None:
    terminal("play", "stonehenge", "--seat", "random", "random", "--seed", "1", "--record", "game.json")
    how = ("--bot", "greedy", "--simulations", "20")
    said = json.loads(terminal("analyse", "game.json", "--json", *how).out)
    record = Record.load(folder / "game.json")
    assert len(said) == len(record.actions)
    assert {"number", "seat", "notation", "cost", "analysis"} == set(said[0])
    assert terminal("analyse", "game.json", *how).out.count("seat ") == len(said)
    one = json.loads(terminal("analyse", "stonehenge", "6@K", "5 @ d", "--json", *how).out)
    assert one["seat"] == 0
    assert one["ranking"][0]["notation"] in terminal("analyse", "stonehenge", "6@K", "5@D", *how).out
    state = archipel.game("stonehenge").new()
    for move in ("6@K", "5@D"):
        state = state.after(state.parse(move))
    for name, stored in (("snapshot.json", state.snapshot()), ("view.json", state.view(0))):
        (folder / name).write_text(json.dumps(stored), "utf-8")
        assert json.loads(terminal("analyse", name, "--json", *how).out)["ranking"] == one["ranking"]
    (folder / "wrong.json").write_text(json.dumps(state.snapshot() | {"scores": [9, 9]}), "utf-8")
    (folder / "odd.json").write_text(json.dumps(state.snapshot() | {"options": 3}), "utf-8")
    refusals = (("wrong.json",), ("odd.json",), ("view.json", "6@A"), ("kahuna",))
    for wrong in (*refusals, ("chess",), ("stonehenge", "6@Z"), ("game.json", "6@K"), ("stonehenge", "--bot", "dog")):
        refused = terminal("analyse", *wrong)
        assert (refused.code, refused.out) == (2, "")
        assert refused.err.count("\n") == 1
