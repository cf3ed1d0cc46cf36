"""A game at the terminal: typed, refused, taken back, left, kept."""

import builtins
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import archipel
from archipel import Record
from archipel.cli.messages import ENGLISH, FRENCH
from archipel.core.learning import learned
from archipel.core.state import State

from .conftest import Terminal

ALWAYS_THE_FIRST = "1\n" * 3000


def boards(out: str) -> int:
    return out.count(" to place") + out.count(" to play")


@pytest.mark.parametrize("name", archipel.GAMES)
def test_bots_play_a_whole_game(terminal: Terminal, folder: Path, name: str) -> None:
    seats = ["random"] * archipel.game(name).seats
    said = terminal("play", name, "--seat", *seats, "--seed", "1", "--record", "game.json")
    assert (said.code, said.err) == (0, "")
    record = Record.load(folder / "game.json")
    assert record.players == seats
    assert record.result
    assert " win" in said.out or "A draw" in said.out
    assert " : ".join(map(str, record.result["scores"])) in said.out


@pytest.mark.parametrize("name", archipel.GAMES)
def test_a_person_plays_a_whole_game(terminal: Terminal, folder: Path, name: str) -> None:
    seats = ["human"] + ["random"] * (archipel.game(name).seats - 1)
    said = terminal("play", name, "--seat", *seats, "--seed", "2", "--record", "game.json", typed=ALWAYS_THE_FIRST)
    assert said.code == 0
    assert Record.load(folder / "game.json").result


def test_a_game_from_a_shell(shell: Terminal) -> None:
    said = shell("play", "stonehenge", "--seat", "human", "random", "--seed", "3", typed=ALWAYS_THE_FIRST)
    assert said.code == 0
    assert "wins." in said.out


def test_notation_typed_by_two_persons(terminal: Terminal, folder: Path) -> None:
    terminal("play", "stonehenge", "--seat", "random", "random", "--record", "bots.json")
    played = Record.load(folder / "bots.json")
    typed = [
        state.notation(state.encode(action)) for state, action in zip(played.states(), played.actions, strict=False)
    ]
    lines = "\n".join(line.lower() for line in typed)
    said = terminal("play", "stonehenge", "--seat", "human", "human", "--record", "typed.json", typed=lines)
    assert said.code == 0
    assert Record.load(folder / "typed.json").actions == played.actions
    assert "press Enter" not in said.out


def test_a_seed_repeats_a_game(terminal: Terminal) -> None:
    def play(seed: str) -> str:
        return terminal("play", "kahuna", "--seat", "random", "mcts:20", "--seed", seed).out

    assert play("5") == play("5")
    assert play("5") != play("6")


def test_the_first_seat_is_a_person_and_the_rest_are_bots(terminal: Terminal) -> None:
    said = terminal("play", "krakatoa", "--option", "players=3")
    assert "seat 0 (human) · seat 1 (sailor) · seat 2 (sailor)" in said.out


def test_options_are_shown_and_kept(terminal: Terminal, folder: Path) -> None:
    said = terminal("play", "kahuna", "--option", "edition=tilsit", "handicap=[0,2]", "--record", "game.json")
    assert 'Kahuna · edition="tilsit" · handicap=[0, 2]' in said.out
    assert Record.load(folder / "game.json").options["handicap"] == [0, 2]


# Refusals


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("6@K", "Cell K is taken: choose an empty one."),
        ("claim AB", "Megaliths are placed for you here: a turn is one druid."),
        ("castle", "'castle' is not notation for anything; for example: 1@A, claim AB, done."),
        ("0", "There are 102 actions: type a number from 1 to 102."),
        ("103", "There are 102 actions: type a number from 1 to 102."),
        ("save", "Add a file name: save FILE."),
        ("save nowhere/game.json", "nowhere/game.json cannot be written: there is no folder nowhere to write to."),
        ("rules castling", "The page has no rule 'castling'; it has"),
    ],
)
def test_a_refusal_is_a_sentence_and_changes_nothing(
    terminal: Terminal, folder: Path, line: str, sentence: str
) -> None:
    said = terminal("play", "stonehenge", "--seat", "human", "human", "--record", "game.json", typed=f"6@K\n{line}\n")
    assert said.code == 0
    assert sentence in said.out
    assert len(Record.load(folder / "game.json").actions) == 1


