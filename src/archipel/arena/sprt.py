"""Sequential testing: is a new bot stronger than an old one? The answer, with known error rates, as soon as possible.

A generalised sequential probability ratio test (GSPRT), as fishtest uses it for chess engines. After each deal, which
both bots have played from every seat, it compares how likely the scores so far are at best if the new bot is elo1
points stronger, and if it is elo0 points stronger. It ends when the logarithm of that ratio leaves the interval between
log(beta / (1 - alpha)) and log((1 - beta) / alpha). Whole deals are compared, since the games of one deal are not
independent: with two seats their scores are the pentanomial counts of a pair of games.

Deals count in the order of their numbers, so that the answer does not depend on which games happened to end first.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import log, log10
from typing import Any

from .errors import ArenaError
from .intervals import Estimate, mean, share
from .match import Result
from .plan import Plan

PRIOR = 1e-3
"""What each of QUARTERS is given beside the counts, so that no outcome is impossible."""
QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)
MOST_ELO = 1000.0
STRONGER, NOT_STRONGER = "stronger", "not stronger"


@dataclass(frozen=True)
class Hypotheses:
    """The two hypotheses (the new bot is elo0, or elo1, Elo points stronger) and how often a verdict may be wrong.

    alpha: how often a bot that is elo0 points stronger may be taken for one that is elo1 points stronger; beta: how
    often one that is elo1 points stronger may be rejected.
    """

    elo0: float = 0.0
    elo1: float = 20.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not -MOST_ELO <= self.elo0 < self.elo1 <= MOST_ELO:
            bounds = f"both from -{MOST_ELO:g} to {MOST_ELO:g}"
            raise ArenaError(f"elo0 must be below elo1, {bounds}, not {self.elo0:g} and {self.elo1:g}.")
        for name, rate in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < rate < 0.5:
                raise ArenaError(f"{name} must be above 0 and below 0.5, not {rate:g}.")

    @classmethod
    def of_shares(cls, share0: float, share1: float, alpha: float = 0.05, beta: float = 0.05) -> "Hypotheses":
        """The same in shares of the points between two bots, as in 0.5 and 0.53."""
        if not 0 < share0 < share1 < 1:
            raise ArenaError(f"share0 must be below share1, both between 0 and 1, not {share0:g} and {share1:g}.")
        elo0, elo1 = (400 * log10(share / (1 - share)) for share in (share0, share1))
        return cls(elo0, elo1, alpha, beta)

    @property
    def lower(self) -> float:
        """The log-likelihood ratio at which the new bot is found not to be stronger."""
        return log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The log-likelihood ratio at which the new bot is found to be stronger."""
        return log((1 - self.beta) / self.alpha)

    def verdict(self, ratio: float) -> str | None:
        """STRONGER, NOT_STRONGER, or None: play on."""
        return STRONGER if ratio >= self.upper else NOT_STRONGER if ratio <= self.lower else None


@dataclass(frozen=True)
class Finding:
    """What a test has found so far, and from which deals."""

    test: Hypotheses
    new: str
    old: str
    verdict: str | None
    """STRONGER, NOT_STRONGER, or None if the games were too few to say."""
    ratio: float
    """The log-likelihood ratio when the verdict fell, or now."""
    score: Estimate
    """The new bot's mean share of the points of a deal; its `count` is the number of deals."""
    counts: dict[float, int]
    """How many deals had each score; with two seats these are the pentanomial counts."""

    def json(self) -> dict[str, Any]:
        """The finding as JSON."""
        test = self.test
        return {
            "new": self.new,
            "old": self.old,
            "elo0": test.elo0,
            "elo1": test.elo1,
            "alpha": test.alpha,
            "beta": test.beta,
            "verdict": self.verdict,
            "llr": self.ratio,
            "bounds": [test.lower, test.upper],
            "deals": self.score.count,
            "score": self.score.json(),
            "counts": {f"{score:g}": count for score, count in sorted(self.counts.items())},
        }

    def __str__(self) -> str:
        test = self.test
        known = f"LLR {self.ratio:.2f} ({test.lower:.2f} to {test.upper:.2f}) after {self.score.count} deals"
        range_ = f"elo0 {test.elo0:g}, elo1 {test.elo1:g}, alpha {test.alpha:g}, beta {test.beta:g}"
        verdict = {
            STRONGER: f"{self.new} is stronger than {self.old}",
            NOT_STRONGER: f"{self.new} is not stronger than {self.old}",
            None: f"{self.new} against {self.old}: undecided",
        }[self.verdict]
        return f"{verdict}: {known}; {range_}."


