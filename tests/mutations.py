"""Nearly right: JSON and text that a small change has made of something sound."""

import copy
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

Path = tuple[str | int, ...]

LEAVES: SearchStrategy[Any] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 30),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=8),
    st.sampled_from([1 << 31, 1 << 63, -(1 << 63) - 1, 1 << 70, 1.0, -0.0, "0", "null", "ALOA", "YYY", "idol"]),
)
JSON: SearchStrategy[Any] = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=8,
)
"""Anything that JSON can say."""


def paths(value: Any, here: Path = ()) -> list[Path]:
    """Where everything in a JSON value is, itself first."""
    found = [here]
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in inner:
        found += paths(part, (*here, key))
    return found


def at(value: Any, path: Path) -> Any:
    """The part of a JSON value at a path."""
    for key in path:
        value = value[key]
    return value


@st.composite
def near(draw: DrawFn, value: Any, changes: int = 2) -> Any:
    """A JSON value like this one, but for one change or a few."""
    value = copy.deepcopy(value)
    for _ in range(draw(st.integers(1, changes))):
        value = draw(_changed(value))
    return value


@st.composite
def _changed(draw: DrawFn, value: Any) -> Any:
    places = paths(value)
    path = draw(st.sampled_from(places[1:] or places))
    if not path:
        return draw(JSON)
    around, key = at(value, path[:-1]), path[-1]
    how = draw(st.sampled_from(["replace", "nudge", "drop", "transplant", "add", "swap"]))
    if how == "drop":
        del around[key]
    elif how == "transplant":
        around[key] = copy.deepcopy(at(value, draw(st.sampled_from(places))))
    elif how == "add":
        _add(around, draw(st.text(max_size=4)), copy.deepcopy(at(value, draw(st.sampled_from(places)))))
    elif how == "swap":
        other = draw(st.sampled_from(list(around) if isinstance(around, dict) else range(len(around))))
        around[key], around[other] = around[other], around[key]
    else:
        around[key] = draw(_nudged(around[key]) if how == "nudge" else JSON)
    return value


def _add(around: Any, key: str, value: Any) -> None:
    if isinstance(around, dict):
        around[key] = value
    else:
        around.append(value)


def _nudged(value: Any) -> SearchStrategy[Any]:
    """Values much like this one."""
    if isinstance(value, bool):
        return st.sampled_from([not value, int(value), None])
    if isinstance(value, int):
        return st.sampled_from([value + 1, value - 1, -value, float(value), str(value), value == 1])
    if isinstance(value, str):
        return misspelt(value)
    if isinstance(value, list):
        return st.permutations(value).map(list) | st.just(value * 2) | st.just(dict(enumerate(value)))
    return JSON


@st.composite
def misspelt(draw: DrawFn, text: str) -> str:
    """Text like this one, but for a letter or two; perhaps only for capitals and spaces."""
    for _ in range(draw(st.integers(1, 2))):
        i = draw(st.integers(0, len(text)))
        how = draw(st.sampled_from(["insert", "drop", "double", "cut", "capitals", "space"]))
        if how == "insert":
            text = text[:i] + draw(st.characters()) + text[i:]
        elif how == "drop":
            text = text[:i] + text[i + 1 :]
        elif how == "double":
            text = text[:i] + text[i : i + 1] + text[i:]
        elif how == "cut":
            text = text[:i]
        elif how == "capitals":
            text = text.swapcase()
        else:
            text = text[:i] + " " + text[i:]
    return text
