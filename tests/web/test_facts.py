"""What the client draws from is what the games say."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parents[2] / "web" / "scripts" / "facts.py"


@pytest.fixture(scope="module")
def facts() -> ModuleType:
    spec = importlib.util.spec_from_file_location("facts", SCRIPT)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_client_has_the_facts_and_positions_of_the_games(facts: ModuleType) -> None:
    stale = [path.name for path, text in facts.files().items() if path.read_text(encoding="utf-8") != text]
    assert stale == [], "run: python web/scripts/facts.py"
