"""Every sentence with which something is refused, as the sources say it: what other languages must know too."""

import ast
from collections.abc import Iterator
from pathlib import Path

SOURCES = Path(__file__).parents[2] / "src" / "archipel"
SAYING = {
    "sentence": 0,
    "Refusal": 1,
    "_require": 2,
    "IllegalAction": 0,
    "InvalidAction": 0,
    "InvalidAim": 0,
    "_within": 0,
    "AmbiguousAction": 0,
    "NotFair": 0,
    "refuse": 1,
    "refused": 2,
    "trouble": 1,
    "problem": 1,
    "verdict": 1,
    "Problem": 1,
    "ValueError": 0,
}
"""Who says a sentence, and which of its arguments it is."""


def places() -> list[Path]:
    """Where players are refused something at a table."""
    return [*(SOURCES / "core").glob("*.py"), *(SOURCES / "games").rglob("*.py"), *(SOURCES / "table").rglob("*.py")]


def said() -> dict[str, str]:
    """All sentences, with their gaps, and where each is said."""
    return {words: place for path in places() for words, place in _of(path)}


def _of(path: Path) -> Iterator[tuple[str, str]]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for part in ast.walk(tree):
        for argument in _sentences(part, path):
            place = f"{path.relative_to(SOURCES)}:{argument.lineno}"
            assert not isinstance(argument, ast.JoinedStr), f"{place}: put it together with sentence()"
            if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                yield argument.value, place


def _reaches_players(call: ast.Call, path: Path) -> bool:
    """Of what is wrong with a value, only options and records come to a table's players."""
    if _name(call.func) != "ValueError":
        return True
    first = call.args[0] if call.args else None
    options = isinstance(first, ast.Constant) and ": option " in str(first.value)
    return options or (path.parent.parent.name == "table" and path.name in ("records.py", "action_names.py"))


def _sentences(part: ast.AST, path: Path) -> Iterator[ast.expr]:
    if isinstance(part, ast.Call):
        at = SAYING.get(_name(part.func))
        if at is not None and len(part.args) > at and _reaches_players(part, path):
            yield part.args[at]
    elif isinstance(part, ast.FunctionDef) and "why_not" in part.name:
        yield from _reasons(part)
    elif isinstance(part, ast.Assign) and _names(part) in (["template"], ["reason"], ["rule", "reason"]):
        yield part.value.elts[-1] if isinstance(part.value, ast.Tuple) else part.value


def _reasons(function: ast.FunctionDef) -> Iterator[ast.expr]:
    """What a function that says why not gives back: a rule, and a sentence."""
    for part in ast.walk(function):
        if isinstance(part, ast.Return) and isinstance(part.value, ast.Tuple):
            yield part.value.elts[1]


def _name(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _names(part: ast.Assign) -> list[str]:
    target = part.targets[0]
    parts = target.elts if isinstance(target, ast.Tuple) else [target]
    return [getattr(one, "id", "") for one in parts]
