"""Validate snapshots and views from outside: return the value, or raise a ValueError that says what is wrong."""

from collections.abc import Mapping, Sequence
from typing import Any

from .errors import quoted


def field(snapshot: Mapping[str, Any], key: str) -> Any:
    """Return the value of a required key."""
    if key not in snapshot:
        raise ValueError(f"The snapshot has no {key!r}.")
    return snapshot[key]


def whole(value: Any, low: int, high: int, what: str) -> int:
    """Return a whole number within limits."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise ValueError(f"The snapshot's {what} must be a whole number from {low} to {high}, not {quoted(value)}.")
    return value


def flag(value: Any, what: str) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise ValueError(f"The snapshot's {what} must be true or false, not {quoted(value)}.")
    return value


def one_of(value: Any, known: Sequence[Any], what: str) -> int:
    """Return the index of one of the known values."""
    if type(value) is str and value in known:  # not a text
        return known.index(value)
    for i, candidate in enumerate(known):
        if type(value) is type(candidate) and value == candidate:
            return i
    raise ValueError(f"The snapshot's {what} knows no {quoted(value)}.")


def items(value: Any, length: int | None, what: str) -> list[Any]:
    """Return a list, of this length if one is given."""
    if not isinstance(value, list) or length not in (None, len(value)):
        wanted = "a list" if length is None else f"a list of {length}"
        raise ValueError(f"The snapshot's {what} must be {wanted}, not {quoted(value)}.")
    return value


def mapping(value: Any, what: str) -> dict[str, Any]:
    """A JSON object."""
    if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
        raise ValueError(f"The snapshot's {what} must be an object, not {quoted(value)}.")
    return value
