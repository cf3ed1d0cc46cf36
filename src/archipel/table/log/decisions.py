"""Decide commands: return the log entries that a command leads to, or refuse it. Nothing changes before they are
stored."""

import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from msgspec import Raw, Struct, json

from archipel.core import registry
from archipel.core.errors import IllegalAction, InvalidAction, sentence
from archipel.core.rules import CHANCE, OVER
from archipel.core.slow_chance import Computed, InvalidExtra
from archipel.core.state import State

from .. import protocol
from . import bot_moves, events, shares
from .bot_moves import BotMove
from .fairness import TAKEN_OVER
from .table import Table

_encode = json.Encoder().encode
STAND_IN = "sailor"
"""The bot that plays on for a player who has left, is away or, with more than two players, has run out of time.

Its level cannot be chosen: an opponent would choose the weakest.
"""


class Refusal(Exception):
    """A refused command: the name of the rule, and one sentence for the player."""

    def __init__(self, rule: str, reason: str) -> None:
        super().__init__(reason)
        self.rule = rule
        self.reason = reason


class Caller(Struct, gc=False):
    """Who sends a command: the person behind the session, the client's key, and what the hub knows about them."""

    who: str
    name: str = ""
    by: str = ""
    may_sit: bool = False
    """The table is public, or they have shown a link for that seat."""
    has_looked: bool = False
    """They have watched a player's hand at this table."""


def decide(
    table: Table, caller: Caller, command: protocol.Command, now: int, away: frozenset[int]
) -> list[events.Entry]:
    """Return the entries that a command leads to; Refusal if it is not allowed. `away`: the seats that nobody has been
    at lately."""
    _open(table)
    made = _DECIDE[type(command)](table, caller, command, now, away)
    made[0].by, made[0].n = caller.by, command.n
    return made


def plain(text: str) -> str:
    """The text without control characters, direction marks and repeated spaces."""
    kept = "".join(" " if letter.isspace() else letter for letter in text)
    return " ".join("".join(letter for letter in kept if unicodedata.category(letter)[0] != "C").split())


def _require(condition: object, rule: str, reason: str) -> None:
    if not condition:
        raise Refusal(f"table.{rule}", reason)


def _open(table: Table) -> None:
    _require(not table.closed, "closed", "This table was closed.")


def _seat(table: Table, seat: int) -> None:
    _require(seat < table.seats, "no-such-seat", sentence("This table has {n} seats, numbered from 0.", n=table.seats))


def _own(table: Table, caller: Caller, seat: int) -> None:
    _seat(table, seat)
    _require(table.holds(caller.who, seat), "not-your-seat", "That seat is not yours.")


def _not_opening(table: Table) -> None:
    _require(not table.opening, "opening", "The game is about to begin: everybody’s shares are being opened.")


def _running(table: Table) -> None:
    _require(table.game, "not-begun", "The game has not begun: some seats are still open.")
    _require(not table.ending, "over", "The game is over.")


# Seats.


def _sit(table: Table, caller: Caller, command: protocol.Sit, now: int, _: Any) -> list[events.Entry]:
    _seat(table, command.seat)
    _not_opening(table)
    chair = table.chairs[command.seat]
    returns = chair.who == caller.who != "" and (chair.level or chair.left)
    if returns:
        _require(not chair.out, "out", "You have resigned this game, or your time ran out.")
    else:
        _require(chair.kind == "open" or chair.left, "seat-taken", "That seat is taken.")
        _require(caller.may_sit or caller.who == table.setup.host, "link-needed", "You need a link to that seat.")
    name = plain(command.name or "") or caller.name
    _require(caller.who and name, "name-needed", "Enter your name before you take a seat.")
    if chair.left and table.playing and not returns:
        return _asked_for(table, caller, command.seat, name, now)
    sat = events.Sat(at=now, seat=command.seat, who=caller.who, name=name, seed=command.seed, seal=command.seal)
    return _filled(table, sat, now)


