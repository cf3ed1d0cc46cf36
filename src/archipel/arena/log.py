"""The log of an arena: one line for its plan and one per game, written to disk as soon as the game is over."""

import json
import os
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path
from types import TracebackType
from typing import Any
from zlib import crc32

from filelock import FileLock, Timeout

from .errors import ArenaError
from .match import Result
from .plan import Plan

FILE = "games.jsonl"
BINARY: int = getattr(os, "O_BINARY", 0)  # otherwise Windows would write \r\n


class Log:
    """The log of one plan in a folder, open for writing and locked against other writers.

    `results` has the games played before. `dropped` is True if an incomplete last line was removed.
    """

    def __init__(self, folder: Path, plan: Plan) -> None:
        self.path = folder / FILE
        self.plan = plan
        self.dropped = False
        self._sound = 0
        """The length in bytes of all complete lines."""
        _check_folder(folder)
        folder.mkdir(parents=True, exist_ok=True)
        self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND | BINARY, 0o644)
        # The lock is a separate file: on Windows nobody could read a file that is locked.
        self._lock = FileLock(self.path.with_suffix(".lock"))
        try:
            self.results = self._begin()
        except BaseException:
            self.close()
            raise

    def _begin(self) -> list[Result]:
        try:
            self._lock.acquire(blocking=False)
        except Timeout:
            raise ArenaError(f"Another arena is writing to {self.path.parent} right now.") from None
        results = self._read()
        os.truncate(self._file, self._sound)
        if not self._sound:
            self._write([self.plan.header()])
        return results

    def append(self, results: Iterable[Result]) -> None:
        """Append results; when this returns they are on disk."""
        self._write([result.json() for result in results])

    def close(self) -> None:
        os.close(self._file)
        self._lock.release()

    def __enter__(self) -> "Log":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _write(self, lines: Iterable[dict[str, Any]]) -> None:
        os.write(self._file, b"".join(_line(line) for line in lines))
        os.fsync(self._file)

    # Reading an existing log.

    def _read(self) -> list[Result]:
        """The results in the file; ArenaError if it is damaged other than at its end, or belongs to another plan."""
        written = self.path.read_bytes()
        if _line(self.plan.header()).startswith(written):
            self._sound = len(written) if written.endswith(b"\n") else 0
            return []
        first, *games = BytesIO(written).readlines()
        self._check_header(_parsed(first))
        self._sound = len(first)
        return self._read_games(games)

    def _check_header(self, found: Any) -> None:
        wanted = _parsed(_line(self.plan.header()))
        if not isinstance(found, dict) or found.keys() != wanted.keys():
            raise ArenaError(f"{self.path} is damaged in line 1, or is no log of an arena: choose another folder.")
        for key, value in wanted.items():
            if found[key] != value:
                raise ArenaError(
                    f"{self.path.parent} holds another arena ({key}: {_quoted(found[key])}, not {_quoted(value)}): "
                    f"choose another folder with --out."
                )

    def _read_games(self, lines: list[bytes]) -> list[Result]:
        results: dict[tuple[int, int], Result] = {}
        for number, line in enumerate(lines, 2):
            try:
                result = self._result(line)
                if result.key in results:
                    raise ValueError("the game is there twice")
            except (KeyError, TypeError, ValueError, RecursionError) as error:
                if number > len(lines) and not isinstance(error, ArenaError):
                    self.dropped = True
                    break
                raise self._damaged(number, error) from None
            results[result.key] = result
            self._sound += len(line)
        return list(results.values())

    def _damaged(self, number: int, error: Exception) -> ArenaError:
        if isinstance(error, ArenaError):
            return error
        return ArenaError(
            f"{self.path} is damaged in line {number}: take that line out and its game is played again, "
            f"or choose another folder with --out."
        )

    def _result(self, line: bytes) -> Result:
        data = _parsed(line)
        table, number = data["table"], data["number"]
        if type(table) is not int or type(number) is not int or table not in range(len(self.plan.tables)) or number < 0:
            raise ValueError("there is no such game")
        result = Result.read(data, self.plan.match(table, number))
        if number >= self.plan.games:
            raise ArenaError(
                f"{self.path.parent} holds more than {self.plan.games} games of each table: ask for more with --games, "
                f"or choose another folder with --out."
            )
        return result


class Unkept:
    """A log that keeps nothing, for games of which only the results are wanted."""

    results: tuple[Result, ...] = ()

    def append(self, results: Iterable[Result]) -> None:
        """Let the results go."""


def _check_folder(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise ArenaError(f"{folder} is a file, not a folder: choose another one with --out.")
    if folder.is_dir() and any(folder.iterdir()) and not (folder / FILE).exists():
        raise ArenaError(f"{folder} holds other things and no arena: choose another folder with --out.")


def _line(data: dict[str, Any]) -> bytes:
    """A line of the log, with a checksum at its end."""
    text = json.dumps(data, separators=(",", ":")).encode()
    return b'%b,"sum":%d}\n' % (text[:-1], crc32(text))


def _parsed(line: bytes) -> Any:
    """Parse a line; None if its checksum is wrong."""
    text, _, check = line.rpartition(b',"sum":')
    return json.loads(text + b"}") if check == b"%d}\n" % crc32(text + b"}") else None


def _quoted(value: Any) -> str:
    return ",".join(value) if isinstance(value, list) and value else json.dumps(value)
