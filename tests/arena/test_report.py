"""The report: figures that add up, and a page that needs nothing else."""

import json
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import archipel
from archipel.arena import report
from archipel.arena.balance import balance_plan, conditions
from archipel.arena.entrants import Entrants
from archipel.arena.match import Result, play
from archipel.arena.plan import Plan, round_robin
from archipel.arena.standings import at_seat, head_to_head, lengths, standing

from .conftest import small
from .test_ratings import result

VOID = {"meta", "line", "rect", "circle", "polygon"}


class Page(HTMLParser):
    """Reads a page: every element must be closed in its turn, and nothing may come from elsewhere."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.words = ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        assert {name for name, _ in attrs}.isdisjoint({"src", "href", "onload", "onclick"})
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += data


def play_all(plan: Plan, entrants: Entrants) -> list[Result]:
    return [play(match, entrants) for match in plan.matches()]


def made(
    folder: Path, plan: Plan, results: list[Result], command: str = "archipel arena"
) -> tuple[dict[str, Any], Page]:
    report.write(folder, plan, results, command)
    text = (folder / "report.html").read_text("utf-8")
    assert "http:" not in text
    assert "https:" not in text
    assert "url(" not in text
    assert "<script" not in text
    assert "prefers-color-scheme:dark" in text
    assert sorted(path.name for path in folder.iterdir()) == ["report.html", "report.json"]
    figures: dict[str, Any] = json.loads((folder / "report.json").read_text("utf-8"))
    return figures, Page(text)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "report"
    path.mkdir()
    return path


def test_the_report_of_an_arena(folder: Path, careful: str, wild: str) -> None:
    plan = small(("random", "careful", "wild"), 4)
    figures, page = made(folder, plan, play_all(plan, Entrants.of([careful, wild])))
    assert figures["games"] == figures["planned"] == 12
    assert {entry["bot"] for entry in figures["ratings"]} == {"random", "careful", "wild"}
    assert figures["ratings"][-1]["elo"] == 0
    assert sum(entry["score"]["value"] for entry in figures["standings"]) == pytest.approx(1.5)
    assert len(figures["head_to_head"]) == 6
    assert sum(entry["value"] for entry in figures["seats"]) == pytest.approx(1)
    assert sum(count for _, count in figures["length"]["bins"]) == 12
    for words in ("Stonehenge: arena", "Ratings", "Head to head", "How long is a game?", "wild forfeited"):
        assert words in page.words
    assert {"svg", "table", "h1"} <= page.seen


def test_a_report_of_three_seats(folder: Path) -> None:
    plan = round_robin(archipel.game("kula_kula"), ["a", "b"], 3, 0, {})
    results = [
        Result(
            **{
                **vars(result(match.seats, [match.number % 3])),
                "table": match.table,
                "number": match.number,
                "decisions": (5, 5, 6),
            }
        )
        for match in plan.matches()
    ]
    figures, page = made(folder, plan, results)
    assert len(figures["seats"]) == 3
    assert "wins that fell to one of the two" in page.words


def test_a_name_is_never_markup(folder: Path) -> None:
    plan = round_robin(archipel.game("stonehenge"), ["<b>&", "mcts:1s"], 2, 0, {})
    results = [
        Result(
            **{
                **vars(result(match.seats, [0], match.number)),
                "decisions": (3, 4),
                "forfeits": (1, 0),
                "why": ("<i>", None),
            }
        )
        for match in plan.matches()
    ]
    _, page = made(folder, plan, results, "archipel arena '<b>&,mcts:1s'")
    assert page.seen.isdisjoint({"b", "i"})
    assert "<b>&" in page.words


def test_the_report_of_one_game(folder: Path) -> None:
    plan = small(("random", "other"), 2)
    one = Result(**{**vars(result(("random", "other"), [0])), "decisions": (3, 4)})
    figures, page = made(folder, plan, [one])
    assert (figures["games"], figures["planned"]) == (1, 2)
    assert "1 games (of 2 planned)" in page.words


# Balance.


def test_conditions_change_one_option_each() -> None:
    found = [(found.option, found.value) for found in conditions(archipel.game("kahuna", edition="tilsit"))]
    assert found == [
        (None, None),
        ("edition", "iello"),
        ("guarded", True),
        ("open_cards", True),
        ("handicap", [0, 1]),
        ("handicap", [0, 2]),
        ("handicap", [0, 3]),
        ("handicap", [1, 0]),
        ("handicap", [2, 0]),
        ("handicap", [3, 0]),
        ("sudden_end", "state"),
        ("open_copy", "choose"),
    ]


def test_conditions_are_games_that_can_be() -> None:
    assert [found.option for found in conditions(archipel.game("krakatoa"))] == [None, "players", "players", "game"]
    assert "teams" in [found.option for found in conditions(archipel.game("krakatoa", players=4))]


def test_the_report_of_a_balance(folder: Path) -> None:
    plan = balance_plan(archipel.game("stonehenge"), "random", 4, 0, {})
    figures, page = made(folder, plan, play_all(plan, Entrants()))
    assert [finding["option"] for finding in figures["findings"]] == [None, "hidden", "claims"]
    for finding in figures["findings"]:
        assert finding["games"] == 4
        assert sum(seat["value"] for seat in finding["seats"]) == pytest.approx(1)
    assert figures["findings"][0]["effect"] == {}
    assert set(figures["findings"][1]["effect"]) == {"first_seat_advantage", "length", "draws"}
    assert "What each option changes" in page.words


def test_a_balance_of_one_game_each(folder: Path) -> None:
    plan = balance_plan(archipel.game("stonehenge"), "random", 1, 0, {})
    figures, _ = made(folder, plan, play_all(plan, Entrants()))
    assert figures["findings"][0]["length"]["low"] is None


# Figures.


def test_scores_head_to_head_and_seats() -> None:
    games = [result("aab", [0]), result("aab", [2]), result("baa", [0]), result("aba", [0, 1])]
    assert standing("a", games).score.value == pytest.approx(1.5 / 8)
    assert standing("b", games).score.value == pytest.approx(2.5 / 4)
    assert head_to_head("a", "b", games).value == pytest.approx(0.75 / 3.25)
    assert head_to_head("b", "a", games).value == pytest.approx(2.5 / 3.25)
    assert [at_seat(seat, games).value for seat in range(3)] == pytest.approx([2.5 / 4, 0.5 / 4, 1 / 4])
    assert at_seat(0, games, "b").value == 1


@pytest.mark.parametrize(("longest", "width"), [(10, 1), (40, 2), (150, 5), (9000, 500)])
def test_lengths_fall_into_round_bins(longest: int, width: int) -> None:
    games = [Result(**{**vars(result("ab", [0])), "decisions": (length, 0)}) for length in range(1, longest + 1)]
    found = lengths(games)
    assert found.width == width
    assert found.bins[0][0] <= 1
    assert sum(count for _, count in found.bins) == longest
    assert found.median == (longest + 1) / 2
