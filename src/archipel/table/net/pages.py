"""The client's files, built into this package and served from memory."""

import gzip
import hashlib
import json
import mimetypes
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from starlette.responses import Response

from .. import local_files

FOLDER = Path(__file__).parents[1] / "client"
PAGE = "/index.html"
_MISSING = """<!doctype html>
<html lang="en">
<title>Archipel</title>
<h1>Archipel</h1>
<p>The server runs, but the pages to play on are not in this installation. Build them with <code>make client</code>.</p>
</html>
"""


WORKER_LIST = "files.js"
"""What the service worker may keep, and the version of it all."""


def client(folder: Path = FOLDER, games: Path | None = None) -> dict[str, bytes]:
    """The files of the client and of the games that a page plays by itself, by their path."""
    return _read(folder) | {f"local/{name}": content for name, content in _read(games or local_files.folder()).items()}


def _read(folder: Path) -> dict[str, bytes]:
    """The files below a folder; hidden ones are the build's own."""
    found = (path for path in sorted(folder.rglob("*")) if path.is_file() and not path.name.startswith("."))
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def worker_list(kind: str, files: Mapping[str, bytes]) -> bytes:
    """The script that tells the service worker what there is to keep: of a server's house, or of a static one."""
    version = hashlib.sha256()
    for name, content in files.items():
        version.update(name.encode() + b"\0" + hashlib.sha256(content).digest())
    listing = {"kind": kind, "version": version.hexdigest()[:12], "files": [*files]}
    return f"self.HOUSE = {json.dumps(listing)};\n".encode()


BEGINNINGS = {"": ("lobby", "src/lobby/Lobby.svelte"), "table": ("table", "src/table/TablePage.svelte")}
"""By the first part of a path: a name for that page, and what it loads, as Vite's list of chunks calls it."""
CHUNKS = ".chunks.json"
"""Vite's list of chunks."""


def _pages(folder: Path, page: bytes) -> dict[str, tuple[str, bytes]]:
    """By the first part of a path: the page, with links to what it loads, so that a browser knows before it runs it."""
    built = folder / CHUNKS
    chunks: dict[str, dict[str, Any]] = json.loads(built.read_bytes()) if built.is_file() else {}
    return {
        part: (f"/index.{name}.html", page.replace(b"</head>", _links(chunks, source) + b"</head>"))
        for part, (name, source) in BEGINNINGS.items()
        if source in chunks
    }


def _links(chunks: Mapping[str, dict[str, Any]], source: str) -> bytes:
    """Links to a chunk and all that it imports; the page itself has those of its own script."""
    named = _imported(chunks, source) - _imported(chunks, "index.html")
    scripts = sorted(chunks[name]["file"] for name in named)
    styles = sorted(style for name in named for style in chunks[name].get("css", ()))
    links = [f'<link rel="stylesheet" crossorigin href="/{style}">' for style in styles]
    links += [f'<link rel="modulepreload" crossorigin href="/{script}">' for script in scripts]
    return "".join(f"{link}\n" for link in links).encode()


def _imported(chunks: Mapping[str, dict[str, Any]], name: str) -> set[str]:
    """A chunk and everything that it imports."""
    found, waiting = {name}, [name]
    while waiting:
        new = set(chunks[waiting.pop()].get("imports", ())) - found
        found |= new
        waiting += new
    return found


class Pages:
    """All files of the client by their path; every other path gets the app's page."""

    def __init__(self, folder: Path = FOLDER, games: Path | None = None) -> None:
        files = client(folder, games)
        files[WORKER_LIST] = worker_list("server", files)
        self._files = {f"/{name}": content for name, content in files.items()}
        pages = _pages(folder, self._files.get(PAGE, b""))
        self._files |= pages.values()
        self._page_of = {part: path for part, (path, _) in pages.items()}
        self._small: dict[str, bytes] = {}
        self._tags = {path: hashlib.sha256(content).hexdigest()[:16] for path, content in self._files.items()}

    def response(self, path: str, seen: str | None, encodings: str = "") -> Response:
        """The file at that path, or the app's page; compressed if the browser supports it."""
        if path not in self._files:
            path = self._page_of.get(path.split("/")[1], PAGE)
        content = self._files.get(path, _MISSING.encode())
        tag = f'"{self._tags.get(path, "missing")}"'
        headers = {"etag": tag, "cache-control": _caching(path), "vary": "accept-encoding"}
        if seen == tag:
            return Response(status_code=304, headers=headers)
        kind = mimetypes.guess_type(path)[0] or "application/octet-stream"
        if "gzip" in encodings and _shrinks(path):
            content, headers["content-encoding"] = self._packed(path, content), "gzip"
        return Response(content, media_type=kind, headers=headers)

    def _packed(self, path: str, content: bytes) -> bytes:
        """A compressed file, computed on first request, so that the server starts sooner."""
        if path not in self._small:
            self._small[path] = gzip.compress(content, mtime=0)
        return self._small[path]


def _shrinks(path: str) -> bool:
    """True if compressing such a file helps; pictures are compressed already."""
    return path.endswith((".html", ".js", ".css", ".svg", ".webmanifest", ".json", ".wasm"))


def _caching(path: str) -> str:
    """Files under /assets and the games' own have their digest in their name and never change."""
    lasting = path.startswith(("/assets/", "/local/")) and not path.endswith(local_files.LIST)
    return "public, max-age=31536000, immutable" if lasting else "no-cache"
