"""Our strongest bot against OpenSpiel's and against simple ones, with balanced seats and confidence intervals.

    python -m archipel.bench.matches [--bot expert] [--games 200] [--only WORD ...] [--cores 2] [--out matches]
    python -m archipel.bench.matches --tune        which settings suit OpenSpiel's bots best

It takes hours. Games are stored in the folder, and the same command continues.
"""

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import archipel
from archipel.arena.code import Code
from archipel.arena.entrants import Entrants
from archipel.arena.intervals import Estimate
from archipel.arena.log import Log
from archipel.arena.match import Result
from archipel.arena.plan import round_robin
from archipel.arena.standings import standing
from archipel.arena.tournament import play
from archipel.arena.workers import Cores
from archipel.workers import cores

FOLDER = Path(__file__).parent
SETTINGS = {"Mcts": (2.0, 1), "Ismcts": (2.0, 1)}
"""The exploration constant and the rollouts per leaf; --tune compares others with these."""


@dataclass(frozen=True)
class Contest:
    """One of our bots against opponents at all other seats, and the share that ours should win."""

    game: str
    ours: str
    theirs: str
    least: float
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The name of its folder."""
        return f"{self.game}-{self.ours}-{self.theirs}".replace(":", "-")


def contests(bot: str) -> list[Contest]:
    """All contests."""
    return [
        Contest("kahuna", f"{bot}:1000", "ismcts:1000", 0.6),
        # A tenth of the opponent's time: half of the wait for the same answer.
        Contest("kahuna", f"{bot}:100ms", "ismcts:1s", 0.8),
        Contest("kahuna", f"{bot}:1000", "random", 0.99),
        Contest("stonehenge", f"{bot}:1000", "mcts_openspiel:1000", 0.6),
        Contest("stonehenge", f"{bot}:1s", "mcts_openspiel:1s", 0.8),
        Contest("stonehenge", f"{bot}:1000", "random", 0.99),
        Contest("kula_kula", f"{bot}:1000", "greedy", 0.4, {"players": 4}),
    ]


def opponent(name: str, kind: str, uct_c: float, rollouts: int) -> Code:
    """One of OpenSpiel's bots with these settings, as the text of a bot file."""
    source = f"from openspiel_bots import {kind}\nclass Bot({kind}): UCT_C, ROLLOUTS = {uct_c}, {rollouts}\n"
    return Code(str(FOLDER / f"{name}.py"), source.encode())


def opponents() -> Entrants:
    """OpenSpiel's bots with the settings that suit them."""
    return Entrants(
        {
            "mcts_openspiel": opponent("mcts_openspiel", "Mcts", *SETTINGS["Mcts"]),
            "ismcts": opponent("ismcts", "Ismcts", *SETTINGS["Ismcts"]),
        }
    )


@dataclass(frozen=True)
class Finding:
    """The result of a contest: our bot's share, and the seconds per move of both."""

    contest: Contest
    share: Estimate
    seconds: tuple[float, float]
    forfeits: int

    def __str__(self) -> str:
        found = self.contest
        fits = "met" if self.share.value >= found.least else "missed"
        failed = f", {self.forfeits} moves forfeited" if self.forfeits else ""
        return (
            f"{found.game:11}{found.ours:14}{found.theirs:20}{100 * self.share.value:5.1f} %  "
            f"{100 * self.share.low:3.0f} to {100 * self.share.high:3.0f}  {self.share.count:4} games  "
            f"{self.seconds[0]:6.3f} s {self.seconds[1]:6.3f} s  at least {100 * found.least:.0f} %: {fits}{failed}"
        )


def findings(wanted: list[Contest], games: int, folder: Path, workers: int, entrants: Entrants) -> Iterator[Finding]:
    """Play every contest, or the rest of it."""
    for contest in wanted:
        results = list(_played(contest, games, folder / contest.name, workers, entrants))
        ours, theirs = standing(contest.ours, results), standing(contest.theirs, results)
        pace = (1 / max(ours.pace, 1e-9), 1 / max(theirs.pace, 1e-9))
        yield Finding(contest, ours.score, pace, ours.forfeits + theirs.forfeits)


def _played(contest: Contest, games: int, folder: Path, workers: int, entrants: Entrants) -> Iterator[Result]:
    game = archipel.game(contest.game, **contest.options)
    seats = [contest.ours, *[contest.theirs] * (game.seats - 1)]
    plan = round_robin(game, seats, games, 1, entrants.digests(seats))
    with Log(folder, plan) as log:
        yield from log.results
        done = len(log.results)
        for batch in play(plan, log, Cores(entrants, workers)):
            yield from batch
            done += len(batch)
            print(f"\r{contest.name}: {done} of {plan.total} games", end="", file=sys.stderr, flush=True)
    print("\r" + " " * 79, end="\r", file=sys.stderr)


def tuning(games: int, folder: Path, workers: int) -> Iterator[Finding]:
    """Other settings against the current ones, at 200 simulations per move."""
    for game, kind in (("stonehenge", "Mcts"), ("kahuna", "Ismcts")):
        used = opponent("used", kind, *SETTINGS[kind])
        for uct_c, rollouts in ((0.7, 1), (1.4, 1), (3.0, 1), (2.0, 4)):
            name = f"{kind}_c{uct_c}_r{rollouts}".lower().replace(".", "_")
            entrants = Entrants({name: opponent(name, kind, uct_c, rollouts), "used": used})
            contest = Contest(game, f"{name}:{200 // rollouts}", "used:200", 0.5)
            yield from findings([contest], games, folder, workers, entrants)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bot", default="expert")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--only", nargs="+", metavar="WORD", help="contests with one of these in their name")
    parser.add_argument("--cores", type=int, default=cores())
    parser.add_argument("--out", type=Path, default=Path("matches"))
    parser.add_argument("--tune", action="store_true")
    args = parser.parse_args()
    show(args.out, args.bot, args.games, args.only, args.cores, args.tune)


def show(
    folder: Path,
    bot: str = "expert",
    games: int = 200,
    only: list[str] | None = None,
    workers: int | None = None,
    tune: bool = False,
) -> None:
    """Play, and print one line per contest."""
    workers = workers or cores()
    wanted = [contest for contest in contests(bot) if not only or any(part in contest.name for part in only)]
    found = tuning(games, folder, workers) if tune else findings(wanted, games, folder, workers, opponents())
    for finding in found:
        print(finding, flush=True)


if __name__ == "__main__":
    main()
