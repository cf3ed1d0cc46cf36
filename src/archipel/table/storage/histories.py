"""Queries of the history: the finished games of a person, whom they met, and how it went."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from sqlalchemy import ColumnElement, Connection, Select, delete, exists, func, select, tuple_, update

from ..log.results import Met, Result
from .schema import met, played, tables
from .store import Store

Cursor = tuple[int, str, int]
"""Where a page ends: when the game ended, its table and its number there."""


class Wanted(Struct, gc=False, kw_only=True):
    """Which games of a history are asked for; "" asks for all."""

    game: str = ""
    result: str = ""
    name: str = ""
    """Under which of one's names, where several play at one screen."""
    kind: str = ""
    opponent: str = ""
    search: str = ""
    """Part of an opponent's name."""


class Game(Struct, gc=False):
    """A finished game in a history."""

    table: str
    game: str
    result: Result


class Against(Struct, gc=False):
    """How often a person, under one name, won, lost and tied against one opponent at one game."""

    game: str
    name: str
    kind: str
    opponent: str
    called: str
    won: int
    lost: int
    tied: int
    latest: int


class Lineup(Struct, gc=False):
    """Games against bots alone: how many were won, lost and tied against these levels."""

    game: str
    name: str
    levels: tuple[str, ...]
    won: int
    lost: int
    tied: int


class Histories:
    """The histories of all persons."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def page(self, who: str, wanted: Wanted, before: Cursor | None, most: int) -> list[Game]:
        """Finished games, the latest first, from a cursor on."""
        place = tuple_(played.c.at, played.c.table_id, played.c.number)
        asked = select(played).where(*_where(who, wanted))
        if before:
            asked = asked.where(place < before)
        asked = asked.order_by(played.c.at.desc(), played.c.table_id.desc(), played.c.number.desc()).limit(most)
        return await self._store.read(lambda connection: _games(connection, asked))

    async def count(self, who: str, wanted: Wanted) -> int:
        """How many finished games there are."""
        asked = select(func.count()).select_from(played).where(*_where(who, wanted))
        return await self._store.read(lambda connection: connection.scalar(asked) or 0)

    async def names(self, who: str) -> list[str]:
        """The names under which a person has played, the most usual first."""
        often = func.count()
        asked = select(played.c.name).where(played.c.who == who).group_by(played.c.name).order_by(often.desc())
        return await self._store.read(lambda connection: list(connection.scalars(asked)))

    async def against(self, who: str) -> list[Against]:
        """How it went against each opponent."""
        key = played.c.game, played.c.name, met.c.kind, met.c.opponent
        same = [met.c[column] == played.c[column] for column in ("who", "table_id", "number", "seat")]
        columns = [
            func.max(met.c.name),
            *(func.sum((met.c.result == result).cast(_INTEGER)) for result in ("won", "lost", "tied")),
            func.max(played.c.at),
        ]
        asked = select(*key, *columns).where(played.c.who == who, *same).group_by(*key)
        return await self._store.read(lambda connection: [Against(*row) for row in connection.execute(asked)])

    async def lineups(self, who: str) -> list[Lineup]:
        """How it went against bots where nobody else played, in games that are rated."""
        asked = (
            select(played.c.game, played.c.name, played.c.result, met.c.opponent, played.c.table_id, played.c.number)
            .join(met, (met.c.who == played.c.who) & (met.c.table_id == played.c.table_id) & _same_seat())
            .where(played.c.who == who, played.c.rated == 1, ~_with_people())
            .order_by(played.c.table_id, played.c.number, played.c.seat, met.c.opponent)
        )
        return await self._store.read(lambda connection: _lineups(connection, asked))

    async def forget(self, who: str) -> None:
        """Delete a person's whole history; the tables stay for the others."""

        def work(connection: Connection) -> None:
            connection.execute(delete(played).where(played.c.who == who))
            connection.execute(delete(met).where(met.c.who == who))

        await self._store.write(work)

    # Tables from before there was a history.

    async def unread(self, most: int) -> list[str]:
        """Tables whose finished games are not in the history yet."""
        asked = select(tables.c.id).where(tables.c.noted == 0).limit(most)
        return await self._store.read(lambda connection: list(connection.scalars(asked)))

    async def note(self, table: str, game: str, results: Sequence[Result]) -> None:
        """Keep the results of a table's games, and that they are kept."""

        def work(connection: Connection) -> None:
            if results:
                self._store.changes.note(connection, table, game, results)
            connection.execute(update(tables).where(tables.c.id == table).values(noted=1))

        await self._store.write(work)


_INTEGER = met.c.score.type


def _same_seat() -> ColumnElement[bool]:
    return (met.c.number == played.c.number) & (met.c.seat == played.c.seat)


def _opponents() -> Select[tuple[int]]:
    """The opponents of a game."""
    same = [met.c[column] == played.c[column] for column in ("who", "table_id", "number", "seat")]
    return select(met.c.seat).where(*same).correlate(played)


def _with_people() -> ColumnElement[bool]:
    return exists(_opponents().where(met.c.kind != "bot"))


def _where(who: str, wanted: Wanted) -> list[ColumnElement[bool]]:
    """The conditions for the games that are asked for: one row for each game."""
    chosen = [played.c.who == who]
    chosen.append(played.c.name == wanted.name if wanted.name else played.c.main == 1)
    if wanted.game:
        chosen.append(played.c.game == wanted.game)
    if wanted.result:
        chosen.append(played.c.result == wanted.result)
    if wanted.kind:
        chosen.append(exists(_opponents().where(met.c.kind == wanted.kind, met.c.opponent == wanted.opponent)))
    if wanted.search:
        called = func.lower(met.c.name).contains(wanted.search.lower(), autoescape=True)
        chosen.append(exists(_opponents().where(called)))
    return chosen


def _games(connection: Connection, asked: Select[Any]) -> list[Game]:
    rows = connection.execute(asked).all()
    keys = [(row.who, row.table_id, row.number, row.seat) for row in rows]
    columns = met.c.who, met.c.table_id, met.c.number, met.c.seat
    opponents: dict[tuple[object, ...], list[Met]] = {key: [] for key in keys}
    if keys:
        found = select(met).where(tuple_(*columns).in_(keys)).order_by(met.c.other)
        for row in connection.execute(found):
            one = Met(row.other, row.kind, row.opponent, row.name, row.result, row.score)
            opponents[row.who, row.table_id, row.number, row.seat].append(one)
    return [
        Game(
            row.table_id,
            row.game,
            Result(
                who=row.who,
                number=row.number,
                seat=row.seat,
                at=row.at,
                name=row.name,
                result=row.result,
                how=row.how,
                moves=row.moves,
                score=row.score,
                main=bool(row.main),
                rated=bool(row.rated),
                met=tuple(opponents[key]),
            ),
        )
        for row, key in zip(rows, keys, strict=True)
    ]


def _lineups(connection: Connection, asked: Select[Any]) -> list[Lineup]:
    games: dict[tuple[str, int, str], tuple[str, str, list[str]]] = {}
    for row in connection.execute(asked):
        known = games.setdefault((row.table_id, row.number, row.name), (row.game, row.result, []))
        known[2].append(row.opponent)
    counts = Counter((game, name, tuple(levels), result) for (_, _, name), (game, result, levels) in games.items())
    lineups = {key[:3] for key in counts}
    return [Lineup(*key, counts[*key, "won"], counts[*key, "lost"], counts[*key, "tied"]) for key in sorted(lineups)]
