"""A collection of games in one SQLite file, searchable by game, player, level, opening and result."""

import hashlib
import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from archipel.core import scoresheet
from archipel.core.errors import RecordError, quoted
from archipel.core.record import Record
from archipel.core.rules import CHANCE
from archipel.core.scoresheet import Damaged, Scoresheet
from archipel.core.vocabulary import tidy

IDENTITY = 0x41524348
"""SQLite's application id in the file's header: ARCH."""
SCHEMA = """
CREATE TABLE games (
    id INTEGER PRIMARY KEY,
    digest TEXT NOT NULL UNIQUE,
    game TEXT NOT NULL,
    options TEXT NOT NULL,
    date TEXT NOT NULL,
    result TEXT NOT NULL,
    scores TEXT NOT NULL,
    length INTEGER NOT NULL,
    opening TEXT NOT NULL,
    text TEXT NOT NULL
);
CREATE INDEX games_by_opening ON games (game, opening);
CREATE TABLE players (
    game INTEGER NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    name TEXT NOT NULL,
    won INTEGER NOT NULL,
    PRIMARY KEY (game, seat)
);
CREATE INDEX players_by_name ON players (name, won);
"""
OPENING = 24
"""How many actions of the players belong to an opening, not counting chance."""
SHARED, UNFINISHED = "shared", "unfinished"


@dataclass(frozen=True)
class Found:
    """A game of the collection."""

    id: int
    game: str
    options: dict[str, Any]
    players: list[str]
    date: str
    result: str
    """The winner's seat, several seats with commas between, or ``*`` if the game is not over."""
    scores: list[int]
    length: int
    opening: str

    def json(self) -> dict[str, Any]:
        """The same as JSON."""
        return asdict(self)


class Database:
    """A collection of games in a file, created if it does not exist. ValueError if it is some other kind of file."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._connection = sqlite3.connect(path)
        self._connection.execute("PRAGMA foreign_keys = ON")
        try:
            self._prepare()
        except sqlite3.DatabaseError as error:
            self.close()
            raise ValueError(f"{os.fspath(path)} is not a collection of games: {error}.") from None

    def _prepare(self) -> None:
        ((identity,),) = self._connection.execute("PRAGMA application_id")
        ((tables,),) = self._connection.execute("SELECT count(*) FROM sqlite_master")
        if tables == 0:
            with self._connection:
                self._connection.executescript(f"PRAGMA application_id = {IDENTITY}; {SCHEMA}")
        elif identity != IDENTITY:
            raise sqlite3.DatabaseError("it is a database of something else")

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> "Database":
        return self

    def __exit__(self, *trouble: object) -> None:
        self.close()

    def __len__(self) -> int:
        ((count,),) = self._connection.execute("SELECT count(*) FROM games")
        return int(count)

    # Adding

    def add(self, game: Scoresheet | Record) -> bool:
        """Add a game; False if the collection has it already."""
        sheet = Scoresheet.of(game) if isinstance(game, Record) else game
        text = sheet.text()
        digest = hashlib.sha256(text.encode()).hexdigest()
        states = list(sheet.states())
        last = states[-1]
        moves = zip(states, sheet.moves, strict=False)
        played = [tidy(state.notation(move.action)) for state, move in moves if state.mover != CHANCE]
        ended = last.winner is not None
        row = (
            digest,
            sheet.game,
            json.dumps(sheet.options, sort_keys=True),
            sheet.headers.get("Date", ""),
            _result(last.winner),
            json.dumps(last.scores),
            len(sheet.moves),
            "".join(f"{move};" for move in played[:OPENING]),
            text,
        )
        won = [ended and worth > 0 for worth in last.returns()]
        with self._connection:
            made = self._connection.execute(
                "INSERT INTO games (digest, game, options, date, result, scores, length, opening, text) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                row,
            )
            if made.rowcount < 1:
                return False
            self._connection.executemany(
                "INSERT INTO players VALUES (?, ?, ?, ?)",
                [(made.lastrowid, seat, name, won[seat]) for seat, name in enumerate(sheet.players)],
            )
        return True

    def add_file(self, path: str | os.PathLike[str]) -> Iterator[bool | str]:
        """Add every game of a file; yields for each whether it is new, or a sentence if it cannot be read."""
        data = Path(path).read_bytes()
        if not scoresheet.is_text(data):
            yield self.add(Record.load(path))
            return
        for found in scoresheet.read_all(data.decode("utf-8", "replace")):
            yield f"{os.fspath(path)}: {found.error}" if isinstance(found, Damaged) else self.add(found)

    # Finding

    def find(
        self,
        *,
        game: str | None = None,
        player: str | None = None,
        winner: str | None = None,
        opening: str | None = None,
        result: str | int | None = None,
        limit: int | None = None,
    ) -> Iterator[Found]:
        """Return the games that match all of these criteria, the latest added first.

        `player` and `winner` are names, or the level of a bot; `opening` is the first actions of the players, as in
        ``"6@K; 5@D"``; `result` is a seat that won alone, "shared" or "unfinished".
        """
        wanted: list[tuple[str, Any]] = []
        if game is not None:
            wanted.append(("game = ?", game))
        for name, more in ((player, ""), (winner, " AND won")):
            if name is not None:
                wanted.append((f"id IN (SELECT game FROM players WHERE name = ?{more})", name))
        if opening is not None:
            start = "".join(f"{tidy(move)};" for move in opening.split(";") if move.strip())
            wanted.append((f"substr(opening, 1, {len(start)}) = ?", start))
        if result is not None:
            wanted.append(("result LIKE ?", {SHARED: "%,%", UNFINISHED: "*"}.get(str(result), str(result))))
        where = " AND ".join(condition for condition, _ in wanted) or "1"
        asked = [value for _, value in wanted]
        rows = self._connection.execute(
            "SELECT id, game, options, date, result, scores, length, opening, "
            "(SELECT json_group_array(name) FROM (SELECT name FROM players WHERE game = games.id ORDER BY seat)) "
            f"FROM games WHERE {where} ORDER BY id DESC LIMIT ?",
            [*asked, -1 if limit is None else limit],
        )
        with closing(rows):
            for number, name, options, date, ended, scores, length, start, players in rows:
                names, chosen, points = json.loads(players), json.loads(options), json.loads(scores)
                yield Found(number, name, chosen, names, date, ended, points, length, start)

    def sheet(self, number: int) -> Scoresheet:
        """Return the game with that id."""
        rows = self._connection.execute("SELECT text FROM games WHERE id = ?", [number]).fetchall()
        if not rows:
            raise RecordError(f"There is no game number {quoted(number)} here.")
        return scoresheet.read(rows[0][0])


def _result(winner: int | list[int] | None) -> str:
    return "*" if winner is None else ",".join(map(str, winner)) if isinstance(winner, list) else str(winner)