def _asked_for(table: Table, caller: Caller, seat: int, name: str, now: int) -> list[events.Entry]:
    """Ask for a seat that was left in a running game: it has a hand, so the players decide who may have it."""
    seen = caller.who in table.held or caller.has_looked
    _require(not seen, "seen-a-hand", "You have seen a hand of this game, so you cannot take over a seat.")
    _require(caller.who not in table.turned_away, "turned-away", "The players have declined that.")
    _require(not table.candidate, "asked", "Somebody has asked already.")
    _require(table.persons(), "nobody-to-ask", "Nobody is left at this table who could agree.")
    return [events.AskedSeat(at=now, seat=seat, who=caller.who, name=name)]


def _admit(table: Table, caller: Caller, command: protocol.Admit, now: int, _: Any) -> list[events.Entry]:
    _running(table)
    candidate = table.candidate
    waiting = candidate.waiting if candidate else []
    mine = [seat for seat in waiting if table.holds(caller.who, seat)]
    if not candidate or not mine:
        raise Refusal("table.not-asked", "Nobody has asked you.")
    if not command.agree:
        return [events.AnsweredSeat(at=now, seat=mine[0], agree=False)]
    answers: list[events.Entry] = [events.AnsweredSeat(at=now, seat=seat, agree=True) for seat in mine]
    if len(mine) == len(waiting):
        answers.append(events.Sat(at=now, seat=candidate.seat, who=candidate.who, name=candidate.name))
    return answers


def comes_back(table: Table, who: str, now: int) -> list[events.Entry]:
    """Somebody is back: a bot that keeps their seat makes room, unless they left that seat on purpose."""
    minded = [seat for seat in table.seats_of(who) if table.chairs[seat].level and table.owns(who, seat)]
    kept = [seat for seat in minded if not table.chairs[seat].left] if table.playing else []
    return [events.Sat(at=now, seat=seat, who=who, name=table.chairs[seat].name) for seat in kept]


def _filled(table: Table, sat: events.Sat | events.BotSat, now: int) -> list[events.Entry]:
    """Somebody takes a seat; if it was the last open one, the game starts."""
    others = [chair for seat, chair in enumerate(table.chairs) if seat != sat.seat]
    if table.game or any(chair.kind == "open" for chair in others):
        return [sat]
    return [sat, *_begun(table, [sat], now)]


def _begun(table: Table, before: list[events.Entry], now: int) -> list[events.Entry]:
    """Start the next game, or, if a client sent the hash of a share, freeze the hashes so that shares can be opened."""
    ahead = table.ahead()
    for entry in before:
        ahead.apply(entry)
    if not ahead.start.ready:
        return []
    if ahead.start.seals:
        return [events.Frozen(at=now, game=ahead.game + 1, commit=ahead.next_lot.commit, seals=ahead.frozen_seals())]
    return _started(ahead, now)


def _started(ahead: Table, now: int) -> list[events.Entry]:
    """The next game begins: what was taken over from another comes first, then what chance does. `ahead` changes."""
    begun: list[events.Entry] = [events.Started(at=now, game=ahead.game + 1)]
    ahead.apply(begun[0])
    for entry in _taken_over(ahead, now):
        ahead.apply(entry)
        begun.append(entry)
    return [*begun, *followed(ahead, now)]


def _taken_over(table: Table, now: int) -> Iterator[events.Entry]:
    """What was done at another table up to where this one goes on, as if it had been done here."""
    for action in table.setup.taken_over if table.game == 1 else ():
        if table.state.mover == CHANCE:
            yield events.Happened(at=now, action=Raw(_encode(action)), draw=TAKEN_OVER)
        else:
            yield events.Acted(at=now, seat=table.state.mover, action=Raw(_encode(action)))


def _followed(table: Table, state: State, drawn: int, now: int) -> Iterator[events.Entry]:
    """The entries that follow a state before a seat may act: chance outcomes, unless they are slow, and the end."""
    while state.mover == CHANCE and table.slow_chance is None:
        drawn += 1
        action = table.lot.draw(state, drawn)
        yield events.Happened(at=now, action=table.action_names.of(state, action).action, draw=drawn)
        state = table.history.ahead(state, action)
    if state.mover == OVER:
        yield events.Ended(at=now, how="rules")


def followed(table: Table, now: int) -> Iterator[events.Entry]:
    """The entries that follow from the table's current state before a seat may act."""
    return _followed(table, table.state, table.history.drawn, now)


# The start: hashes of shares are frozen, then shares are opened.


