"""Verifying records for anybody: in a process of its own, so that games do not wait for it, and not for long."""

import os
from collections.abc import Callable
from contextlib import suppress

import msgspec

from archipel.core.errors import RecordError
from archipel.core.record import Record

from . import fairness, protocol
from .workers import Crew

PATIENCE = 20.0
"""How many seconds a record may take."""
EACH = 2
"""How many records from one address may wait."""
WAITING = 24
"""How many records may wait in all."""
GENTLE = 10
"""How far behind games and bots it stands when all want to run."""


class Verifiers(Crew):
    """The process that verifies."""

    def __init__(self) -> None:
        super().__init__("verify", verified, 1, patience=PATIENCE, most=EACH)

    def verify(self, whose: str, record: bytes, told: Callable[[bytes | None], None]) -> bool:
        """Have a record verified; `told` the verdict as JSON, nothing if it is no record, or None if it took too long.

        False if too many wait already.
        """
        return self.queue.size < WAITING and self.queue.put(whose, record, told)


def verified(content: bytes) -> bytes:
    """The verdict on a record, as JSON; nothing if it is none."""
    with suppress(OSError, AttributeError):
        os.setpriority(os.PRIO_PROCESS, 0, GENTLE)
    try:
        checked = fairness.verify(Record.read(msgspec.json.decode(content)))
    except (RecordError, fairness.NotFair) as error:
        return msgspec.json.encode(protocol.verdict(False, error.args[0]))
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return b""
    said = "Every draw is what the promised seed gives."
    return msgspec.json.encode(protocol.verdict(True, said if not checked.note else f"{said} {checked.note}"))
