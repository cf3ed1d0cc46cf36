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

import archipel
from archipel.core import registry
from archipel.core.features import layout
from archipel.core.game import Game
from archipel.core.options import Option
from archipel.core.state import State

try:
    import pyspiel
except ImportError as missing:
    raise ImportError("OpenSpiel is not installed: pip install archipel[openspiel]") from missing

STEPS = 4
SIDES = 64
LONGEST = 1_000_000
"""An upper bound for the length of a game, which OpenSpiel asks for; the rules give no tight one."""

ROLL = [(side, 1 / SIDES) for side in range(SIDES)]
PLAYERS = {archipel.CHANCE: int(pyspiel.PlayerId.CHANCE), archipel.OVER: int(pyspiel.PlayerId.TERMINAL)}
Outcomes = list[tuple[int, float]]


class Moment:
    """A position with its history. Immutable, so that all copies of a state share it."""

    __slots__ = ("_chances", "_recalls", "_texts", "_views", "action", "before", "position")

    def __init__(
        self,
        position: State,
        before: "Moment | None" = None,
        action: int = -1,
        recalls: Mapping[int | None, str] | None = None,
    ) -> None:
        self.position = position
        self.before = before
        self.action = action
        self._recalls = dict(recalls or {})
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
        return Moment(self.position.redealt(seat, rng), recalls={seat: self.recall(seat)})

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
        return _replay, (first.position, first._recalls, actions[::-1])


def _replay(position: State, recalls: Mapping[int | None, str], actions: list[int]) -> Moment:
    moment = Moment(position, recalls=recalls)
    for action in actions:
        moment = moment.after(action)
    return moment


def _text(value: Any) -> str:
    return msgspec.json.encode(value, order="sorted").decode()


class ArchipelGame(pyspiel.Game):  # type: ignore[misc]
    """A game with its options from OpenSpiel's parameters."""

    kind: ClassVar[type[Game]]
    spiel_type: ClassVar[Any]

    def __init__(self, parameters: Mapping[str, Any] | None = None) -> None:
        game = self.kind(**_options(self.kind, parameters or {}))
        known = {name: parameter(value) for name, value in game.options.items()}
        super().__init__(self.spiel_type, _info(game), known)
        self.game = game
        self._first = Moment(game.new())

    def new_initial_state(self, snapshot: str | Mapping[str, Any] | None = None) -> "ArchipelState":
        """The first state, or the state of a snapshot."""
        if snapshot is None:
            return ArchipelState(self, self._first)
        known = json.loads(snapshot) if isinstance(snapshot, str) else snapshot
        return ArchipelState(self, Moment(self.game.restore(known)))

    def max_chance_nodes_in_history(self) -> int:
        return LONGEST

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "Observer":
        if params:
            raise ValueError(f"Observers of Archipel's games take no parameters, not {params!r}.")
        return Observer(self.game, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))


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
        self.tensor = np.zeros(len(self._layout.names), np.float32) if kind.public_info else None
        self.dict = {} if self.tensor is None else {"view": self.tensor}

    def _seat(self, player: int) -> int | None:
        return player if self._private else None

    def set_from(self, state: ArchipelState, player: int) -> None:
        if self.tensor is not None:
            self.tensor[:] = self._layout.row(state.moment.view(self._seat(player)))

    def string_from(self, state: ArchipelState, player: int) -> str:
        seat = self._seat(player)
        text = state.moment.text(seat) if self._kind.public_info else _text(_private(state.moment, seat))
        if self._kind.perfect_recall:
            return f'{text[:-1]}{"," if len(text) > 2 else ""}"recall":"{state.moment.recall(seat)}"}}'
        return text


def _private(moment: Moment, seat: int | None) -> dict[str, Any]:
    """What the seat sees and a spectator does not."""
    public = moment.view(None)
    return {key: value for key, value in moment.view(seat).items() if value != public[key]}


def _info(game: Game) -> Any:
    return pyspiel.GameInfo(
        num_distinct_actions=game.action_count,
        max_chance_outcomes=max(game.rules.outcomes, SIDES),
        num_players=game.seats,
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0,
        max_game_length=LONGEST,
    )


def _type(kind: type[Game]) -> Any:
    seats = _seats(kind)
    return pyspiel.GameType(
        short_name=f"archipel_{kind.name}",
        long_name=f"{kind.title} (Archipel)",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
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
    """Register the game with OpenSpiel, which keeps the class until Python ends (so it must be a class)."""
    known = {"kind": kind, "spiel_type": _type(kind)}
    pyspiel.register_game(known["spiel_type"], type(f"{kind.__name__}Game", (ArchipelGame,), known))


for _name in archipel.GAMES:
    _register(registry.kind(_name))
