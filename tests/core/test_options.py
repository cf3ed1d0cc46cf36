"""Options: complete, checked, and named when they are wrong."""

from typing import Any

import pytest

from archipel.core.options import Option, choice, complete, flag, whole

SIZE = whole("size", 5, 2, 9, "how large")
KNOWN = (flag("dark", "by night"), choice("rules", ("new", "old"), "whose rules"), SIZE)


def test_defaults_fill_what_is_not_given() -> None:
    assert complete("chess", KNOWN, {}) == {"dark": False, "rules": "new", "size": 5}
    assert complete("chess", KNOWN, {"size": 9, "dark": True}) == {"dark": True, "rules": "new", "size": 9}


def test_the_order_is_the_games() -> None:
    assert list(complete("chess", KNOWN, {"size": 9, "dark": True})) == ["dark", "rules", "size"]


def test_an_unknown_option_is_named() -> None:
    with pytest.raises(ValueError, match="chess has no option 'colour'; its options are dark, rules, size"):
        complete("chess", KNOWN, {"colour": "white"})


@pytest.mark.parametrize(
    ("name", "value", "wanted"),
    [
        ("dark", 1, "true or false, not 1"),
        ("dark", None, "true or false, not None"),
        ("rules", "older", '"new" or "old", not \'older\''),
        ("rules", True, '"new" or "old", not True'),
        ("size", 1, "a whole number from 2 to 9, not 1"),
        ("size", 10, "a whole number from 2 to 9, not 10"),
        ("size", True, "a whole number from 2 to 9, not True"),
        ("size", 5.0, "a whole number from 2 to 9, not 5.0"),
        ("size", "5", "a whole number from 2 to 9, not '5'"),
        ("size", 1 << 2000, "a whole number from 2 to 9, not a huge number"),
    ],
)
def test_a_wrong_value_is_named(name: str, value: Any, wanted: str) -> None:
    with pytest.raises(ValueError, match="chess: option") as caught:
        complete("chess", KNOWN, {name: value})
    assert str(caught.value) == f"chess: option {name!r} must be {wanted}."


def test_choices_are_of_their_kind() -> None:
    players = choice("players", (2, 3), "how many")
    assert complete("go", (players,), {"players": 3}) == {"players": 3}
    for value in (3.0, "3", True):
        with pytest.raises(ValueError, match="2 or 3"):
            complete("go", (players,), {"players": value})


def test_values_are_copied() -> None:
    pair = Option("pair", [0, 0], "two", "a pair", lambda value: value)
    given = {"pair": [1, 2]}
    chosen = complete("go", (pair,), given)
    given["pair"].append(3)
    assert chosen == {"pair": [1, 2]}
    complete("go", (pair,), {})["pair"].append(1)
    assert complete("go", (pair,), {}) == {"pair": [0, 0]}


def test_a_value_that_cannot_be_copied_is_refused() -> None:
    pair = Option("pair", [0, 0], "two", "a pair", lambda value: value)
    with pytest.raises(ValueError, match="go: option 'pair' must be a pair, not "):
        complete("go", (pair,), {"pair": (n for n in range(2))})
