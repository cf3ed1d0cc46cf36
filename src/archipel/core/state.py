"""A position in a game: immutable, stored in a few hundred bytes."""

import operator
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from . import rules
from .errors import IllegalAction, quoted, sentence
from .plain import Plain
from .rules import CHANCE, REFUSED, TOO_MANY, Raw, Record

if TYPE_CHECKING:
    from .game import Game

_LARGEST = 1 << 53


def seed(rng: np.random.Generator) -> int:
    """Draw the seed of a kernel's random generator from a NumPy generator."""
    return int(rng.random() * _LARGEST)


class State:
    """One position. `mover` is the seat to act, CHANCE or OVER."""

    __slots__ = ("_plain", "_raw", "game", "mover")

    def __init__(self, game: "Game", raw: Raw, mover: int) -> None:
        self.game = game
        self._raw = raw
        self._plain: Plain = None
        self.mover = mover

    @property
    def record(self) -> Record:
        """A copy of the flat record that the rules use."""
        return self._raw.copy().view(self.game.fields)[0]

    @property
    def plain(self) -> Plain:
        """The record as a named tuple of Python numbers, read once."""
        if self._plain is None:
            self._plain = self.game.read(self._raw)
        return self._plain

    def actions(self) -> list[int]:
        """The legal actions of the mover, or the possible outcomes at chance, ascending."""
        out = np.empty(self.game.rules.outcomes, np.int64)
        n = rules.actions(self.game.facts, self._raw, out)
        if n == TOO_MANY:
            raise NotImplementedError("Too many outcomes to list: sample one.")
        return out[:n].tolist()  # type: ignore[no-any-return]

    def chances(self) -> list[tuple[int, float]]:
        """The possible outcomes of chance, each with its probability."""
        if self.mover != CHANCE:
            raise ValueError("It is not chance's turn.")
        out = np.empty(self.game.rules.outcomes, np.int64)
        n = rules.chances(self.game.facts, self._raw, out)
        if n == TOO_MANY:
            raise NotImplementedError("Too many outcomes to list: sample one.")
        weights = out[:n].tolist()
        total = sum(weights)
        return [(outcome, weight / total) for outcome, weight in enumerate(weights) if weight]

    def sample(self, rng: np.random.Generator) -> int:
        """Draw an outcome of chance by its probability."""
        if self.mover != CHANCE:
            raise ValueError("It is not chance's turn.")
        return rules.sample(self.game.facts, self._raw, seed(rng))

    def after(self, action: SupportsIndex) -> "State":
        """Return the position after the action; IllegalAction if the rules do not allow it."""
        action = self._whole(action)
        if not -1 < action < _LARGEST:
            raise self.game.refusal(self, action)
        raw = self._raw.copy()
        mover = rules.step(self.game.facts, raw, action)
        if mover == REFUSED:
            raise self.game.refusal(self, action)
        return State(self.game, raw, mover)

    def is_legal(self, action: int) -> bool:
        """True if `after` accepts this action."""
        try:
            action = self._whole(action)
        except IllegalAction:
            return False
        return -1 < action < _LARGEST and rules.step(self.game.facts, self._raw.copy(), action) != REFUSED

    def _whole(self, action: SupportsIndex) -> int:
        try:
            return operator.index(action)
        except TypeError:
            reason = sentence("An action is a whole number, not {action}.", action=quoted(action))
            raise IllegalAction(reason, f"{self.game.name}.actions") from None

    def encode(self, action: Any) -> int:
        """Return the number of a JSON action; InvalidAction if there is no such action."""
        return self.game.vocabulary(self).encode(action)

    def decode(self, action: int) -> dict[str, Any]:
        """Return the JSON of an action."""
        return self.game.vocabulary(self).decode(self._known(action))

    def notation(self, action: int) -> str:
        """The action in notation, as players read and type it."""
        return self.game.vocabulary(self).notation(self._known(action))

    def notation_for(self, action: int, seat: int | None) -> str:
        """The action in notation as that seat sees it, with `?` for what is hidden from it."""
        text, json = self.notation(action), self.decode(action)
        for key in self.game.unseen(self, action, seat):
            if json.get(key) is True:  # a flag appears in the notation by its name
                text = text.replace(f" {key}", "", 1)
            elif key in json:
                text = text.replace(str(json[key]), "?", 1)
        return text

    def parse(self, text: str) -> int:
        """Return the number of an action in notation; InvalidAction if there is no such action."""
        return self.game.vocabulary(self).parse(text, self.is_legal)

    def _known(self, action: int) -> int:
        action = self._whole(action)
        if not 0 <= action < len(self.game.vocabulary(self)):
            reason = sentence("There is no action number {number} here.", number=quoted(action))
            raise IllegalAction(reason, f"{self.game.name}.actions")
        return action

    @property
    def scores(self) -> list[int]:
        """The scores as players see them, by seat."""
        return self.game.scores(self.plain)

    @property
    def winner(self) -> int | list[int] | None:
        """None while the game runs, then the winner's seat, or a list of the seats that share the win."""
        return self.game.winner(self.plain)

    def returns(self) -> list[float]:
        """The value of the game for each seat, summing to 0; zeros while it runs."""
        winners = self.plain.winners
        return [rules.value(winners, self.game.seats, seat) for seat in range(self.game.seats)]

    def judge(self, games: int, rng: np.random.Generator) -> tuple[list[float], int]:
        """Play `games` random games from here; return the sum of the returns by seat, and the number of actions
        played."""
        worth = np.zeros(self.game.seats)
        steps = rules.judge(self.game.facts, self._raw, games, seed(rng), worth)
        return worth.tolist(), steps

    def snapshot(self) -> dict[str, Any]:
        """Everything about the state, JSON-able; `game.restore` reads it."""
        return self.game.snapshot(self)

    def view(self, seat: int | None) -> dict[str, Any]:
        """What that seat may know and nothing else, JSON-able; None is a spectator."""
        if seat is None:
            return self.game.view(self, None)
        if isinstance(seat, bool | float) or seat not in range(self.game.seats):
            raise ValueError(f"{self.game.name} has seats 0 to {self.game.seats - 1}, not {quoted(seat)}.")
        return self.game.view(self, int(seat))

    def imagine(self, seat: int | None, rng: np.random.Generator) -> "State":
        """Sample a state that is consistent with everything the seat knows."""
        return self.game.imagine(self.view(seat), rng)

    def redealt(self, seat: int | None, rng: np.random.Generator) -> "State":
        """Sample like `imagine` and with the same distribution, hundreds of times faster because the state is at
        hand."""
        raw = self._raw.copy()
        rules.deal_anew(self.game.facts, raw, -1 if seat is None else seat, seed(rng))
        return State(self.game, raw, self.mover)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.game == other.game and self._raw.tobytes() == other._raw.tobytes()

    def __hash__(self) -> int:
        return hash(self._raw.tobytes())

    def __reduce__(self) -> tuple[Any, ...]:
        return _revive, (self.game, self._raw.tobytes(), self.mover)

    def __str__(self) -> str:
        return self.game.text(self.snapshot())

    def __repr__(self) -> str:
        return f"{self.game!r}.restore({self.snapshot()!r})"

    def _repr_svg_(self) -> str:
        return self.game.svg(self.snapshot())


def _revive(game: "Game", raw: bytes, mover: int) -> State:
    return State(game, np.frombuffer(bytearray(raw), np.uint8), mover)
