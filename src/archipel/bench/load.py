"""The load on a server, and its measurements."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Load:
    """The load on a server, and its measurements."""

    sockets: int
    rate: float
    times: list[float] = field(default_factory=list)
    refused: int = 0
    began: float = 0.0
    ended: float = 0.0
    measuring: bool = False
    paused: bool = False

    @property
    def pause(self) -> float:
        """The pause between two moves of a pair."""
        return self.sockets / 2 / self.rate

    def moment(self, last: float, now: float) -> float:
        """When a pair acts next, after at least half a pause; a pair that fell behind does not catch up completely.

        Random, because pairs in step would come all at once whenever the rate is changed.
        """
        wait = random.random() * self.pause
        return max(last + self.pause / 2 + wait, now - self.pause) if last else now + wait

    async def measure(self, seconds: float) -> None:
        """Count and time everything for this long."""
        self.times.clear()
        self.measuring, self.began = True, time.perf_counter()
        await asyncio.sleep(seconds)
        self.measuring, self.ended = False, time.perf_counter()

    def took(self, seconds: float) -> None:
        if self.measuring:
            self.times.append(seconds)

    def percentile(self, share: float) -> float:
        """In milliseconds."""
        times = sorted(self.times)
        return times[min(len(times) - 1, int(share * len(times)))] * 1000 if times else float("nan")

    @property
    def moves_a_second(self) -> float:
        return len(self.times) / max(1e-9, self.ended - self.began)

    def __str__(self) -> str:
        return (
            f"{self.moves_a_second:7.0f} moves/s   p50 {self.percentile(0.5):7.1f} ms   "
            f"p99 {self.percentile(0.99):7.1f} ms   ({len(self.times)} moves, {self.refused} refused)"
        )


async def crowd(work: list[Callable[[], Awaitable[Any]]], at_once: int = 100) -> None:
    """Run all of it, some at a time."""
    waiting = iter(work)

    async def one() -> None:
        for job in waiting:
            await job()

    await asyncio.gather(*(one() for _ in range(at_once)))
