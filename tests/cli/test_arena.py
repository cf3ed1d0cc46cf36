"""The arena from the terminal: played, stopped, killed, taken up again, refused."""

import json
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.patience import PATIENCE

from .conftest import Terminal

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "arena.md"
FIRST = """
from archipel.bots.worlds import imagined

def choose(view, rng, budget):
    (world,) = imagined(view, rng)
    return world.actions()[0]
"""
FILES = ["games.jsonl", "games.lock", "report.html", "report.json"]
ARENA = ["stonehenge", "random", "--code", "first.py", "--cores", "1", "--out", "played"]


@pytest.fixture(autouse=True)
def bot_file(folder: Path) -> None:
    """A bot of one's own beside whoever types."""
    (folder / "first.py").write_text(FIRST, "utf-8")


def typed(command: str) -> list[str]:
    """The words of a command, with the Python that runs now."""
    return shlex.split(command.replace('"python ', f'"{sys.executable} '))


def program_on_page() -> str:
    _, program = re.findall(r"```python\n(.*?)```", (DOCS / "your-own-bot.md").read_text("utf-8"), re.DOTALL)
    return str(program)


def games(folder: Path, out: str = "played") -> list[dict[str, Any]]:
    """The games in a log, in their order and without the time they took."""
    lines = (folder / out / "games.jsonl").read_text("utf-8").splitlines()[1:]
    found = [{**json.loads(line), "seconds": None, "sum": None} for line in lines]
    return sorted(found, key=lambda game: (game["table"], game["number"]))


def begin(*argv: str) -> "subprocess.Popen[str]":
    """Start an arena in a process of its own."""
    pipe = subprocess.PIPE
    return subprocess.Popen([sys.executable, "-m", "archipel", "arena", *argv], stdout=pipe, stderr=pipe, text=True)


def wait_for_games(folder: Path, count: int) -> None:
    log, deadline = folder / "played" / "games.jsonl", time.monotonic() + PATIENCE
    while not log.exists() or log.read_bytes().count(b"\n") <= count:
        assert time.monotonic() < deadline
        time.sleep(0.01)


def children(process: int) -> list[Path]:
    """The processes that a process has started, where the system says so."""
    found = Path(f"/proc/{process}/task/{process}/children")
    return [Path(f"/proc/{child}/stat") for child in found.read_text().split()] if found.exists() else []


def wait_for_end(processes: list[Path]) -> None:
    deadline = time.monotonic() + PATIENCE
    while any(map(is_running, processes)):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def is_running(process: Path) -> bool:
    try:
        return process.read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_an_arena(terminal: Terminal, folder: Path) -> None:
    said = terminal("arena", *ARENA, "--games", "6", "--cores", "2")
    assert (said.code, said.err) == (0, "")
    assert re.search(r"random +6 ", said.out)
    assert "The report is played/report.html" in said.out
    assert sorted(path.name for path in (folder / "played").iterdir()) == FILES
    assert len(games(folder)) == 6
    report = json.loads((folder / "played" / "report.json").read_text("utf-8"))
    assert report["command"].startswith("archipel arena stonehenge random --games 6 --seed 0 --cores 2 --out played")


def test_a_killed_arena_goes_on_where_it_was(terminal: Terminal, folder: Path) -> None:
    arena = begin(*ARENA, "--games", "60")
    wait_for_games(folder, 3)
    workers = children(arena.pid)
    arena.kill()
    arena.communicate()
    wait_for_end(workers)
    before = games(folder)
    assert 3 <= len(before) < 60
    said = terminal("arena", *ARENA, "--games", "60", "--cores", "2")
    assert said.code == 0
    assert re.search(rf"{len(before)} of 60 games have been played already\.", said.err)
    terminal("arena", *ARENA[:-1], "whole", "--games", "60")
    assert games(folder) == games(folder, "whole")
    assert all(game in games(folder) for game in before)


def test_ctrl_c_stops_politely_and_says_how_to_go_on(folder: Path) -> None:
    arena = begin(*ARENA, "--games", "100000", "--cores", "2")
    wait_for_games(folder, 2)
    arena.send_signal(signal.SIGINT)
    out, err = arena.communicate(timeout=60)
    assert arena.returncode == 130
    assert "Traceback" not in out + err
    assert re.search(
        r"Stopped after \d+ of 100000 games; nothing is lost\. The same command goes on from here:\n  archipel", err
    )
    assert (folder / "played" / "report.html").exists()


