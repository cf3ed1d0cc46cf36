"""A table's clock: the time each seat has left, and whose time is running."""

from copy import copy

from ..protocol import Clock, DaysClock, LiveClock, Time

DAY = 86_400_000
_KINDS = LiveClock, DaysClock


class Timer:
    """The time of all seats in one game. Times are arguments; it reads no clock."""

    __slots__ = ("clock", "left", "owner", "running", "since")

    def __init__(self, clock: Clock, seats: int) -> None:
        self.clock = clock
        self.left = [_first(clock)] * seats
        self.running: int | None = None
        self.owner: int | None = None
        """The seat whose turn it is, also while chance acts."""
        self.since = 0

    def fork(self) -> "Timer":
        """A copy that runs by itself."""
        other = copy(self)
        other.left = list(self.left)
        return other

    def turn(self, mover: int, now: int, gain: bool = True) -> None:
        """Start the clock of this mover; chance and the end stop it. A turn that ends gains the increment."""
        if self.running is not None and isinstance(self.clock, LiveClock):
            self.left[self.running] -= max(0, now - self.since)
        if mover >= 0 and mover != self.owner:
            self._pass_on(mover, gain)
        self.running = mover if mover >= 0 else None
        self.since = now

    def _pass_on(self, mover: int, gain: bool) -> None:
        if isinstance(self.clock, LiveClock) and self.owner is not None and gain:
            self.left[self.owner] += self.clock.increment
        if isinstance(self.clock, DaysClock):
            self.left[mover] = _first(self.clock)
        self.owner = mover

    def resume(self, now: int) -> None:
        """Continue after the table was out of memory: a live clock stood still meanwhile."""
        if isinstance(self.clock, LiveClock):
            self.since = max(self.since, now)

    @property
    def deadline(self) -> int | None:
        """When the running seat's time is up."""
        if self.running is None or not isinstance(self.clock, _KINDS):
            return None
        return self.since + self.left[self.running]

    def shown(self) -> Time | None:
        """The clock as the client counts it down; None if there is none."""
        if not isinstance(self.clock, _KINDS):
            return None
        return Time(self.since, list(self.left), self.running)


def _first(clock: Clock) -> int:
    if isinstance(clock, LiveClock):
        return clock.initial
    return clock.days * DAY if isinstance(clock, DaysClock) else 0
