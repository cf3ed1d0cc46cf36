"""Playing a plan: what is not in the log yet is played, and is in the log before anybody hears of it."""

from collections.abc import Generator

from .log import Log
from .match import Result
from .plan import Plan
from .workers import Workers


def play(plan: Plan, log: Log, workers: Workers) -> Generator[list[Result], None, None]:
    """Play what is left of a plan; the new results, as many at a time as have come in."""
    played = {result.key for result in log.results}
    batches = workers.results(match for match in plan.matches() if match.key not in played)
    try:
        for batch in batches:
            log.append(batch)
            yield batch
    finally:
        batches.close()
