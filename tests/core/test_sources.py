"""Which sources kernels are made from, and when two states of them mean the same."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from archipel.core import sources

RULES = b'''"""The rules of a game."""
from archipel.core.compiled import compiled

STONES = 3
"""How many there are."""


@compiled
def left(taken: int) -> int:
    """Stones left."""
    return STONES - taken
'''
"""A module with a compiled function."""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b'"""Stones left."""', b'"""How many stones are left."""'),
        (b'    """Stones left."""\n', b""),
        (b'"""How many there are."""', b'"""All of them."""'),
        (b"- taken", b"- taken  # what is gone is gone"),
        (b"\n\n\n@", b"\n\n# The rule\n\n@"),
        (b"STONES - taken", b"(\n        STONES\n        - taken\n    )"),
        (b"\n", b"\r\n"),
    ],
)
def test_comments_docstrings_and_layout_make_no_other_kernels(before: bytes, after: bytes) -> None:
    new = RULES.replace(before, after)
    assert new != RULES
    assert sources.mean_the_same({"rules.py": new}, sources.digests({"rules.py": RULES}))
    assert sources.fingerprint({"rules.py": new}) == sources.fingerprint({"rules.py": RULES})


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"STONES = 3", b"STONES = 4"),
        (b"STONES = 3", b"STONES = 3.0"),
        (b"STONES - taken", b"taken - STONES"),
        (b"taken: int", b"taken: float"),
        (b"@compiled\n", b""),
        (b"    return", b"    assert taken\n    return"),
    ],
)
def test_everything_else_makes_other_kernels(before: bytes, after: bytes) -> None:
    new = RULES.replace(before, after)
    assert new != RULES
    assert not sources.mean_the_same({"rules.py": new}, sources.digests({"rules.py": RULES}))
    assert sources.fingerprint({"rules.py": new}) != sources.fingerprint({"rules.py": RULES})


def test_a_file_that_comes_goes_or_moves_makes_other_kernels() -> None:
    known = sources.digests({"a.py": RULES, "b.py": b"B = 1"})
    assert sources.mean_the_same({"b.py": b"B = 1", "a.py": RULES}, known)
    assert not sources.mean_the_same({"a.py": RULES}, known)
    assert not sources.mean_the_same({"a.py": RULES, "b.py": b"B = 1", "c.py": b""}, known)
    assert not sources.mean_the_same({"a.py": b"B = 1", "b.py": RULES}, known)


def test_a_file_with_the_same_bytes_is_not_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    known = sources.digests({"a.py": RULES, "b.py": b"B = 1"})
    parsed: list[bytes] = []

    def parse(text: bytes) -> str:
        parsed.append(text)
        return "something else"

    monkeypatch.setattr(sources, "meaning", parse)
    assert sources.mean_the_same({"a.py": RULES, "b.py": b"B = 1"}, known)
    assert not parsed
    assert not sources.mean_the_same({"a.py": RULES, "b.py": b"B = 1  # one"}, known)
    assert parsed == [b"B = 1  # one"]


def test_modules_with_compiled_functions_and_boards_count(tmp_path: Path) -> None:
    for path, text in {
        "core/bits.py": b"from .compiled import compiled",
        "core/text.py": b'"""No compiled import here."""',
        "games/go/rules.py": RULES,
        "games/go/board.py": b"POINTS = 361",
        "games/go/picture.py": b"STONE = 'o'",
        "bench/speed.py": RULES,
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(text)
    assert list(sources.read(tmp_path)) == ["core/bits.py", "games/go/board.py", "games/go/rules.py"]


# What holds for the package itself


def test_every_module_with_compiled_functions_counts() -> None:
    """But for measurements: no library has these, Numba compiles them where they are run."""
    marked = {
        path.relative_to(sources.PACKAGE).as_posix()
        for path in sources.PACKAGE.rglob("*.py")
        if any(f"\n@{mark}" in path.read_text("utf-8") for mark in ("compiled\n", "kernel(", "instruction("))
    }
    assert {path for path in marked if not path.startswith("bench/")} <= set(sources.ours())


@pytest.mark.parametrize("path", [path for path in sources.ours() if not path.endswith(("compiled.py", "jit.py"))])
def test_compiled_code_takes_its_constants_from_sources_that_count(path: str) -> None:
    """A constant is compiled in: if it came from elsewhere, nobody would notice that it has changed."""
    tree = ast.parse(sources.ours()[path])
    strangers = set(_imported_from_elsewhere(tree, path))
    for name, used in _frozen(tree):
        assert not used & strangers, f"{name} in {path} uses {used & strangers}"


def _imported_from_elsewhere(tree: ast.Module, path: str) -> Iterator[str]:
    """The names that a module imports from modules of ours that do not count."""
    for node in tree.body:
        if isinstance(node, ast.ImportFrom):
            folder = Path(path).parents[node.level - 1] if node.level else Path()
            named = (node.module or "").replace(".", "/")
            if node.level or named.startswith("archipel"):
                home = (folder / named.removeprefix("archipel").strip("/")).as_posix()
                for alias in node.names:
                    if not {f"{home}.py", f"{home}/{alias.name}.py"} & set(sources.ours()):
                        yield alias.asname or alias.name


def _frozen(tree: ast.Module) -> Iterator[tuple[str, set[str]]]:
    """The constants and compiled functions of a module, and the names that each uses from outside."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and not _is_type(node.value):
            yield ast.unparse(node.targets[0]), _loaded(node.value)
        if isinstance(node, ast.FunctionDef) and node.decorator_list:
            own = {argument.arg for argument in node.args.args}
            yield node.name, set().union(*map(_loaded, node.body)) - own


def _is_type(value: ast.expr) -> bool:
    return isinstance(value, ast.Subscript | ast.BinOp) and "Annotated" in ast.unparse(value)


def _loaded(node: ast.AST) -> set[str]:
    return {name.id for name in ast.walk(node) if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Load)}
