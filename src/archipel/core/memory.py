"""Where memory that nobody needs any more goes: in Python by itself, in a page when a method says so."""

from collections.abc import Callable
from typing import Any, TypeVar

Method = TypeVar("Method", bound=Callable[..., Any])


def frees(method: Method) -> Method:
    """Mark a method that makes large arrays and keeps none of them but what it returns.

    A page cannot tell which arrays are still in use, and frees the others when the method returns.
    """
    method.frees = True  # type: ignore[attr-defined]
    return method
