"""Record types: a class with one annotation per field, and records with fast attribute access.

    class Position:
        mover: Int8
        hands: Annotated[Row, "i4", 2]

    STATE = dtype(Position)

Editors and type checkers follow the fields of the class; compiled code and storage use the dtype.
"""

from functools import lru_cache
from typing import Annotated, Any, get_type_hints

import numpy as np
from numpy.typing import NDArray

Int8 = Annotated[int, "i1"]
UInt8 = Annotated[int, "u1"]
Int16 = Annotated[int, "i2"]
Int32 = Annotated[int, "i4"]
Int64 = Annotated[int, "i8"]
Row = NDArray[Any]
"""Several numbers; how wide they are and how many, the annotation says: `Annotated[Row, "i4", 2]`."""


def dtype(fields: type) -> np.dtype[np.void]:
    """Return the record type with the annotated fields of a class, in their order."""
    hints = get_type_hints(fields, include_extras=True)
    return np.dtype((np.record, [(name, *hint.__metadata__) for name, hint in hints.items()]))


@lru_cache(64)
def quick(kind: np.dtype[np.void]) -> np.dtype[np.void]:
    """Return the same record type with one property per field, for use from Python; compiled code sees no difference.

    NumPy's own records look up every field's name in their dtype, in Python.
    """
    names = kind.names or ()
    own = {"__getattribute__": np.void.__getattribute__, "__setattr__": np.void.__setattr__, "__slots__": ()}
    record = type("Record", (np.record,), own | {name: _field(name) for name in names})
    return np.dtype((record, [(name, kind[name]) for name in names]))


def _field(name: str) -> property:
    def get(s: Any) -> Any:
        return np.void.__getitem__(s, name)

    def put(s: Any, value: Any) -> None:
        np.void.__setitem__(s, name, value)

    return property(get, put)
