"""Standings from results: scores, head-to-head, seats, lengths, speed."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import median, quantiles
from typing import Any

from .intervals import Estimate, share
from .match import Result


@dataclass(frozen=True)
class Standing:
    """The results of one bot."""

    bot: str
    score: Estimate
    """Its share of the wins per game played; a game in which it had two seats counts twice."""
    decisions: int
    seconds: float
    forfeits: int
    why: str | None
    """What was wrong the first time that it forfeited a move."""
    trace: str | None
    """The first traceback, if it raised an exception."""

    @property
    def pace(self) -> float:
        """Decisions per second."""
        return self.decisions / self.seconds if self.seconds else 0.0

    def json(self) -> dict[str, Any]:
        """The standing as JSON."""
        return {
            "bot": self.bot,
            "score": self.score.json(),
            "decisions": self.decisions,
            "seconds": round(self.seconds, 3),
            "decisions_a_second": round(self.pace, 1),
            "forfeits": self.forfeits,
            "why": self.why,
            "traceback": self.trace.splitlines() if self.trace else None,
        }


def standing(bot: str, results: Iterable[Result]) -> Standing:
    """The standing of a bot in these games."""
    at = [(result, seat) for result in results for seat, name in enumerate(result.seats) if name == bot]
    return Standing(
        bot,
        share(sum(result.shares[seat] for result, seat in at), len(at)),
        sum(result.decisions[seat] for result, seat in at),
        sum(result.seconds[seat] for result, seat in at),
        sum(result.forfeits[seat] for result, seat in at),
        next((result.why[seat] for result, seat in at if result.why[seat]), None),
        next((result.traces[seat] for result, seat in at if result.traces and result.traces[seat]), None),
    )


def head_to_head(a: str, b: str, results: Iterable[Result]) -> Estimate:
    """The first bot's share of the wins that went to either of the two, per seat if one had more seats."""
    won = {a: 0.0, b: 0.0}
    fell = 0.0
    for result in results:
        if a in result.seats and b in result.seats:
            for name, part in zip(result.seats, result.shares, strict=True):
                if name in won:
                    won[name] += part / result.seats.count(name)
                    fell += part
    total = won[a] + won[b]
    return share(won[a] / total * fell, round(fell)) if round(fell) else share(0, 0)


def at_seat(seat: int, results: Iterable[Result], bot: str | None = None) -> Estimate:
    """The score of a seat, over all bots or for one bot."""
    won = [result.shares[seat] for result in results if bot in (None, result.seats[seat])]
    return share(sum(won), len(won))


def draws(results: Sequence[Result]) -> Estimate:
    """The share of drawn games."""
    return share(sum(result.drawn for result in results), len(results))


@dataclass(frozen=True)
class Lengths:
    """How many decisions the games took."""

    shortest: int
    low: float
    median: float
    high: float
    longest: int
    bins: tuple[tuple[int, int], ...]
    """The start of each bin, in decisions, and its number of games; all bins have the same width."""
    width: int

    def json(self) -> dict[str, Any]:
        """The lengths as JSON."""
        named = {"shortest": self.shortest, "p5": self.low, "median": self.median, "p95": self.high}
        return named | {"longest": self.longest, "bin_width": self.width, "bins": [list(pair) for pair in self.bins]}


MOST_BINS = 32


def lengths(results: Sequence[Result]) -> Lengths:
    """The distribution of the lengths of games."""
    found = sorted(result.length for result in results)
    first, last = found[0], found[-1]
    width = _wide((last - first + 1) / MOST_BINS)
    start = first // width * width
    counts = Counter((length - start) // width for length in found)
    bins = tuple((start + width * k, counts[k]) for k in range((last - start) // width + 1))
    cuts = quantiles(found, n=20, method="inclusive") if len(found) > 1 else found * 19
    return Lengths(first, cuts[0], median(found), cuts[-1], last, bins, width)


def _wide(least: float) -> int:
    """The next number in the series 1, 2, 5, 10, 20, 50 and so on."""
    width = 1
    for factor in (2, 5, 10) * 9:
        if width >= least:
            break
        width = 10 ** (len(str(width)) - 1) * factor
    return width


def by_table(results: Iterable[Result]) -> Callable[[int], list[Result]]:
    """The results of each table."""
    sorted_out: dict[int, list[Result]] = {}
    for result in results:
        sorted_out.setdefault(result.table, []).append(result)
    return lambda table: sorted_out.get(table, [])
