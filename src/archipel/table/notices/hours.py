"""Times of day in a person's zone: quiet hours, and when a digest is due."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from ..storage.outbox import Wishes

MINUTES = 1440


def zone_of(name: str) -> ZoneInfo | None:
    """The time zone of that name; None if there is none."""
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, KeyError):
        return None


def quiet_until(wishes: Wishes, now: int) -> int:
    """When a notice may be delivered: now, or at the end of the quiet hours."""
    begin, end = wishes.quiet_from, wishes.quiet_until
    if begin is None or end is None or begin == end:
        return now
    here = _local(wishes, now)
    minute = here.hour * 60 + here.minute
    if (minute - begin) % MINUTES >= (end - begin) % MINUTES:
        return now
    return next_at(wishes, now, end)


def next_at(wishes: Wishes, now: int, minute: int) -> int:
    """The next time that a clock in the person's zone shows this minute of the day, after now."""
    here = _local(wishes, now)
    wanted = here.replace(hour=minute // 60, minute=minute % 60, second=0, microsecond=0, fold=0)
    if _milliseconds(wanted) <= now:
        wanted += timedelta(days=1)
    return _milliseconds(wanted)


def _local(wishes: Wishes, now: int) -> datetime:
    return datetime.fromtimestamp(now / 1000, UTC).astimezone(zone_of(wishes.zone) or UTC)


def _milliseconds(moment: datetime) -> int:
    return round(moment.timestamp() * 1000)
