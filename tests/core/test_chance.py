"""Random numbers inside the kernels: known words, even odds, and the caller's generator as their only source."""

import numpy as np
import pytest

from archipel.core.chance import below, word
from archipel.core.state import seed


def rng(start: int) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    return np.array([np.uint64(start)])


def split_mix(start: int, n: int) -> list[int]:
    """SplitMix64 in plain whole numbers."""
    words = []
    for _ in range(n):
        start = (start + 0x9E3779B97F4A7C15) % (1 << 64)
        z = start
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % (1 << 64)
        z = (z ^ z >> 27) * 0x94D049BB133111EB % (1 << 64)
        words.append(z ^ z >> 31)
    return words


@pytest.mark.parametrize("start", [0, 1, 42, (1 << 53) - 1, (1 << 64) - 1])
def test_words_are_split_mix(start: int) -> None:
    state = rng(start)
    assert [int(word(state)) for _ in range(5)] == split_mix(start, 5)


def test_the_first_words_of_seed_zero() -> None:
    """As published with the generator."""
    assert split_mix(0, 3) == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]


@pytest.mark.parametrize("n", [1, 2, 3, 7, 12, 24, 1728])
def test_below_is_even(n: int) -> None:
    draws = 200 * n
    state = rng(n)
    counts = np.bincount([below(state, n) for _ in range(draws)], minlength=n)
    assert len(counts) == n
    freedom = n - 1
    assert sum((count - 200) ** 2 / 200 for count in counts) < freedom + 5 * float(2 * freedom) ** 0.5 + 1


def test_below_covers_its_ends() -> None:
    state = rng(5)
    drawn = {below(state, 3) for _ in range(100)}
    assert drawn == {0, 1, 2}
    assert all(type(int(n)) is int for n in drawn)


def test_a_seed_is_one_draw_of_the_callers_generator() -> None:
    mine, other = np.random.default_rng(9), np.random.default_rng(9)
    assert seed(mine) == int(other.random() * (1 << 53))
    assert mine.bit_generator.state == other.bit_generator.state
    assert all(0 <= seed(mine) < 1 << 53 for _ in range(100))
