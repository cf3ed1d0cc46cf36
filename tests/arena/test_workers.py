"""The workers: as many as wanted, the same results, and no game lost with one of them."""

import os
import signal
from pathlib import Path
from typing import Any

import pytest

from archipel.arena import ArenaError
from archipel.arena.entrants import Entrants
from archipel.arena.match import play
from archipel.arena.plan import Plan
from archipel.arena.workers import Cores

from .conftest import small, written


def outcome(plan: Plan, workers: Cores) -> dict[tuple[int, int], dict[str, Any]]:
    """All results, but for the time they took."""
    return {
        result.key: result.json() | {"seconds": None} for batch in workers.results(plan.matches()) for result in batch
    }


def test_one_core_two_cores_and_none_give_the_same_results(careful: str) -> None:
    plan, entrants = small(games=8), Entrants.of([careful])
    here = {match.key: play(match, entrants).json() | {"seconds": None} for match in plan.matches()}
    assert outcome(plan, Cores(entrants, 1)) == here
    assert outcome(plan, Cores(entrants, 2)) == here


def test_the_games_of_a_killed_worker_are_played_again(careful: str) -> None:
    plan, entrants = small(games=24), Entrants.of([careful])
    workers = Cores(entrants, 2)
    results, killed = [], 0
    for batch in workers.results(plan.matches()):
        results += batch
        pid = workers.crew[0].process.pid
        if killed < 2 and pid:
            os.kill(pid, signal.SIGKILL)
            killed += 1
    assert killed == 2
    assert sorted(result.key for result in results) == sorted(match.key for match in plan.matches())


def test_a_game_that_kills_every_worker_ends_the_arena(tmp_path: Path) -> None:
    path = written(tmp_path / "bomb.py", "import os\ndef choose(view, rng, budget): os._exit(1)")
    workers = Cores(Entrants.of([path]), 1)
    with pytest.raises(ArenaError, match="between random and bomb has brought down 3 workers"):
        list(workers.results(small(("random", "bomb"), 2).matches()))
    assert workers.crew == []


def test_nobody_plays_on_when_the_results_are_no_longer_wanted(careful: str) -> None:
    workers = Cores(Entrants.of([careful]), 2)
    results = workers.results(small(games=1000).matches())
    next(results)
    processes = [worker.process for worker in workers.crew]
    results.close()
    assert workers.crew == []
    for process in processes:
        with pytest.raises(ValueError, match="closed"):
            process.is_alive()