def test_the_same_command_again_plays_nothing_and_more_games_may_be_asked_for(terminal: Terminal, folder: Path) -> None:
    terminal("arena", *ARENA, "--games", "2")
    again = terminal("arena", *ARENA, "--games", "2")
    assert (again.code, again.err) == (0, "2 of 2 games have been played already.\n")
    more = terminal("arena", *ARENA, "--games", "4")
    assert (more.code, more.err) == (0, "2 of 4 games have been played already.\n")
    assert len(games(folder)) == 4


def test_without_a_folder_each_arena_finds_its_own_again(terminal: Terminal, folder: Path) -> None:
    for seed in ("1", "2", "1"):
        assert terminal("arena", *ARENA[:-2], "--games", "2", "--seed", seed).code == 0
    assert len(list((folder / "arena").iterdir())) == 2


def test_a_line_that_was_broken_off_is_told_of(terminal: Terminal, folder: Path) -> None:
    terminal("arena", *ARENA, "--games", "4")
    log = folder / "played" / "games.jsonl"
    before = games(folder)
    log.write_bytes(log.read_bytes()[:-9])
    said = terminal("arena", *ARENA, "--games", "4")
    assert said.code == 0
    assert "The last line of played/games.jsonl was broken off and is gone; its game is played again.\n" in said.err
    assert games(folder) == before


def test_a_bot_that_fails_is_reported(terminal: Terminal, folder: Path) -> None:
    (folder / "wild.py").write_text("def choose(view, rng, budget): return -1", "utf-8")
    said = terminal("arena", "stonehenge", "random", "--code", "wild.py", "--games", "2")
    assert said.code == 0
    assert re.search(r"wild forfeited (\d+) of its \1 moves; the first time: not allowed: There is no action", said.out)


def test_a_program_that_fails_is_reported(terminal: Terminal, folder: Path) -> None:
    text = 'input(); print(\'{"protocol": 1, "name": "wild"}\', flush=True); input(); 1 / 0'
    (folder / "wild_program.py").write_text(text, "utf-8")
    program = f"wild={sys.executable} wild_program.py"
    said = terminal("arena", "stonehenge", "random", "--program", program, "--games", "2", "--out", "played")
    assert said.code == 0
    why = "it ended with exit code 1: ZeroDivisionError: division by zero"
    assert re.search(rf"wild forfeited (\d+) of its \1 moves; the first time: {why}", said.out)
    report = json.loads((folder / "played" / "report.json").read_text("utf-8"))
    (wild,) = [entry for entry in report["standings"] if entry["bot"] == "wild"]
    assert wild["forfeits"] == wild["decisions"]
    assert wild["why"] == why
    assert why in (folder / "played" / "report.html").read_text("utf-8")


def test_an_arena_of_several_seats(terminal: Terminal, folder: Path) -> None:
    options = ["--option", "players=3", "turn_limit=5"]
    said = terminal(
        "arena", "kula-kula", "random,random,first", "--code", "first.py", *options, "--games", "1", "--out", "played"
    )
    assert (said.code, said.err) == (0, "")
    assert sorted(game["seats"].index("first") for game in games(folder)) == [0, 1, 2]


