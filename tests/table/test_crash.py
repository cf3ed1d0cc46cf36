"""Nothing acknowledged is lost, and nothing happens twice, however often the server is killed."""

import asyncio
import os

from .crash import crashes

KILLS = int(os.environ.get("ARCHIPEL_KILLS", "3"))


def test_kills_lose_nothing(database: str) -> None:
    outcome = asyncio.run(crashes(database, KILLS))
    print(f"\n{outcome}")
    assert outcome.errors == []
    assert (outcome.lost, outcome.twice, outcome.stuck) == (0, 0, 0)
    assert outcome.acknowledged > KILLS
