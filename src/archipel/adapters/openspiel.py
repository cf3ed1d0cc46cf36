"""Archipel's games in OpenSpiel: import this module, then `pyspiel.load_game("archipel_kahuna")`.

Chance is explicit. Where it has too many outcomes to list (Krakatoa's dice), a random number is drawn in `STEPS` rolls
of a die with `SIDES` equally likely sides, and the outcome is sampled with that number. So every chance node is small,
and a history still determines everything that happened.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any, ClassVar
from urllib.parse import quote, unquote

import msgspec
import numpy as np
from numpy.typing import NDArray

import archipel
from archipel.core import registry
from archipel.core.features import layout
from archipel.core.game import Game
from archipel.core.options import Option
from archipel.core.rules import LABELS, label
from archipel.core.state import State

try:
    import pyspiel
except ImportError as missing:
    raise ImportError("OpenSpiel is not installed: pip install archipel[openspiel]") from missing

STEPS = 4
SIDES = 64
LONGEST = 1_000_000
"""An upper bound for the length of a game, which OpenSpiel asks for, where the rules give none."""
MOST_EVENTS = 512
"""The number of past events in an information-state tensor: all of most games, the latest of a long one."""

ROLL = [(side, 1 / SIDES) for side in range(SIDES)]
PLAYERS = {archipel.CHANCE: int(pyspiel.PlayerId.CHANCE), archipel.OVER: int(pyspiel.PlayerId.TERMINAL)}
Outcomes = list[tuple[int, float]]


class Moment:
    """A position with its history. Immutable, so that all copies of a state share it."""

    __slots__ = ("_chances", "_events", "_recalls", "_texts", "_views", "action", "before", "position")

    def __init__(
        self,
        position: State,
        before: "Moment | None" = None,
        action: int = -1,
        recalls: Mapping[int | None, str] | None = None,
        events: Mapping[int | None, tuple[int, ...]] | None = None,
    ) -> None:
        self.position = position
        self.before = before
        self.action = action
        self._recalls = dict(recalls or {})
        self._events = dict(events or {})
        self._chances: Outcomes | None = None
        self._views: dict[int | None, dict[str, Any]] = {}
        self._texts: dict[int | None, str] = {}

    def after(self, action: int) -> "Moment":
        """The moment after an action."""
        return Moment(self.position.after(action), self, action)

    def chances(self) -> Outcomes:
        """The chance outcomes, or a roll if there are too many to list."""
        if self._chances is None:
            try:
                self._chances = self.position.chances()
            except NotImplementedError:
                self._chances = ROLL
        return self._chances

    def rolls(self) -> bool:
        """True if chance is to act and has too many outcomes to list."""
        return self.position.mover == archipel.CHANCE and self.chances() is ROLL

    def view(self, seat: int | None) -> dict[str, Any]:
        """What the seat sees; do not modify it. Cached, because a search asks for it several times per node."""
        if seat not in self._views:
            self._views[seat] = self.position.view(seat)
        return self._views[seat]

    def text(self, seat: int | None) -> str:
        """The view as JSON text, equal for equal views."""
        if seat not in self._texts:
            self._texts[seat] = _text(self.view(seat))
        return self._texts[seat]

    def imagined(self, seat: int, rng: np.random.Generator) -> "Moment":
        """A sampled moment with the same view for this seat, without the other seats' histories."""
        world = self.position.redealt(seat, rng)
        return Moment(world, recalls={seat: self.recall(seat)}, events={seat: self.events(seat)})

    def events(self, seat: int | None) -> tuple[int, ...]:
        """The events that the seat has seen, oldest first, encoded as in `archipel.vector.Vector.heard`."""
        new: list[int] = []
        moment = self
        while seat not in moment._events and moment.before is not None:
            new.append(moment.before._heard(seat, moment.action))
            moment = moment.before
        self._events[seat] = (moment._events.get(seat, ()) + tuple(reversed(new)))[-MOST_EVENTS:]
        return self._events[seat]

    def _heard(self, seat: int | None, action: int) -> int:
        """Encode one event: who acted, and what the seat saw of it."""
        state, viewer = self.position, -1 if seat is None else seat
        seats = state.game.seats
        who = 0 if state.mover == archipel.CHANCE else 1 + (state.mover - max(viewer, 0)) % seats
        return 1 + who * LABELS + int(label(state.game.facts[0], state.record, action, viewer))

    def recall(self, seat: int | None) -> str:
        """A digest of everything the seat has seen and done so far."""
        new: list[Moment] = []
        moment: Moment | None = self
        while moment is not None and seat not in moment._recalls:
            new.append(moment)
            moment = moment.before
        for moment in reversed(new):
            moment._recalls[seat] = moment._remember(seat)
        return self._recalls[seat]

    def _remember(self, seat: int | None) -> str:
        past = [] if self.before is None else [self.before._recalls[seat], self.before._own(seat, self.action)]
        return hashlib.blake2b("\n".join([*past, self.text(seat)]).encode(), digest_size=16).hexdigest()

    def _own(self, seat: int | None, action: int) -> str:
        return self.position.notation(action) if self.position.mover == seat else ""

    def __deepcopy__(self, memo: dict[int, Any]) -> "Moment":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        actions = []
        first = self
        while first.before is not None:
            actions.append(first.action)
            first = first.before
        return _replay, (first.position, first._recalls, first._events, actions[::-1])


