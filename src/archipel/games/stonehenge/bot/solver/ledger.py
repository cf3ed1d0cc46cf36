"""The proved positions, in an append-only file: however the program ends, nothing proved is lost.

The file is a header of sixteen bytes, then eight bytes per position: its key, with the lowest bit replaced by the seat
that wins.
"""

from pathlib import Path
from types import TracebackType

import numpy as np
from numpy.typing import NDArray

from . import position

_MAGIC = b"archsolv"


def _heading() -> bytes:
    """The file's header: keys of another version are not compatible."""
    return _MAGIC + position.VERSION.to_bytes(8, "little")


class Ledger:
    """The winners of positions by key, in memory and, if there is a path, in a file."""

    def __init__(self, path: Path | None = None) -> None:
        self._winner: dict[int, int] = {}
        self._file = None
        if path is not None:
            self._read(path)
            self._file = path.open("ab", buffering=0)
            if self._file.tell() == 0:
                self._file.write(_heading())

    @classmethod
    def of(cls, words: NDArray[np.int64]) -> "Ledger":
        """A ledger in memory, with the contents of another."""
        ledger = cls()
        ledger._take(words.tolist())
        return ledger

    def learn(self, path: Path) -> None:
        """Import another file, in memory only."""
        data = path.read_bytes()
        if data[:16] != _heading():
            raise ValueError(f"{path} is no checkpoint of this solver: choose another file.")
        self._take(np.frombuffer(data[16 : len(data) - len(data) % 8], np.uint64).tolist())

    def believe(self, key: int, winner: int) -> None:
        """Add a winner without proof here, in memory only."""
        self._winner[key >> 1] = winner

    def _take(self, words: list[int]) -> None:
        for word in words:
            self._winner[word >> 1] = word & 1

    def _read(self, path: Path) -> None:
        """Read the ledger's own file; an incomplete position at its end is cut off."""
        if not path.exists() or path.stat().st_size == 0:
            return
        self.learn(path)
        size = path.stat().st_size
        if size % 8:
            with path.open("r+b") as file:
                file.truncate(size - size % 8)

    def __len__(self) -> int:
        return len(self._winner)

    def winner(self, key: int) -> int | None:
        """The seat that wins the position of this key; None if it is not proved."""
        return self._winner.get(key >> 1)

    def words(self, since: int = 0) -> NDArray[np.int64]:
        """The positions added after the first n: keys whose lowest bit is the winner."""
        return np.array([key << 1 | winner for key, winner in self._items(since)], np.int64)

    def since(self, count: int) -> list[tuple[int, int]]:
        """The positions added after the first n: keys and winners."""
        return [(key << 1, winner) for key, winner in self._items(count)]

    def _items(self, since: int) -> list[tuple[int, int]]:
        # A copy first: another thread may be adding.
        return list(self._winner.items())[since:]

    def add(self, key: int, winner: int) -> None:
        """Add a winner."""
        if self._winner.get(key >> 1) != winner:
            self._winner[key >> 1] = winner
            if self._file:
                self._file.write((key & ~1 | winner).to_bytes(8, "little"))

    def __enter__(self) -> "Ledger":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._file:
            self._file.close()
