"""A whole game as text that people can read and type: headers, moves in notation, comments and variations.

    [Archipel "1"]
    [Game "stonehenge"]
    [Options "{}"]
    [Player0 "Ann"]
    [Player1 "chief"]
    [Result "0"]

    1. 6@K; 5@D; {the centre} 4@L; ( 4@G; 6@H; ) 6@H;

Every move, and every chance outcome, ends with `;`. A comment in braces, or a variation in parentheses, belongs to the
move before it; a variation replaces that move. A file may hold many games. `docs/records.md` has the grammar.
"""

import json
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .errors import RecordError, quoted
from .record import Record, result
from .registry import game
from .state import State

VERSION = "1"
SUFFIX = ".agn"
WIDTH = 100
DEEPEST = 32
"""The maximum nesting depth of variations."""

_HEADER = re.compile(r'\[([A-Z][A-Za-z0-9]*) ("(?:[^"\\]|\\.)*")\]\s*')
_START = re.compile(r"^\[Archipel ", re.MULTILINE)
_TOKEN = re.compile(
    r"\s*(?:(?P<comment>\{(?:[^}\\]|\\.)*\})|(?P<open>\()|(?P<close>\))|(?P<number>\d+\.(?=\s))|(?P<move>[^;{}]+);)",
    re.DOTALL,
)
_OWN = ("Archipel", "Game", "Options", "Result", "Fair")
_PLAYER = re.compile(r"Player(\d+)")


@dataclass
class Move:
    """An action or an outcome with its comment and its variations."""

    action: int
    comment: str = ""
    variations: list[list["Move"]] = field(default_factory=list)