def test_a_refusal_names_the_rule(terminal: Terminal) -> None:
    said = terminal("play", "stonehenge", "--seat", "human", "human", typed="6@K\n5@K\n")
    assert "rule stonehenge.place; type `rules place` to read it" in said.out


def test_an_empty_line_is_no_answer(terminal: Terminal) -> None:
    said = terminal("play", "stonehenge", typed="\n  \n")
    assert said.out.count("seat 0> ") == 3


# What one may see


def test_a_curtain_falls_between_persons_with_secrets(terminal: Terminal) -> None:
    typed = "\n6@K\n\n5@L\n\n"
    said = terminal("play", "stonehenge", "--seat", "human", "human", "--option", "hidden", typed=typed)
    assert said.out.count("Seat 0: press Enter") == 2
    assert said.out.count("Seat 1: press Enter") == 1
    _, first, second, third = said.out.split("press Enter")
    assert "1 1 2 2 3 3 4 5 6" in first
    assert "x?" in second
    assert "x6" not in second
    assert "?@K" in second
    assert "6@K" not in second.partition("seat 1> ")[0]
    assert "x6" in third
    assert "o?" in third
    assert "o5" not in third


def test_the_opponents_cards_are_not_shown(terminal: Terminal, folder: Path) -> None:
    said = terminal("play", "kahuna", "--seed", "1", "--record", "game.json", typed="quit\n")
    opponents = [action["card"] for action in Record.load(folder / "game.json").actions[3:6]]
    assert "deal ? → deal ? → deal ?" in said.out
    assert "hand of 3 cards" in said.out
    dealt = said.out[said.out.index("chance") : said.out.index("Board" if "Board" in said.out else "seat 0 (human) ─")]
    own_and_open = [action["card"] for action in Record.load(folder / "game.json").actions if action["card"]]
    for card in opponents:
        assert dealt.count(f"deal {card}") == own_and_open.count(card) - opponents.count(card)


def test_bots_alone_hide_nothing(terminal: Terminal) -> None:
    said = terminal("play", "kahuna", "--seat", "random", "random", "--seed", "1")
    assert "?" not in said.out


# Taking back


def test_undo(terminal: Terminal, folder: Path) -> None:
    typed = "undo\n1\n1\nundo\nundo\nundo\n"
    said = terminal("play", "kahuna", "--seed", "1", "--record", "game.json", typed=typed)
    assert said.out.count("Undone: ") == 2
    assert said.out.count("Can’t undo: ") == 2
    assert len(Record.load(folder / "game.json").actions) == 9


def test_no_undo_behind_a_card_that_was_dealt(terminal: Terminal) -> None:
    said = terminal("play", "kahuna", "--seat", "human", "random", "--seed", "1", typed="1\ndraw deck\nundo\n")
    assert "Can’t undo: " in said.out


def test_no_undo_behind_another_seats_action(terminal: Terminal) -> None:
    said = terminal("play", "stonehenge", "--seat", "human", "random", typed="6@K\nundo\n")
    assert "Can’t undo: " in said.out


def test_two_persons_take_back_one_turn(terminal: Terminal, folder: Path) -> None:
    typed = "6@K\n5@L\nundo\nundo\n"
    said = terminal("play", "stonehenge", "--seat", "human", "human", "--record", "game.json", typed=typed)
    assert "Undone: 5@L." in said.out
    assert "Can’t undo: " in said.out
    assert len(Record.load(folder / "game.json").actions) == 1


def test_undo_before_anything_was_done(terminal: Terminal) -> None:
    assert "There is nothing to undo yet." in terminal("play", "stonehenge", typed="undo\n").out


def test_no_undo_behind_druids_that_were_turned_up(terminal: Terminal) -> None:
    typed = "\n6@N\n\n5@R\n\n"
    said = terminal("play", "stonehenge", "--seat", "human", "human", "--option", "hidden", typed=typed + "undo\n")
    assert "Can’t undo: " in said.out


def test_what_is_learned_is_computed_from_views() -> None:
    state = archipel.game("stonehenge", hidden=True).new()
    assert not learns(state, "6@N")
    state = state.after(state.parse("6@N"))
    assert not learns(state, "5@A")
    assert learns(state, "5@R")


def learns(state: State, action: str) -> bool:
    """Does the mover learn something by its own action?"""
    number = state.parse(action)
    return learned(state, number, state.after(number), state.mover)


# Leaving


