"""A record: a whole game as one JSON object, checked when it is read."""

import copy
import json
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from .errors import RecordError, quoted
from .registry import game
from .state import State

VERSION = 1
_HEADER = re.compile(r"\ufeff?\s*\[[A-Z]")
"""A scoresheet starts like this; JSON never does."""
_KEYS = ("archipel", "game", "options", "players", "actions", "result", "fair")


def result(state: State) -> dict[str, Any] | None:
    """Return the result of a finished game, or None while it runs."""
    if state.winner is None:
        return None
    return {"winner": state.winner, "scores": state.scores, "returns": state.returns()}


@dataclass
class Record:
    """The options and all actions, chance included: enough to replay every state without a seed."""

    game: str
    options: dict[str, Any]
    actions: list[dict[str, Any]]
    players: list[str] = field(default_factory=list)
    result: dict[str, Any] | None = None
    fair: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, states: Sequence[State], actions: Sequence[int], players: Sequence[str] = ()) -> "Record":
        """The record of a game: its states, and the action taken in each but the last."""
        played = [state.decode(action) for state, action in zip(states, actions, strict=False)]
        kind = states[0].game
        names = list(players) or [f"seat {seat}" for seat in range(kind.seats)]
        return cls(kind.name, copy.deepcopy(kind.options), played, names, result(states[-1]))

    def states(self) -> Iterator[State]:
        """Every state of the game, the first before any deal; RecordError at the first illegal action."""
        try:
            state = game(self.game, **self.options).new()
        except (TypeError, ValueError) as error:
            raise RecordError(f"The record's game cannot be set up: {error}") from None
        yield state
        for number, action in enumerate(self.actions, 1):
            try:
                state = state.after(state.encode(action))
            except ValueError as error:
                raise RecordError(f"Action {number} of the record, {_short_json(action)}, cannot be: {error}") from None
            yield state

    def check(self) -> State:
        """Replay the whole record and return the last state. RecordError if anything is wrong."""
        *_, last = self.states()
        if len(self.players) not in (0, last.game.seats):
            raise RecordError(f"The record names {len(self.players)} players for {last.game.seats} seats.")
        if self.result != result(last):
            stated = quoted(self.result)
            raise RecordError(f"The record says its result is {stated}, but its actions lead to {result(last)}.")
        return last

    def json(self) -> dict[str, Any]:
        """The record as JSON."""
        return {
            "archipel": VERSION,
            "game": self.game,
            "options": self.options,
            "players": self.players,
            "actions": self.actions,
            "result": self.result,
            "fair": self.fair,
        }

    @classmethod
    def read(cls, data: Any) -> "Record":
        """Return a record from its JSON, checked and replayed."""
        if not isinstance(data, dict) or type(data.get("archipel")) is not int or data["archipel"] != VERSION:
            raise RecordError(f'This is not a record: it must be a JSON object with "archipel": {VERSION}.')
        for key in data:
            if key not in _KEYS:
                raise RecordError(f"A record has no {quoted(key)}.")
        kinds = {"game": str, "options": dict, "actions": list, "players": list, "fair": dict}
        for key, kind in kinds.items():
            if not isinstance(data.get(key, kind() if key in ("players", "fair") else None), kind):
                raise RecordError(f"The record's {key!r} must be {_type_name(kind)}.")
        if not all(isinstance(name, str) for name in data.get("players", [])):
            raise RecordError("The record's players must be names.")
        record = cls(
            data["game"],
            data["options"],
            data["actions"],
            data.get("players", []),
            data.get("result"),
            data.get("fair", {}),
        )
        record.check()
        return record

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "Record":
        """Read and check a record from a file, JSON or a scoresheet; RecordError if it is damaged."""
        try:
            found = Path(path).read_bytes()
            text = found.decode("utf-8")
            if _HEADER.match(text):
                return cls._from_text(text, path)
            data = json.loads(text, parse_constant=_no_number)
        except OSError as error:
            raise RecordError(f"{os.fspath(path)} cannot be read: {error.strerror}.") from None
        except RecordError:
            raise
        except (ValueError, RecursionError) as error:
            raise RecordError(f"{os.fspath(path)} is not a record: {error}.") from None
        return cls.read(data)

    @classmethod
    def _from_text(cls, text: str, path: str | os.PathLike[str]) -> "Record":
        from . import scoresheet

        try:
            return scoresheet.read(text).record()
        except RecordError as error:
            raise RecordError(f"{os.fspath(path)} is not a record: {error}") from None

    def save(self, path: str | os.PathLike[str]) -> None:
        """Check the record and write it atomically, one action per line."""
        self.check()
        target = Path(path)
        beside = target.with_name(f".{target.name}.{os.getpid()}")
        try:
            with beside.open("w", encoding="utf-8") as file:
                file.write(self._written())
                file.flush()
                os.fsync(file.fileno())
            beside.replace(target)
        finally:
            beside.unlink(missing_ok=True)

    def html(self) -> str:
        """A self-contained page that plays the game: every position as a picture, with everything that was hidden."""
        from . import player

        states = list(self.states())
        actions = [state.encode(action) for state, action in zip(states, self.actions, strict=False)]
        title = f"{states[0].game.title}: {', '.join(self.players)}" if self.players else states[0].game.title
        return player.page(title, states, actions)

    def _repr_html_(self) -> str:
        """The same in a frame, for a notebook."""
        from . import player

        return player.frame(self.html())

    def _written(self) -> str:
        lines = ",\n".join(f"  {json.dumps(action)}" for action in self.actions)
        parts = {key: json.dumps(value) for key, value in self.json().items()}
        parts["actions"] = f"[\n{lines}\n ]" if self.actions else "[]"
        return "{\n" + ",\n".join(f' "{key}": {value}' for key, value in parts.items()) + "\n}\n"


def _no_number(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a number in JSON")


def _short_json(action: Any) -> str:
    """An action as JSON, shortened if it is too long or too deep for a sentence."""
    try:
        written = json.dumps(action)
    except (TypeError, ValueError, RecursionError):
        return quoted(action)
    return written if len(written) < 120 else quoted(action)


def _type_name(kind: type) -> str:
    names: dict[type, str] = {str: "a name", dict: "an object", list: "a list"}
    return names[kind]