class Trial:
    """A test of one bot of a plan against the other, fed with results as they come in."""

    def __init__(self, test: Hypotheses, plan: Plan, new: str) -> None:
        bots = plan.distinct
        if len(bots) != 2 or new not in bots:
            raise ArenaError(f"A test compares two bots, not {len(bots)}: {', '.join(bots)}.")
        self.test, self.new = test, new
        (self.old,) = (bot for bot in bots if bot != new)
        self._plan = plan
        self._means = [
            _mean(_expected(table.bots, new, elo) for table in plan.tables) for elo in (test.elo0, test.elo1)
        ]
        self._unfinished: defaultdict[int, list[float]] = defaultdict(list)
        self._games = sum(table.games_a_deal for table in plan.tables)
        self._scores: list[float] = []
        self._counts: Counter[float] = Counter()
        self._ratio = 0.0
        self.verdict: str | None = None

    def add(self, results: Iterable[Result]) -> None:
        """Take in results, in any order."""
        for result in results:
            deal = result.number // self._plan.tables[result.table].games_a_deal
            won = zip(result.seats, result.shares, strict=True)
            self._unfinished[deal].append(sum(part for bot, part in won if bot == self.new))
        while self.verdict is None and len(self._unfinished[len(self._scores)]) == self._games:
            self._finish(self._unfinished.pop(len(self._scores)))

    def _finish(self, deal: list[float]) -> None:
        score = round(_mean(deal), 9)
        self._scores.append(score)
        self._counts[score] += 1
        self._ratio = log_likelihood_ratio(self._counts, *self._means)
        self.verdict = self.test.verdict(self._ratio)

    def finding(self) -> Finding:
        """What is known now."""
        score = mean(self._scores) if self._scores else share(0, 0)
        return Finding(self.test, self.new, self.old, self.verdict, self._ratio, score, dict(self._counts))


def log_likelihood_ratio(counts: Mapping[float, int], mean0: float, mean1: float) -> float:
    """How much likelier the counted scores can be made by distributions of mean1 than of mean0, as a logarithm."""
    weights = dict.fromkeys(QUARTERS, PRIOR)
    for score, count in counts.items():
        weights[score] = weights.get(score, 0.0) + count
    return _best_likelihood(weights, mean1) - _best_likelihood(weights, mean0)


def _best_likelihood(weights: Mapping[float, float], wanted: float) -> float:
    """The log-likelihood of the counts under the likeliest distribution that has this mean, up to a constant.

    That distribution gives score x the share w(x) / (1 + t (x - mean)), with the one t for which the mean is right.
    """
    from scipy.optimize import brentq

    low, high = -1 / (max(weights) - wanted), 1 / (wanted - min(weights))

    def excess(t: float) -> float:
        return sum(weight * (score - wanted) / (1 + t * (score - wanted)) for score, weight in weights.items())

    margin = 1e-9 * (high - low)
    t = brentq(excess, low + margin, high - margin, xtol=1e-12)
    return -sum(weight * log(1 + t * (score - wanted)) for score, weight in weights.items())


def _expected(bots: tuple[str, ...], new: str, elo: float) -> float:
    """The share of the points of those seats that the new bot has, if it is `elo` points stronger than the old one."""
    strength = 10 ** (elo / 400)
    own = bots.count(new)
    return own * strength / (own * strength + len(bots) - own)


def _mean(numbers: Iterable[float]) -> float:
    listed = list(numbers)
    return sum(listed) / len(listed)
