"""`archipel solve`: proving who wins, going on after a stop, certificates, and what it says to nonsense."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import archipel
from archipel import OVER, Record, State
from archipel.games.stonehenge.bot.solver import solve
from archipel.games.stonehenge.bot.solver.solve import empty_cells

from .conftest import Said, Terminal


def a_game(empty: int, seed: int = 1) -> tuple[list[str], State]:
    """The moves of a random game that still runs with so many empty cells, and its position."""
    rng = np.random.default_rng(seed)
    state, moves = archipel.game("stonehenge").new(), list[str]()
    while len(moves) < 18 - empty:
        action = int(rng.choice(state.actions()))
        moves.append(state.notation(action))
        state = state.after(action)
        if state.mover == OVER:
            return a_game(empty, seed + 1)
    return moves, state


@pytest.fixture
def ask(terminal: Terminal, folder: Path) -> Terminal:
    """Solve with little memory, keeping the checkpoint here."""

    def run(*argv: str, typed: str = "") -> Said:
        cores = [] if "--cores" in argv else ["--cores", "1"]
        return terminal("solve", "stonehenge", *argv, *cores, "--memory", "8", "--checkpoint", "proved")

    return run


def test_moves_a_record_and_a_snapshot_are_the_same_position(ask: Terminal, folder: Path) -> None:
    moves, state = a_game(9)
    solution = solve(state)
    assert solution is not None
    game = archipel.game("stonehenge")
    states = [game.new()]
    for move in moves:
        states.append(states[-1].after(states[-1].parse(move)))
    actions = [before.parse(move) for before, move in zip(states, moves, strict=False)]
    Record.of(states, actions).save("game.json")
    (folder / "position.json").write_text(json.dumps(state.snapshot()))
    for position in ([" ".join(moves)], moves, ["game.json"], ["position.json"]):
        said = ask(*position)
        assert said.code == 0
        assert f"Seat {solution.winner} wins" in said.out


def test_the_winning_move_is_named(ask: Terminal) -> None:
    for seed in range(10, 14):
        moves, state = a_game(8, seed)
        said = ask(*moves)
        found = re.search(r"Seat (\d) wins(?: with (\S+))?\.\n", said.out)
        assert found
        if found[2]:
            after = solve(state.after(state.parse(found[2])))
            assert after is not None
            assert after.winner == state.mover == int(found[1])
        else:
            assert int(found[1]) == 1 - state.mover


def test_a_game_that_is_over(ask: Terminal) -> None:
    moves, state = a_game(1)
    last = state.notation(state.actions()[0])
    winner = state.after(state.actions()[0]).winner
    assert f"Seat {winner} wins.\n" in ask(*moves, last).out


def test_a_certificate_is_written_and_holds(ask: Terminal, terminal: Terminal, folder: Path) -> None:
    moves, _ = a_game(7)
    said = ask(*moves, "--certificate", "strategy.json", "--few", "4")
    assert "strategy.json has the strategy" in said.out
    for how in ([], ["--quick"]):
        assert "The certificate holds" in terminal("solve", "stonehenge", "--check", "strategy.json", *how).out
    false = json.loads((folder / "strategy.json").read_text())
    (folder / "strategy.json").write_text(json.dumps(false | {"moves": {}}))
    said = terminal("solve", "stonehenge", "--check", "strategy.json")
    assert (said.code, said.out) == (2, "")
    assert "strategy.json does not hold: The certificate has no move" in said.err


def test_what_came_with_it_is_believed_unless_it_is_to_be_proved_anew(ask: Terminal) -> None:
    assert "Seat 0 wins with 3@F." in ask("2@L 6@D").out
    assert "It is not settled yet" in ask("2@L 6@D", "--anew", "--seconds", "0").out


def test_a_check_stops_in_time_and_goes_on(ask: Terminal, terminal: Terminal, folder: Path) -> None:
    moves, _ = a_game(7)
    ask(*moves, "--certificate", "strategy.json", "--few", "4")
    check = ["solve", "stonehenge", "--check", "strategy.json", "--checkpoint", "checked", "--cores", "2"]
    said = terminal(*check, "--seconds", "0")
    assert "So far it holds" in said.out
    assert "all was tried from 0 on" in said.out
    said = terminal(*check)
    assert "The certificate holds" in said.out
    size = (folder / "checked").stat().st_size
    assert terminal(*check).out == said.out
    assert (folder / "checked").stat().st_size == size > 16


def test_it_stops_in_time_and_goes_on(ask: Terminal, folder: Path) -> None:
    said = ask("--anew", "--seconds", "1")
    assert said.code == 0
    assert "the same command goes on from there" in said.out
    before = (folder / "proved").stat().st_size
    assert ask("--anew", "--seconds", "1").code == 0
    assert (folder / "proved").stat().st_size >= before


def test_answers_are_settled_side_by_side(ask: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even small positions answer by answer, on two cores: the winner is the one that alpha-beta finds."""
    for seed in (3, 4, 5):
        monkeypatch.setattr("archipel.games.stonehenge.bot.solver.settled.large", lambda state: empty_cells(state) > 8)
        moves, state = a_game(9, seed)
        solution = solve(state)
        assert solution is not None
        said = ask(*moves, "--cores", "2")
        assert f"Seat {solution.winner} wins" in said.out
        won = re.findall(r"After (\S+) seat (\d) wins\.", said.err)
        assert won
        for move, winner in won:
            after = solve(state.after(state.parse(move)))
            assert after is not None
            assert after.winner == int(winner)


