"""Exceptions that end a command early."""

from collections.abc import Iterator
from contextlib import contextmanager

BAD_INPUT = 2
INTERRUPTED = 130
PIPE_CLOSED = 141
"""Exit codes; the last two as shells count them: 128 plus the signal's number."""


class BadInput(Exception):
    """One sentence for the user."""


class Left(Exception):
    """The user has left: by a command, Ctrl-C or the end of the input."""


@contextmanager
def complaining() -> Iterator[None]:
    """Turn errors of the library and the system into BadInput."""
    try:
        yield
    except ValueError as refusal:
        raise BadInput(str(refusal)) from None
    except OSError as refusal:
        raise BadInput(f"{refusal.filename}: {refusal.strerror}.") from None
