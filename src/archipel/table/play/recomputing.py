"""Compute the bots' moves of a record again: was each what the bot plays on what its seat could see?

`claims` reads from a record what each bot was asked, as its seat's view says it; somebody answers the questions, here
or elsewhere; `judged` compares the answers with the record.
"""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from archipel.bots import levels
from archipel.bots.engine import engine
from archipel.core import registry
from archipel.core.errors import quoted, sentence
from archipel.core.record import Record
from archipel.core.slow_chance import NotFair
from archipel.core.state import State

from ..log import bot_moves, fairness
from ..log.shares import SERVER
from .thinking import Choice, Question

SAME, INSTEAD, OTHER_ENGINE, NOT_MADE_AGAIN, NOT_RECORDED = (
    "the same",
    "in place of an answer",
    "another engine",
    "not made again",
    "not recorded",
)


class Claim(Struct, gc=False):
    """A bot's move of a record: `question` is what the bot must have been asked; None if it cannot be asked again.

    `found` says what is known without an answer.
    """

    number: int
    bot: str
    action: int
    state: State
    engine: str = ""
    question: Question | None = None
    found: str = ""


class Recomputed(Struct, gc=False):
    """What came of the moves of one bot."""

    level: str
    version: int | None
    moves: int
    found: dict[str, int]
    """How many of the moves are the same, and how many could not be compared, by the reason."""

    @property
    def reason(self) -> str:
        """The result as a sentence."""
        if self.same == self.moves:
            said = "All {n} moves of {bot} are what it plays on what it could see."
            return sentence(said, n=self.moves, bot=self.title)
        said = "{n} of {all} moves of {bot} are what it plays on what it could see; the others could not be compared."
        return sentence(said, n=self.same, all=self.moves, bot=self.title)

    def json(self) -> dict[str, Any]:
        """The whole result, JSON-able."""
        return {
            "level": self.level,
            "version": self.version,
            "moves": self.moves,
            "found": self.found,
            "reason": str(self.reason),
        }

    @property
    def same(self) -> int:
        return self.found.get(SAME, 0)

    @property
    def title(self) -> str:
        """`Sailor 3` for version 3 of the sailor."""
        name = levels.title(self.level) if self.level in levels.NAMES else self.level
        return f"{name} {self.version}" if self.version else name


def claims(record: Record) -> list[Claim]:
    """The moves of bots in a record; NotFair if what it says of one cannot be."""
    lot = fairness.lot_of(record)
    said = _said(record)
    saw_more = _saw_more(record)
    found = []
    states = list(record.states())
    for before, (state, done) in enumerate(zip(states, record.actions, strict=False)):
        if state.mover < 0:
            continue
        action = state.encode(done)
        own, whose = said.pop(before + 1, None), _bot_of(record, lot, state.mover)
        if own is not None:
            if whose not in ("", own["level"]):
                raise NotFair(
                    sentence(
                        "Action {n} is said to be {other}’s, but {bot} played at that seat.",
                        n=before + 1,
                        other=own["level"],
                        bot=whose,
                    )
                )
            found.append(_claim(before, state, action, own, lot, saw_more))
        elif whose and before >= _taken_over(record):
            found.append(Claim(before + 1, whose, action, state, found=NOT_RECORDED))
    for number in said:
        raise NotFair(sentence("The record names a bot for action {n}, which no player chose.", n=number))
    return found


def judged(claims: Sequence[Claim], choices: Sequence[Choice | None]) -> list[Recomputed]:
    """What came of all moves, bot by bot; NotFair names the first that the bot would not have played."""
    told: dict[str, Recomputed] = {}
    for claim, choice in zip(claims, choices, strict=True):
        name, _, version = claim.bot.partition("@")
        of = told.setdefault(claim.bot, Recomputed(name, int(version) if version else None, 0, {}))
        word = claim.found or _compared(claim, choice[0] if choice else None)
        of.moves += 1
        of.found[word] = of.found.get(word, 0) + 1
    return list(told.values())


def _compared(claim: Claim, answer: int | None) -> str:
    if answer == claim.action:
        return SAME
    if answer is None or claim.engine != engine(claim.state.game.name):
        return OTHER_ENGINE
    should = claim.state.notation(answer)
    raise NotFair(
        sentence(
            "Action {n} is not what {bot} plays on what it could see: that is {should}.",
            n=claim.number,
            bot=claim.bot,
            should=should,
        )
    )


def _claim(before: int, state: State, action: int, said: dict[str, Any], lot: fairness.Lot, saw_more: bool) -> Claim:
    number, view, seed = before + 1, state.view(state.mover), lot.thought(before)
    version = said.get("version")
    bot = said["level"] if version is None else f"{said['level']}@{version}"
    claim = Claim(number, bot, action, state, said["engine"])
    if said["view"] != bot_moves.digest(view):
        if claim.engine == engine(state.game.name):
            raise NotFair(
                sentence("The bot that chose action {n} was shown something else than its seat could see.", n=number)
            )
        claim.found = OTHER_ENGINE
    elif said.get("failed"):
        if action != bot_moves.instead(state.actions(), seed):
            raise NotFair(
                sentence("Action {n} was played in place of a bot’s answer, but the seed gives another one.", n=number)
            )
        claim.found = INSTEAD
    elif saw_more or version not in levels.VERSIONS or said["level"] not in levels.NAMES:
        claim.found = NOT_MADE_AGAIN
    else:
        claim.question = Question(bot, view, seed)
    return claim


def _said(record: Record) -> dict[int, dict[str, Any]]:
    """What the record says of each bot's move, by the number of the action."""
    told = record.fair.get("bots", [])
    if not isinstance(told, list) or not all(_is_move(one) for one in told):
        raise NotFair(
            sentence("What the record says of its bots must be a list of moves, not {said}.", said=quoted(told))
        )
    found = {one["action"]: one for one in told}
    if len(found) < len(told):
        raise NotFair("The record names two bots for one action.")
    return found


def _is_move(one: Any) -> bool:
    texts = isinstance(one, dict) and all(isinstance(one.get(key), str) for key in ("level", "view", "engine"))
    return texts and type(one.get("action")) is int and type(one.get("version", 1)) is int


def _saw_more(record: Record) -> bool:
    """True if bots saw more than their views, as where chance outcomes are computed.

    A page knows no slow chance: there it may be so wherever the record says how chance acted.
    """
    slow = registry.slow_chance(record.game)
    return "dice" in record.fair if slow is None else slow.modes[slow.mode_of(record.fair)] == "computed"


def _taken_over(record: Record) -> int:
    branch = record.fair.get("branch")
    return int(branch["moves"]) if branch else 0


def _bot_of(record: Record, lot: fairness.Lot, seat: int) -> str:
    """The bot that had this seat from the start; empty for a person, and where the record cannot tell."""
    is_bot = seat < min(len(lot.seals), len(record.players)) and lot.seals[seat] == SERVER
    return str(record.players[seat]) if is_bot else ""


def recomputed(record: Record, think: Callable[[Question], Choice | None]) -> list[Recomputed]:
    """Ask every question of a record again, one after another."""
    due = claims(record)
    return judged(due, [think(claim.question) if claim.question else None for claim in due])
