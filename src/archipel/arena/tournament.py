"""Play a plan: only what is not in the log yet, and every result is logged before it is reported."""

from collections.abc import Generator

from .log import Log, Unkept
from .match import Result
from .plan import Plan
from .sprt import Trial
from .workers import Workers


def play(
    plan: Plan, log: Log | Unkept, workers: Workers, trial: Trial | None = None
) -> Generator[list[Result], None, None]:
    """Play the rest of a plan, or until a trial has its verdict; yields new results in batches as they arrive."""
    if trial:
        trial.add(log.results)
    played = {result.key for result in log.results}
    batches = workers.results(match for match in plan.matches() if match.key not in played)
    try:
        while (trial is None or trial.verdict is None) and (batch := next(batches, None)):
            log.append(batch)
            if trial:
                trial.add(batch)
            yield batch
    finally:
        batches.close()
