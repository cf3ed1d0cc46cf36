"""`archipel puzzles`: what comes with the games is right, is made again from its seed, and nonsense is refused."""

from datetime import date, timedelta
from pathlib import Path

import numpy as np
import pytest

from archipel.bots import bot
from archipel.core import puzzles
from archipel.core.puzzles import Puzzle
from archipel.core.state import State

from .conftest import Terminal

SAMPLE = 40


def sample() -> list[Puzzle]:
    found = puzzles.load("stonehenge")
    return list(found[:: len(found) // SAMPLE][:SAMPLE])


def test_there_are_enough_and_all_are_different() -> None:
    found = puzzles.load("stonehenge")
    assert len(found) >= 10_000
    assert len({puzzle.moves for puzzle in found}) == len(found)
    assert {puzzle.grade for puzzle in found} == {1, 2, 3, 4, 5}


@pytest.mark.parametrize(("game", "count"), [("kahuna", 2000), ("krakatoa", 1200), ("kula_kula", 1000)])
def test_other_games_have_theirs_too(game: str, count: int) -> None:
    found = puzzles.load(game)
    assert len(found) == count
    assert {puzzle.grade for puzzle in found} >= {1, 2, 3, 4}
    maker = puzzles.maker(game)
    some = found[:: count // SAMPLE]
    assert len({maker.key(puzzle) for puzzle in some}) == len(some)
    for puzzle in some:
        maker.check(puzzle)


@pytest.mark.parametrize("game", ["kahuna", "krakatoa", "kula_kula"])
def test_wrong_answers_of_other_games_are_found_out(game: str) -> None:
    puzzle = puzzles.load(game)[0]
    maker = puzzles.maker(game)
    others = [action for action in maker.offered(puzzle.state(game)) if (action,) not in puzzle.answers]
    for answers in [((others[0],),), (*puzzle.answers, (others[0],)), ()]:
        with pytest.raises(ValueError, match="the puzzle's answers are"):
            maker.check(puzzle._replace(answers=answers))
    if puzzle.values:
        (action, value), *rest = puzzle.values
        with pytest.raises(ValueError, match="The values are not the averages"):
            maker.check(puzzle._replace(values=((action, value + 0.01), *rest)))


@pytest.mark.parametrize("puzzle", sample(), ids=lambda puzzle: "-".join(map(str, puzzle.moves)))
def test_a_program_that_did_not_find_it_finds_the_same_move(puzzle: Puzzle) -> None:
    puzzles.maker("stonehenge").check(puzzle)


def test_a_wrong_answer_is_found_out() -> None:
    puzzle = sample()[0]
    state = puzzle.state("stonehenge")
    (right,) = puzzle.answers
    wrong = next((action,) for action in state.actions() if (action,) != right)
    for answers in [(wrong,), (right, wrong), ()]:
        with pytest.raises(ValueError, match="These moves win"):
            puzzles.maker("stonehenge").check(puzzle._replace(answers=answers))
    with pytest.raises(ValueError, match="does not end with a win"):
        puzzles.maker("stonehenge").check(puzzle._replace(line=puzzle.line[:-1]))
    at = next(k for k, reply in enumerate(puzzle.replies) if reply >= 0)
    for reply in (-1, _losing(state.after(state.actions()[at]))):
        with pytest.raises(ValueError, match="does not refute"):
            puzzles.maker("stonehenge").check(
                puzzle._replace(replies=(*puzzle.replies[:at], reply, *puzzle.replies[at + 1 :]))
            )


def _losing(state: State) -> int:
    """An action that gives the win away."""
    solver = bot("solver")
    return next(
        action
        for action in state.actions()
        if (after := state.after(action)).mover >= 0
        and solver.think(after.view(after.mover), np.random.default_rng(0)).ranking[0].value > 0  # type: ignore[attr-defined]
    )


def test_each_day_has_another_puzzle() -> None:
    day, count = date(2026, 11, 18), len(puzzles.load("stonehenge"))
    numbers = [puzzles.daily("stonehenge", day + timedelta(days=n)) for n in range(count)]
    assert sorted(numbers) == list(range(1, count + 1))
    assert puzzles.daily("stonehenge", day + timedelta(days=count)) == numbers[0]


def test_the_puzzle_of_a_day_is_shown_with_its_solution_only_if_asked_for(terminal: Terminal) -> None:
    asked = ["puzzles", "daily", "stonehenge", "--date", "2026-11-18"]
    hidden, shown = terminal(*asked), terminal(*asked, "--solution")
    assert hidden.code == shown.code == 0
    assert "Exactly one move wins. Which?" in hidden.out
    assert "Solution" not in hidden.out
    number = puzzles.daily("stonehenge", date(2026, 11, 18))
    puzzle = puzzles.puzzle("stonehenge", number)
    first = puzzle.state("stonehenge").notation(puzzle.answers[0][0])
    assert f"Solution: {first}" in shown.out
    assert shown.out.startswith(hidden.out.rstrip("\n"))


def test_the_same_seed_makes_the_same_file_also_after_a_stop(terminal: Terminal, tmp_path: Path) -> None:
    whole, stopped = tmp_path / "whole.gz", tmp_path / "stopped.gz"
    make = ["puzzles", "make", "stonehenge", "--seed", "3"]
    assert terminal(*make, "--count", "12", "--cores", "1", "--file", str(whole)).code == 0
    assert terminal(*make, "--count", "5", "--cores", "2", "--file", str(stopped)).code == 0
    log = next(tmp_path.glob("*stopped.gz.seed-3.making"))
    log.write_text(log.read_text("utf-8") + '{"puzzles":[[', "utf-8")  # a kill in mid-line
    assert terminal(*make, "--count", "12", "--cores", "2", "--file", str(stopped)).code == 0
    assert stopped.read_bytes() == whole.read_bytes()
    checked = terminal("puzzles", "check", "stonehenge", "--file", str(whole), "--cores", "1")
    assert "12 puzzles checked, 0 wrong" in checked.out
    assert checked.code == 0


def test_a_file_with_a_wrong_puzzle_does_not_pass(terminal: Terminal, tmp_path: Path) -> None:
    good, bad = sample()[:2]
    puzzles.write(tmp_path / "two.gz", [good, bad._replace(answers=((bad.line[0],),))])
    checked = terminal("puzzles", "check", "stonehenge", "--file", str(tmp_path / "two.gz"), "--cores", "1")
    assert checked.code == 1
    assert "Puzzle 2 of stonehenge: These moves win" in checked.out


@pytest.mark.parametrize(
    ("argv", "answer"),
    [
        (["show", "stonehenge", "0"], "Stonehenge has puzzles 1 to "),
        (["show", "kahuna", "9999"], "Kahuna has puzzles 1 to "),
        (["daily", "--date", "2026-13-01"], "a day is written YYYY-MM-DD"),
        (["make", "stonehenge", "--count", "0"], "At least one puzzle is needed."),
        (["make", "stonehenge", "--cores", "0"], "At least one core is needed."),
        (["make", "stonehenge", "--file", "/nowhere/at/all.gz"], "cannot be written"),
        (["check", "--file", "some.gz"], "Name the game"),
        (["check", "stonehenge", "--file", __file__], "is no file of puzzles."),
    ],
)
def test_nonsense_is_refused_in_one_sentence(terminal: Terminal, argv: list[str], answer: str) -> None:
    said = terminal("puzzles", *argv)
    assert said.code == 2
    assert answer in said.err
    assert "Traceback" not in said.err