def test_what_is_proved_survives_a_kill(folder: Path) -> None:
    moves, _ = a_game(15)
    argv = ["solve", "stonehenge", *moves, "--cores", "1", "--memory", "16", "--checkpoint", "proved"]
    process = subprocess.Popen(
        [sys.executable, "-m", "archipel", *argv], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    file = folder / "proved"
    while process.poll() is None and not (file.exists() and file.stat().st_size > 24):
        time.sleep(0.05)
    if process.poll() is None:
        os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    from archipel.games.stonehenge.bot.solver.ledger import Ledger

    with Ledger(file) as ledger:
        assert len(ledger) >= 1


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (["kahuna"], "Only Stonehenge can be solved, not Kahuna."),
        (["chess"], "There is no game 'chess'"),
        (["stonehenge", "7@K"], "7@K"),
        (["stonehenge", "6@K 6@K"], "Cell K is taken: choose an empty one."),
        (["stonehenge", "--cores", "0"], "At least one core and one megabyte are needed."),
        (
            ["stonehenge", "--ray", "127.0.0.1:1", "--checkpoint", "proved"],
            "No Ray cluster can be reached at '127.0.0.1:1': Connection refused.",
        ),
        (["stonehenge", "--quick"], "--quick only works with --check FILE."),
        (
            ["stonehenge", "2@L", "--check", "x.json"],
            "--check does not solve, so it cannot be combined with a position.",
        ),
        (
            ["stonehenge", "--anew", "--check", "x.json"],
            "--check does not solve, so it cannot be combined with --anew.",
        ),
        (["stonehenge", "--certificate", "nowhere/strategy.json"], "nowhere/strategy.json cannot be written"),
        (["stonehenge", "--checkpoint", "nowhere/proved"], "nowhere/proved cannot be written"),
        (["stonehenge", "--check", "absent.json"], "absent.json cannot be read: No such file or directory."),
    ],
)
def test_bad_input(terminal: Terminal, folder: Path, argv: list[str], sentence: str) -> None:
    said = terminal("solve", *argv)
    assert (said.code, said.out) == (2, "")
    assert sentence in said.err
    assert re.fullmatch(r"[^\n]+[.?]\n", said.err)
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("text", ["", "[]", '{"game": "stonehenge"}', '{"archipel": 1}', '{"options": 3}', "\x00"])
def test_a_broken_position(terminal: Terminal, folder: Path, text: str) -> None:
    (folder / "position.json").write_text(text)
    said = terminal("solve", "stonehenge", "position.json")
    assert (said.code, said.out) == (2, "")
    assert re.fullmatch(r"[^\n]+\.\n", said.err)


def test_a_checkpoint_of_something_else(terminal: Terminal, folder: Path) -> None:
    (folder / "diary").write_text("a day like any other, with nothing solved")
    said = terminal("solve", "stonehenge", "--checkpoint", "diary")
    assert said.code == 2
    assert "diary is no checkpoint of this solver" in said.err
    assert (folder / "diary").read_text().startswith("a day")
