"""Verify records for anyone, in a worker process with a time limit, so that games do not wait."""

import os
from collections.abc import Callable
from contextlib import suppress

import msgspec

from archipel.core import compiled

from .judging import judged
from .workers import WorkerPool

EACH = 2
"""How many records from one address may wait."""
WAITING = 24
"""How many records may wait in all."""
GENTLE = 10
"""The niceness of the process, so that games and bots come first."""


class Verifiers(WorkerPool):
    """The process that verifies records."""

    def __init__(self, seconds: float) -> None:
        super().__init__("verify", verified, 1, patience=seconds, most=EACH)

    def verify(self, whose: str, record: bytes, told: Callable[[bytes | None], None]) -> bool:
        """Verify a record; calls `told` with the verdict as JSON, empty if it is not a record, or None after a timeout.

        False if too many wait already.
        """
        return self.queue.size < WAITING and self.queue.put(whose, record, told)


def verified(content: bytes) -> bytes:
    """The verdict on a record as JSON; empty if it is not a record."""
    with suppress(OSError, AttributeError):
        os.setpriority(os.PRIO_PROCESS, 0, GENTLE)
    try:
        said = msgspec.json.decode(content)
        with suppress(AttributeError, KeyError, TypeError):
            compiled.arrive(said["game"])
        return msgspec.json.encode(judged(said))
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return b""
