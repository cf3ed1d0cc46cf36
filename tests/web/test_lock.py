"""The client's lock names every package, those for other platforms too: `npm ci` takes nothing less."""

import json
from pathlib import Path

LOCK = Path(__file__).parents[2] / "web" / "package-lock.json"


def test_the_lock_is_whole() -> None:
    packages = json.loads(LOCK.read_text(encoding="utf-8"))["packages"]
    named = {place.rpartition("node_modules/")[2] for place in packages}
    wanted = {name for entry in packages.values() for name in entry.get("optionalDependencies", {})}
    assert wanted - named == set(), "run: python web/scripts/whole_lock.py"
