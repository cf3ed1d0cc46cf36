"""The arena: bots play each other on all cores, and a report says how strong each is and how sure that is."""


class ArenaError(ValueError):
    """The arena cannot go on, or cannot begin: one sentence that says why."""


class Failed(Exception):
    """A bot has no legal action to give; why, in words that go on from its name."""
