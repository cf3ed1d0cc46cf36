"""A series: several games between two players who swap seats after each game."""

from dataclasses import dataclass, field

from .state import State


@dataclass
class Series:
    """The seating of each game, and the points so far: every game adds its scores.

    Players are numbered like the seats of the first game.
    """

    seats: int = 2
    points: list[int] = field(default_factory=list)
    played: int = 0

    def __post_init__(self) -> None:
        self.points = self.points or [0] * self.seats

    def seating(self) -> list[int]:
        """The player at each seat of the next game."""
        return [(seat + self.played) % self.seats for seat in range(self.seats)]

    def add(self, final: State) -> None:
        """Add the scores of a finished game."""
        if final.winner is None:
            raise ValueError("The game is not over: it adds nothing to the series yet.")
        if final.game.seats != self.seats:
            raise ValueError(f"The series has {self.seats} players, the game {final.game.seats}.")
        for player, score in zip(self.seating(), final.scores, strict=True):
            self.points[player] += score
        self.played += 1

    @property
    def leaders(self) -> list[int]:
        """The players with the most points."""
        return [player for player, points in enumerate(self.points) if points == max(self.points)]