@dataclass
class Scoresheet:
    """A game with comments and variations. `headers` are additional ones, in their order."""

    game: str
    options: dict[str, Any]
    moves: list[Move] = field(default_factory=list)
    players: list[str] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)
    comment: str = ""
    """The comment before the first move."""
    fair: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, record: Record, **headers: str) -> "Scoresheet":
        """Return the scoresheet of a record; keywords become headers, as in ``Date="2026-11-18"``."""
        states = list(record.states())
        moves = [Move(state.encode(action)) for state, action in zip(states, record.actions, strict=False)]
        return cls(record.game, record.options, moves, list(record.players), headers, fair=dict(record.fair))

    def record(self) -> Record:
        """The game without comments and variations."""
        state = self._first()
        actions = []
        for move in self.moves:
            actions.append(state.decode(move.action))
            state = state.after(move.action)
        return Record(self.game, self.options, actions, list(self.players), result(state), dict(self.fair))

    def states(self) -> Iterator[State]:
        """Every state of the main line."""
        state = self._first()
        yield state
        for move in self.moves:
            state = state.after(move.action)
            yield state

    def _first(self) -> State:
        return game(self.game, **self.options).new()

    # Writing

    def text(self) -> str:
        """Return the scoresheet as text, which `read` parses."""
        *_, last = self.states()
        heads = {"Archipel": VERSION, "Game": self.game, "Options": json.dumps(self._chosen())}
        heads |= {f"Player{seat}": name for seat, name in enumerate(self.players)}
        heads |= self.headers
        heads["Result"] = _written_result(last)
        if self.fair:
            heads["Fair"] = json.dumps(self.fair)
        lines = [f"[{name} {json.dumps(value, ensure_ascii=False)}]" for name, value in heads.items()]
        return "\n".join([*lines, "", *self._lines(), ""])

    def _chosen(self) -> dict[str, Any]:
        """The options that differ from their defaults."""
        usual = game(self.game).options
        return {name: value for name, value in self.options.items() if usual.get(name) != value}

    def _lines(self) -> Iterator[str]:
        line, number = "", 0
        for token, first in self._tokens():
            if first:
                number += 1
            if line and len(line) + 1 + len(token) > WIDTH:
                yield line
                line = ""
            line = f"{line} {token}" if line else f"{number}. {token}" if first else token
        yield line

    def _tokens(self) -> Iterator[tuple[str, bool]]:
        """The tokens of the text, each with a flag: is it a move of the main line?"""
        if self.comment:
            yield _braced(self.comment), False
        for token, depth in _tokens_of(self._first(), self.moves, 0):
            yield token, depth == 0

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the scoresheet to a file."""
        Path(path).write_text(self.text(), "utf-8")


def _tokens_of(state: State, moves: list[Move], depth: int) -> Iterator[tuple[str, int]]:
    for move in moves:
        yield f"{state.notation(move.action)};", depth
        if move.comment:
            yield _braced(move.comment), DEEPEST + 1
        for variation in move.variations:
            yield "(", DEEPEST + 1
            yield from _tokens_of(state, variation, depth + 1)
            yield ")", DEEPEST + 1
        state = state.after(move.action)


def _braced(comment: str) -> str:
    for sign, written in (("\\", "\\\\"), ("}", "\\}"), ("\r", ""), ("\n", "\\n")):
        comment = comment.replace(sign, written)
    return f"{{{comment}}}"


def _unbraced(text: str) -> str:
    inside = " ".join(text[1:-1].splitlines())
    return re.sub(r"\\(.)", lambda found: "\n" if found[1] == "n" else found[1], inside)


def _written_result(state: State) -> str:
    winner = state.winner
    return "*" if winner is None else ",".join(map(str, winner)) if isinstance(winner, list) else str(winner)


# Reading


@dataclass(frozen=True)
class Damaged:
    """A game in a file that cannot be read: its first line, and the reason."""

    line: int
    error: RecordError


def read(text: str) -> Scoresheet:
    """Parse a text with one game; RecordError says what is wrong with it."""
    (found,) = _sections(text)
    return _Reader(found[1], found[0]).read()


def read_all(text: str) -> Iterator[Scoresheet | Damaged]:
    """Parse every game of a text. A damaged game is reported, and the next one follows."""
    for line, section in _sections(text, many=True):
        try:
            yield _Reader(section, line).read()
        except RecordError as error:
            yield Damaged(line, error)


def write_all(sheets: Iterable[Scoresheet]) -> str:
    """Return many games as one text."""
    return "\n".join(sheet.text() for sheet in sheets)


def is_text(data: bytes) -> bool:
    """True if the content of a file starts like a scoresheet."""
    return data.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"[Archipel ")


def _sections(text: str, many: bool = False) -> list[tuple[int, str]]:
    """The games of a text, each with its first line number."""
    text = text.removeprefix("\ufeff")
    starts = [found.start() for found in _START.finditer(text)]
    lost = text[: starts[0]] if starts else text
    if lost.strip() and (many or not starts):
        starts.insert(0, 0)
    if not starts or (len(starts) > 1 and not many):
        raise RecordError(f"One game is wanted, but the text holds {len(starts)}.")
    ends = [*starts[1:], len(text)]
    return [(text.count("\n", 0, start) + 1, text[start:end]) for start, end in zip(starts, ends, strict=True)]


class _Reader:
    """Parses one game, from its first header to its last move."""

    def __init__(self, text: str, line: int) -> None:
        self._text = text
        self._line = line
        self._at = 0

    def read(self) -> Scoresheet:
        headers = self._headers()
        sheet = self._sheet(headers)
        state = self._set_up(sheet)
        last = self._moves(sheet, state)
        stated = headers.get("Result", "*")
        if stated not in ("*", _written_result(last)):
            raise self._error(
                f"the result is said to be {quoted(stated)}, but the moves lead to {_written_result(last)!r}"
            )
        return sheet

    def _error(self, reason: str, at: int | None = None) -> RecordError:
        line = self._line + self._text.count("\n", 0, self._at if at is None else at)
        return RecordError(f"Line {line}: {reason}.")

    def _headers(self) -> dict[str, str]:
        found: dict[str, str] = {}
        self._at = len(self._text) - len(self._text.lstrip())
        while head := _HEADER.match(self._text, self._at):
            name = head[1]
            if name in found:
                raise self._error(f"the header {name} is there twice")
            try:
                value = json.loads(head[2])
                value.encode()
            except ValueError:
                raise self._error(f"the header {name} is no JSON text") from None
            found[name] = value
            self._at = head.end()
        if found.get("Archipel") != VERSION:
            raise self._error(f'a game begins with [Archipel "{VERSION}"]')
        if self._text[self._at : self._at + 1] == "[":
            raise self._error('a header is written [Name "text"]')
        return found

    def _sheet(self, headers: dict[str, str]) -> Scoresheet:
        if "Game" not in headers:
            raise self._error("the header Game is missing", 0)
        options, fair = self._object(headers, "Options"), self._object(headers, "Fair")
        players = {int(found[1]): name for name in headers if (found := _PLAYER.fullmatch(name)) and len(name) < 9}
        if sorted(players) != list(range(len(players))):
            raise self._error("the players must be numbered from 0", 0)
        others = {name: text for name, text in headers.items() if name not in (*_OWN, *players.values())}
        names = [headers[players[seat]] for seat in sorted(players)]
        return Scoresheet(headers["Game"], options, [], names, others, fair=fair)

    def _object(self, headers: dict[str, str], name: str) -> dict[str, Any]:
        try:
            value = json.loads(headers.get(name, "{}"))
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict):
            raise self._error(f"the header {name} must hold a JSON object", 0)
        return value

    def _set_up(self, sheet: Scoresheet) -> State:
        try:
            made = game(sheet.game, **sheet.options)
        except (TypeError, ValueError) as error:
            raise self._error(f"the game cannot be set up: {str(error).rstrip('.')}", 0) from None
        sheet.game, sheet.options = made.name, made.options
        if len(sheet.players) not in (0, made.seats):
            raise self._error(f"{len(sheet.players)} players are named for {made.seats} seats", 0)
        return made.new()

    def _moves(self, sheet: Scoresheet, state: State) -> State:
        """Parse all moves; return the last state of the main line."""
        # For each open variation: its moves, the state before its last move, and the state now.
        stack: list[tuple[list[Move], State, State]] = []
        moves, before = sheet.moves, state
        while self._text[self._at :].strip():
            token = _TOKEN.match(self._text, self._at)
            if token is None:
                raise self._error(f"{quoted(self._text[self._at :].strip()[:40])} is no move that ends with ';'")
            start = token.start(token.lastgroup or 0)
            if token["move"] is not None:
                action = self._action(state, token["move"], start)
                moves.append(Move(action))
                before, state = state, state.after(action)
            elif token["comment"] is not None:
                self._comment(sheet, moves, bool(stack), _unbraced(token["comment"]), start)
            elif token["open"] is not None:
                if not moves:
                    raise self._error("a variation follows the move that it replaces", start)
                if len(stack) == DEEPEST:
                    raise self._error(f"more than {DEEPEST} variations lie within each other", start)
                stack.append((moves, before, state))
                moves[-1].variations.append([])
                moves, state = moves[-1].variations[-1], before
            elif token["close"] is not None:
                if not stack or not moves:
                    raise self._error("a variation that is empty or not open is closed", start)
                moves, before, state = stack.pop()
            self._at = token.end()
        if stack:
            raise self._error("a variation is not closed")
        return state

    def _comment(self, sheet: Scoresheet, moves: list[Move], inside: bool, text: str, at: int) -> None:
        if not moves and inside:
            raise self._error("a comment follows the move that it is about", at)
        comment_text = f"{moves[-1].comment if moves else sheet.comment}\n{text}".strip("\n")
        if moves:
            moves[-1].comment = comment_text
        else:
            sheet.comment = comment_text

    def _action(self, state: State, text: str, at: int) -> int:
        notation = text.strip()
        try:
            action = state.parse(notation)
            state.after(action)
        except (ValueError, NotImplementedError) as error:
            raise self._error(f"{quoted(notation)} cannot be played: {str(error).rstrip('.')}", at) from None
        return action
