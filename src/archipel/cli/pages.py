"""The rules pages of the games: Markdown in which every rule has an anchor, as in ``## Drawing {#draw}``."""

import re

from archipel.core import registry

from .errors import BadInput

ANCHOR = re.compile(r"[ \t]*\{#([\w-]+)\}")
_LINK = re.compile(r"\[([^]]*)\]\(#[\w-]+\)")
_HEADING = re.compile(r"(#+)\s")
_ITEM = re.compile(r"\s*([-*+]|\d+[.)])\s")


def load(game: str, language: str) -> str:
    """A game's page in one language."""
    title = registry.kind(game).title
    page = registry.manifest(game).file(f"rules.{language}.md")
    try:
        return page.read_text("utf-8")
    except FileNotFoundError:
        raise BadInput(f"{title} has no rules page in {language!r}.") from None


def anchors(page: str) -> list[str]:
    """The names of a page's rules, in order."""
    return list(dict.fromkeys(ANCHOR.findall(page)))


def plain(page: str) -> str:
    """The page without its anchors and the links to them, which do not work in a terminal."""
    return _LINK.sub(r"\1", ANCHOR.sub("", page))


def section(page: str, anchor: str) -> str:
    """The part of a page that an anchor names: a section, a paragraph or a list item."""
    lines = page.splitlines()
    for at, line in enumerate(lines):
        if anchor in ANCHOR.findall(line):
            return "\n".join(_under(lines, at) if _HEADING.match(line) else _around(lines, at)).strip()
    raise BadInput(f"The page has no rule {anchor!r}; it has {', '.join(anchors(page)) or 'none'}.")


def _under(lines: list[str], at: int) -> list[str]:
    level = _level(lines[at])
    fenced = False
    for end in range(at + 1, len(lines)):
        fenced ^= lines[end].startswith("```")
        if not fenced and 0 < _level(lines[end]) <= level:
            return lines[at:end]
    return lines[at:]


def _around(lines: list[str], at: int) -> list[str]:
    start = end = at
    while start > 0 and not _ITEM.match(lines[start]) and _same_block(lines[start - 1]):
        start -= 1
    while end + 1 < len(lines) and _same_block(lines[end + 1]) and not _ITEM.match(lines[end + 1]):
        end += 1
    return lines[start : end + 1]


def _same_block(line: str) -> bool:
    return bool(line.strip()) and not _HEADING.match(line)


def _level(line: str) -> int:
    heading = _HEADING.match(line)
    return len(heading[1]) if heading else 0
