"""Time and chance as the table sees them while it is simulated: the loop's clock, and random numbers from a seed."""

import base64
import gc
import random
import secrets
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from archipel.table import entropy
from archipel.table.play.sockets import Socket

from .loop import PROCESS, Loop

PRIVATE = 12
"""From how many bytes on what is drawn is a secret; what is shorter names tables and processes."""
EPOCH = 1_800_000_000.0
"""When simulated worlds begin, in seconds since 1970."""


def wall(loop: Loop) -> float:
    """What the wall clock of the running process shows, in seconds."""
    process = PROCESS.get()
    return EPOCH + loop.time() + (process.skew if process else 0.0)


@contextmanager
def nature(loop: Loop, rng: random.Random, secret: list[bytes]) -> Iterator[None]:
    """Replace the clocks and the sources of chance of the standard library; `secret` collects what servers drew.

    Patched where everybody asks, so that nothing that is added to the table can slip past.
    """

    def token_bytes(nbytes: int | None = None) -> bytes:
        drawn = rng.randbytes(nbytes or 32)
        if PROCESS.get() and len(drawn) >= PRIVATE:
            secret.extend((drawn.hex().encode(), base64.urlsafe_b64encode(drawn).rstrip(b"=")))
        return drawn

    clocks: dict[str, Any] = {
        "time": lambda: wall(loop),
        "time_ns": lambda: int(wall(loop) * 1e9),
        "monotonic": loop.time,
        "monotonic_ns": lambda: int(loop.time() * 1e9),
        "perf_counter": loop.time,
        "sleep": lambda seconds: None,
    }
    known, collecting = random.getstate(), gc.isenabled()
    random.seed(rng.getrandbits(64))
    gc.disable()  # what is collected when depends on what ran before in this process
    try:
        with (
            patch.multiple(time, **clocks),
            patch.multiple(secrets, token_bytes=token_bytes, randbits=rng.getrandbits),
            patch.object(entropy, "token_bytes", token_bytes),
            patch.object(Socket, "__hash__", _by_address),
        ):
            yield
    finally:
        random.setstate(known)
        if collecting:
            gc.enable()


def _by_address(socket: Socket) -> int:
    """Sets of sockets in one order everywhere: an object's own hash is where it lies in memory."""
    return zlib.crc32(f"{socket.address} {socket.by}".encode())
