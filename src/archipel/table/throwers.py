"""Those who let dice fall: a few processes of their own, for a throw must not wait until a bot has thought."""

import os
from collections.abc import Callable
from typing import Any

from .throwing import Landed, Order, let_fall
from .workers import Crew

TRIES = 3
"""A process may be lost over a throw: the next one makes it again, with the same bytes."""
_FIRST = Order(("steam1", "steam2", "steam3"), {}, None, (1,))


class Throwers(Crew):
    """So many processes that throw dice."""

    def __init__(self, processes: int = 0) -> None:
        super().__init__("dice", fall, processes or max(1, (os.cpu_count() or 1) // 2), TRIES)
        self._awake = False

    def wake(self) -> None:
        """Dice will soon be thrown: have the processes started, for that takes a second."""
        if not self._awake:
            self._awake = True
            for number in range(self.count):
                self.queue.put(f"waking {number}", _FIRST, _forget)

    def throw(self, table: str, order: Order, told: Callable[[Landed | None], None]) -> None:
        """Have dice thrown; `told` in the loop how they landed, or None if nobody could throw them."""
        if not self.queue.put(table, order, told):
            told(None)

    def checked(self, order: Order) -> Landed | None:
        """Have a throw of an old game made again, when nothing else is to be thrown. It waits: not for the loop."""
        landed: Landed | None = self.waited_for("checking", order)
        return landed


def fall(order: Order) -> Any:
    """Throw; None if it cannot be done, for the next throw must be made."""
    try:
        return let_fall(order)
    except Exception:
        return None


def _forget(_: Any) -> None:
    pass