def _replay(
    position: State,
    recalls: Mapping[int | None, str],
    events: Mapping[int | None, tuple[int, ...]],
    actions: list[int],
) -> Moment:
    moment = Moment(position, recalls=recalls, events=events)
    for action in actions:
        moment = moment.after(action)
    return moment


def _text(value: Any) -> str:
    return msgspec.json.encode(value, order="sorted").decode()


class ArchipelGame(pyspiel.Game):  # type: ignore[misc]
    """A game with its options from OpenSpiel's parameters."""

    kind: ClassVar[type[Game]]

    def __init__(self, parameters: Mapping[str, Any] | None = None) -> None:
        game = self.kind(**_options(self.kind, parameters or {}))
        known = {name: parameter(value) for name, value in game.options.items()}
        super().__init__(_type(game), _info(game), known)
        self.game = game
        self._first = Moment(game.new())

    def new_initial_state(self, snapshot: str | Mapping[str, Any] | None = None) -> "ArchipelState":
        """The first state, or the state of a snapshot."""
        if snapshot is None:
            return ArchipelState(self, self._first)
        known = json.loads(snapshot) if isinstance(snapshot, str) else snapshot
        return ArchipelState(self, Moment(self.game.restore(known)))

    def max_chance_nodes_in_history(self) -> int:
        most = self.game.longest.chances
        return LONGEST if most is None else most

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "Observer":
        if params:
            raise ValueError(f"Observers of Archipel's games take no parameters, not {params!r}.")
        return Observer(self.game, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))


def starting_at(state: State) -> ArchipelGame:
    """A game that begins at this position, for algorithms that need the whole tree: few trees are small enough.

    Everything about the position is settled: what is hidden in it is the same in every game that starts there.
    """
    known = {name: parameter(value) for name, value in state.game.options.items()}
    game: ArchipelGame = pyspiel.load_game(f"archipel_{state.game.name}", known)
    game._first = Moment(state)
    return game