def _seal(table: Table, caller: Caller, command: protocol.Seal, now: int, _: Any) -> list[events.Entry]:
    _own(table, caller, command.seat)
    _require(not table.playing, "begun", "The game has begun: its draws are settled.")
    agreed = not table.game or command.seat in table.again
    _require(agreed, "not-agreed", "Agree to another game first.")
    sealed = events.Sealed(at=now, seat=command.seat, seal=command.seal)
    if table.opening:
        coming = _coming(table, command.seat)
        _require(coming in table.start.closed, "opened", "Your share is open already, and cannot be changed.")
        return [*_interrupted(table, command.seat, "lost", now), sealed]
    if any(chair.kind == "open" for chair in table.chairs) or not set(table.persons()) <= _willing(table):
        return [sealed]
    return [sealed, *_begun(table, [sealed], now)]


def _willing(table: Table) -> set[int]:
    """The seats whose persons want to play the next game."""
    return set(table.again) if table.game else set(table.persons())


def _open_share(table: Table, caller: Caller, command: protocol.Open, now: int, _: Any) -> list[events.Entry]:
    _seat(table, command.seat)
    _require(table.opening, "not-opening", "No shares are being opened now.")
    mine = table.holds(caller.who, table.chair_of(command.seat))
    _require(mine, "not-your-seat", "That seat is not yours.")
    start = table.start
    _require(command.seat not in start.opened, "opened", "Your share is open already, and cannot be changed.")
    _require(command.seat in start.closed, "no-seal", "No hash of a share was sent for that seat.")
    fits = shares.seal_of(command.share) == start.frozen[command.seat]
    _require(fits, "other-share", "That share does not fit the hash that was sent before.")
    opened = events.Opened(at=now, seat=command.seat, share=command.share)
    if start.closed != [command.seat]:
        return [opened]
    ahead = table.ahead()
    ahead.apply(opened)
    return [opened, *_started(ahead, now)]


def _coming(table: Table, seat: int) -> int:
    """The seat that the player at this seat will have in the next game."""
    return next(coming for coming in range(table.seats) if table.chair_of(coming) == seat)


def _interrupted(table: Table, seat: int, how: shares.Why, now: int) -> list[events.Entry]:
    """A start is void if somebody goes, or is sent away, while shares are being opened."""
    seats = [_coming(table, seat)]
    return [events.Voided(at=now, game=table.game + 1, seats=seats, how=how)] if table.opening else []


def late(table: Table, seats: list[int], now: int) -> list[events.Entry]:
    """What comes of shares that were not opened in time, of these seats of the next game; nothing if all are open."""
    closed = [seat for seat in seats if table.opening and seat in table.start.closed]
    return [events.Voided(at=now, game=table.game + 1, seats=closed, how="late")] if closed else []


def _rise(table: Table, caller: Caller, command: protocol.Rise, now: int, _: Any) -> list[events.Entry]:
    _own(table, caller, command.seat)
    _require(not table.chairs[command.seat].left, "left", "You have left that seat already.")
    return [*_interrupted(table, command.seat, "left", now), events.Rose(at=now, seat=command.seat)]


def _seat_bot(
    table: Table, caller: Caller, command: protocol.SeatBot, now: int, away: frozenset[int]
) -> list[events.Entry]:
    _seat(table, command.seat)
    chair = table.chairs[command.seat]
    level = STAND_IN if table.playing else command.level
    sat = events.BotSat(at=now, seat=command.seat, level=level)
    if not table.game:
        _not_opening(table)
        _require(caller.who == table.setup.host, "host-only", "Only the host seats bots.")
        _require(chair.kind != "person", "seat-taken", "That seat is taken.")
        return _filled(table, sat, now)
    here = [seat for seat in table.seats_of(caller.who) if table.holds(caller.who, seat)]
    _require(here, "players-only", "Only those who play may give a seat to a bot.")
    _require(chair.kind == "person" and command.seat not in here, "seat-taken", "That seat is not free for a bot.")
    _require(chair.left or command.seat in away, "still-here", "The player at that seat has not left.")
    days = isinstance(table.setup.clock, protocol.DaysClock)
    _require(
        chair.left or not days,
        "days",
        "This game allows days for every move: the player at that seat need not be here.",
    )
    return [*_interrupted(table, command.seat, "left", now), sat]


