"""Counters and timings for Prometheus."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

_TIMES = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)


class Metrics:
    """The metrics of one server.

    A move only adds to numbers and lists here; `flush` passes them to Prometheus, whose own counters and histograms
    lock each time.
    """

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.entries = self.messages = self.limited = self.writes_failed = 0
        self.commit_times: list[float] = []
        self._counters = {
            "entries": self._counter("entries", "Log entries that were kept."),
            "writes_failed": self._counter("writes_failed", "Commands that the database did not take."),
            "messages": self._counter("messages", "Messages from browsers."),
            "limited": self._counter("limited", "Requests and messages over a limit."),
        }
        self._commit_seconds = self._times("commit_seconds", "From a decision to its being kept.")
        self.bot_seconds = self._times("bot_seconds", "From asking a bot to its answer, the queue included.")
        self.outcome_seconds = self._times(
            "outcome_seconds", "From a chance outcome's order to it, the queue included."
        )
        self.sockets = self._gauge("sockets", "Open sockets.")
        self.tables = self._gauge("tables", "Tables in memory.")
        self.bots_waiting = 0
        self.waiting = self._gauge("bots_waiting", "Positions that wait for a bot.")

    def _counter(self, name: str, about: str) -> Counter:
        return Counter(f"archipel_{name}", about, registry=self.registry)

    def _gauge(self, name: str, about: str) -> Gauge:
        return Gauge(f"archipel_{name}", about, registry=self.registry)

    def _times(self, name: str, about: str) -> Histogram:
        return Histogram(f"archipel_{name}", about, buckets=_TIMES, registry=self.registry)

    def note_waiting(self, positions: int) -> None:
        """Note how many positions wait for a bot."""
        self.bots_waiting = positions
        self.waiting.set(positions)

    def flush(self) -> None:
        """Pass the counts and timings to Prometheus."""
        for name, counter in self._counters.items():
            counter.inc(getattr(self, name))
            setattr(self, name, 0)
        for seconds in self.commit_times:
            self._commit_seconds.observe(seconds)
        self.commit_times.clear()

    def page(self) -> bytes:
        """All metrics in Prometheus's format."""
        self.flush()
        return generate_latest(self.registry)