class ArchipelState(pyspiel.State):  # type: ignore[misc]
    """A position with its history, which OpenSpiel changes in place."""

    def __init__(self, game: ArchipelGame, moment: Moment) -> None:
        super().__init__(game)
        self.moment = moment
        self._rolled: tuple[int, ...] = ()

    @property
    def position(self) -> State:
        """Archipel's own state."""
        return self.moment.position

    def current_player(self) -> int:
        return PLAYERS.get(self.position.mover, self.position.mover)

    def is_terminal(self) -> bool:
        return self.position.mover == archipel.OVER

    def returns(self) -> list[float]:
        return self.position.returns()

    def chance_outcomes(self) -> Outcomes:
        return self.moment.chances()

    def _legal_actions(self, player: int) -> list[int]:
        return self.position.actions()

    def _apply_action(self, action: int) -> None:
        if self.moment.rolls():
            self._roll(action)
        else:
            self.moment = self.moment.after(action)

    def _roll(self, side: int) -> None:
        if side not in range(SIDES):
            raise ValueError(f"A roll is a number from 0 to {SIDES - 1}, not {side}.")
        rolled = (*self._rolled, side)
        if len(rolled) == STEPS:
            self.moment = self.moment.after(self.position.sample(np.random.default_rng(rolled)))
            rolled = ()
        self._rolled = rolled

    def _action_to_string(self, player: int, action: int) -> str:
        if self.moment.rolls():
            return f"roll {len(self._rolled) + 1} of {STEPS}: {action}"
        return self.position.notation(action)

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> "ArchipelState":
        """A sampled state with the same view for the player, without a history that could give anything away."""
        rng = np.random.default_rng(int(sampler() * (1 << 53)))
        state = ArchipelState(self.get_game(), self.moment.imagined(player, rng))
        state._rolled = self._rolled
        return state

    def _to_struct(self) -> dict[str, Any]:
        return self.position.snapshot()

    def _to_observation_struct(self, player: int) -> dict[str, Any]:
        return self.position.view(player)

    def _action_to_struct(self, player: int, action: int) -> dict[str, Any]:
        return {"do": "roll", "side": action} if self.moment.rolls() else self.position.decode(action)

    def __str__(self) -> str:
        rolled = f"\nrolled {' '.join(map(str, self._rolled))}" if self._rolled else ""
        return f"{self.position}{rolled}"


class Observer:
    """Observations of a player (or a spectator), of every kind that OpenSpiel has, made from views only."""

    def __init__(self, game: Game, kind: Any) -> None:
        self._layout = layout(game)
        self._kind = kind
        self._private = kind.private_info != pyspiel.PrivateInfoType.NONE
        if kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise ValueError("Archipel's views show what one seat may know, not what all of them know together.")
        self._events = _Events(game)
        self.tensor: NDArray[np.float32] | None = None
        self.dict: dict[str, NDArray[np.float32]] = {}
        if kind.public_info:
            self.tensor, self.dict = self._room()

    def _room(self) -> tuple[NDArray[np.float32], dict[str, NDArray[np.float32]]]:
        """The tensor, and its parts by name: they are the same numbers."""
        numbers, (length, width) = len(self._layout.names), self._events.shape
        tensor = np.zeros(numbers + length * width * self._kind.perfect_recall, np.float32)
        parts = {"view": tensor[:numbers]}
        if self._kind.perfect_recall:
            parts["events"] = tensor[numbers:].reshape(length, width)
        return tensor, parts

    def _seat(self, player: int) -> int | None:
        return player if self._private else None

    def set_from(self, state: ArchipelState, player: int) -> None:
        seat = self._seat(player)
        if "view" in self.dict:
            self.dict["view"][:] = self._layout.row(state.moment.view(seat))
        if "events" in self.dict:
            self._events.write(state.moment.events(seat), self.dict["events"])

    def string_from(self, state: ArchipelState, player: int) -> str:
        seat = self._seat(player)
        text = state.moment.text(seat) if self._kind.public_info else _text(_private(state.moment, seat))
        if self._kind.perfect_recall:
            return f'{text[:-1]}{"," if len(text) > 2 else ""}"recall":"{state.moment.recall(seat)}"}}'
        return text


