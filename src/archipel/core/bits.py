"""Sets of small numbers as the bits of an integer."""

from .compiled import compiled, instruction


@instruction("count")
def count(bits: int) -> int:
    """Return the number of set bits."""
    return int(bits).bit_count()


@instruction("first")
def first(bits: int) -> int:
    """Return the index of the lowest set bit; at least one must be set."""
    return (int(bits) & -int(bits)).bit_length() - 1


@instruction("bit")
def bit(n: int) -> int:
    """Return the set that contains only n. (Shifting 1 by a NumPy int8 would stay within eight bits.)"""
    return 1 << int(n)


@compiled
def nth(bits: int, n: int) -> int:
    """Return the index of the set bit that has n set bits below it."""
    for _ in range(n):
        bits &= bits - 1
    return first(bits)
