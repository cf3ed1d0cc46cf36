"""What the server counts and times, for Prometheus."""

from collections import Counter as Counts

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

_TIMES = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)


class Metrics:
    """One server's figures."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._counts: Counts[Counter] = Counts()
        """What has been counted since the figures were last read: Prometheus' counters lock each time."""
        self._entries = self._counter("entries", "Log entries that were kept.")
        self._failed = self._counter("writes_failed", "Commands that the database did not take.")
        self._messages = self._counter("messages", "Messages from browsers.")
        self._refused = self._counter("limited", "Requests and messages over a limit.")
        self.commit_seconds = self._times("commit_seconds", "From a decision to its being kept.")
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
        """So many positions wait for a bot."""
        self.bots_waiting = positions
        self.waiting.set(positions)

    def kept(self, entries: int) -> None:
        self._counts[self._entries] += entries

    def failed(self) -> None:
        self._counts[self._failed] += 1

    def message(self) -> None:
        self._counts[self._messages] += 1

    def limited(self) -> None:
        self._counts[self._refused] += 1

    def page(self) -> bytes:
        """All figures as Prometheus reads them."""
        for counter, more in self._counts.items():
            counter.inc(more)
        self._counts.clear()
        return generate_latest(self.registry)
