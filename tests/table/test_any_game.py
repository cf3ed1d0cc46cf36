"""The table plays any game: no name in its modules, and no sentence about them, speaks of one game's things."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import archipel
from archipel import table

MODULES = sorted(Path(table.__file__).parent.rglob("*.py"))
THINGS = re.compile(rf"\b(dice|throw\w*|thrown|aims?|aimed|tray|falls?|{'|'.join(archipel.GAMES)})\b", re.IGNORECASE)
KEPT = {"dice", "aim", "fall", "ask-throw", "thrown", "throws", "trajectory", "throwers", "table.no-such-throw"}
"""Keys and names of messages, logs, databases and settings that stay as they were."""


def spoken(tree: ast.Module) -> Iterator[str]:
    """Every name that a module gives or uses, and every text in it."""
    for node in ast.walk(tree):
        for field in ("id", "attr", "name", "arg", "module"):
            name = getattr(node, field, None)
            if isinstance(name, str):
                yield name.replace("_", " ")
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value not in KEPT:
            yield re.sub(r"`[^`]*`", "", node.value)


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.stem)
def test_a_module_speaks_of_no_game(module: Path) -> None:
    found = [text for text in spoken(ast.parse(module.read_text("utf-8"))) if THINGS.search(text)]
    assert found == []
