"""What the documentation shows must run, and its pictures must be what the code draws."""

import doctest
import importlib.util
import re
from pathlib import Path

import pytest

from .rules_table import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_sessions_in_a_page_run(page: Path) -> None:
    failed, _ = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert failed == 0


@pytest.mark.parametrize(
    "page", [ROOT / "docs" / name for name in ("a-fifth-game.md", "dice.md")], ids=lambda page: page.name
)
def test_programs_in_a_page_run(page: Path) -> None:
    programs = re.findall(r"```python\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
    assert programs
    for program in programs:
        exec(compile(program, str(page), "exec"), {})


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)|src=\"([^\":]+)\"", text):
        assert (page.parent / (target[0] or target[1])).exists(), f"{page.name} links to {target}"


def test_pictures_are_what_the_code_draws() -> None:
    spec = importlib.util.spec_from_file_location("draw", ROOT / "docs" / "pictures" / "draw.py")
    assert spec
    assert spec.loader
    drawing = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(drawing)
    for name, picture in drawing.draw().items():
        assert (ROOT / "docs" / "pictures" / name).read_text("utf-8") == picture, "run `make golden`"