@pytest.mark.parametrize("typed", ["", "6@K\n", "quit\n", "QUIT\n"])
def test_leaving_politely(terminal: Terminal, typed: str) -> None:
    said = terminal("play", "stonehenge", "--seat", "human", "random", typed=typed)
    assert said.code == 0
    assert said.out.endswith("Game abandoned. Bye!\n")


def test_ctrl_c(terminal: Terminal, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(prompt: str = "") -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(builtins, "input", interrupted)
    said = terminal("play", "kahuna", "--record", "game.json")
    assert said.code == 130
    assert "Bye!" in said.out
    assert said.err.strip() == ""
    assert len(Record.load(folder / "game.json").actions) == 9


def test_bytes_that_are_no_text(folder: Path) -> None:
    command = [sys.executable, "-m", "archipel", "play", "stonehenge", "--seat", "human", "random"]
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    typed = b"\xff\xfe\n6@K\n" + b"9" * 6000 + b"\nsave a\x00b\nsave " + b"a" * 3000 + b"\n"
    done = subprocess.run(command, input=typed, capture_output=True, env=environment, timeout=300, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.count(b"is not notation for anything") == 2
    assert b"Game abandoned. Bye!" in done.stdout
    assert list(folder.iterdir()) == []


# Keeping


def test_save(terminal: Terminal, folder: Path) -> None:
    said = terminal("play", "stonehenge", "--seat", "human", "random", typed="6@K\nsave mine.json\nsave mine.json\n")
    assert said.out.count("Game saved to mine.json.") == 2
    assert Record.load(folder / "mine.json").actions[0] == {"do": "place", "druid": 6, "cell": "K"}


@pytest.mark.parametrize("content", ["", "dear diary", "[1]", '{"diary": 1}'])
def test_no_other_file_is_overwritten(terminal: Terminal, folder: Path, content: str) -> None:
    (folder / "diary").write_text(content, "utf-8")
    sentence = "diary already exists and is not a game record: choose another name."
    assert sentence in terminal("play", "stonehenge", typed="save diary\n").out
    said = terminal("play", "stonehenge", "--record", "diary")
    assert (said.code, said.err) == (2, f"{sentence}\n")
    assert (folder / "diary").read_text("utf-8") == content


def test_an_older_record_is_replaced(terminal: Terminal, folder: Path) -> None:
    for seed in ("1", "2"):
        terminal("play", "stonehenge", "--seat", "random", "random", "--seed", seed, "--record", "game.json")
    assert json.loads((folder / "game.json").read_text("utf-8"))["archipel"] == 1


# Series


def test_a_series_changes_seats_and_adds_scores(terminal: Terminal, folder: Path) -> None:
    argv = ["--seat", "human", "random", "--series", "3", "--seed", "1", "--record", "s.json"]
    said = terminal("play", "stonehenge", *argv, typed=ALWAYS_THE_FIRST)
    records = [Record.load(folder / f"s-{number}.json") for number in (1, 2, 3)]
    assert [record.players for record in records] == [["human", "random"], ["random", "human"], ["human", "random"]]
    points = {"human": 0, "random": 0}
    for record in records:
        assert record.result
        for player, score in zip(record.players, record.result["scores"], strict=True):
            points[player] += score
    assert f"After 3 of 3: seat 0 (human) {points['human']} · seat 1 (random) {points['random']}" in said.out
    ahead = 0 if points["human"] > points["random"] else 1
    assert f"seat {ahead} ({['human', 'random'][ahead]}) wins the series." in said.out
    assert "game 2 of 3" in said.out


# Languages


def test_french(terminal: Terminal) -> None:
    said = terminal("play", "stonehenge", "--seat", "human", "random", "--lang", "fr", typed="undo\nhelp\n")
    assert "Il n’y a encore rien à annuler." in said.out
    assert "annuler votre dernière action" in said.out
    assert said.out.endswith("Au revoir\u202f!\n")


def test_refusals_are_said_in_french(terminal: Terminal) -> None:
    said = terminal("play", "stonehenge", "--seat", "human", "human", "--lang", "fr", typed="6@K\n5@K\nseven\n")
    assert "La case K est prise" in said.out
    assert "ne désigne rien ici" in said.out


def test_both_languages_say_the_same_things() -> None:
    def blanks(sentence: str) -> set[str]:
        return {part.split("}")[0] for part in sentence.split("{")[1:]}

    assert list(ENGLISH) == list(FRENCH)
    for key, sentence in ENGLISH.items():
        assert blanks(sentence) == blanks(FRENCH[key])
