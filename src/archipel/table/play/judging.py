"""The verdict on a record's draws, the same from a server and from a page without one."""

from archipel.core import compiled
from archipel.core.errors import RecordError
from archipel.core.record import Record

from .. import protocol
from ..log import fairness


def verdict_on(content: object) -> protocol.Verdict:
    """What comes of checking a record, given as JSON has it."""
    try:
        record = Record.read(content)
        compiled.arrive(record.game)
        checked = fairness.verify(record)
    except (RecordError, fairness.NotFair) as error:
        return protocol.verdict(False, error.args[0])
    text = f"{checked.reason} {checked.note}" if checked.note else checked.reason
    verdict = protocol.verdict(checked.fair, text)
    verdict.shares, verdict.voids = list(checked.shares), [list(seats) for seats in checked.voids]
    return verdict
