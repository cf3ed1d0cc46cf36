"""The sources that kernels are compiled from: which files count, and whether two versions of them mean the same.

Numba notices a change in a kernel's own file only, not in the functions that the kernel calls. So compiled code is used
only with the sources that it was compiled from. Comments, docstrings and line breaks do not change the code: each file
has a digest of its bytes, which is fast to compare, and one of its syntax tree, for when the bytes differ.
"""

import ast
import hashlib
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

Sources = Mapping[str, bytes]
"""The text of each file, by its path within the package."""
Digests = Mapping[str, tuple[str, str]]
"""Two digests for each file: of its bytes, and of its syntax tree."""

PACKAGE = Path(__file__).parents[1]
_PLACES = ("core/*.py", "games/**/*.py", "bots/**/*.py")
_MARK = re.compile(rb"^from \S*compiled import ", re.MULTILINE)
_ALWAYS = ("board.py", "compiled.py", "fields.py")


@cache
def ours() -> Sources:
    """The sources of this package as they were when first read by this process."""
    return read(PACKAGE)


def read(package: Path) -> Sources:
    """The modules of a package that have compiled functions, and those whose constants and record types they use."""
    found = {}
    for place in _PLACES:
        for path in sorted(package.glob(place)):
            text = path.read_bytes()
            if path.name in _ALWAYS or _MARK.search(text):
                found[path.relative_to(package).as_posix()] = text
    return found


def games(sources: Sources) -> list[str]:
    """The games whose rules are among the sources."""
    return sorted({game for path in sources if (game := _game(path))})


def of_game(sources: Sources, game: str) -> Sources:
    """What one game's kernels are made from: its own sources, and those that all games share."""
    return {path: text for path, text in sources.items() if _game(path) in ("", game)}


def _game(path: str) -> str:
    """The game whose folder a source is in; empty if all games share it."""
    room, _, rest = path.partition("/")
    game, slash, _ = rest.partition("/")
    return game if room == "games" and slash else ""


def fingerprint(sources: Sources) -> str:
    """A digest of the meaning of the sources."""
    return digest("".join(path + meaning(text) for path, text in sources.items()).encode())


def digests(sources: Sources) -> Digests:
    """The digests of sources, for comparison."""
    return {path: (digest(text), meaning(text)) for path, text in sources.items()}


def mean_the_same(sources: Sources, known: Digests) -> bool:
    """True if the sources mean the same as those with these digests. A file with the same bytes is not parsed."""
    return sources.keys() == known.keys() and all(_is_same(text, *known[path]) for path, text in sources.items())


def _is_same(text: bytes, of_bytes: str, of_tree: str) -> bool:
    return digest(text) == of_bytes or meaning(text) == of_tree


def digest(text: bytes) -> str:
    """A digest of bytes."""
    return hashlib.sha256(text).hexdigest()[:16]


def meaning(text: bytes) -> str:
    """A digest of a module's syntax tree without docstrings, comments and layout."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(body := getattr(node, "body", None), list):
            body[:] = [statement for statement in body if not _is_docstring(statement)]
    return digest(ast.dump(tree, annotate_fields=False).encode())


def _is_docstring(statement: ast.stmt) -> bool:
    value = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)
