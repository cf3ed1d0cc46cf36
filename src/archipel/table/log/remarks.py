"""A chat message as it is stored."""

from collections import deque
from collections.abc import Iterable

from msgspec import Struct

from . import events

KEPT = 200
"""How many chat messages of a table are kept."""


class Remark(Struct, omit_defaults=True, gc=False):
    """One chat message. Numbers increase; `by` and `n` identify a command that is sent twice."""

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
    """The last chat messages of an old log that contains them: their number is their version."""
    spoke = ((version, entry) for version, entry in enumerate(entries, 1) if isinstance(entry, events.Spoke))
    return [Remark(version, e.at, e.name, e.text, e.seat, e.by, e.n) for version, e in deque(spoke, KEPT)]
