"""The files of the client: packed for those who can unpack them, and sent once."""

import asyncio
import gzip
import json
import re
from pathlib import Path

import pytest
from starlette.responses import Response

from archipel.table.net.pages import CHUNKS, Pages
from archipel.table.net.puzzle_files import PREFIX, PuzzleFiles


@pytest.fixture
def pages(tmp_path: Path) -> Pages:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<p>the page</p>" * 50)
    (tmp_path / "assets" / "code.js").write_text("let a = 1;" * 50)
    (tmp_path / "icon.png").write_bytes(b"a picture")
    return Pages(tmp_path)


def test_files_are_packed_where_the_browser_unpacks_them(pages: Pages) -> None:
    plain, packed = (pages.response("/assets/code.js", None, encodings) for encodings in ("", "br, gzip"))
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert gzip.decompress(bytes(packed.body)) == plain.body
    assert len(packed.body) < len(plain.body)
    assert packed.headers["vary"] == plain.headers["vary"] == "accept-encoding"
    assert "content-encoding" not in pages.response("/icon.png", None, "gzip").headers


def test_what_was_seen_is_not_sent_again(pages: Pages) -> None:
    first = pages.response("/", None, "gzip")
    assert first.headers["cache-control"] == "no-cache"
    assert pages.response("/table/any", first.headers["etag"], "gzip").status_code == 304
    assert "immutable" in pages.response("/assets/code.js", None).headers["cache-control"]


def test_a_page_names_what_it_will_load(tmp_path: Path) -> None:
    """The scripts and styles of the lobby or the table, but not once more what the page itself begins with."""
    (tmp_path / "index.html").write_text("<head><script src=/assets/index.js></script></head>")
    chunks: dict[str, dict[str, object]] = {
        "index.html": {"file": "assets/index.js", "imports": ["base"]},
        "base": {"file": "assets/base.js", "css": ["assets/base.css"]},
        "src/lobby/Lobby.svelte": {"file": "assets/lobby.js", "imports": ["base", "row"]},
        "src/table/TablePage.svelte": {
            "file": "assets/table.js",
            "imports": ["index.html"],
            "css": ["assets/table.css"],
        },
        "row": {"file": "assets/row.js", "css": ["assets/row.css"]},
    }
    (tmp_path / CHUNKS).write_text(json.dumps(chunks))
    pages = Pages(tmp_path)

    def named(path: str) -> list[str]:
        return re.findall(r'href="(.+?)"', bytes(pages.response(path, None).body).decode())

    assert named("/") == ["/assets/row.css", "/assets/lobby.js", "/assets/row.js"]
    assert named("/table/one") == ["/assets/table.css", "/assets/table.js"]
    assert named("/puzzles") == []
    assert pages.response("/", None).headers["content-type"].startswith("text/html")
    assert pages.response("/", None).headers["etag"] != pages.response("/table/one", None).headers["etag"]


def test_puzzles_are_files_that_a_browser_keeps() -> None:
    files = PuzzleFiles()

    def ask(path: str, seen: str | None = None, encodings: str = "gzip") -> Response | None:
        return asyncio.run(files.response(PREFIX + path, seen, encodings))

    packed, plain = ask("stonehenge/0.json"), ask("stonehenge/0.json", encodings="")
    assert packed
    assert plain
    assert gzip.decompress(bytes(packed.body)) == plain.body
    assert len(packed.body) < 20_000
    assert packed.headers["cache-control"] == "public, max-age=3600"
    again = ask("stonehenge/0.json", packed.headers["etag"])
    assert again
    assert again.status_code == 304
    assert ask("stonehenge/99999.json") is None