# The game.


def _act(table: Table, caller: Caller, command: protocol.Act, now: int, _: Any) -> list[events.Entry]:
    _running(table)
    _require(table.awaits(caller.who), "not-your-turn", "It is not your turn.")
    _require(table.position <= command.at <= table.version, "stale", "The position has changed: look again.")
    if command.extra is not None or table.slow_chance:
        return _played_slowly(table, command.action, command.extra, now)
    return _played(table, _meant(table, command.action), now)


def _meant(table: Table, action: dict[str, Any] | str) -> int:
    state = table.state
    with _understanding(state):
        if isinstance(action, str):
            return state.parse(action)
        return table.action_names.number(state, Raw(_encode(action)))


@contextmanager
def _understanding(state: State) -> Iterator[None]:
    """Turn errors about an action into refusals."""
    try:
        yield
    except InvalidExtra as error:
        raise Refusal(error.rule, error.args[0]) from None
    except InvalidAction as error:
        raise Refusal(f"{state.game.name}.actions", error.args[0]) from None
    except RecursionError:
        raise Refusal(f"{state.game.name}.actions", "That is no action.") from None


def _played(
    table: Table, action: int, now: int, extra: bytes | None = None, by: BotMove | None = None
) -> list[events.Entry]:
    state = table.state
    try:
        after = table.history.ahead(state, action)
    except IllegalAction as error:
        raise Refusal(error.rule, error.reason) from None
    plain = table.action_names.of(state, action).action
    played: events.Entry
    if state.mover == CHANCE:
        played = events.Happened(at=now, action=plain, draw=0)
    else:
        played = _acted(state.mover, plain, extra, by, now)
    return [played, *_followed(table, after, table.history.drawn, now)]


def _acted(seat: int, words: Raw, extra: bytes | None, by: BotMove | None, now: int) -> events.Acted:
    acted = events.Acted(at=now, seat=seat, action=words, extra=Raw(extra) if extra else events.NOTHING)
    if by is not None:
        acted.bot, acted.view, acted.engine, acted.failed = by.bot, by.view, by.engine, by.failed
    return acted


def _played_slowly(
    table: Table,
    action: dict[str, Any] | str,
    extra: dict[str, Any] | None,
    now: int,
    by: BotMove | None = None,
) -> list[events.Entry]:
    """An action where chance is slow: its extra data is logged with it, and the outcome is drawn later."""
    chance, last = table.slow_chance or registry.slow_chance(table.setup.game), table.last_detail
    if chance is None:
        raise Refusal("table.extra", "Nothing but the action itself is taken here.")
    if extra is None:
        number = _meant(table, action)
        usual = chance.usual(table.state, number, last) if table.mover != CHANCE else None
        return _played(table, number, now, usual, by)
    with _understanding(table.state):
        number, kept = chance.accept(table.state, action, extra, last)
    return _played(table, number, now, kept, by)


def bot_acts(
    table: Table, position: int, action: int | None, now: int, extra: dict[str, Any] | None = None
) -> list[events.Entry]:
    """The entries for a bot's choice in the position of that version; none if the game has moved on.

    If the choice is no legal action, or None, any is played.
    """
    level = table.bot_to_move()
    if table.position != position or not level:
        return []
    state, legal = table.state, table.state.actions()
    failed = action is None or action not in legal
    chosen = bot_moves.instead(legal, table.lot.thought(table.history.moves)) if action is None or failed else action
    by = bot_moves.made(level, state.view(state.mover), failed)
    if table.slow_chance is None:
        return _played(table, chosen, now, None, by)
    plain = state.decode(chosen)
    with suppress(Refusal):
        return _played_slowly(table, plain, None if failed else extra, now, by)
    return _played_slowly(table, plain, None, now, by)


def outcome_computed(table: Table, position: int, outcome: Computed, now: int) -> list[events.Entry]:
    """The entries for an outcome computed for the position of that version; none if the game has moved on."""
    if table.position != position or not table.computing:
        return []
    state, draw = table.state, table.history.drawn + 1
    action = state.encode(outcome.action)
    plain = table.action_names.of(state, action).action
    happened = events.Happened(at=now, action=plain, draw=draw, detail=Raw(outcome.detail))
    return [happened, *_followed(table, table.history.ahead(state, action), draw, now)]


