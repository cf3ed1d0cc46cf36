"""What the client draws from is what the games say."""

import importlib.util
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[2] / "web" / "scripts"


@pytest.mark.parametrize("name", ["facts", "lessons", "pictures", "stories"])
def test_what_the_client_has_of_the_games_is_current(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(SCRIPTS))
    spec = importlib.util.spec_from_file_location(name, SCRIPTS / f"{name}.py")
    assert spec
    assert spec.loader
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    stale = [path.name for path, text in script.files().items() if path.read_text(encoding="utf-8") != text]
    assert stale == [], f"run: python web/scripts/{name}.py"
