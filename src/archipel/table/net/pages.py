"""The client's files, built into this package and served from memory."""

import gzip
import hashlib
import mimetypes
from pathlib import Path

from starlette.responses import Response

FOLDER = Path(__file__).parents[1] / "client"
_MISSING = """<!doctype html>
<html lang="en">
<title>Archipel</title>
<h1>Archipel</h1>
<p>The server runs, but the pages to play on are not in this installation. Build them with <code>make client</code>.</p>
</html>
"""


class Pages:
    """All files of the client by their path; every other path gets the app's page."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self._files = {
            "/" + path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
        }
        self._small: dict[str, bytes] = {}
        self._tags = {path: hashlib.sha256(content).hexdigest()[:16] for path, content in self._files.items()}

    def response(self, path: str, seen: str | None, encodings: str = "") -> Response:
        """The file at that path, or the app's page; compressed if the browser supports it."""
        if path not in self._files:
            path = "/index.html"
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
    return path.endswith((".html", ".js", ".css", ".svg", ".webmanifest"))


def _caching(path: str) -> str:
    """Files under /assets have their digest in their name and never change."""
    return "public, max-age=31536000, immutable" if path.startswith("/assets/") else "no-cache"
