"""The ladder of levels: each plays the one below, and should win 65% to 85% of the games.

    python -m archipel.bench.ladder [--game GAME ...] [--games 200] [--level NAME ...] [--out FOLDER]

With three or more seats the level plays against several of the one below, and its share is of the wins of both, per
seat. Games are stored in the folder; the same command continues.
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import archipel
from archipel.arena.entrants import Entrants
from archipel.arena.intervals import Estimate
from archipel.arena.log import Log
from archipel.arena.plan import round_robin
from archipel.arena.standings import head_to_head, standing
from archipel.arena.tournament import play
from archipel.arena.workers import Cores
from archipel.bots.levels import NAMES, level
from archipel.workers import cores

LEAST, MOST = 0.65, 0.85


@dataclass(frozen=True)
class Rung:
    """A level and the one below it in one game, the upper one's share, and seconds per move of both."""

    game: str
    upper: str
    lower: str
    share: Estimate
    pace: tuple[float, float]

    def __str__(self) -> str:
        fits = "OK" if LEAST <= self.share.value <= MOST else "too strong" if self.share.value > MOST else "too weak"
        reach = f"{100 * self.share.low:3.0f} to {100 * self.share.high:3.0f}"
        own = level(self.upper, self.game)
        lacks = own.habits or {"slip": own.slip, "blunder": own.blunder}
        above = f"{self.upper} ({own.bot}, {', '.join(f'{name} {value}' for name, value in lacks.items())})"
        return (
            f"{self.game:11}{above:52}{self.lower:12}{100 * self.share.value:5.1f} %  {reach:10}  "
            f"{self.share.count:4} games  {1000 * self.pace[0]:7.1f} ms  {fits}"
        )


def rungs(games: list[str], levels: list[str], count: int, folder: Path, workers: int) -> Iterator[Rung]:
    """Play every rung, or the rest of it."""
    for name in games:
        for lower, upper in pairwise(NAMES):
            if upper in levels:
                yield rung(name, lower, upper, count, folder / f"{name}-{upper}", workers)


def rung(name: str, lower: str, upper: str, count: int, folder: Path, workers: int) -> Rung:
    """Play one rung."""
    game, entrants = archipel.game(name), Entrants()
    seats = [upper, *[lower] * (game.seats - 1)]
    plan = round_robin(game, seats, count, 1, entrants.digests(seats))
    with Log(folder, plan) as log:
        results = [*log.results, *(r for batch in play(plan, log, Cores(entrants, workers)) for r in batch)]
    pace = [1 / max(standing(bot, results).pace, 1e-9) for bot in (upper, lower)]
    return Rung(name, upper, lower, head_to_head(upper, lower, results), (pace[0], pace[1]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", nargs="+", default=list(archipel.GAMES), choices=archipel.GAMES)
    parser.add_argument("--level", nargs="+", default=list(NAMES), choices=NAMES)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--cores", type=int, default=cores())
    parser.add_argument("--out", type=Path, default=Path("ladder"))
    args = parser.parse_args()
    for found in rungs(args.game, args.level, args.games, args.out, args.cores):
        print(found, flush=True)


if __name__ == "__main__":
    main()
