"""The static house: a folder of files that plays all games in a page, without a server, and offline after one visit."""

import shutil
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path

from archipel.core import puzzle_files

from .net import pages
from .net.pages import WORKER_LIST
from .net.puzzle_files import PREFIX

DAYS = 200
"""A house has the puzzles of this many days from the day on which it is written."""

POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; "
    "font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'"
)
"""The page's own security policy, for a static server sends none: nothing is asked of any other site."""


def write(folder: Path, client: Path | None = None, games: Path | None = None) -> dict[str, bytes]:
    """Write the house into a folder, new or written by this function before; the files that it has."""
    files = house(client or pages.FOLDER, games)
    new = folder.with_name(f".{folder.name}.new")
    shutil.rmtree(new, ignore_errors=True)
    for name, content in files.items():
        (new / name).parent.mkdir(parents=True, exist_ok=True)
        (new / name).write_bytes(content)
    if folder.is_dir():
        shutil.rmtree(folder)
    new.replace(folder)
    return files


def is_house(folder: Path) -> bool:
    """True if the folder was written by `write`."""
    return (folder / WORKER_LIST).is_file() and (folder / "index.html").is_file()


def house(client: Path, games: Path | None) -> dict[str, bytes]:
    """All files of the house, by their path in it."""
    files = pages.client(client, games)
    files["index.html"] = _page(files["index.html"].decode()).encode()
    # The worker keeps the whole house; of the puzzles only those that are looked at, and those of the next days.
    return files | {WORKER_LIST: pages.worker_list("static", files)} | _puzzles(datetime.now(UTC).date())


@cache
def _puzzles(today: date) -> dict[str, bytes]:
    """The puzzles of the coming days."""
    return {f"{PREFIX[1:]}{path}": content for path, content in puzzle_files.static(today, DAYS)}


def _page(page: str) -> str:
    """The client's page, as a folder of files has it: everything lies beside it, and it says that it is alone."""
    policy = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}" />'
    page = page.replace('="/', '="./').replace("<html ", '<html data-house="static" ', 1)
    return page.replace('<meta charset="utf-8" />', f'<meta charset="utf-8" />\n    {policy}', 1)
