"""Reading what others wrote: the value that was meant, or a sentence."""

from typing import Any

import pytest

from archipel.core import reading


def test_what_is_meant() -> None:
    assert reading.field({"a": None}, "a") is None
    assert reading.whole(3, 0, 5, "n") == 3
    assert reading.flag(False, "f") is False
    assert reading.one_of("b", ("a", "b"), "letter") == 1
    assert reading.one_of(None, (None, 1), "turns") == 0
    assert reading.items([1, 2], 2, "pair") == [1, 2]
    assert reading.items([], None, "list") == []
    assert reading.mapping({"a": 1}, "map") == {"a": 1}


@pytest.mark.parametrize(
    ("read", "given", "said"),
    [
        (reading.field, ({}, "a"), "The snapshot has no 'a'."),
        (reading.whole, (6, 0, 5, "round"), "The snapshot's round must be a whole number from 0 to 5, not 6."),
        (reading.whole, (True, 0, 5, "round"), "The snapshot's round must be a whole number from 0 to 5, not True."),
        (reading.whole, (1.0, 0, 5, "round"), "The snapshot's round must be a whole number from 0 to 5, not 1.0."),
        (reading.whole, ("1", 0, 5, "round"), "The snapshot's round must be a whole number from 0 to 5, not '1'."),
        (reading.flag, (0, "passed"), "The snapshot's passed must be true or false, not 0."),
        (reading.flag, (None, "passed"), "The snapshot's passed must be true or false, not None."),
        (reading.one_of, ("c", ("a", "b"), "letter"), "The snapshot's letter knows no 'c'."),
        (reading.one_of, (True, (1, 2), "turns"), "The snapshot's turns knows no True."),
        (reading.one_of, (["a"], ("a",), "letter"), "The snapshot's letter knows no ['a']."),
        (reading.items, ((1, 2), 2, "pair"), "The snapshot's pair must be a list of 2, not (1, 2)."),
        (reading.items, ([1], 2, "pair"), "The snapshot's pair must be a list of 2, not [1]."),
        (reading.items, ("ab", None, "list"), "The snapshot's list must be a list, not 'ab'."),
        (reading.mapping, ([], "map"), "The snapshot's map must be an object, not []."),
        (reading.mapping, ({1: 2}, "map"), "The snapshot's map must be an object, not {1: 2}."),
    ],
)
def test_what_is_not_meant(read: Any, given: tuple[Any, ...], said: str) -> None:
    with pytest.raises(ValueError, match="The snapshot") as caught:
        read(*given)
    assert str(caught.value) == said
