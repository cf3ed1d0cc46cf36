"""Matches and the ladder: that they are played, kept, taken up again, and told with their intervals."""

from pathlib import Path

import numpy as np
import pytest

import archipel
from archipel.bench import ladder, matches
from archipel.bots import Budget
from archipel.cli import main

pytest.importorskip("pyspiel")

from archipel.bench.openspiel_bots import Ismcts, Mcts


def tiny(tmp_path: Path, contest: matches.Contest) -> matches.Finding:
    (found,) = matches.findings([contest], 2, tmp_path, 1, matches.opponents())
    return found


@pytest.mark.parametrize(
    ("contest", "games"),
    [
        (matches.Contest("stonehenge", "greedy:20", "mcts_openspiel:4", 0.6), 2),
        (matches.Contest("kahuna", "random", "ismcts:2", 0.6), 2),
        (matches.Contest("kula_kula", "greedy:20", "random", 0.4, {"players": 4, "turn_limit": 5}), 4),
    ],
)
def test_a_contest_is_played_and_kept(tmp_path: Path, contest: matches.Contest, games: int) -> None:
    found = tiny(tmp_path, contest)
    assert (found.share.count, found.forfeits) == (games, 0)
    assert found.share.low <= found.share.value <= found.share.high
    assert f"{games} games" in str(found)
    kept = {path: path.read_bytes() for path in tmp_path.rglob("*.jsonl")}
    assert tiny(tmp_path, contest).share == found.share
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.jsonl")} == kept


@pytest.mark.parametrize(("kind", "name"), [(Mcts, "stonehenge"), (Ismcts, "kahuna")])
@pytest.mark.parametrize("budget", [Budget(simulations=3), Budget(seconds=0.01)])
def test_openspiels_bots_choose_from_a_view(kind: type[Mcts], name: str, budget: Budget) -> None:
    state, rng = archipel.game(name).new(), np.random.default_rng(1)
    while state.mover < 0:
        state = state.after(state.sample(rng))
    assert kind().choose(state.view(0), rng, budget) in state.actions()


def test_what_is_forced_takes_no_search() -> None:
    state = archipel.game("stonehenge", claims="manual").new()
    state = state.after(state.parse("1@A"))
    assert Mcts().choose(state.view(0), np.random.default_rng(1)) == state.parse("done")


def test_every_contest_can_be_played() -> None:
    entrants = matches.opponents()
    for contest in matches.contests("expert"):
        game = archipel.game(contest.game, **contest.options)
        for name in (contest.ours, contest.theirs):
            entrants.check(name, game)


def test_matches_from_the_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    contest = matches.Contest("stonehenge", "random", "mcts_openspiel:2", 0.6)
    monkeypatch.setattr(matches, "contests", lambda bot: [contest])
    monkeypatch.setattr(matches, "cores", lambda: 1)
    show = matches.show
    monkeypatch.setattr(matches, "show", lambda **given: show(**given, games=2))
    assert main(["bench", "--matches", str(tmp_path), "--game", "stonehenge"]) == 0
    assert "2 games" in capsys.readouterr().out


def test_a_rung_of_the_ladder(tmp_path: Path) -> None:
    found = ladder.rung("krakatoa", "beachcomber", "fisher", 2, tmp_path / "rung", 1)
    assert found.share.count == 2
    assert "krakatoa   fisher (" in str(found)
    assert str(found).endswith(("OK", "too strong", "too weak"))
