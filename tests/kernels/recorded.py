"""Exact values as bots ask for them, to be asked for again in WebAssembly: what goes in, and what comes out.

`web/tests/kernels/recorded.ts` makes the same calls. Stonehenge's solver, Krakatoa's odds, Kula Kula's chances.
"""

import base64
import hashlib
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from importlib import import_module
from typing import Any
from unittest.mock import patch

import numpy as np

import archipel
from archipel.bots import Budget, bot
from archipel.core.state import State

BOTS = "archipel.games"
KERNELS = {
    "krakatoa": {
        "survey": "krakatoa.bot.exact.faces.survey",
        "beforeThrow": "krakatoa.bot.exact.throws.before_throw",
        "beforeTurn": "krakatoa.bot.exact.throws.before_turn",
        "settled": "krakatoa.bot.exact.throws.settled",
        "afterAim": "krakatoa.bot.exact.throws.after_aim",
    },
    "kula_kula": {
        "chancesOf": "kula_kula.bot.expert.chances_of",
        "lookOut": "kula_kula.bot.expert.look_out",
        "winChanceOf": "kula_kula.bot.expert.win_chance_of",
    },
    "stonehenge": {
        "wins": "stonehenge.bot.solver.solve.wins",
        "promising": "stonehenge.bot.solver.solve.promising",
        "guess": "stonehenge.bot.solver.dfpn.guess",
        "winsByTrying": "stonehenge.bot.solver.trial.wins_by_trying",
    },
}
"""The kernels that are recorded, and where bots look them up."""


class Recorder:
    """Keeps the first calls of each kernel: the arguments, and afterwards the result and digests of all arrays."""

    def __init__(self, each: int) -> None:
        self._each = each
        self.calls: list[dict[str, Any]] = []
        self.outcomes: list[dict[str, Any]] = []

    def around(self, name: str, kernel: Callable[..., Any]) -> Callable[..., Any]:
        def run(*arguments: Any) -> Any:
            if sum(call["kernel"] == name for call in self.calls) >= self._each:
                return kernel(*arguments)
            self.calls.append({"kernel": name, "given": [_given(argument) for argument in arguments]})
            result = kernel(*arguments)
            found = [float(part) for part in (result if isinstance(result, tuple) else (result,)) if part is not None]
            self.outcomes.append({"kernel": name, "result": found, "after": [*_digests(arguments)]})
            return result

        return run


def _given(argument: Any) -> Any:
    """An argument as JSON: a number, an array with its packed bytes (none if all are 0), or a list of arguments."""
    if isinstance(argument, np.ndarray):
        data = argument.tobytes()
        text = base64.b64encode(zlib.compress(data)).decode() if any(data) else ""
        return {"size": argument.itemsize, "shape": list(argument.shape), "data": text}
    return [_given(part) for part in argument] if isinstance(argument, tuple) else float(argument)


def _digests(arguments: tuple[Any, ...]) -> Iterator[str]:
    for argument in arguments:
        if isinstance(argument, np.ndarray):
            yield hashlib.sha256(argument.tobytes()).hexdigest()
        elif isinstance(argument, tuple):
            yield from _digests(argument)


@contextmanager
def recording(game: str, each: int) -> Iterator[Recorder]:
    """Record what happens meanwhile."""
    recorder = Recorder(each)
    with ExitStack() as stack:
        for name, place in KERNELS[game].items():
            module, _, attribute = f"{BOTS}.{place}".rpartition(".")
            home = import_module(module)
            stack.enter_context(patch.object(home, attribute, recorder.around(name, getattr(home, attribute))))
        yield recorder


def middle(name: str, steps: int, **options: Any) -> tuple[State, np.random.Generator]:
    """A state after so many steps of a random game, or a few more."""
    state, rng = archipel.game(name, **options).new(), np.random.default_rng(3)
    while steps > 0 or state.mover < 0:
        legal = state.actions() if state.mover >= 0 else [state.sample(rng)]
        state = state.after(legal[int(rng.integers(len(legal)))])
        steps -= 1
    return state, rng


def krakatoa() -> None:
    player: Any = import_module(f"{BOTS}.krakatoa.bot.exact.player")
    state, rng = middle("krakatoa", 4)
    sheet = player.sheet.__wrapped__(advanced=False)  # survey the faces anew
    turn = player.Turn(sheet, state.game.facts[0], state.record, np.zeros((6, 250)), True)
    after = np.resize(rng.random(1009), (6, 1000, 250))
    sheet.before(after, 3)
    turn._keep(after)
    turn._reroll(after)
    turn._throw(after, 1)


def kula_kula() -> None:
    adviser: Any = bot("expert")
    for steps in range(4, 60, 7):  # sometimes the answer is clear at a glance
        state, rng = middle("kula_kula", steps)
        adviser.think(state.view(state.mover), rng, Budget(simulations=200))


def stonehenge() -> None:
    home: Any = import_module(f"{BOTS}.stonehenge.bot.solver.solve")
    trial: Any = import_module(f"{BOTS}.stonehenge.bot.solver.trial")
    state, _ = middle("stonehenge", 9)
    solver = home.Solver(home.tables.new(1))
    solver.begin(2000)
    solver.wins(state)
    solver.moves(state)
    solver.guess(state, 6)
    trial.Trial(1).wins(middle("stonehenge", 12)[0])


def recorded(game: str, each: int = 2) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """What is asked of a game's kernels, and the answers."""
    with recording(game, each) as recorder:
        {"krakatoa": krakatoa, "kula_kula": kula_kula, "stonehenge": stonehenge}[game]()
    return recorder.calls, recorder.outcomes
