"""What a bot's moves come from, as a digest: the same digest, view, bot and seed give the same move."""

import hashlib
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from archipel.core import registry

_KINDS = (".py", ".json", ".weights")
_SHARED = "archipel.core", "archipel.bots"


@cache
def engine(game: str) -> str:
    """A digest of everything that a game's bots are made of: the sources and figures of core, bots and the game."""
    found = hashlib.sha256()
    for package in (*_SHARED, registry.manifest(game).package):
        for name, file in sorted(_within(files(package), package)):
            found.update(f"{name}\n".encode() + file.read_bytes().replace(b"\r\n", b"\n"))
    return found.hexdigest()[:16]


def _within(folder: Traversable, name: str) -> list[tuple[str, Traversable]]:
    found = []
    for file in folder.iterdir():
        if file.is_dir():
            found += _within(file, f"{name}/{file.name}")
        elif file.name.endswith(_KINDS):
            found.append((f"{name}/{file.name}", file))
    return found
