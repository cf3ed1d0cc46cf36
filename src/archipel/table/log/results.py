"""The result of a game that ends, for each person who played it: what their history keeps."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from archipel.core.state import State

from ..protocol import Outcome, Winner
from . import events
from .table import Chair, Table


class Met(Struct, gc=False, frozen=True):
    """An opponent in one game: a bot's level, another person, or a name at the same screen."""

    other: int
    kind: str
    opponent: str
    name: str
    result: Outcome
    score: int


class Result(Struct, gc=False, frozen=True):
    """How one seat of a person ended one game; `main`: the first of that person's seats.

    `rated`: the game was played from the start and without hints, so that it says how strong somebody is.
    """

    who: str
    number: int
    seat: int
    at: int
    name: str
    result: Outcome
    how: str
    moves: int
    score: int
    main: bool
    rated: bool
    met: tuple[Met, ...]


def results(table: Table, entries: Sequence[events.Entry]) -> list[Result]:
    """The results that entries bring which come next in a table's log; none unless a game ends with them."""
    if not isinstance(entries[-1], events.Ended):
        return []
    state, moves = table.state, table.history.moves
    for entry in entries:
        if isinstance(entry, events.Acted | events.Happened):
            state = table.history.ahead(state, table.action_names.number(state, entry.action))
            moves += 1
    return list(_results(table, entries[-1], state, moves))


def all_results(table: Table) -> list[Result]:
    """The results of all games of a table that are over."""
    again, found = Table(table.setup), list[Result]()
    for entry in table.log:
        found += results(again, [entry])
        again.apply(entry)
    return found


def _results(table: Table, ended: events.Ended, state: State, moves: int) -> Iterator[Result]:
    winners = _winners(table.winner(ended, state))
    chairs, scores = table.chairs, state.scores
    first: set[str] = set()
    for seat, chair in enumerate(chairs):
        if not chair.who:
            continue
        yield Result(
            who=chair.who,
            number=table.game,
            seat=seat,
            at=ended.at,
            name=chair.name,
            result=_outcome(seat, winners, chairs),
            how=ended.how,
            moves=moves,
            score=scores[seat],
            main=chair.who not in first,
            rated=not (table.setup.hints or (table.setup.branch and table.game == 1)),
            met=tuple(
                _met(chair, other, chairs[other], seat, winners, scores[other])
                for other in range(len(chairs))
                if other != seat
            ),
        )
        first.add(chair.who)


def _winners(winner: Winner) -> list[int]:
    return winner if isinstance(winner, list) else [] if winner is None else [winner]


def _outcome(seat: int, winners: list[int], chairs: list[Chair]) -> Outcome:
    """A player who resigned or ran out of time has lost, even if a bot played on in their place."""
    if seat not in winners or chairs[seat].out:
        return "lost"
    return "won" if len(winners) == 1 else "tied"


def _met(chair: Chair, other: int, them: Chair, seat: int, winners: list[int], score: int) -> Met:
    if not them.who:
        kind, opponent, name = "bot", them.level, them.level
    elif them.who == chair.who:
        kind, opponent, name = "here", them.name, them.name
    else:
        kind, opponent, name = "person", them.who, them.name
    mine, theirs = seat in winners and not chair.out, other in winners and not them.out
    against: Outcome = "tied" if mine == theirs else "won" if mine else "lost"
    return Met(other, kind, opponent, name, against, score)
