"""`python docs/site.py`: build the documentation site into build/site, and fail if a link leads nowhere.

The pages are written to be read in the repository as well. The site has no repository around it, so this script first
lays them out in build/docs: with the rules pages of every game beside them, and without links to source files.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = ROOT / "build" / "docs"
SITE = ROOT / "build" / "site"
BESIDE = ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
"""Pages of the repository's root that belong to the site, too."""
_LINK = re.compile(r"(?P<picture>!?)\[(?P<text>[^\]]*)\]\((?P<target>[^)\s#:]*)(?P<anchor>#[^)\s]*)?\)")
_RULES = re.compile(r"src/archipel/games/(\w+)/rules\.(\w+)\.md$")


def pages() -> dict[str, str]:
    """All Markdown pages of the site, by their path in it."""
    found = {page.relative_to(ROOT).as_posix(): page for page in sorted((ROOT / "docs").rglob("*.md"))}
    found |= {name: ROOT / name for name in BESIDE}
    found |= {page.relative_to(ROOT).as_posix(): page for page in sorted(ROOT.glob("src/archipel/games/*/rules.*.md"))}
    return {_place(source): _page(source, page.read_text("utf-8"), set(found)) for source, page in found.items()}


def _page(source: str, text: str, known: set[str]) -> str:
    text = _linked(source, text, known)
    if rules := _RULES.match(source):  # a picture of the board, as the library draws it, under the title
        title, rest = text.split("\n", 1)
        return f"{title}\n\n![](../pictures/{rules[1]}.svg){{ width=420 }}\n{rest}"
    return text


def _place(source: str) -> str:
    """Where a page of the repository stands in the site."""
    if rules := _RULES.match(source):
        return f"rules/{rules[1]}.{rules[2]}.md"
    return source.removeprefix("docs/")


def _linked(source: str, text: str, known: set[str]) -> str:
    """The text of a page with its links as they are in the site; a link to what is no page becomes plain text."""

    def link(match: re.Match[str]) -> str:
        target = match["target"]
        if not target or match["picture"]:
            return match[0]
        meant = _resolve(source, target)
        if meant in known:
            return f"[{match['text']}]({_relative(_place(source), _place(meant))}{match['anchor'] or ''})"
        return match[0] if meant.startswith("docs/") and (ROOT / meant).is_file() else match["text"]

    parts = re.split(r"(^```.*?^```)", text, flags=re.DOTALL | re.MULTILINE)
    return "".join(part if part.startswith("```") else _LINK.sub(link, part) for part in parts)


def _resolve(source: str, target: str) -> str:
    """A relative link as a path from the repository's root."""
    path = (ROOT / source).parent / target
    return path.resolve().relative_to(ROOT).as_posix()


def _relative(source: str, target: str) -> str:
    return "../" * source.count("/") + target


def lay_out() -> None:
    """Write all pages and pictures into build/docs."""
    shutil.rmtree(PAGES, ignore_errors=True)
    shutil.copytree(ROOT / "docs", PAGES, ignore=shutil.ignore_patterns("*.md", "*.py", "__pycache__"))
    shutil.copy(ROOT / "web" / "public" / "icon.svg", PAGES / "pictures")
    for name, text in pages().items():
        page = PAGES / name
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(text, "utf-8")


def build() -> None:
    """Build the site from what is in build/docs; CalledProcessError if anything in it leads nowhere."""
    shutil.rmtree(SITE, ignore_errors=True)
    subprocess.run([Path(sys.executable).with_name("zensical"), "build", "--strict", "--clean"], cwd=ROOT, check=True)


if __name__ == "__main__":
    lay_out()
    build()
