"""Sets of small numbers as bits of an integer: the words that the rules use for them."""

from .compiled import compiled, instruction


@instruction("count")
def count(bits: int) -> int:
    """How many bits are set."""
    return int(bits).bit_count()


@instruction("first")
def first(bits: int) -> int:
    """The lowest set bit's number; there must be one."""
    return (int(bits) & -int(bits)).bit_length() - 1


@instruction("bit")
def bit(n: int) -> int:
    """The set of n alone. (Shifting 1 by a NumPy int8 would stay within eight bits.)"""
    return 1 << int(n)


@compiled
def nth(bits: int, n: int) -> int:
    """The number of the set bit that has n set bits below it."""
    for _ in range(n):
        bits &= bits - 1
    return first(bits)
