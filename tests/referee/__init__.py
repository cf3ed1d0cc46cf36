"""The tests' own second reading of the rules: a slow, obvious referee of each game, apart from the engine."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Protocol

Json = dict[str, Any]

CHANCE, OVER = -1, -2


class Referee(Protocol):
    """What the lockstep test asks of every referee."""

    @property
    def mover(self) -> int: ...
    def legal(self) -> list[Json] | None: ...
    def chances(self) -> list[tuple[Json, Fraction]] | None: ...
    def play(self, action: Json) -> None: ...
    def snapshot(self) -> Json: ...
    def returns(self) -> list[Fraction]: ...


def returns(winner: int | Sequence[int] | None, seats: int) -> list[Fraction]:
    """The game's worth to each seat: the mean of the single wins of those who share it."""
    if winner is None:
        return [Fraction(0)] * seats
    winners = [winner] if isinstance(winner, int) else list(winner)
    loss = Fraction(-1, seats - 1)
    single_wins = [[Fraction(1) if seat == one else loss for seat in range(seats)] for one in winners]
    return [sum((win[seat] for win in single_wins), Fraction(0)) / len(winners) for seat in range(seats)]