def _undo(table: Table, caller: Caller, command: protocol.Undo, now: int, _: Any) -> list[events.Entry]:
    _running(table)
    history = table.history
    mine = [seat for seat in table.seats_of(caller.who) if table.holds(caller.who, seat) and table.may_undo(seat)]
    last = history.movers[-1] if history.moves else OVER
    _require(mine or table.holds(caller.who, last), "not-yours", "The last action was not yours.")
    _require(
        mine, "known", "You cannot undo that: new information was revealed, or somebody has acted. Request a takeback."
    )
    return [events.WentBack(at=now, seat=mine[0], moves=history.moves - 1)]


def _ask_back(table: Table, caller: Caller, command: protocol.AskBack, now: int, _: Any) -> list[events.Entry]:
    _running(table)
    _require(not table.request, "asked", "Somebody has asked already.")
    seats = [seat for seat in table.seats_of(caller.who) if table.holds(caller.who, seat)]
    moves = table.history.last_of(seats)
    if moves is None:
        raise Refusal("table.nothing-done", "You have not acted yet.")
    seat = table.history.movers[moves]
    if all(table.chairs[other].who == caller.who for other in table.owners()):
        return [events.WentBack(at=now, seat=seat, moves=moves, agreed=True)]
    return [events.AskedBack(at=now, seat=seat, moves=moves)]


def _answer(table: Table, caller: Caller, command: protocol.Answer, now: int, _: Any) -> list[events.Entry]:
    _running(table)
    request = table.request
    waiting = request.waiting if request else []
    mine = [seat for seat in waiting if table.owns(caller.who, seat)]
    if not request or not mine:
        raise Refusal("table.not-asked", "Nobody has asked you.")
    if not command.agree:
        return [events.Answered(at=now, seat=mine[0], agree=False)]
    answers: list[events.Entry] = [events.Answered(at=now, seat=seat, agree=True) for seat in mine]
    if len(mine) == len(waiting):
        answers.append(events.WentBack(at=now, seat=request.seat, moves=request.moves, agreed=True))
    return answers


def _resign(table: Table, caller: Caller, command: protocol.Resign, now: int, _: Any) -> list[events.Entry]:
    _running(table)
    _own(table, caller, command.seat)
    return _given_up(table, command.seat, "resigned", now)


def _given_up(table: Table, seat: int, how: Any, now: int) -> list[events.Entry]:
    if table.seats == 2:
        return [events.Ended(at=now, how=how, seat=seat)]
    return [events.BotSat(at=now, seat=seat, level=STAND_IN, out=True)]


def time_is_up(table: Table, now: int) -> list[events.Entry]:
    """The entries when a player's time is up; none while there is time left."""
    deadline, seat = table.deadline, table.timer.running
    if deadline is None or seat is None or now < deadline:
        return []
    return _given_up(table, seat, "time", now)


def _rematch(table: Table, caller: Caller, command: protocol.Rematch, now: int, _: Any) -> list[events.Entry]:
    _require(table.ending, "not-over", "The game is not over.")
    mine = [seat for seat in table.seats_of(caller.who) if table.holds(caller.who, seat)]
    _require(mine, "players-only", "Only the players can ask for a rematch.")
    _require(all(not chair.left for chair in table.chairs if chair.kind == "person"), "left", "Somebody has left.")
    _not_opening(table)
    seals = dict(zip(mine, command.seals, strict=False)) if command.agree else {}
    seed = command.seed if command.agree else ""
    agreed: list[events.Entry] = [
        events.Agreed(at=now, seat=seat, agree=command.agree, seed=seed, seal=seals.get(seat, "")) for seat in mine
    ]
    if command.agree and set(table.persons()) <= {*table.again, *mine}:
        return [*agreed, *_begun(table, agreed, now)]
    return agreed


def remark(table: Table, caller: Caller, command: protocol.Chat) -> tuple[str, str, int | None]:
    """Return a chat message: the name, the text, and the seat if it is a player."""
    text = plain(command.text)
    _require(text, "nothing-said", "The message is empty.")
    _require(caller.name, "name-needed", "Enter your name before you chat.")
    _require(caller.who not in table.muted, "muted", "The host has muted you.")
    seats = table.seats_of(caller.who)
    name = table.chairs[seats[0]].name if seats else caller.name
    return name, text, seats[0] if seats else None


