"""What a seed stands for: how many workers and tables, who plays what, and what goes wrong how often.

Each seed chooses some of the faults only: together they would hide each other.
"""

import random
from typing import Any

from msgspec import Struct

GAMES: tuple[tuple[str, dict[str, Any], float], ...] = (
    ("stonehenge", {}, 3),
    ("stonehenge", {"hidden": True}, 3),
    ("kahuna", {}, 4),
    ("kula_kula", {}, 1.5),
    ("krakatoa", {}, 1.5),
)
CLOCKS: tuple[tuple[dict[str, Any], float], ...] = (
    ({"kind": "none"}, 6),
    ({"kind": "live", "initial": 20_000, "increment": 2_000}, 2),
    ({"kind": "days", "days": 3}, 2),
)


class TablePlan(Struct):
    """One table: the seats' kinds beyond the host's own."""

    game: str
    options: dict[str, Any]
    clock: dict[str, Any]
    chairs: list[dict[str, Any]]
    public: bool


class Plan(Struct):
    """A whole evening. Rates are chances per event, or per second where it says so."""

    workers: int
    tables: list[TablePlan]
    persons: int
    active: float
    """For how many simulated seconds things go wrong."""
    pace: float
    """How many seconds a player takes, on average."""
    mischief: float
    twice: float = 0.0
    crash: float = 0.0
    """A second."""
    restart: float = 0.0
    stall: float = 0.0
    cut: float = 0.0
    slow: float = 0.0
    jump: float = 0.0
    outage: float = 0.0
    redis: float = 0.0
    links: float = 0.0
    visits: float = 0.0
    commit: float = 0.0
    """A COMMIT."""
    dropped: float = 0.0
    """A message of Redis."""
    doubled: float = 0.0
    delayed: float = 0.0
    jitter: float = 0.0
    pieces: float = 0.0
    lost: float = 0.0
    disk_delay: float = 0.002


def plan(seed: int) -> Plan:
    """The plan of a seed."""
    rng = random.Random(f"plan {seed}")
    made = Plan(
        workers=rng.choice((1, 1, 2, 2, 3)),
        tables=[_table(rng) for _ in range(rng.choice((1, 1, 2)))],
        persons=rng.choice((2, 3, 4)),
        active=rng.choice((10.0, 20.0, 40.0)),
        pace=rng.choice((0.15, 0.4, 1.0)),
        mischief=rng.choice((0.1, 0.3)),
    )
    for name, rates in _RATES.items():
        if rng.random() < 0.4:
            setattr(made, name, rng.choice(rates))
    return made


_RATES: dict[str, tuple[float, ...]] = {
    "twice": (0.05, 0.3),
    "crash": (0.03, 0.1),
    "restart": (0.03, 0.1),
    "stall": (0.03, 0.1),
    "cut": (0.1, 0.5),
    "slow": (0.05, 0.2),
    "jump": (0.05, 0.2),
    "outage": (0.05, 0.2),
    "redis": (0.03, 0.1),
    "links": (0.1, 0.3),
    "visits": (0.2, 0.5),
    "commit": (0.02, 0.2),
    "dropped": (0.02, 0.3),
    "doubled": (0.05, 0.3),
    "delayed": (0.05, 0.3),
    "jitter": (0.01, 0.1),
    "pieces": (0.1, 0.5),
    "lost": (0.05, 0.2),
    "disk_delay": (0.02, 0.2),
}


def _table(rng: random.Random) -> TablePlan:
    game, options, _ = rng.choices(GAMES, [weight for *_, weight in GAMES])[0]
    clock, _ = rng.choices(CLOCKS, [weight for _, weight in CLOCKS])[0]
    if game == "kula_kula":
        options = options | {"players": 3}
    seats = options.get("players", 2)
    bot = {"kind": "bot", "level": "sailor"}
    kinds = [{"kind": "open"}, {"kind": "open"}, {"kind": "here", "name": "Guest"}, bot, bot]
    chairs = [{"kind": "me"}, *(rng.choice(kinds) for _ in range(seats - 1))]
    rng.shuffle(chairs)
    return TablePlan(game, options, clock, chairs, public=rng.random() < 0.7)
