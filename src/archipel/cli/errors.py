"""What ends a command early: something that its user asked for and that cannot be."""

from collections.abc import Iterator
from contextlib import contextmanager

BAD_INPUT = 2
INTERRUPTED = 130
PIPE_CLOSED = 141
"""The exit codes, beside 0; the last two as shells count them: 128 and the number of the signal."""


class BadInput(Exception):
    """One sentence for the user."""


class Left(Exception):
    """The user has left: said so, or has no more to say."""


@contextmanager
def complaining() -> Iterator[None]:
    """Turn the library's refusals, and the system's, into complaints."""
    try:
        yield
    except ValueError as refusal:
        raise BadInput(str(refusal)) from None
    except OSError as refusal:
        raise BadInput(f"{refusal.filename}: {refusal.strerror}.") from None