# Moderation.


def _host(table: Table, caller: Caller) -> None:
    _require(caller.who == table.setup.host != "", "host-only", "Only the host may do that.")


def _unseat(table: Table, caller: Caller, command: protocol.Unseat, now: int, _: Any) -> list[events.Entry]:
    _host(table, caller)
    _seat(table, command.seat)
    chair = table.chairs[command.seat]
    _require(not table.game, "begun", "The game has begun: nobody can be removed from a seat.")
    _require(chair.kind != "open", "seat-open", "Nobody sits there.")
    void = _interrupted(table, command.seat, "removed", now)
    if chair.who in ("", caller.who):
        return [*void, events.Rose(at=now, seat=command.seat)]
    return [*void, events.Removed(at=now, who=chair.who, name=chair.name, seat=command.seat)]


def _close(table: Table, caller: Caller, command: protocol.Close, now: int, _: Any) -> list[events.Entry]:
    _host(table, caller)
    return [events.Closed(at=now)]


def closed(table: Table, now: int) -> list[events.Entry]:
    """The operator closes a table; no entries if it is closed already."""
    return [] if table.closed else [events.Closed(at=now)]


def moderate(
    table: Table, caller: Caller, command: protocol.Remove | protocol.Mute, about: tuple[str, str] | None, now: int
) -> list[events.Entry]:
    """The host's decision about a spectator: returns the person and their name; None if nobody with that id is here."""
    _open(table)
    _host(table, caller)
    if about is None or about[0] == caller.who or table.seats_of(about[0]):
        raise Refusal("table.no-such-spectator", "There is no such spectator.")
    who, name = about
    entry: events.Entry
    if isinstance(command, protocol.Mute):
        entry = events.Muted(at=now, who=who, name=name, muted=command.muted)
    else:
        entry = events.Removed(at=now, who=who, name=name)
    entry.by, entry.n = caller.by, command.n
    return [entry]


_DECIDE: dict[type, Callable[..., list[events.Entry]]] = {
    protocol.Sit: _sit,
    protocol.Rise: _rise,
    protocol.SeatBot: _seat_bot,
    protocol.Act: _act,
    protocol.Undo: _undo,
    protocol.AskBack: _ask_back,
    protocol.Answer: _answer,
    protocol.Resign: _resign,
    protocol.Rematch: _rematch,
    protocol.Admit: _admit,
    protocol.Unseat: _unseat,
    protocol.Close: _close,
    protocol.Seal: _seal,
    protocol.Open: _open_share,
}


def furnished(table: Table, wanted: protocol.NewTable, caller: Caller, now: int) -> list[events.Entry]:
    """The first entries of a new table: who sits where from the start. Refusal if that is not possible."""
    _require(
        len(wanted.chairs) == table.seats,
        "seats",
        sentence(
            "{game} has {n} seats with these options, not {given}.",
            game=table.action_names.game.title,
            n=table.seats,
            given=len(wanted.chairs),
        ),
    )
    made: list[events.Entry] = []
    for seat, chair in enumerate(wanted.chairs):
        made += _furnish(seat, chair, wanted.seed, caller, now)
    if len(made) == table.seats:
        made += _begun(table, made, now)
    return made


def branch_begun(table: Table, seated: list[events.Entry], now: int) -> list[events.Entry]:
    """The first entries of a table that goes on from a position of another."""
    return [*seated, *_begun(table, seated, now)]


def _furnish(seat: int, chair: protocol.NewChair, seed: str, caller: Caller, now: int) -> list[events.Entry]:
    if chair.kind == "open":
        return []
    if chair.kind == "bot":
        _require(chair.level, "level", "Choose a level for the bot.")
        return [events.BotSat(at=now, seat=seat, level=chair.level or "")]
    name = plain(chair.name or "") or caller.name
    _require(name, "name-needed", "Enter the name of the player at that seat.")
    seed = seed if chair.kind == "me" else ""
    return [events.Sat(at=now, seat=seat, who=caller.who, name=name, seed=seed, seal=chair.seal)]
