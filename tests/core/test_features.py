"""Views as numbers: each piece of a layout on small values."""

from typing import Any

import pytest

from archipel.core.features import (
    Part,
    by_name,
    by_seat,
    each,
    flag,
    letters,
    mover,
    number,
    one_of,
    pile,
    row,
    seat,
    some_of,
)


def told(part: Part, value: Any, viewer: int = 0) -> dict[str, float]:
    """What the part says, by name, without the zeros."""
    out = [0.0] * len(part.names)
    part.write(out, 0, value, viewer)
    return {name: number for name, number in zip(part.names, out, strict=True) if number}


def test_flags_and_numbers() -> None:
    assert told(flag(), True) == {"": 1.0}
    assert told(flag(), False) == {}
    assert told(number(8), 2) == {"": 0.25}
    assert told(number(8), 9) == {"": 1.0}
    assert told(number(0), 0) == {}


def test_one_of_has_a_place_for_each_value() -> None:
    assert told(one_of("a", "b"), "b") == {"b": 1.0}
    with pytest.raises(KeyError):
        told(one_of("a", "b"), "c")


def test_lists_of_names_are_counted() -> None:
    assert told(some_of("ABC"), ["A", "C"]) == {"A": 1.0, "C": 1.0}
    assert told(some_of("ABC", most=2), ["A", "A", "B"]) == {"A": 1.0, "B": 0.5}


def test_a_hidden_pile_says_only_its_size() -> None:
    cards = pile("AB", most=2, size=4)
    assert told(cards, ["A", "B", "B"]) == {"A": 0.5, "B": 1.0, "size": 0.75}
    assert told(cards, 3) == {"size": 0.75}


def test_seats_are_told_from_the_viewers_own_on() -> None:
    assert told(seat(3), 2, viewer=2) == {"own": 1.0}
    assert told(seat(3), 0, viewer=2) == {"+1": 1.0}
    assert told(seat(3), [0, 1], viewer=1) == {"own": 1.0, "+2": 1.0}
    assert told(by_seat(3, number(10)), [1, 2, 3], viewer=1) == {"own": 0.2, "+1": 0.3, "+2": 0.1}


def test_sides_are_told_from_the_viewers_own_on() -> None:
    assert told(by_seat(2, number(10)), [1, 2], viewer=3) == {"own": 0.2, "+1": 0.1}


def test_the_mover_may_be_nobody() -> None:
    assert told(mover(2), 1, viewer=0) == {"+1": 1.0}
    assert told(mover(2), -1) == {"chance": 1.0}
    assert told(mover(2), -2) == {"over": 1.0}


def test_what_is_absent_or_hidden_is_zero() -> None:
    cells = by_name("AB", each(seat(2), one_of(1, 2)))
    assert told(cells, {"B": [1, None]}) == {"B.0.+1": 1.0}
    assert told(cells, {"B": [1, 2]}) == {"B.0.+1": 1.0, "B.1.2": 1.0}
    assert told(by_seat(2, number(4)), [None, 2]) == {"+1": 0.5}


def test_a_word_is_told_letter_by_letter() -> None:
    assert told(letters("YRB", 3), "Y BR") == {"0.Y": 1.0, "1.B": 1.0, "2.R": 1.0}


def test_a_row_is_a_view_by_its_keys() -> None:
    layout = row(seat=one_of(0, 1), hand=some_of("AB"), last=seat(2))
    assert layout.names == ("seat.0", "seat.1", "hand.A", "hand.B", "last.own", "last.+1")
    assert layout.row({"seat": 1, "hand": ["B"], "last": None}).tolist() == [0, 1, 0, 1, 0, 0]
    assert layout.row({"seat": None, "hand": [], "last": 1}).tolist() == [0, 0, 0, 0, 0, 1]
