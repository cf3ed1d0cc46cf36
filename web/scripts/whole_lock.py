"""Name in the lock every package for another platform that a package of ours may want there.

npm leaves out those that the registry at hand does not offer, and then `npm ci` refuses the lock. Run this after
`npm install`. What it adds has no checksum, for nobody here has seen the package; npm writes it where it finds one.
"""

import json
from pathlib import Path
from typing import Any

LOCK = Path(__file__).parents[1] / "package-lock.json"
SYSTEMS = ("android", "darwin", "freebsd", "linux", "openharmony", "win32")
CPUS = ("arm64", "arm", "ppc64", "s390x", "wasm32", "x64")
Entry = dict[str, Any]


def absent(packages: dict[str, Entry]) -> dict[str, Entry]:
    """The packages for other platforms that the lock does not name, by their place."""
    wanted = ((name, version, entry) for entry in packages.values() for name, version in _optional(entry))
    return {
        f"node_modules/{name}": _entry(name, version, owner)
        for name, version, owner in wanted
        if f"node_modules/{name}" not in packages
    }


def _optional(entry: Entry) -> list[tuple[str, str]]:
    return list(entry.get("optionalDependencies", {}).items())


def _entry(name: str, version: str, owner: Entry) -> Entry:
    """A package as its name tells of it: `@rolldown/binding-linux-x64-musl`."""
    told = {
        "cpu": _among(CPUS, name),
        "libc": _libc(name),
        "os": _among(SYSTEMS, name),
        "engines": owner.get("engines"),
    }
    return {"version": version, "dev": True, "optional": True} | {key: value for key, value in told.items() if value}


def _among(known: tuple[str, ...], name: str) -> list[str]:
    return [word for word in known if word in name.split("-")]


def _libc(name: str) -> list[str]:
    if "linux" not in name:
        return []
    return ["musl"] if "musl" in name else ["glibc"] if "gnu" in name else []


def main() -> None:
    """Make the lock whole."""
    lock = json.loads(LOCK.read_text())
    first, *others = lock["packages"].items()
    lock["packages"] = dict([first, *sorted([*others, *absent(lock["packages"]).items()])])
    LOCK.write_text(json.dumps(lock, indent=2, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
