"""The arena from Python: rank and compare, kept and resumed, with bots of one's own."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from archipel.arena import ArenaError, compare, rank
from archipel.arena.match import Result
from archipel.bots.worlds import imagined


class First:
    """Always takes the first action."""

    def choose(self, view: Any, rng: np.random.Generator, budget: Any = None) -> int:
        (world,) = imagined(view, rng)
        return world.actions()[0]


class Clumsy:
    """Divides by nothing, three calls deep."""

    def choose(self, view: Any, rng: np.random.Generator, budget: Any = None) -> int:
        return self.think(0)

    def think(self, number: int) -> int:
        return 1 // number


def last(view: Any, rng: np.random.Generator, budget: Any = None) -> int:
    """Always takes the last action."""
    (world,) = imagined(view, rng)
    return world.actions()[-1]


def untimed(results: list[Result]) -> list[dict[str, Any]]:
    return [result.json() | {"seconds": None} for result in results]


def test_rank_plays_classes_functions_files_and_names(careful: str) -> None:
    heard: list[Result] = []
    found = rank("stonehenge", ["random", First, last, careful], games=2, cores=1, on_results=heard.extend)
    assert len(found.results) == len(heard) == 12
    assert {rating.bot for rating in found.ratings()} == {"random", "First", "last", "careful"}
    assert found.ratings("last")[-1].bot in {"random", "First", "last", "careful"}
    # First and careful are the same bot: whoever sits first decides.
    assert found.head_to_head("First", "careful").value == 0.5
    assert str(found).count("\n") == 3
    assert json.loads(json.dumps(found.json()))["games"] == 12


def test_workers_play_the_same_games_as_this_process() -> None:
    here = rank("stonehenge", ["random", First], games=4, seed=3, cores=1)
    there = rank("stonehenge", ["random", First], games=4, seed=3, cores=2)
    assert untimed(here.results) == untimed(there.results)


def test_compare_stops_at_its_verdict_and_resumes(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    short = compare("stonehenge", "greedy:50", "random", elo1=200, games=4, cores=1, folder=kept)
    assert short.verdict is None
    assert "greedy:50 against random: undecided: LLR" in str(short)
    found = compare("stonehenge", "greedy:50", "random", elo1=200, cores=1, folder=kept)
    assert found.verdict == "stronger"
    assert str(found).startswith("greedy:50 is stronger than random: LLR")
    assert found.finding.score.count * 2 == len(found.results) > 4
    again = compare("stonehenge", "greedy:50", "random", elo1=200, cores=1, folder=kept)
    assert untimed(again.results) == untimed(found.results)
    assert again.finding == found.finding
    other = compare("stonehenge", "random", "greedy:50", elo1=200, cores=1)
    assert other.verdict == "not stronger"
    found.write(tmp_path / "report")
    report = json.loads((tmp_path / "report" / "report.json").read_text("utf-8"))
    assert report["sprt"]["verdict"] == "stronger"
    assert "is stronger than random" in (tmp_path / "report" / "report.html").read_text("utf-8")


def test_shares_state_the_hypotheses() -> None:
    found = compare("stonehenge", First, "random", shares=(0.5, 0.9), games=2, cores=1)
    assert found.finding.test.elo1 == pytest.approx(400 * np.log10(9))


def test_a_crash_is_told_with_its_traceback(tmp_path: Path) -> None:
    found = rank("stonehenge", ["random", Clumsy], games=2, cores=1, folder=tmp_path / "kept")
    clumsy = found.standing("Clumsy")
    assert clumsy.forfeits == clumsy.decisions > 0
    assert clumsy.trace is not None
    lines = clumsy.trace.splitlines()
    assert lines[-1] == "ZeroDivisionError: integer division or modulo by zero"
    assert "in choose" in lines[0]
    assert __file__ in lines[0]
    assert any("return 1 // number" in line for line in lines)
    again = rank("stonehenge", ["random", Clumsy], games=2, cores=1, folder=tmp_path / "kept")
    assert again.results == found.results
    found.write(tmp_path)
    assert "return 1 // number" in (tmp_path / "report.html").read_text("utf-8")


def test_a_log_without_tracebacks_is_still_read(tmp_path: Path) -> None:
    found = rank("stonehenge", ["random", First], games=2, cores=1)
    old = found.results[0].json()
    del old["traces"]
    assert Result.read(json.loads(json.dumps(old)), found.plan.match(0, 0)) == found.results[0]


def test_what_cannot_be_played_is_one_sentence() -> None:
    class Inner(First):
        pass

    wrong: list[tuple[dict[str, Any], str]] = [
        ({"bots": ["random"]}, "two different bots or more"),
        ({"bots": ["random", "nobody"]}, "nobody"),
        ({"bots": ["random", 7]}, "A bot is a name, a file, a class or a function, not 7"),
        ({"bots": ["random", "absent.py"]}, "absent.py cannot be read"),
        ({"bots": ["random", "greedy"], "games": 0}, "a whole number from 1 on, not 0"),
        ({"bots": ["random", "greedy"], "cores": 0}, "a whole number from 1 on, not 0"),
        ({"bots": ["random", Inner], "cores": 2}, "Other processes cannot import Inner"),
    ]
    for given, sentence in wrong:
        with pytest.raises(ArenaError, match=sentence):
            rank("stonehenge", **given)
    with pytest.raises(ValueError, match="There is no game"):
        rank("chess", ["random", "greedy"])
