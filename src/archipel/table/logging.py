"""The server's log output: lines for people or JSON for machines, without names, secrets or paths."""

import logging
import sys
import time
from collections import deque
from typing import Any

import msgspec

log = logging.getLogger("archipel.table")
_encode = msgspec.json.Encoder().encode
_USUAL = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName", "color_message"}


class JsonLines(logging.Formatter):
    """One JSON object per line."""

    def format(self, record: logging.LogRecord) -> str:
        fields = {key: value for key, value in vars(record).items() if key not in _USUAL}
        line: dict[str, Any] = {
            "at": round(record.created, 3),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
        }
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return _encode(line | fields).decode()


class PlainLines(logging.Formatter):
    """Time, event and its fields."""

    def format(self, record: logging.LogRecord) -> str:
        fields = (f"{key}={value}" for key, value in vars(record).items() if key not in _USUAL)
        line = " ".join([self.formatTime(record, "%H:%M:%S"), record.getMessage(), *fields])
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


class Recent(logging.Handler):
    """Keeps recent errors in memory: when and what, without names or tracebacks."""

    def __init__(self, most: int = 50) -> None:
        super().__init__()
        self.troubles: deque[tuple[int, str]] = deque(maxlen=most)

    def emit(self, record: logging.LogRecord) -> None:
        name = record.getMessage()
        if record.levelno >= logging.WARNING or name.endswith(("-failed", "-trouble", "-died")):
            facts = (f"{key}={value}" for key, value in vars(record).items() if key in ("route", "kind", "times"))
            self.troubles.appendleft((int(record.created * 1000), " ".join([name, *facts])))


recent = Recent()
log.addHandler(recent)


def configure(form: str) -> None:
    """Write to stderr in this format."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if form == "json" else PlainLines())
    for name, level in (("archipel", logging.INFO), ("uvicorn", logging.WARNING)):
        logger = logging.getLogger(name)
        logger.handlers[:] = [handler]
        logger.setLevel(level)
        logger.propagate = False


def event(name: str, **facts: Any) -> None:
    """Log an event."""
    log.info(name, extra=facts)


class Seldom:
    """An event that may happen thousands of times: logged at most once per interval, with its count."""

    def __init__(self, name: str, every: float = 1.0) -> None:
        self._name = name
        self._every = every
        self._next_at = 0.0
        self._times = 0

    def __call__(self, **facts: Any) -> None:
        self._times += 1
        now = time.monotonic()
        if now >= self._next_at:
            event(self._name, **facts, times=self._times)
            self._next_at, self._times = now + self._every, 0
