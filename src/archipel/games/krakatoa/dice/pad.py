"""The score pad: players roll real dice at home and type in what they show."""

from collections.abc import Callable

import numpy as np

from archipel.core.state import State
from archipel.core.vocabulary import Json

from .aim import Aim
from .thrower import Throw, check_due
from .tray import Tray

Ask = Callable[[State], str | Json]
"""Asks the player how the dice of a position have landed: as notation (``YYB YRR RRR touched``) or as JSON."""


class Pad:
    """Records what the player has thrown, without positions and aims."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    def throw(self, state: State, aim: Aim | None, rng: np.random.Generator, tray: Tray | None = None) -> Throw:
        """The landing as typed; InvalidAction or IllegalAction in one sentence if it is not possible."""
        check_due(state)
        typed = self._ask(state)
        landing = state.parse(typed) if isinstance(typed, str) else state.encode(typed)
        state.after(landing)
        return Throw(landing)
