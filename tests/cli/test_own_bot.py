"""Bots of one's own at the terminal: every command of their page, and what is said when they fail."""

import json
import re
import shlex
import sys
from pathlib import Path

import pytest

from archipel import Record
from archipel.arena import wire

from .conftest import Terminal

PAGE = Path(__file__).parents[2] / "docs" / "your-own-bot.md"
FILE, PROGRAM = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
COMMANDS = re.findall(r"^\$ archipel (.*)$", PAGE.read_text("utf-8"), re.MULTILINE)


@pytest.fixture(autouse=True)
def examples(folder: Path) -> None:
    """The page's two bots, and a host's first words."""
    (folder / "my_bot.py").write_text(FILE, "utf-8")
    (folder / "any_bot.py").write_text(PROGRAM, "utf-8")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_of_the_page_runs(terminal: Terminal, command: str) -> None:
    command, _, file = command.partition(" < ")
    words = shlex.split(re.sub(r"--games \d+", "--games 2", command).replace('"python ', f'"{sys.executable} '))
    typed = wire.line(wire.hello("stonehenge", {})).decode() if file else "1\n"
    said = terminal(*words, typed=typed)
    assert (said.code, said.err) == (0, "")
    assert "forfeit" not in said.out


def test_a_file_is_the_opponent_if_nobody_else_is_named(terminal: Terminal, folder: Path) -> None:
    said = terminal("play", "stonehenge", "--code", "my_bot.py", "--record", "game.json", typed="1\n1\n")
    assert said.code == 0
    assert Record.load(folder / "game.json").players == ["human", "my_bot"]
    assert len(Record.load(folder / "game.json").actions) >= 2


def test_a_file_and_a_program_play_each_other(terminal: Terminal, folder: Path) -> None:
    program = f"any={sys.executable} any_bot.py"
    argv = ["--seat", "my_bot", "any", "--code", "my_bot.py", "--program", program, "--record", "game.json"]
    assert terminal("play", "stonehenge", *argv, "--seed", "1").code == 0
    assert Record.load(folder / "game.json").result


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_bot_that_fails_has_a_move_made_for_it(terminal: Terminal, folder: Path, language: str) -> None:
    (folder / "bad.py").write_text("def choose(view, rng, budget): return -1", "utf-8")
    argv = ["--seat", "bad", "random", "--code", "bad.py", "--seed", "1", "--lang", language]
    said = terminal("play", "stonehenge", *argv, "--record", "game.json")
    assert said.code == 0
    sentence = {
        "en": "seat 0 (bad) failed, so a random move was played: not allowed: There is no action number -1 here.",
        "fr": "siège 0 (bad) a échoué, un coup au hasard a été joué : not allowed: There is no action number -1 here.",
    }[language]
    assert said.out.count(sentence) == len(Record.load(folder / "game.json").actions[::2])


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (["--code", "absent.py"], "The bot file absent.py cannot be read: No such file or directory."),
        (["--program", "mine=false"], "The bot mine cannot be started: it ended with exit code 1."),
        (["--against", "pirate"], "There is no bot 'pirate'; the bots are random, greedy"),
        (["--against", "sailor@99"], "There is no version 99 of sailor"),
        (["--seat", "human", "mcts:0"], "A budget must be more than nothing."),
        (["--limit", "-1"], "a number of seconds above 0 is wanted"),
    ],
)
def test_bad_input_is_one_sentence(terminal: Terminal, argv: list[str], sentence: str) -> None:
    said = terminal("play", "stonehenge", *argv)
    assert (said.code, said.out) == (2, "")
    assert sentence in said.err
    assert said.err.count("\n") == 1


def test_the_schema_is_printed(terminal: Terminal) -> None:
    assert json.loads(terminal("bot", "--schema").out)["$defs"]["hello"]
