"""The command itself: its help, its version, what it says to nonsense."""

import json
import os
import re
import subprocess
import sys
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
        (["--nonsense"], "archipel serve: unrecognized arguments: --nonsense."),
        (["help", "plya"], "There is no command 'plya'; did you mean 'play'?"),
        (["rules", "kahuna.castling"], "The page has no rule 'castling'; it has"),
        (["completion", "tcsh"], "argument SHELL: invalid choice: 'tcsh'"),
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


@pytest.mark.parametrize("command", COMMANDS)
def test_help_about_a_command_is_its_own(terminal: Terminal, command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        terminal("help", command)
    assert left.value.code == 0
    assert f"usage: archipel {command}" in capsys.readouterr().out


def test_options_without_a_command_are_those_of_the_server(shell: Terminal) -> None:
    said = shell("--port", "99999", "--lang", "fr", "--no-browser")
    assert said.code == 2
    assert "99999" in said.err


def test_a_rule_is_found_by_the_name_that_a_refusal_quotes(terminal: Terminal) -> None:
    assert terminal("rules", "kahuna.hand-limit").out == terminal("rules", "kahuna", "hand-limit").out != ""
    assert terminal("rules", "kula-kula.trade").out == terminal("rules", "kula_kula", "trade").out


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({"LANG": "fr_FR.UTF-8"}, "fr"),
        ({"LANG": "fr"}, "fr"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "fr_CH.UTF-8", "LC_ALL": "en_GB.UTF-8"}, "en"),
        ({"LC_MESSAGES": "fr_FR", "LANG": "en_GB"}, "fr"),
        ({"LANG": "fra"}, "en"),
        ({}, "en"),
    ],
)
def test_the_language_is_the_systems(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], language: str
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert terminal("rules", "kahuna").out == terminal("rules", "kahuna", "--lang", language).out


def test_games_as_json(terminal: Terminal) -> None:
    said = json.loads(terminal("games", "--json").out)
    assert [game["name"] for game in said] == list(archipel.GAMES)
    kula = next(game for game in said if game["name"] == "kula_kula")
    assert kula["seats"] == [3, 4, 5]
    assert {"name": "players", "default": 3, "about": "how many play", "values": "3 or 4 or 5"} in kula["options"]


@pytest.mark.parametrize("arguments", [["games", "--json"], ["games"], ["rules", "kahuna"]])
def test_a_reader_who_has_read_enough_hears_no_complaint(arguments: list[str]) -> None:
    """As with `archipel rules kahuna | head`: here the reader has gone before a word is said."""
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as out:
        done = subprocess.run(
            [sys.executable, "-m", "archipel", *arguments], stdout=out, stderr=subprocess.PIPE, check=False
        )
    assert done.stderr == b""
    assert done.returncode == 141


def test_the_library_takes_a_hyphen_for_an_underscore() -> None:
    assert archipel.game("kula-kula") == archipel.game("kula_kula")


def test_bash_completes_what_the_script_says(terminal: Terminal, folder: Path) -> None:
    script = folder / "completion.sh"
    script.write_text(terminal("completion", "bash").out)

    def completed(*typed: str) -> list[str]:
        words = " ".join(f"'{word}'" for word in typed)
        asked = f". ./completion.sh; COMP_WORDS=({words}); COMP_CWORD={len(typed) - 1}; _archipel"
        done = subprocess.run(
            ["bash", "-c", f'{asked}; printf "%s\\n" "${{COMPREPLY[@]}}"'],
            capture_output=True,
            text=True,
            check=True,
            cwd=folder,
        )
        return done.stdout.split()

    assert completed("archipel", "pl") == ["play"]
    assert completed("archipel", "play", "kul") == ["kula-kula"]
    assert completed("archipel", "play", "kahuna", "--ser") == ["--series"]
    assert completed("archipel", "rules", "--lang", "f") == ["fr"]
    assert completed("archipel", "replay", "comp") == ["completion.sh"]


def test_zsh_and_fish_have_scripts_too(terminal: Terminal) -> None:
    assert "bashcompinit" in terminal("completion", "zsh").out
    fish = terminal("completion", "fish").out
    assert "'__fish_seen_subcommand_from play' -a '--help kahuna krakatoa kula-kula stonehenge" in fish
