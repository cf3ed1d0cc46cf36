"""What goes wrong in an arena."""


class ArenaError(ValueError):
    """The arena cannot start or continue; the message is one sentence that says why."""


class Failed(Exception):
    """A bot failed to return a legal action; the message continues a sentence that starts with the bot's name."""
