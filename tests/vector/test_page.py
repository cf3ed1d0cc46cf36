"""The page about many games at once: its examples run, one after the other."""

import re
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "vector.md"


def test_the_pages_examples_run() -> None:
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert len(blocks) == 4
    names: dict[str, Any] = {}
    for block in blocks:
        exec(compile(block, PAGE.name, "exec"), names)


def test_the_tutorials_agent_learns() -> None:
    page = DOCS / "tutorials" / "train-an-agent.md"
    names: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.*?)```", page.read_text("utf-8"), re.DOTALL):
        quick = block.replace("range(60)", "range(15)")
        exec(compile(quick, page.name, "exec"), names)
    assert names["points"].mean() > 0.2  # 60% of the points; the page's 60 updates bring 84%
