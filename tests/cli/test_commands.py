"""The command itself: its help, its version, what it says to nonsense."""

import re
from pathlib import Path

import pytest

import archipel
from archipel.cli import COMMANDS
from archipel.core import registry

from .conftest import Terminal


@pytest.mark.parametrize("argv", [("--help",), ("help",), ("-h",)])
def test_it_lists_its_commands(terminal: Terminal, argv: tuple[str, ...]) -> None:
    said = terminal(*argv)
    assert said.code == 0
    for command in COMMANDS:
        assert f"archipel {command}" in said.out


def test_version(shell: Terminal) -> None:
    assert shell("--version").out == f"archipel {archipel.__version__}\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(shell: Terminal, command: str) -> None:
    said = shell(command, "--help")
    assert said.code == 0
    assert f"usage: archipel {command}" in said.out


def test_games_lists_every_game_with_its_seats_and_options(terminal: Terminal) -> None:
    said = terminal("games")
    assert said.code == 0
    for name in archipel.GAMES:
        kind = registry.kind(name)
        assert kind.title in said.out
        for option in kind.OPTIONS:
            assert f"{option.name}=" in said.out
            assert option.about in said.out
    for level in ("beachcomber", "fisher", "sailor", "navigator", "chief"):
        assert said.out.count(level) == len(archipel.GAMES)
    assert "Stonehenge · 2 seats" in said.out
    assert "Kula Kula · 3 to 5 seats" in said.out


def test_warm_makes_every_game_ready(terminal: Terminal) -> None:
    said = terminal("warm")
    assert said.code == 0
    assert "Ready" in said.out
    for name in archipel.GAMES:
        assert registry.kind(name).title in said.out


def test_warm_takes_the_games_that_it_is_given(terminal: Terminal) -> None:
    said = terminal("warm", "stonehenge")
    assert "Stonehenge" in said.out
    assert "Kahuna" not in said.out
    assert terminal("warm", "chess").code == 2


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (["plya"], "There is no command 'plya'; did you mean 'play'?"),
        (["xyzzy"], "There is no command 'xyzzy'; the commands are"),
        (["--nonsense"], "There is no command '--nonsense'; the commands are"),
        (["play"], "archipel play: the following arguments are required: GAME."),
        (["play", "chess"], "There is no game 'chess'; the games are kahuna,"),
        (["play", "stonehenge", "--loud"], "archipel play: unrecognized arguments: --loud."),
        (
            ["play", "stonehenge", "--option", "colour=red"],
            "stonehenge has no option 'colour'; its options are hidden,",
        ),
        (["play", "stonehenge", "--option", "hidden=perhaps"], "'hidden' must be true or false, not 'perhaps'."),
        (["play", "stonehenge", "--option", "=1"], "An option is written name=value, not '=1'."),
        (["play", "stonehenge", "--option", "hidden", "claims=manual"], "cannot be 'manual' with 'hidden'"),
        (["play", "stonehenge", "--option"], "archipel play: argument --option: expected at least one argument."),
        (["play", "stonehenge", "--seat", "mcts:0"], "A budget must be more than nothing."),
        (["play", "stonehenge", "--seat", "mcts:soon"], "'soon' is no budget: write 1000 for simulations"),
        (["play", "stonehenge", "--seat", "dog"], "There is no bot 'dog'; the bots are random,"),
        (
            ["play", "stonehenge", "--seat", "bot", "bot", "bot"],
            "Stonehenge has 2 seats with these options, but --seat names 3 players.",
        ),
        (["play", "stonehenge", "--seed", "-1"], "argument --seed: "),
        (["play", "stonehenge", "--seed", "one"], "argument --seed: a whole number is wanted, not 'one'."),
        (["play", "stonehenge", "--series", "0"], "A series has 1 to 1000 games, not 0."),
        (["play", "stonehenge", "--lang", "de"], "argument --lang: invalid choice: 'de'"),
        (["play", "stonehenge", "--record", "nowhere/game.json"], "nowhere/game.json cannot be written"),
        (["play", "stonehenge", "--record", "."], "already exists and is not a game record"),
        (["rules", "chess"], "There is no game 'chess'"),
        (["rules", "kahuna", "castling"], "The page has no rule 'castling'; it has"),
        (["rules", "kahuna", "--lang", "de"], "argument --lang: invalid choice: 'de'"),
        (["replay"], "archipel replay: the following arguments are required: RECORD."),
        (["replay", "absent.json"], "absent.json cannot be read: No such file or directory."),
        (["replay", "."], ". cannot be read: Is a directory."),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(
    terminal: Terminal, folder: Path, argv: list[str], sentence: str
) -> None:
    said = terminal(*argv)
    assert said.code == 2
    assert sentence in said.err
    assert re.fullmatch(r"[^\n]+[.?]\n", said.err)
    assert said.out == ""
    assert list(folder.iterdir()) == []


def test_bad_input_from_a_shell(shell: Terminal) -> None:
    said = shell("play", "kahuna", "--option", "edition=gold")
    assert (said.code, said.out) == (2, "")
    assert said.err == "kahuna: option 'edition' must be \"iello\" or \"tilsit\", not 'gold'.\n"


@pytest.mark.parametrize("name", ["kula_kula", "kula-kula", "Kula Kula", "KULA_KULA"])
def test_a_game_is_known_however_it_is_written(terminal: Terminal, name: str) -> None:
    assert terminal("play", name).code == 0
