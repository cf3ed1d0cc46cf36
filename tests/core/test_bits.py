"""Sets of small numbers as bits: the compiled words against plain Python."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from archipel.core import bits
from archipel.core.compiled import compiled

SETS = st.sets(st.integers(0, 61), min_size=1)


@compiled
def count_compiled(mask: int) -> int:
    return bits.count(mask)


@compiled
def first_compiled(mask: int) -> int:
    return bits.first(mask)


def mask_of(numbers: set[int]) -> int:
    return sum(1 << n for n in numbers)


@given(SETS)
def test_compiled_and_plain_agree(numbers: set[int]) -> None:
    mask = mask_of(numbers)
    assert count_compiled(mask) == bits.count(mask) == len(numbers)
    assert first_compiled(mask) == bits.first(mask) == min(numbers)
    assert [bits.nth(mask, n) for n in range(len(numbers))] == sorted(numbers)


def test_no_bits() -> None:
    assert count_compiled(0) == bits.count(0) == 0


@pytest.mark.parametrize("kind", [int, np.int8, np.int16, np.int32, np.int64])
def test_a_bit_is_not_lost_in_a_small_number(kind: type) -> None:
    assert [bits.bit(kind(n)) for n in (0, 7, 8, 31, 32, 61)] == [1 << n for n in (0, 7, 8, 31, 32, 61)]


@pytest.mark.parametrize("kind", [np.int8, np.int16, np.int32, np.int64])
def test_bits_of_small_numbers(kind: type) -> None:
    assert count_compiled(kind(0b1010)) == 2
    assert first_compiled(kind(0b1010)) == 1
