"""A chat message as it is stored."""

from collections import deque
from collections.abc import Iterable

from msgspec import Struct

from . import events

KEPT = 200
"""How many remarks of a table are kept."""


class Remark(Struct, omit_defaults=True, gc=False):
    """One thing that was said. Numbers rise; `by` and `n` know a command again that is sent twice."""

    number: int
    at: int
    name: str
    text: str
    seat: int | None = None
    by: str = ""
    n: int = 0

    @property
    def size(self) -> int:
        return len(self.name) + len(self.text.encode())


def of_old(entries: Iterable[events.Entry]) -> list[Remark]:
    """The last remarks of a log in which they still stand: their number is their version."""
    spoke = ((version, entry) for version, entry in enumerate(entries, 1) if isinstance(entry, events.Spoke))
    return [Remark(version, e.at, e.name, e.text, e.seat, e.by, e.n) for version, e in deque(spoke, KEPT)]
