"""Play a plan: only what is not in the log yet, and every result is logged before it is reported."""

from collections.abc import Generator

from .log import Log
from .match import Result
from .plan import Plan
from .workers import Workers


def play(plan: Plan, log: Log, workers: Workers) -> Generator[list[Result], None, None]:
    """Play the rest of a plan; yields new results in batches as they arrive."""
    played = {result.key for result in log.results}
    batches = workers.results(match for match in plan.matches() if match.key not in played)
    try:
        for batch in batches:
            log.append(batch)
            yield batch
    finally:
        batches.close()
