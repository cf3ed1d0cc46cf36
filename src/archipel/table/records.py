"""Records of games played at a table: what may be taken away, shown to others and checked."""

from collections.abc import Iterator

from archipel.core.record import Record, result

from . import log
from .course import Course
from .table import Table


def record(table: Table, game: int | None = None) -> Record:
    """The record of a table's game, the last one if none is named; ValueError while it is being played."""
    wanted = table.game if game is None else game
    for played in games(table):
        if played.fair["game"] == wanted:
            return played
    raise ValueError("A record is given out when its game is over.")


def games(table: Table) -> Iterator[Record]:
    """The records of all games that are over."""
    again = Table(table.setup)
    for entry in table.log:
        again.apply(entry)
        if isinstance(entry, log.Ended):
            yield _record(again)


def _record(table: Table) -> Record:
    course, lot = table.course, table.lot
    return Record(
        game=table.setup.game,
        options=table.setup.options,
        actions=_actions(course),
        players=[chair.name if chair.kind == "person" else chair.level for chair in table.chairs],
        result=result(course.state),
        fair=lot.shown() | {"draws": [draw for draw in course.draws if draw]} | _told(table),
    )


def _told(table: Table) -> dict[str, object]:
    """What else the record tells of the table: which of its games it was, its rules, and an end that no rule knows."""
    told: dict[str, object] = {"table": table.setup.id, "game": table.game, "rules": table.setup.rules}
    if table.ending and table.ending.how != "rules":
        told["ended"] = {"by": table.ending.how, "seat": table.ending.seat}
    return told


def _actions(course: Course) -> list[dict[str, object]]:
    state, actions = course.words.game.new(), []
    for action in course.actions:
        actions.append(state.decode(action))
        state = state.after(action)
    return actions
