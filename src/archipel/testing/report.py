"""What a check of a game has checked."""

from dataclasses import dataclass, field


@dataclass
class Report:
    """What was checked."""

    plays: int = 0
    states: int = 0
    refused: int = 0
    imagined: int = 0
    varied: int = 0
    posteriors: int = 0
    luck: float = 0.0
    freedom: int = 0
    hides: bool = False
    kinds: set[str] = field(default_factory=set)
    played: list[str] = field(default_factory=list)
    """The last game in notation."""

    def __str__(self) -> str:
        return (
            f"{self.plays} games, {self.states} states, {self.refused} refusals, {self.imagined} imagined worlds, "
            f"{self.posteriors} exact posteriors; verbs seen: {', '.join(sorted(self.kinds))}"
        )
