"""What the documentation shows must run, and its pictures must be what the code draws."""

import doctest
import importlib.util
import re
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

import archipel

from .rules_table import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_sessions_in_a_page_run(page: Path) -> None:
    failed, _ = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert failed == 0


@pytest.mark.parametrize(
    "page", [ROOT / "docs" / name for name in ("a-fifth-game.md", "arena.md", "dice.md")], ids=lambda page: page.name
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
    for name, picture in _script("pictures/draw.py").draw().items():
        assert (ROOT / "docs" / "pictures" / name).read_text("utf-8") == picture, "run `make golden`"


def test_every_page_and_every_public_name_is_on_the_site() -> None:
    site = tomllib.loads((ROOT / "zensical.toml").read_text("utf-8"))["project"]
    listed = re.findall(r"'([\w./-]+\.md)'", str(site["nav"]))
    assert sorted(listed) == sorted(_script("site.py").pages()), "zensical.toml's nav has every page once"
    reference = "\n".join(page.read_text("utf-8") for page in (ROOT / "docs" / "reference").glob("*.md"))
    described = re.findall(r"^::: ([\w.]+)$", reference, re.MULTILINE)
    for name in set(archipel.__all__) - {"CHANCE", "GAMES", "OVER"}:
        home = getattr(archipel, name).__module__
        assert {f"{home}.{name}", home} & set(described), f"docs/reference says nothing about archipel.{name}"


def test_a_link_to_a_source_file_is_plain_text_on_the_site() -> None:
    site = _script("site.py")
    rules = "src/archipel/games/kahuna/rules.fr.md"
    text = f"[levels](../src/archipel/bots/levels.json), [rules](../{rules}#but), [dice](dice.md)"
    assert site._linked("docs/levels.md", text, {"docs/dice.md", rules}) == (
        "levels, [rules](rules/kahuna.fr.md#but), [dice](dice.md)"
    )


def _script(path: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(Path(path).stem, ROOT / "docs" / path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
