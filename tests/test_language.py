"""Words of the old dialect do not come back: docstrings, comments, texts and pages are written in plain English.

CONTRIBUTING.md says how we write. docs/glossary.md has the words for players; the client's tests compare its messages
with it.
"""

import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from .rules_table import ROOT

INSTEAD = {
    r"foes?": "opponent",
    r"onlookers?|looks? on at|looking on": "spectator, watch",
    r"he|him|his|himself": "they, the player, a name",
    r"whoever|whosoever|whomever": "the person who, anyone who, or who it is",
    r"reckon\w*": "compute, count",
    r"shall|hath|thereof|whereof|wherein|nought": "say who does what",
    r"so many|so much|so often": "this many, a number of, n",
    r"unless (?:you say|said|told)|if not said|if nothing is said": "default:",
    r"foretells?|foretold": "predict",
    r"in (?:its|their) heads?|in the head(?! of)": "simulated, in a search",
    r"over (?:a|the|its|his|their|somebody's|a player's|one's) shoulder": "watch a hand",
    r"works? no more|is no more": "is no longer valid, was revoked",
    r"(?:what|that|which) (?:it|he|one) is told": "its input, its arguments",
    r"dealt? with later|be that as it may|as one likes|has it that": "say it directly",
    r"gives? (?:the|a|this) game up|giving the game up": "resign",
    r"what cannot be is refused|if that cannot be": "say what is impossible or refused",
}
"""Patterns that are not to appear, each with what to write instead."""
PATTERN = re.compile("|".join(rf"(\b(?:{words})\b)" for words in INSTEAD), re.IGNORECASE)
PAGES = [
    *("README.md", "CONTRIBUTING.md", "SECURITY.md", "web/messages/en.json"),
    *(str(page.relative_to(ROOT)) for page in (ROOT / "docs").rglob("*.md")),
    *(str(page.relative_to(ROOT)) for page in (ROOT / "src" / "archipel" / "games").glob("*/rules.en.md")),
    *(str(page.relative_to(ROOT)) for page in (ROOT / "examples").rglob("*.md")),
]
CLIENT = ROOT / "web" / "src"
EXCEPT = {"docs/glossary.md", "docs/rules-and-tests.md"}
"""The glossary lists the words to avoid; the other page is made from the names of tests."""


def found(text: str) -> list[str]:
    """Every word in a text that is not to appear, with what to write instead."""
    instead = list(INSTEAD.values())
    return [f"{match[0]!r}: {instead[(match.lastindex or 1) - 1]}" for match in PATTERN.finditer(text)]


def tokens(path: Path) -> Iterator[tokenize.TokenInfo]:
    return tokenize.generate_tokens(io.StringIO(path.read_text("utf-8")).readline)


def texts(path: Path) -> Iterator[tuple[int, str]]:
    """The comments and strings of a module, by line; names are left out."""
    parts = {tokenize.COMMENT, tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING)}
    for token in tokens(path):
        if token.type in parts:
            yield token.start[0], token.string


@pytest.mark.parametrize("folder", ["src", "examples", "training"])
def test_sources_are_in_plain_english(folder: str) -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{line}: {word}"
        for path in sorted((ROOT / folder).rglob("*.py"))
        for line, text in texts(path)
        for word in found(text)
    ]
    assert not wrong, "\n" + "\n".join(wrong)


@pytest.mark.parametrize("name", sorted(set(PAGES) - EXCEPT))
def test_pages_are_in_plain_english(name: str) -> None:
    lines = (ROOT / name).read_text("utf-8").splitlines()
    wrong = [f"{name}:{number}: {word}" for number, line in enumerate(lines, 1) for word in found(line)]
    assert not wrong, "\n" + "\n".join(wrong)


def test_the_client_is_in_plain_english() -> None:
    paths = sorted(path for path in CLIENT.rglob("*") if path.suffix in (".ts", ".svelte"))
    wrong = [
        f"{path.relative_to(ROOT)}:{number}: {word}"
        for path in paths
        if CLIENT / "words" not in path.parents  # generated from the messages
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        for word in found(line)
    ]
    assert len(paths) > 100
    assert not wrong, "\n" + "\n".join(wrong)


def test_the_old_words_are_found() -> None:
    assert found("The foe gave his bridge.") == ["'foe': opponent", "'his': they, the player, a name"]
    assert found("An opponent gave their bridge; this is a history.") == []
