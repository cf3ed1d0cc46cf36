"""A record as a named tuple of Python numbers, read in one go, for code that only reads it.

NumPy looks up every field by name in Python and returns NumPy scalars: reading a record that way takes many times as
long.
"""

import struct
from collections import namedtuple
from collections.abc import Callable
from functools import lru_cache
from math import prod
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

Plain = Any
"""The fields of a record as attributes: numbers, tuples of numbers, tuples of rows.

`Any` like `rules.Record`; a game's own code names the class of its record, which has the same fields.
"""
Read = Callable[[NDArray[np.uint8]], Plain]
_LETTERS = {"l": "q", "L": "Q"}
"""Type codes that differ between NumPy and `struct`."""


@lru_cache(64)
def reader(kind: np.dtype[np.void]) -> Read:
    """Return a function that reads the bytes of such a record into a named tuple."""
    unpack: Callable[[Any], tuple[Any, ...]] = struct.Struct(_format(kind)).unpack
    taken, rows = _places(kind)
    pick = itemgetter(*taken)
    named: Any = namedtuple("Plain", list(kind.names or ()))  # type: ignore[misc]
    make = named._make

    def read(raw: NDArray[np.uint8]) -> Plain:
        values = list(pick(unpack(raw)))
        for field, cut in rows:
            values[field] = cut(values[field])
        return make(values)

    return read


def _format(kind: np.dtype[np.void]) -> str:
    """The record's layout as a `struct` format; there may be gaps between fields."""
    written, at = "<", 0
    for field, offset, *_ in (kind.fields or {}).values():
        written += f"{offset - at}x{prod(field.shape)}{_LETTERS.get(field.base.char, field.base.char)}"
        at = offset + field.itemsize
    return f"{written}{kind.itemsize - at}x"


def _places(kind: np.dtype[np.void]) -> tuple[list[int | slice], list[tuple[int, Callable[[Any], Any]]]]:
    """The indices of each field among all numbers; and for two-dimensional fields, how they are cut into rows."""
    taken: list[int | slice] = []
    rows: list[tuple[int, Callable[[Any], Any]]] = []
    at = 0
    for field, name in enumerate(kind.names or ()):
        shape = kind[name].shape
        taken.append(slice(at, at + prod(shape)) if shape else at)
        if len(shape) == 2:
            rows.append((field, itemgetter(*(slice(row * shape[1], (row + 1) * shape[1]) for row in range(shape[0])))))
        at += prod(shape)
    return taken, rows
