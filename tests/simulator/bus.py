"""A simulated Redis: what workers publish reaches the others late, twice, out of order, or not at all."""

import asyncio
import random
from typing import Any

from .loop import PROCESS, Loop


class Gone(ConnectionError):
    """Redis does not answer."""


class Bus:
    """One Redis for all workers."""

    def __init__(self, loop: Loop, rng: random.Random) -> None:
        self._loop, self._rng = loop, rng
        self.listeners: dict[Listening, None] = {}
        self.up = True
        self.dropped = self.doubled = self.delayed = 0.0
        """How often a message is lost, comes twice, or comes late."""

    def client(self) -> "Client":
        return Client(self)

    def publish(self, message: bytes) -> None:
        for listening in self.listeners:
            for _ in range(2 if self._rng.random() < self.doubled else 1):
                if self._rng.random() >= self.dropped:
                    late = self._rng.random() < self.delayed
                    wait = self._rng.expovariate(1.0 if late else 500.0)
                    self._loop.call_later(wait, listening.hear, message, context=listening.context)

    def go(self) -> None:
        """Be away: who listens is told."""
        self.up = False
        for listening in self.listeners:
            self._loop.call_soon(listening.lose, context=listening.context)
        self.listeners.clear()

    def check(self) -> None:
        if not self.up:
            raise Gone("Redis is away.")


class Client:
    """What the cluster uses of redis.asyncio."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus

    def pipeline(self, transaction: bool = True) -> "Pipeline":
        return Pipeline(self._bus)

    def pubsub(self) -> "Listening":
        return Listening(self._bus)

    async def aclose(self) -> None:
        pass


class Pipeline:
    """Messages that are sent together."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._messages: list[bytes] = []

    def publish(self, channel: str, message: bytes) -> None:
        self._messages.append(message)

    async def execute(self) -> None:
        await asyncio.sleep(0.0005)
        self._bus.check()
        for message in self._messages:
            self._bus.publish(message)


class Listening:
    """One who listens."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._queue: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
        process = PROCESS.get()
        assert process is not None
        self.context = process.context

    async def __aenter__(self) -> "Listening":
        return self

    async def __aexit__(self, *_: Any) -> None:
        self._bus.listeners.pop(self, None)

    async def subscribe(self, channel: str) -> None:
        await asyncio.sleep(0.001)
        self._bus.check()
        self._bus.listeners[self] = None
        self._queue.put_nowait({"type": "subscribe", "data": 1})

    def hear(self, message: bytes) -> None:
        self._queue.put_nowait({"type": "message", "data": message})

    def lose(self) -> None:
        self._queue.put_nowait(None)

    async def get_message(self, timeout: float) -> dict[str, Any] | None:
        """The next message, or None when none has come for so long."""
        try:
            message = await asyncio.wait_for(self._queue.get(), timeout)
        except TimeoutError:
            return None
        if message is None:
            raise Gone("Redis has gone.")
        return message