def test_balance(terminal: Terminal, folder: Path) -> None:
    said = terminal("arena", "--balance", "stonehenge", "--bot", "random", "--games", "3", "--out", "played")
    assert (said.code, said.err) == (0, "")
    for words in ("as it is", "hidden=true", "claims=manual"):
        assert words in said.out
    assert len(games(folder)) == 9


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (["chess", "random,greedy"], "There is no game 'chess'; the games are"),
        (["stonehenge"], "An arena needs two bots or more, as in greedy,random; --balance plays one against itself."),
        (["stonehenge", "random"], "An arena needs two bots or more"),
        (["stonehenge", "random,random"], "An arena needs two bots or more"),
        (["stonehenge", "random,deep blue"], "There is no bot 'deep blue'; the bots are"),
        (["stonehenge", "random,"], "There is no bot ''; the bots are"),
        (
            ["stonehenge", "random,random,greedy"],
            "A bot may be listed twice only if the list says who sits at the 2 seats",
        ),
        (["stonehenge", ",".join(map(str, range(30)))], "An arena has up to 24 bots, not 30."),
        (["stonehenge", "random,greedy", "--games", "0"], "An arena has 1 to 1000000 games, not 0."),
        (["stonehenge", "random,greedy", "--games", "-3"], "argument --games: "),
        (["stonehenge", "random,greedy", "--games", "many"], "argument --games: a whole number is wanted, not 'many'."),
        (["stonehenge", "random,greedy", "--cores", "0"], "--cores is a number from 1 to 1024, not 0."),
        (
            ["stonehenge", "random,greedy", "--anchor", "me"],
            "The anchor 'me' does not play; the bots are random, greedy.",
        ),
        (["stonehenge", "random,greedy", "--option", "colour=red"], "stonehenge has no option 'colour'"),
        (["stonehenge", "random,greedy", "--bot", "random"], "--bot goes with --balance"),
        (["stonehenge", "random", "--code", "absent.py"], "absent.py cannot be read: No such file or directory."),
        (["stonehenge", "random", "--code", "bad.py"], "bad.py cannot be run: SyntaxError in line 1: "),
        (["stonehenge", "random,greedy:0"], "A budget must be more than nothing."),
        (["stonehenge", "random,greedy:0s"], "A budget must be more than nothing."),
        (["stonehenge", "random,first:0", "--code", "first.py"], "A budget must be more than nothing."),
        (["stonehenge", "random,first:soon", "--code", "first.py"], "'soon' is no budget: "),
        (["stonehenge", "random,pirate"], "There is no bot 'pirate'; the bots are random, greedy"),
        (["stonehenge", "random,sailor@99"], "There is no version 99 of sailor; there are 1, 2 and 3."),
        (["stonehenge", "random,sailor@new"], "A version is a number, as in sailor@1, not 'new'."),
        (["stonehenge", "random,sailor:1s"], "sailor is a level and has a budget of its own: write sailor."),
        (["stonehenge", "random", "--program", "mine"], "A program is written NAME="),
        (["stonehenge", "random", "--program", "mine=no-such-program"], "no-such-program cannot be started: No such"),
        (
            ["stonehenge", "random", "--program", "mine=false"],
            "The bot mine cannot be started: it ended with exit code",
        ),
        (["stonehenge", "random", "--program", "mine=cat", "--limit", "0"], "a number of seconds above 0 is wanted"),
        (["stonehenge", "random,greedy", "--limit", "3"], "--limit goes with --program"),
        (["stonehenge", "random,greedy", "--out", "bad.py"], "bad.py is a file, not a folder"),
        (["stonehenge", "random,greedy", "--out", "."], ". holds other things and no arena"),
        (["stonehenge", "random,greedy", "--out", "bad.py/x"], "Not a directory."),
        (["stonehenge", "greedy", "--balance"], "--balance plays one bot against itself: choose it with --bot."),
        (["stonehenge", "--balance", "--bot", "deep"], "There is no bot 'deep'"),
        (["stonehenge", "--balance", "--code", "first.py", "--code", "bad.py"], "bad.py cannot be run"),
        ([], "archipel arena: the following arguments are required: GAME."),
    ],
)
def test_bad_input_is_one_sentence_and_leaves_nothing_behind(
    terminal: Terminal, folder: Path, argv: list[str], sentence: str
) -> None:
    (folder / "bad.py").write_text("def choose(", "utf-8")
    said = terminal("arena", *argv)
    assert (said.code, said.out) == (2, "")
    assert sentence in said.err
    assert re.fullmatch(r"[^\n]+\.\n", said.err)
    assert sorted(path.name for path in folder.iterdir()) == ["bad.py", "first.py"]


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (["--seed", "9"], "played holds another arena (seed: 0, not 9): choose another folder with --out."),
        (["--option", "hidden"], "played holds another arena (options: "),
        (["--games", "2"], "played holds more than 2 games of each table"),
    ],
)
def test_the_folder_of_another_arena_is_left_alone(
    terminal: Terminal, folder: Path, argv: list[str], sentence: str
) -> None:
    terminal("arena", *ARENA, "--games", "4")
    before = {path: path.read_bytes() for path in (folder / "played").iterdir()}
    said = terminal("arena", *ARENA, "--games", "4", *argv)
    assert (said.code, said.out) == (2, "")
    assert sentence in said.err
    assert {path: path.read_bytes() for path in (folder / "played").iterdir()} == before


def test_another_version_of_a_bot_file_is_another_arena(terminal: Terminal, folder: Path) -> None:
    terminal("arena", *ARENA, "--games", "2")
    (folder / "first.py").write_text("def choose(view, rng, budget): return 1", "utf-8")
    said = terminal("arena", *ARENA, "--games", "2")
    assert said.code == 2
    assert "played holds another arena (code: " in said.err


