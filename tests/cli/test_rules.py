"""Rules pages in a terminal."""

from pathlib import Path

import pytest

import archipel
from archipel.cli import pages
from archipel.cli.errors import BadInput

from .conftest import Terminal

PAGE = """\
# Go Fish {#go-fish}

A page for nobody; see [the end](#end).

## Drawing {#draw}

Draw one card.

```
# not a heading
```

### Hand limit {#hand-limit}

Five, and not
more.

## Small print

- **Shouting.** {#shouting} Not
  allowed.
- **Singing.** {#singing} Allowed.

Whoever laughs, {#laughing}
loses.

## The end {#end}
It ends.
"""


@pytest.fixture
def page(folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Every game has this page now, in English."""
    (folder / "rules.en.md").write_text(PAGE, "utf-8")
    monkeypatch.setattr("archipel.core.manifest.files", lambda package: folder)
    return PAGE


def test_the_whole_page_without_anchors(terminal: Terminal, page: str) -> None:
    said = terminal("rules", "stonehenge")
    assert said.code == 0
    assert "Five, and not more." in said.out
    assert "see the end." in said.out
    assert "{#" not in said.out


@pytest.mark.parametrize(
    ("anchor", "section"),
    [
        ("draw", PAGE[PAGE.index("## Drawing") : PAGE.index("## Small")].strip()),
        ("hand-limit", "### Hand limit {#hand-limit}\n\nFive, and not\nmore."),
        ("shouting", "- **Shouting.** {#shouting} Not\n  allowed."),
        ("singing", "- **Singing.** {#singing} Allowed."),
        ("laughing", "Whoever laughs, {#laughing}\nloses."),
        ("end", "## The end {#end}\nIt ends."),
        ("go-fish", PAGE.strip()),
    ],
)
def test_a_section(anchor: str, section: str) -> None:
    assert pages.section(PAGE, anchor) == section


def test_a_section_that_is_not_there() -> None:
    with pytest.raises(BadInput, match=r"no rule 'cheat'; it has go-fish, draw, hand-limit, shouting"):
        pages.section(PAGE, "cheat")


@pytest.mark.parametrize("rule", ["hand-limit", "stonehenge.hand-limit"])
def test_one_rule(terminal: Terminal, page: str, rule: str) -> None:
    said = terminal("rules", "stonehenge", rule)
    assert "Five, and not more." in said.out
    assert "Draw one card" not in said.out


def test_a_page_that_is_not_there(terminal: Terminal, page: str) -> None:
    said = terminal("rules", "stonehenge", "--lang", "fr")
    assert (said.code, said.out, said.err) == (2, "", "Stonehenge has no rules page in 'fr'.\n")


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("game", archipel.GAMES)
def test_the_real_pages(terminal: Terminal, game: str, language: str) -> None:
    said = terminal("rules", game, "--lang", language)
    assert said.code == 0
    assert "{#" not in said.out
    for anchor in pages.anchors(pages.load(game, language)):
        assert terminal("rules", game, anchor, "--lang", language).code == 0
