"""The table of rules and the tests that cover them, from the rules pages and the tests' marks.

`python -m tests.rules_table` writes docs/rules-and-tests.md.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import archipel

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "rules-and-tests.md"
HEADING = re.compile(r"^#+ (?P<title>.+?) \{#(?P<anchor>[a-z-]+)\}$", re.MULTILINE)


def anchors(game: str, language: str = "en") -> dict[str, str]:
    """The anchors of a rules page with their headings, in order."""
    text = (ROOT / "src" / "archipel" / "games" / game / f"rules.{language}.md").read_text("utf-8")
    return {found["anchor"]: found["title"] for found in HEADING.finditer(text)}


def marks() -> dict[str, list[tuple[str, str]]]:
    """For every rule, the file and the name of each test that is marked with it."""
    covered: dict[str, list[tuple[str, str]]] = {}
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for test, rule in _marked(ast.parse(path.read_text("utf-8"))):
            covered.setdefault(rule, []).append((path.relative_to(ROOT).as_posix(), test))
    return covered


def _marked(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            for decorator in node.decorator_list:
                rule = _rule(decorator)
                if rule:
                    yield node.name, rule


def _rule(decorator: ast.expr) -> str | None:
    """The rule of a decorator `@pytest.mark.rule("...")`."""
    if not (isinstance(decorator, ast.Call) and isinstance(decorator.func, ast.Attribute)):
        return None
    if decorator.func.attr != "rule" or not isinstance(decorator.args[0], ast.Constant):
        return None
    return str(decorator.args[0].value)


def table() -> str:
    """The whole page."""
    covered = marks()
    lines = ["# Rules and tests", "", "Every rule of the rules pages, and the tests that bear its mark."]
    for game in archipel.GAMES:
        page = f"../src/archipel/games/{game}/rules.en.md"
        lines += ["", f"## [{game}]({page})", "", "| rule | tests |", "|---|---|"]
        for anchor, title in anchors(game).items():
            tests = ", ".join(f"[{_said(name)}](../{path})" for path, name in covered.get(f"{game}.{anchor}", []))
            lines.append(f"| [{title}]({page}#{anchor}) | {tests} |")
    return "\n".join(lines) + "\n"


def _said(name: str) -> str:
    return name.removeprefix("test_").replace("_", " ")


if __name__ == "__main__":
    PAGE.write_text(table(), "utf-8")
