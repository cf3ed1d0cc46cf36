"""The measurements: that they run, that their loops play the same games, and what they print. Never how fast."""

import json
import math
import subprocess
from dataclasses import replace
from functools import cache
from pathlib import Path
from statistics import fmean, variance
from typing import Any

import numpy as np
import pytest

import archipel
from archipel.bench import measuring, native, openspiel
from archipel.bench import plan as planning
from archipel.bench.kernel import kernel
from archipel.bench.measuring import Effort, Played, Row, Runner, Step, Target, enough, race
from archipel.bench.objects import loop
from archipel.bench.plan import Plan, plan
from archipel.cli import main, screen
from archipel.cli.bench import cells
from archipel.core import rules

TINY = Effort(seconds=0.001, rounds=1, states=200, compiles=0)
BATCHES, GAMES = 20, 200


@pytest.fixture(autouse=True)
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is measured for long, and the screen is as wide as most."""
    monkeypatch.setattr(measuring, "QUICK", TINY)
    monkeypatch.setenv("COLUMNS", "80")
    for console in (screen.out, screen.err):
        monkeypatch.setattr(screen, console.__name__, cache(console.__wrapped__))


def batches(runner: Runner) -> list[Played]:
    return [runner(GAMES, seed) for seed in range(1, BATCHES + 1)]


def agree(ours: list[float], theirs: list[float]) -> bool:
    """Are two samples of means as near as chance would have them, once in a hundred thousand aside?"""
    error = math.sqrt((variance(ours) + variance(theirs)) / len(ours))
    return abs(fmean(ours) - fmean(theirs)) < 5 * error


# The loops play the same game.


@pytest.mark.skipif(not native.compiler(), reason="there is no C compiler here")
@pytest.mark.parametrize("name", archipel.GAMES)
def test_the_kernel_and_plain_c_play_the_same_games(name: str) -> None:
    with native.built(name) as plain:
        ours, theirs = batches(kernel(archipel.game(name))), batches(plain)
    assert agree([played.actions_a_game for played in ours], [played.actions_a_game for played in theirs])
    assert agree([played.wins_a_game for played in ours], [played.wins_a_game for played in theirs])


@pytest.mark.skipif(not native.compiler(), reason="there is no C compiler here")
@pytest.mark.parametrize("name", ["krakatoa", "kula_kula"])
def test_plain_c_plays_each_game_as_the_kernel_does(name: str) -> None:
    game, games, worth = archipel.game(name), 2000, np.zeros(archipel.game(name).seats)
    actions = rules.judge(game.facts, game.new()._raw, games, 7, worth)
    with native.built(name) as plain:
        theirs = plain(games, 7)
    assert theirs.actions == actions
    assert theirs.wins == pytest.approx((worth[0] * (game.seats - 1) + games) / game.seats)


@pytest.mark.parametrize("name", archipel.GAMES)
def test_the_objects_play_the_same_games_as_the_kernel(name: str) -> None:
    game = archipel.game(name)
    ours = [kernel(game)(50, seed).actions_a_game for seed in range(10)]
    theirs = [loop(game)(5, seed).actions_a_game for seed in range(10)]
    assert agree(ours, theirs)


@pytest.mark.skipif(not openspiel.is_there(), reason="OpenSpiel is not installed")
@pytest.mark.parametrize("relative", ["hex(board_size=5)", "pig"])
def test_openspiels_two_loops_count_the_same_actions(relative: str) -> None:
    ours = [openspiel.native_loop(relative)(20, seed).actions_a_game for seed in range(10)]
    theirs = [openspiel.python_loop(relative)(20, seed).actions_a_game for seed in range(10)]
    assert agree(ours, theirs)


def test_every_game_has_its_relatives() -> None:
    assert sorted(openspiel.RELATIVES) == sorted(archipel.GAMES)


# Races.


def pretender(seconds: float) -> tuple[Runner, list[int]]:
    """A runner that says it took so long for every game, and the games that it was asked for."""
    asked: list[int] = []

    def run(games: int, seed: int) -> Played:
        asked.append(games)
        return Played(games, 10 * games, games * seconds / (seed + 1))

    return run, asked


def test_a_runner_gets_as_many_games_as_fit_into_the_time() -> None:
    runner, asked = pretender(0.01)
    assert enough(runner, 1.0) == 100
    assert asked[:3] == [1, 1, 4]


def test_the_best_round_counts() -> None:
    runner, _ = pretender(0.01)
    (best,) = race([runner], Effort(seconds=1.0, rounds=3))
    assert best.games_a_second == pytest.approx(400)
    assert best.actions_a_game == 10


# Rows and targets.


@pytest.mark.parametrize(
    ("row", "text"),
    [
        (Row("", "Kahuna", 1200, "C", 2400, Target(0.7, ratio=True)), "1,200 C 2,400 0.500 × ≥ 0.7 × missed"),
        (Row("", "Kahuna", 150000, target=Target(100000)), "150,000 ≥ 100,000 met"),
        (Row("", "Kahuna", 0.25, target=Target(0.5, most=True)), "0.250 ≤ 0.5 met"),
        (Row("", "Kahuna", 1.25, target=Target(1, most=True)), "1.25 ≤ 1 missed"),
        (Row("", "Kahuna", 1.25, target=Target(3, ratio=True)), "1.25 ≥ 3 ×"),
        (Row("", "Kahuna", 95), "95"),
    ],
)  # fmt: skip
def test_a_row_says_what_it_is_and_what_it_should_be(row: Row, text: str) -> None:
    assert " ".join(" ".join(cell.plain for cell in cells(row)).split()) == f"Kahuna {text}"


# The command.


def printed(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str, str]:
    code = main(["bench", "--quick", *argv])
    out, err = capsys.readouterr()
    return code, out, err


PARTS = (
    "Whole random games a second in the kernel",
    "Their actions a second",
    "Their length in actions",
    "The part of them that seat 0 wins",
    "Simulations a second of mcts, beside OpenSpiel's bot on the same game",
    "Actions a second through the Python objects",
    "Bytes of a state's record",
    "Megabytes of a million states kept",
    "Seconds for import archipel",
    "Seconds for import and first game",
)


def test_every_part_is_printed_within_eighty_columns(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "numbers.json"
    code, out, err = printed(capsys, "--game", "stonehenge", "--json", str(file))
    assert code == 0
    assert [part for part in PARTS if part not in out] == []
    assert out.count("Stonehenge") >= len(PARTS) - 1
    assert max(map(len, out.splitlines())) <= 80
    assert "stonehenge: the size of a state" in err
    rows = json.loads(file.read_text("utf-8"))["rows"]
    assert {"part", "what", "ours", "beside", "theirs", "ratio", "target", "met"} == set(rows[0])
    assert all(row["ours"] > 0 for row in rows)


def test_all_games_and_their_compiling_are_planned() -> None:
    titles = [step.title for step in plan(effort=Effort()).steps]
    for name in archipel.GAMES:
        assert f"{name}: random games in the kernel" in titles
        assert f"{name}: simulations of the search" in titles
        assert f"{name}: compiling its rules" in titles


def only(monkeypatch: pytest.MonkeyPatch, *wanted: str) -> None:
    """Take only the steps whose titles have these words."""
    whole: Any = planning.plan

    def some(*args: Any) -> Any:
        planned = whole(*args)
        steps = [step for step in planned.steps if any(word in step.title for word in wanted)]
        return replace(planned, steps=steps)

    monkeypatch.setattr(planning, "plan", some)


def test_without_a_compiler_the_kernel_runs_alone(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    only(monkeypatch, "in the kernel")
    code, out, _ = printed(capsys, "--game", "stonehenge")
    assert code == 0
    assert "Whole random games" in out
    assert "plain C  " not in out
    assert "There is no C compiler (cc) here: the plain C loops are left out." in out


def test_without_openspiel_its_games_are_left_out(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(openspiel, "is_there", lambda: False)
    only(monkeypatch, "OpenSpiel", "objects")
    code, out, _ = printed(capsys, "--game", "stonehenge")
    assert code == 0
    assert "through the Python objects" in out
    assert "hex" not in out
    assert "OpenSpiel is not installed" in out


def steps(monkeypatch: pytest.MonkeyPatch, *steps: Step) -> None:
    monkeypatch.setattr(planning, "plan", lambda *args: Plan(list(steps)))


def fails(error: BaseException) -> Step:
    def rows() -> list[Row]:
        raise error

    return Step("a broken one", rows)


GOOD = Step("a good one", lambda: [Row("Bytes", "Kahuna", 95)])


def test_what_fails_costs_its_own_rows_only(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    steps(monkeypatch, fails(subprocess.CalledProcessError(1, "cc")), GOOD)
    code, out, _ = printed(capsys)
    assert code == 0
    assert "This could not be measured: a broken one" in out
    assert "Kahuna" in out


def test_stopped_early_it_prints_what_it_has(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    steps(monkeypatch, GOOD, fails(KeyboardInterrupt()))
    code, out, _ = printed(capsys)
    assert code == 130
    assert "Kahuna" in out
    assert "Stopped" in out


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (("--game", "chess"), "There is no game 'chess'"),
        (("--json", "/no/such/folder/numbers.json"), "/no/such/folder/numbers.json cannot be written."),
        (("--fast",), "unrecognized arguments: --fast"),
    ],
)
def test_what_cannot_be_is_one_sentence(
    capsys: pytest.CaptureFixture[str], argv: tuple[str, ...], sentence: str
) -> None:
    code, out, err = printed(capsys, *argv)
    assert (code, out) == (2, "")
    assert sentence in err
    assert err.count("\n") == 1
