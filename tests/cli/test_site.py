"""`archipel site`: what it writes, and what it does not touch."""

import json
from pathlib import Path

import pytest

from archipel.cli import main, site
from archipel.table import static_house


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installation whose client is two small files; nothing is built."""
    client, games = tmp_path / "client", tmp_path / "games"
    (client / "assets").mkdir(parents=True)
    games.mkdir()
    page = '<html lang="en"><meta charset="utf-8" /><script src="/assets/a-12345678.js"></script></html>'
    (client / "index.html").write_text(page)
    (client / "assets" / "a-12345678.js").write_text("1;")
    (client / ".made-from").write_text("sources")
    (games / "games.json").write_text("{}")
    monkeypatch.setattr(site, "_checkout", lambda: None)
    monkeypatch.setattr("archipel.table.net.pages.FOLDER", client)
    monkeypatch.setattr("archipel.table.local_files.folder", lambda: games)
    return client


@pytest.mark.usefixtures("built")
def test_the_folder_has_everything_beside_its_page(tmp_path: Path) -> None:
    folder = tmp_path / "house"
    assert main(["site", str(folder)]) == 0
    page = (folder / "index.html").read_text()
    assert 'src="./assets/a-12345678.js"' in page
    assert 'data-house="static"' in page
    assert "default-src 'none'" in page
    recap = json.loads((folder / "files.js").read_text().removeprefix("self.HOUSE = ").removesuffix(";\n"))
    assert recap["kind"] == "static"
    assert recap["files"] == ["assets/a-12345678.js", "index.html", "local/games.json"]
    assert static_house.is_house(folder)


def test_a_house_is_written_anew_and_nothing_else_is(built: Path, tmp_path: Path) -> None:
    folder = tmp_path / "house"
    assert main(["site", str(folder)]) == 0
    first = (folder / "files.js").read_text()
    (built / "assets" / "a-12345678.js").unlink()
    assert main(["site", str(folder)]) == 0
    assert not (folder / "assets").exists()
    assert (folder / "files.js").read_text() != first


@pytest.mark.usefixtures("built")
def test_other_files_are_never_touched(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("Dear Anna")
    assert main(["site", str(tmp_path / "mine")]) == 2
    assert "has other files in it" in capsys.readouterr().err
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["letter.txt"]


def test_an_installation_without_pages_says_so(built: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (built / "index.html").unlink()
    assert main(["site", str(tmp_path / "house")]) == 2
    assert "has no pages to write" in capsys.readouterr().err
    assert not (tmp_path / "house").exists()
