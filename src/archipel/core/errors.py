"""What Archipel says when it refuses something: one clear sentence, and the rule behind it."""


class InvalidAction(ValueError):
    """It is no action at all: the words or the JSON mean nothing in this game."""


class AmbiguousAction(InvalidAction):
    """It could mean several legal actions; the sentence lists them."""


class IllegalAction(ValueError):
    """It is an action, but not one that the rules allow now.

    `reason` is a sentence for the player; `rule` names the rule's anchor in
    the game's rules page, as in ``"kahuna.hand-limit"``.
    """

    def __init__(self, reason: str, rule: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.rule = rule

    def __reduce__(self) -> tuple[type["IllegalAction"], tuple[str, str]]:
        return type(self), (self.reason, self.rule)


class RecordError(ValueError):
    """A record of a game that is damaged, cut short or against the rules."""
