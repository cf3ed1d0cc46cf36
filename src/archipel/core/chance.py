"""Random numbers inside the kernels: SplitMix64, whose 64-bit state the caller owns."""

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from .compiled import Array, compiled

Rng = Annotated[NDArray[np.uint64], Array("u8")]

_STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX_A = np.uint64(0xBF58476D1CE4E5B9)
_MIX_B = np.uint64(0x94D049BB133111EB)
_27, _30, _31, _32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)


@compiled
def word(rng: Rng) -> np.uint64:
    """Return the next random 64-bit integer."""
    rng[0] += _STEP
    bits = rng[0]
    bits = (bits ^ (bits >> _30)) * _MIX_A
    bits = (bits ^ (bits >> _27)) * _MIX_B
    return bits ^ (bits >> _31)


@compiled
def below(rng: Rng, n: int) -> int:
    """Return a random number from 0 to n-1, uniform to one part in four thousand million."""
    return np.int64(((word(rng) >> _32) * np.uint64(n)) >> _32)  # type: ignore[return-value]
