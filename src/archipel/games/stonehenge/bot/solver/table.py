"""The transposition table: a fixed array with eight bytes per position.

An entry has the low bits of the position's key, the work it took, and the answer; the key's high bits are the bucket.
In a full bucket the entry with the least work is replaced.
"""

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from archipel.core.compiled import Array, compiled

Words = Annotated[NDArray[np.uint64], Array("u8")]

WAYS = 4
LEAST = 128
"""The minimum number of buckets, so that they distinguish the seven bits of a key that its entry has no room for."""
_ANSWER = np.uint64(1)
_EFFORT = np.uint64(63)
_1, _7, _32 = np.uint64(1), np.uint64(7), np.uint64(32)


def new(megabytes: int) -> Words:
    """An empty table of this many megabytes."""
    return np.zeros(max(LEAST, megabytes * (1 << 20) // (8 * WAYS)) * WAYS, np.uint64)


@compiled
def bucket(table: Words, key: np.uint64) -> int:
    """The first index of the key's bucket."""
    return int(((key >> _32) * np.uint64(len(table) // WAYS)) >> _32) * WAYS


@compiled
def probe(table: Words, key: np.uint64) -> int:
    """1 or 0 if the mover is known to win or lose, -1 if unknown."""
    first = bucket(table, key)
    for i in range(first, first + WAYS):
        if (table[i] ^ (key << _7)) >> _7 == 0:
            return 1 if table[i] & _ANSWER else 0
    return -1


@compiled
def store(table: Words, key: np.uint64, answer: int, nodes: int) -> None:
    """Store an answer and the approximate number of nodes."""
    effort = 1
    while nodes > 1:
        nodes >>= 1
        effort += 1
    first = bucket(table, key)
    least = first
    for i in range(first + 1, first + WAYS):
        if (table[i] >> _1) & _EFFORT < (table[least] >> _1) & _EFFORT:
            least = i
    table[least] = (key << _7) | np.uint64(effort << 1 | answer)
