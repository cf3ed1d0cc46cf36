"""Hints and analysis: a strong bot evaluates a position for somebody at the table."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from archipel.bots.thought import Thought
from archipel.core.state import State

from .. import protocol
from ..log import replay
from ..log.action_names import ActionNames
from ..log.decisions import Refusal
from ..log.table import Table

if TYPE_CHECKING:  # a page has none of these, and neither has the build of its modules
    from .services import Services
    from .sockets import Socket

SHOWN = 10
"""How many actions a hint ranks."""
Question = protocol.AskHint | protocol.AskAnalysis


class Advice:
    """The questions of one table that wait for an answer."""

    def __init__(self, services: "Services", table: Table, fresh: Callable[["Socket", int], bool]) -> None:
        self._services = services
        self._table = table
        self._fresh = fresh
        """Marks a command's counter as used."""
        self._waiting: dict[tuple[str, int], Socket] = {}

    def ask(self, socket: "Socket", command: Question) -> None:
        """Answer a question when the bot has finished; a question that is sent again is answered once."""
        n, key, table = command.n, (socket.by, command.n), self._table
        if key in self._waiting:
            self._waiting[key] = socket
            return
        self._fresh(socket, n)
        try:
            state, moves, done = asked(table, socket.who, command)
        except Refusal as refusal:
            socket.tell(protocol.refused(n, refusal.rule, refusal.reason))
            return
        self._waiting[key] = socket

        def callback(thought: Thought | None) -> None:
            asker = self._waiting.pop(key)
            if thought is None:
                asker.tell(protocol.refused(n, "table.no-hint", "The bots are busy; try again later."))
            else:
                asker.tell(hint(table.action_names, n, moves, state, thought, done))

        self._services.bots.advise(table, socket.whose, state.view(state.mover), done, callback)


def asked(table: Table, who: str, command: Question) -> tuple[State, int, int | None]:
    """The state to evaluate, the number of actions before it, and the action that was played in it, if known."""
    if isinstance(command, protocol.AskAnalysis):
        return _past(table, command.game, command.moves)
    alone = all(table.chairs[seat].who == who for seat in table.owners())
    if not table.holds(who, table.mover):
        raise Refusal("table.not-your-turn", "It is not your turn.")
    if not (table.setup.hints or alone):
        raise Refusal("table.no-hints", "This table plays without hints.")
    return table.state, table.history.moves, None


def _past(table: Table, game: int | None, moves: int) -> tuple[State, int, int | None]:
    played = replay.played(table, game)
    state = replay.state_after(table, played, moves)
    if state.mover < 0:
        raise Refusal("table.nobody-to-move", "Nobody is to move in that position.")
    return state, moves, played.actions[moves] if moves < len(played.actions) else None


def hint(
    names: ActionNames, n: int, moves: int, state: State, thought: Thought, done: int | None = None
) -> protocol.Hint:
    """The message for an evaluation: its best actions, and the one that was played."""
    total = sum(opinion.visits for opinion in thought.ranking) or 1
    ranking = []
    for opinion in [*thought.ranking[:SHOWN], *(o for o in thought.ranking[SHOWN:] if o.action == done)]:
        known = names.of(state, opinion.action)
        ranking.append(protocol.Opinion(known.action, known.notation, opinion.visits / total, opinion.value))
    played = "" if done is None else names.of(state, done).notation
    return protocol.Hint(n, moves, state.mover, ranking, list(thought.line), played)
