"""One game: honest, repeatable, and not to be stopped by a bot that fails."""

import json
from pathlib import Path

import pytest

import archipel
from archipel.arena import ArenaError
from archipel.arena.entrants import Entrants
from archipel.arena.match import Result, play
from archipel.arena.plan import Match, round_robin

from .conftest import small, written


def untimed(result: Result) -> dict[str, object]:
    return result.json() | {"seconds": None}


@pytest.mark.parametrize("name", archipel.GAMES)
def test_a_game_is_played_to_its_end_and_repeats_itself(name: str) -> None:
    game = archipel.game(name)
    match = round_robin(game, ["random", "other"], 2, 3, {}).match(0, 0)
    match = Match(**{**vars(match), "seats": ("random",) * game.seats})
    result = play(match, Entrants())
    assert sum(result.returns) == pytest.approx(0)
    assert sum(result.shares) == pytest.approx(1)
    assert result.length == sum(result.decisions) > 5
    assert result.forfeits == (0,) * game.seats
    assert untimed(play(match, Entrants())) == untimed(result)


def test_a_result_survives_json(careful: str) -> None:
    match = small().match(0, 1)
    result = play(match, Entrants.of([careful]))
    assert result.seats == ("careful", "random")
    assert Result.read(json.loads(json.dumps(result.json())), match) == result


def test_a_bot_that_fails_moves_at_random_and_is_counted(wild: str) -> None:
    match = small(("random", "wild")).match(0, 0)
    result = play(match, Entrants.of([wild]))
    assert result.forfeits[0] == 0
    assert result.forfeits[1] == result.decisions[1] > 3
    assert result.why[1] in (
        "ZeroDivisionError: division by zero",
        "not allowed: There is no action number 1000000 here.",
    )


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("def choose(view, rng, budget): return None", "not allowed: An action is a whole number, not None."),
        ("def choose(view, rng, budget): raise SystemExit(3)", "SystemExit: 3"),
        ("def choose(view): return 0", "TypeError: choose() takes 1 positional argument but 3 were given"),
        ("class Bot:\n def choose(self, view, rng, budget): return self.x", "AttributeError: 'Bot' object has no"),
    ],
)
def test_why_a_bot_failed(tmp_path: Path, text: str, why: str) -> None:
    path = written(tmp_path / "broken.py", text)
    result = play(small(("broken", "random")).match(0, 0), Entrants.of([path]))
    assert str(result.why[0]).startswith(why)


def test_partners_who_win_together_do_not_draw() -> None:
    game = archipel.game("krakatoa", players=4, teams=True)
    match = round_robin(game, ["random", "other"], 4, 1, {}).match(0, 0)
    result = play(Match(**{**vars(match), "seats": ("random",) * 4}), Entrants())
    assert sorted(result.shares) == [0, 0, 0.5, 0.5]
    assert not result.drawn


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("def choose(", "cannot be run: SyntaxError in line 1: '(' was never closed."),
        ("\n1 / 0", "cannot be run: ZeroDivisionError in line 2: division by zero."),
        ("import nothing_of_the_kind", "cannot be run: ModuleNotFoundError in line 1: No module named"),
        ("raise SystemExit", "cannot be run: SystemExit in line 1."),
        ("x = 1", "must have a function choose(view, rng, budget), or one class with such a method; it has none."),
        (
            "class A:\n def choose(self): 0\nclass B(A): 0",
            "must have a function choose(view, rng, budget), or one class with such a method; it has A and B.",
        ),
        ("class A:\n def __init__(self): 1 / 0\n def choose(self): 0", "The bot mine cannot be made: ZeroDivision"),
        ("\x00", "cannot be run: "),
    ],
)
def test_a_broken_bot_file_is_one_sentence(tmp_path: Path, text: str, sentence: str) -> None:
    path = written(tmp_path / "mine.py", text)
    with pytest.raises(ArenaError) as refusal:
        Entrants.of([path])
    assert sentence in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_a_bot_file_that_is_not_there() -> None:
    with pytest.raises(ArenaError, match=r"absent\.py cannot be read: No such file or directory\."):
        Entrants.of(["absent.py"])


def test_two_bot_files_of_one_name(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    first, second = (written(tmp_path / name, "def choose(view): 0") for name in ("mine.py", "b/mine.py"))
    with pytest.raises(ArenaError, match="two bots called mine"):
        Entrants.of([first, second])


def test_a_bot_file_that_is_called_like_a_bot(tmp_path: Path) -> None:
    with pytest.raises(ArenaError, match="cannot be called greedy, as there is such a bot"):
        Entrants.of([written(tmp_path / "greedy.py", "def choose(view): 0")])


def test_a_bot_file_may_bring_modules_and_is_read_once(tmp_path: Path) -> None:
    written(tmp_path / "helper_of_mine.py", "FIRST = 0")
    path = written(
        tmp_path / "mine.py", "from helper_of_mine import FIRST\ndef choose(view, rng, budget): return FIRST"
    )
    entrants = Entrants.of([path])
    Path(path).unlink()
    assert play(small(("mine", "random")).match(0, 0), entrants).decisions[0] > 0


def test_getting_ready_is_not_counted_as_thinking(tmp_path: Path) -> None:
    slow = (
        "import time\nfor_the_first_time = [0.5]\ndef choose(view, rng, budget): time.sleep(for_the_first_time.pop())"
    )
    # Bots get ready once in a process, by name: no other test may have one of this name.
    entrants = Entrants.of([written(tmp_path / "slow_at_first.py", slow)])
    result = play(small(("slow_at_first", "random")).match(0, 0), entrants)
    assert result.seconds[0] < 0.5
    assert result.why[0] == "IndexError: pop from empty list"
