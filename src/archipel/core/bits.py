"""Sets of small numbers as bits of an integer: the words that the rules use for them."""

from typing import Any

from numba import types
from numba.extending import intrinsic, overload

from .compiled import compiled


@intrinsic
def _ctpop(typing: Any, bits: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.int64), emit


@intrinsic
def _cttz(typing: Any, bits: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], context.get_constant(types.boolean, True))

    return types.int64(types.int64), emit


def count(bits: int) -> int:
    """How many bits are set."""
    return int(bits).bit_count()


def first(bits: int) -> int:
    """The lowest set bit's number; there must be one."""
    return (int(bits) & -int(bits)).bit_length() - 1


@overload(count, strict=False)
def _count(bits: Any) -> Any:
    return lambda bits: _ctpop(bits)  # type: ignore[call-arg]


@overload(first, strict=False)
def _first(bits: Any) -> Any:
    return lambda bits: _cttz(bits)  # type: ignore[call-arg]


@compiled
def bit(n: int) -> int:
    """The set of n alone. (Shifting 1 by a NumPy int8 would stay within eight bits.)"""
    return 1 << int(n)


@compiled
def nth(bits: int, n: int) -> int:
    """The number of the set bit that has n set bits below it."""
    for _ in range(n):
        bits &= bits - 1
    return first(bits)
