"""The adapters' page: its examples run and print what it says."""

import doctest
import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "adapters.md"


def test_the_pages_examples_run() -> None:
    text = PAGE.read_text("utf-8")
    blocks = "\n".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL))
    examples = doctest.DocTestParser().get_doctest(blocks, {}, PAGE.name, str(PAGE), 0)
    said: list[str] = []
    result = doctest.DocTestRunner().run(examples, out=said.append)
    assert result.attempted
    if result.failed:
        pytest.fail("".join(said))
