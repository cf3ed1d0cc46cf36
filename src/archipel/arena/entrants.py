"""Who plays: bots by name, and bots of one's own from files."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from archipel.bots import Bot, bot

from . import ArenaError, code


@dataclass(frozen=True)
class Entrants:
    """The bots that may be named; `files` has those that come from a file, by the file's name without `.py`."""

    files: dict[str, str] = field(default_factory=dict)

    @classmethod
    def with_files(cls, paths: Iterable[str]) -> "Entrants":
        """Bots by name, and these files; ArenaError if one of them makes no bot."""
        files: dict[str, str] = {}
        for path in paths:
            name = Path(path).stem
            if name in files:
                raise ArenaError(f"There are two bot files called {name}: rename one of them.")
            files[name] = str(Path(path).resolve())
        entrants = cls(files)
        for name in files:
            entrants.check(name)
        return entrants

    def make(self, name: str) -> Bot:
        """A bot that has played nothing yet; ValueError if there is none of that name."""
        return code.load(self.files[name])() if name in self.files else bot(name)

    def check(self, name: str) -> None:
        """Make the bot once to see that it can be made; ArenaError if not."""
        try:
            self.make(name)
        except ValueError as refusal:
            raise ArenaError(str(refusal)) from None
        except (Exception, SystemExit) as error:
            raise ArenaError(f"The bot {name} cannot be made: {type(error).__name__}: {error}.") from None

    def digests(self) -> dict[str, str]:
        """What tells the versions of the files apart."""
        return {name: code.digest(path) for name, path in self.files.items()}
