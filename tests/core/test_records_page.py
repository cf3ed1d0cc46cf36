"""The page about records: its examples run, and its sample is a scoresheet."""

import re
from pathlib import Path
from typing import Any

from archipel.core.scoresheet import read

PAGE = Path(__file__).parents[2] / "docs" / "records.md"


def test_the_pages_examples_run() -> None:
    page = PAGE.read_text("utf-8")
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    assert len(blocks) == 2
    names: dict[str, Any] = {}
    for block in blocks:
        exec(compile(block, PAGE.name, "exec"), names)


def test_the_pages_sample_is_read() -> None:
    sample = re.search(r"```text\n(\[Archipel.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert sample
    assert [len(move.variations) for move in read(sample[1]).moves] == [0, 1, 0, 0]