class _Events:
    """The past as rows of bits, the first event first: who acted, one of chance and the seats; and what was seen."""

    BITS = (LABELS - 1).bit_length()

    def __init__(self, game: Game) -> None:
        decisions, chances = (LONGEST if most is None else most for most in game.longest)
        self._actors = 1 + game.seats
        self.shape = min(decisions + chances, MOST_EVENTS), self._actors + self.BITS

    def write(self, events: tuple[int, ...], rows: NDArray[np.float32]) -> None:
        who, seen = np.divmod(np.array(events, np.int64) - 1, LABELS)
        rows[:] = 0
        rows[np.arange(len(events)), who] = 1
        rows[: len(events), self._actors :] = seen[:, None] >> np.arange(self.BITS) & 1


def _private(moment: Moment, seat: int | None) -> dict[str, Any]:
    """What the seat sees and a spectator does not."""
    public = moment.view(None)
    return {key: value for key, value in moment.view(seat).items() if value != public[key]}


def _info(game: Game) -> Any:
    seats, sides = game.seats, getattr(game, "sides", game.seats)
    together = seats // sides
    decisions = game.longest.decisions
    return pyspiel.GameInfo(
        num_distinct_actions=game.action_count,
        max_chance_outcomes=0 if game.deterministic else max(game.rules.outcomes, SIDES),
        num_players=seats,
        min_utility=-1 / (seats - 1),
        max_utility=(seats - together) / (together * (seats - 1)),
        utility_sum=0.0,
        max_game_length=LONGEST if decisions is None else decisions,
    )


def _type(game: Game) -> Any:
    """What OpenSpiel's algorithms ask for before they take a game: of this game with these options."""
    kind, seats = type(game), _seats(type(game))
    chance, information = pyspiel.GameType.ChanceMode, pyspiel.GameType.Information
    return pyspiel.GameType(
        short_name=f"archipel_{kind.name}",
        long_name=f"{kind.title} (Archipel)",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=chance.DETERMINISTIC if game.deterministic else chance.EXPLICIT_STOCHASTIC,
        information=information.PERFECT_INFORMATION if game.perfect_information else information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        min_num_players=min(seats),
        max_num_players=max(seats),
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification={option.name: parameter(option.default) for option in kind.OPTIONS},
    )


def _seats(kind: type[Game]) -> list[int]:
    """The numbers of players that the game can have."""
    players = [option for option in kind.OPTIONS if option.name == "players"]
    return [n for option in players for n in range(1, 10) if _allows(option, n)] or [kind().seats]


def _allows(option: Option, value: Any) -> bool:
    try:
        option.check(value)
    except ValueError:
        return False
    return True


def parameter(value: Any) -> bool | int | str:
    """An option as a parameter; a value that OpenSpiel has no type for is written as JSON, with %2C for a comma and so
    on.

    OpenSpiel writes parameters unquoted, as name=value in parentheses, separated by commas.
    """
    return value if isinstance(value, bool | int | str) else quote(_text(value), safe='[]{}":')


def _options(kind: type[Game], parameters: Mapping[str, Any]) -> dict[str, Any]:
    plain = {option.name for option in kind.OPTIONS if isinstance(option.default, bool | int | str)}
    return {name: value if name in plain else _json(kind, name, value) for name, value in parameters.items()}


def _json(kind: type[Game], name: str, text: Any) -> Any:
    try:
        return json.loads(unquote(text))
    except (TypeError, ValueError, RecursionError):
        raise ValueError(f"{kind.name}: parameter {name!r} must be JSON text, not {text!r}.") from None


def _register(kind: type[Game]) -> None:
    """Register the game with OpenSpiel, which keeps the class until Python ends (so it must be a class).

    The registered type is that of the default options; each loaded game has its own.
    """
    pyspiel.register_game(_type(kind()), type(f"{kind.__name__}Game", (ArchipelGame,), {"kind": kind}))


for _name in archipel.GAMES:
    _register(registry.kind(_name))
