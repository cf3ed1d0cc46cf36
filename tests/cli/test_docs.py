"""Every command that the page about the terminal shows is run."""

import re
from pathlib import Path

import pytest

from .conftest import Terminal

PAGE = Path(__file__).parents[2] / "docs" / "terminal.md"
COMMANDS = re.findall(r"^\$ archipel ?(.*)$", PAGE.read_text("utf-8"), re.MULTILINE)


def test_every_command_of_the_page_runs(terminal: Terminal) -> None:
    assert len(COMMANDS) > 10
    for command in COMMANDS:
        said = terminal(*command.split(), typed="1\n\n1\n")
        assert (command, said.code, said.err) == (command, 0, "")


@pytest.mark.parametrize("word", ["undo", "board", "rules", "save FILE", "help", "quit"])
def test_the_page_explains_what_may_be_typed(word: str) -> None:
    assert f"`{word}`" in PAGE.read_text("utf-8")
