"""A person's history: finished games page by page, head-to-head, ratings against the levels, all records."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import suppress

import msgspec

from .. import protocol, tokens
from ..log import records
from ..log.decisions import Refusal
from ..log.results import Met, Result, all_results
from ..log.table import Table
from ..play.hub import Hub
from ..storage import Histories, Kept, histories
from .sessions import Person

PAGE = 50
BATCH = 200
"""How many games are read at once when all are asked for."""
_encode = msgspec.json.Encoder().encode


def opponent_id(who: str, kind: str, opponent: str) -> str:
    """What stands for an opponent in a person's own history: it tells nobody else anything."""
    return opponent if kind == "bot" else tokens.digest(f"{who} met {kind} {opponent}")[:16]


async def page(kept: Histories, person: Person, asked: dict[str, str], before: str) -> protocol.History:
    """Finished games, the latest first."""
    wanted = await _wanted(kept, person, asked)
    if wanted is None:
        return protocol.History([], 0)
    cursor = _cursor(before) if before else None
    found = await kept.page(person.who, wanted, cursor, PAGE + 1)
    shown = [_finished(game) for game in found[:PAGE]]
    more = f"{shown[-1].at}.{shown[-1].number}.{shown[-1].table}" if len(found) > PAGE else ""
    total = await kept.count(person.who, wanted)
    return protocol.History(shown, total, more, bool(await kept.unread(1)))


async def _wanted(kept: Histories, person: Person, asked: dict[str, str]) -> histories.Wanted | None:
    """What is asked for; None if there can be no such game."""
    wanted = histories.Wanted(**{name: asked[name] for name in ("game", "result", "name", "search") if name in asked})
    if chosen := asked.get("opponent"):
        known = {(a.kind, a.opponent) for a in await kept.against(person.who)}
        found = [key for key in known if opponent_id(person.who, *key) == chosen]
        if not found:
            return None
        wanted.kind, wanted.opponent = found[0]
    return wanted


def _cursor(before: str) -> histories.Cursor:
    at, _, rest = before.partition(".")
    number, _, table = rest.partition(".")
    if not (_is_number(at) and _is_number(number) and len(table) <= 16):
        raise Refusal("table.not-understood", "There is no such page of your history.")
    return int(at), table, int(number)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 16


def _finished(game: histories.Game) -> protocol.Finished:
    result = game.result
    how: protocol.Ways = result.how  # type: ignore[assignment]
    return protocol.Finished(
        table=game.table,
        number=result.number,
        game=game.game,
        at=result.at,
        seat=result.seat,
        name=result.name,
        result=result.result,
        how=how,
        moves=result.moves,
        score=result.score,
        opponents=[_opponent(result.who, met) for met in result.met],
    )


def _opponent(who: str, met: Met) -> protocol.Opponent:
    kind: protocol.OpponentKind = met.kind  # type: ignore[assignment]
    return protocol.Opponent(met.other, kind, met.name, opponent_id(who, met.kind, met.opponent), met.score)


async def figures(kept: Histories, person: Person) -> protocol.Figures:
    """How somebody did against whom, and how strong that makes them."""
    against = sorted(await kept.against(person.who), key=lambda one: -(one.won + one.lost + one.tied))
    shown = [
        protocol.Against(
            game=one.game,
            name=one.name,
            kind=one.kind,  # type: ignore[arg-type]
            opponent=one.called,
            id=opponent_id(person.who, one.kind, one.opponent),
            won=one.won,
            lost=one.lost,
            tied=one.tied,
            latest=one.latest,
        )
        for one in against
    ]
    return protocol.Figures(await kept.names(person.who), shown, _rated(await kept.lineups(person.who)))


def _rated(lineups: Iterable[histories.Lineup]) -> list[protocol.Rated]:
    from archipel.arena import ladder

    games: dict[tuple[str, str], list[ladder.Played]] = {}
    for one in lineups:
        games.setdefault((one.game, one.name), []).append(ladder.Played(one.levels, one.won, one.lost, one.tied))
    standings = {key: ladder.standing(key[0], played) for key, played in games.items()}
    return [
        protocol.Rated(
            game=game,
            name=name,
            games=found.games,
            elo=round(found.elo),
            low=round(found.low),
            high=round(found.high),
            next=found.next,
            levels={level: round(elo) for level, elo in ladder.elo_of(game).items()},
        )
        for (game, name), found in standings.items()
        if found
    ]


async def all_records(hub: Hub, kept: Histories, person: Person) -> AsyncIterator[bytes]:
    """The records of all finished games of a person, a line of JSON each; a game of other rules is left out."""
    wanted, before = histories.Wanted(), None
    while found := await kept.page(person.who, wanted, before, BATCH):
        for game in found:
            log = await hub.store.load(game.table)
            if log:
                with suppress(ValueError):
                    yield await asyncio.to_thread(_line, log, game.result.number)
        last = found[-1]
        before = last.result.at, last.table, last.result.number


def _line(log: Kept, number: int) -> bytes:
    return _encode(records.record(Table(log.setup, log.entries), number).json()) + b"\n"


async def forget(kept: Histories, person: Person) -> None:
    """Delete somebody's history; Refusal while games from before are still being read into it."""
    if await kept.unread(1):
        raise Refusal("table.reading", "Your older games are still being read; try again in a few minutes.")
    await kept.forget(person.who)


async def read_old(hub: Hub, kept: Histories, most: int) -> bool:
    """Read the finished games of some tables from before there was a history into it; is anything left?"""
    unread = await kept.unread(most)
    for table in unread:
        log, found = await hub.store.load(table), list[Result]()
        with suppress(ValueError):  # one played by other rules
            found = await asyncio.to_thread(_read, log) if log else []
        await kept.note(table, log.setup.game if log else "", found)
    return len(unread) == most


def _read(log: Kept) -> list[Result]:
    return all_results(Table(log.setup, log.entries))
