"""The puzzles' files as the server sends them: made on first request, one at a time, and kept for a while."""

import asyncio
import gzip
import hashlib
from functools import lru_cache

from starlette.responses import Response

from archipel.core import puzzle_files

PREFIX = "/data/puzzles/"
KEPT = 256
"""How many files are kept in memory."""
HEADERS = {"cache-control": "public, max-age=3600", "vary": "accept-encoding"}


class PuzzleFiles:
    """Answers requests below `PREFIX`."""

    def __init__(self) -> None:
        self._one = asyncio.Lock()

    async def response(self, path: str, seen: str | None, encodings: str) -> Response | None:
        """The file of that path; None if there is no such file."""
        async with self._one:  # a file takes a while to make: nobody keeps more than one core busy
            made = await asyncio.to_thread(_made, path.removeprefix(PREFIX))
        if made is None:
            return None
        content, tag = made
        headers = HEADERS | {"etag": tag}
        if seen == tag:
            return Response(status_code=304, headers=headers)
        if "gzip" in encodings:
            return Response(content, media_type="application/json", headers=headers | {"content-encoding": "gzip"})
        return Response(gzip.decompress(content), media_type="application/json", headers=headers)


@lru_cache(maxsize=KEPT)
def _made(path: str) -> tuple[bytes, str] | None:
    """A compressed file and its tag."""
    found = puzzle_files.content(path)
    if found is None:
        return None
    return gzip.compress(found, mtime=0), f'"{hashlib.sha256(found).hexdigest()[:16]}"'
