"""Sentences quote what was sent, however large, deep or strange it is."""

import pickle
from typing import Any

import pytest

from archipel import IllegalAction
from archipel.core.errors import quoted


class Unspeakable:
    def __repr__(self) -> str:
        raise RuntimeError("no name")


def nested(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (None, "None"),
        ("ALOA", "'ALOA'"),
        (1 << 90, str(1 << 90)),
        (1 << 128, "a huge number"),
        ([0, 1], "[0, 1]"),
        ({"b": 1, "a": [2]}, "{'a': [2], 'b': 1}"),
        ("\ud800", "'\\ud800'"),
        (nested(9), "[[[[[...]]]]]"),
    ],
)
def test_quoted(value: Any, said: str) -> None:
    assert quoted(value) == said


def test_quotations_are_short() -> None:
    values = ("x" * 10_000, list(range(10_000)), nested(100_000), 1 << 20_000, Unspeakable(), [Unspeakable()] * 9)
    assert all(len(quoted(value)) < 400 for value in values)


def test_refusals_survive_pickling() -> None:
    again = pickle.loads(pickle.dumps(IllegalAction("You may not.", "kahuna.pass")))
    assert (again.reason, again.rule, str(again)) == ("You may not.", "kahuna.pass", "You may not.")
