"""The verdict on a record's draws, the same for a server and for a page without one."""

from archipel.core.errors import RecordError
from archipel.core.record import Record

from .. import protocol
from ..log import fairness


def judged(content: object) -> protocol.Verdict:
    """What comes of checking a record, given as JSON has it."""
    try:
        checked = fairness.verify(Record.read(content))
    except (RecordError, fairness.NotFair) as error:
        return protocol.verdict(False, error.args[0])
    said = f"{checked.reason} {checked.note}" if checked.note else checked.reason
    told = protocol.verdict(checked.fair, said)
    told.shares, told.voids = list(checked.shares), [list(seats) for seats in checked.voids]
    return told
