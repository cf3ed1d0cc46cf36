"""Sets of small numbers as bits of an integer: the words that the rules use for them."""

from typing import Any

from numba import types

from .compiled import compiled, in_place


def count(bits: int) -> int:
    """How many bits are set."""
    return int(bits).bit_count()


def first(bits: int) -> int:
    """The lowest set bit's number; there must be one."""
    return (int(bits) & -int(bits)).bit_length() - 1


def bit(n: int) -> int:
    """The set of n alone. (Shifting 1 by a NumPy int8 would stay within eight bits.)"""
    return 1 << int(n)


def _whole(context: Any) -> Any:
    return lambda n: types.int64(types.int64)


def _count(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    return builder.ctpop(args[0])


def _first(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    return builder.cttz(args[0], context.get_constant(types.boolean, True))


def _bit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    return builder.shl(context.get_constant(types.int64, 1), args[0])


in_place(count, _whole, _count)
in_place(first, _whole, _first)
in_place(bit, _whole, _bit)


@compiled
def nth(bits: int, n: int) -> int:
    """The number of the set bit that has n set bits below it."""
    for _ in range(n):
        bits &= bits - 1
    return first(bits)
