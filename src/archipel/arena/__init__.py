"""The arena: bots play each other on all cores, and a report says how strong each is and how sure that is."""


class ArenaError(ValueError):
    """The arena cannot go on, or cannot begin: one sentence that says why."""