def test_damage_in_a_log_is_refused_and_nothing_lost(terminal: Terminal, folder: Path) -> None:
    terminal("arena", *ARENA, "--games", "4")
    log = folder / "played" / "games.jsonl"
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join([*lines[:2], b"rubbish\n", *lines[3:]]))
    said = terminal("arena", *ARENA, "--games", "4")
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith(
        "played/games.jsonl is damaged in line 3: take that line out and its game is played again"
    )
    log.write_bytes(b"".join([*lines[:2], *lines[3:]]))
    assert terminal("arena", *ARENA, "--games", "4").code == 0
    assert len(games(folder)) == 4


def test_a_game_that_brings_workers_down_loses_none_that_was_played(terminal: Terminal, folder: Path) -> None:
    bomb = "import os\ndef choose(view, rng, budget): return -1 if rng.random() < 0.99 else os._exit(1)"
    (folder / "bomb.py").write_text(bomb, "utf-8")
    said = terminal(
        "arena", "stonehenge", "random", "--code", "bomb.py", "--games", "400", "--out", "played", "--cores", "1"
    )
    assert said.code == 2
    assert re.search(r"^Game \d+ between .* has brought down 3 workers, so the arena stops; what was played", said.err)
    assert len(games(folder)) > 0


def test_without_scipy_it_says_what_to_install(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("archipel.cli.arena.find_spec", lambda name: None)
    assert (
        terminal("arena", "stonehenge", "random,greedy").err
        == "The arena needs SciPy: pip install 'archipel[arena]'.\n"
    )


def test_every_command_of_the_page_runs(terminal: Terminal, folder: Path) -> None:
    """With fewer games and quicker bots than the page asks for."""
    (folder / "first.py").rename(folder / "my_bot.py")
    (folder / "any_bot.py").write_text(program_on_page(), "utf-8")
    commands = re.findall(r"^\$ archipel (.*)$", PAGE.read_text("utf-8"), re.MULTILINE)
    assert len(commands) > 5
    for command in commands:
        quick = re.sub(r"--games \d+", "--games 2", command).replace("greedy", "my_bot")
        quick = quick if "--code" in quick or "my_bot" not in quick else f"{quick} --code my_bot.py"
        said = terminal(*typed(quick), *([] if "--games" in quick else ["--games", "1"]), "--cores", "1")
        assert (command, said.code) == (command, 0), said.err


TEST = ["stonehenge", "greedy:50,random", "--until-significant", "--elo1", "200", "--cores", "1", "--out", "tested"]


def test_an_arena_until_it_is_significant(terminal: Terminal, folder: Path) -> None:
    said = terminal("arena", *TEST)
    assert said.code == 0
    assert "greedy:50 is stronger than random: LLR" in said.out
    report = json.loads((folder / "tested" / "report.json").read_text("utf-8"))
    assert report["sprt"]["verdict"] == "stronger"
    assert "--until-significant" in report["command"]
    assert "--elo1 200" in report["command"]
    played = len(games(folder, "tested"))
    assert 2 * report["sprt"]["deals"] <= played < 200
    again = terminal("arena", *TEST)
    assert again.code == 0
    assert len(games(folder, "tested")) == played
    assert "greedy:50 is stronger than random: LLR" in again.out


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (["stonehenge", "greedy,random", "--elo1", "5"], "--elo1 goes with --until-significant."),
        (["stonehenge", "greedy,random,expert", "--until-significant"], "A test compares two bots, not 3"),
        (
            ["stonehenge", "greedy,random", "--until-significant", "--alpha", "0.7"],
            "alpha must be above 0 and below 0.5",
        ),
        (["stonehenge", "greedy,random", "--until-significant", "--elo0", "30"], "elo0 must be below elo1"),
        (["stonehenge", "greedy,random", "--until-significant", "--elo0", "much"], "a number is wanted, not 'much'"),
        (["stonehenge", "--balance", "--until-significant"], "--balance plays one against itself"),
    ],
)
def test_a_test_that_cannot_be(terminal: Terminal, folder: Path, argv: list[str], sentence: str) -> None:
    said = terminal("arena", *argv)
    assert said.code == 2
    assert sentence in said.err
    assert not (folder / "arena").exists()


def test_a_bot_that_crashes_shows_its_traceback(terminal: Terminal, folder: Path) -> None:
    (folder / "broken.py").write_text("def choose(view, rng, budget):\n    return view['no such key']\n", "utf-8")
    said = terminal("arena", "stonehenge", "random", "--code", "broken.py", "--games", "2", "--cores", "1")
    assert said.code == 0
    assert "broken forfeited" in said.out
    assert "line 2, in choose" in said.out
    assert "KeyError: 'no such key'" in said.out
