"""What belongs to one game stays in its folder: modules that all games share do not name it."""

import ast
import re
from pathlib import Path

import archipel

from .rules_table import ROOT

PAGES, PACKAGE = ROOT / "web" / "src", ROOT / "src" / "archipel"
NAMES = "|".join(archipel.GAMES)
OWN = {
    *(PAGES / "games" / game for game in archipel.GAMES),
    PAGES / "words",  # generated from the catalogue of all messages
    PAGES / "kernels" / "signatures.ts",  # generated from the compiled functions
    PACKAGE / "games",
    PACKAGE / "bench",  # measures what other libraries have, too: single games
    PACKAGE / "cli" / "solve.py",  # `archipel solve` proves positions of Stonehenge
}
"""What is of a game, or made from all of them."""


def shared(folder: Path, *suffixes: str) -> list[Path]:
    """The modules of a folder that are no game's own."""
    found = sorted(path for path in folder.rglob("*") if path.suffix in suffixes)
    return [path for path in found if OWN.isdisjoint((path, *path.parents))]


def in_client(text: str) -> list[str]:
    """The lines, comments aside, that name a game: by one of its messages, or as a string."""
    named = re.compile(rf"\bm\.\w*({NAMES})|[\"'`/]({NAMES})[\"'`/]")
    lines = [line.strip() for line in text.splitlines()]
    return [line for line in lines if named.search(line) and not line.startswith(("//", "/*", "*"))]


def in_package(text: str) -> list[str]:
    """The strings that are a game's name."""
    strings = (part.value for part in ast.walk(ast.parse(text)) if isinstance(part, ast.Constant))
    return [value for value in strings if value in archipel.GAMES]


def test_no_shared_module_of_the_client_names_a_game() -> None:
    paths = shared(PAGES, ".ts", ".svelte")
    assert len(paths) > 100
    assert {str(path): lines for path in paths if (lines := in_client(path.read_text("utf-8")))} == {}


def test_no_shared_module_of_the_package_names_a_game() -> None:
    paths = shared(PACKAGE, ".py")
    assert len(paths) > 100
    assert {str(path): names for path in paths if (names := in_package(path.read_text("utf-8")))} == {}


def test_a_name_is_found() -> None:
    assert in_client('// "kahuna"\n<b>{m.kahuna_points()}</b>\nif (game === "krakatoa") {') == [
        "<b>{m.kahuna_points()}</b>",
        'if (game === "krakatoa") {',
    ]
    assert in_package('"""As in kahuna."""\nassert game == "kahuna"') == ["kahuna"]
