"""Save games to files without overwriting other files."""

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

from .errors import BadInput, complaining

if TYPE_CHECKING:
    from archipel.core.record import Record


def target(path: str) -> Path:
    """The path to save a record to; BadInput if it cannot be used."""
    with complaining():
        return _free(path)


def _free(path: str) -> Path:
    place = Path(path).expanduser()
    if not place.parent.is_dir() or not os.access(place.parent, os.W_OK):
        raise BadInput(f"{path} cannot be written: there is no folder {place.parent} to write to.")
    if place.exists() and not _is_record(place):
        raise BadInput(f"{path} already exists and is not a game record: choose another name.")
    return place


def keep(record: "Record", path: str) -> None:
    """Save a record."""
    place = target(path)
    with complaining():
        record.save(place)


def numbered(path: str, number: int, games: int) -> str:
    """The file of one game of several: evening.json becomes evening-1.json, evening-2.json …"""
    place = Path(path)
    return path if games == 1 else str(place.with_name(f"{place.stem}-{number}{place.suffix}"))


def _is_record(place: Path) -> bool:
    try:
        found = json.loads(place.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(found, dict) and "archipel" in found
