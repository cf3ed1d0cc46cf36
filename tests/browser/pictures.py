"""Take the documentation's pictures of the real pages: `make pictures`.

Games are played from a fixed seed and brought to a server as records; each picture is a table that goes on from one.
"""

import re
import struct
import subprocess
import sys
import tempfile
import zlib
from base64 import b64decode, b64encode
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from playwright.sync_api import Browser, Page, sync_playwright

import archipel
from archipel import Record
from archipel.bots import Budget, bot
from archipel.core.record import result

from .conftest import CHROMIUM, SOFTWARE_GL
from .films import films
from .person import Person
from .server import Server
from .whole import check

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
DESK = {"width": 1180, "height": 760}
PHONE = {"width": 390, "height": 844}
COLOURS = 256
SEED = 7


class Shot(NamedTuple):
    """A picture of a table: after how many actions, on what screen, in which light and language."""

    game: str
    moves: int
    size: dict[str, int]
    scheme: str = "light"
    locale: str = "en"


SHOTS = [
    Shot("kahuna", 120, DESK),
    Shot("kula_kula", 150, DESK, "dark"),
    Shot("stonehenge", 10, DESK),
]


def record(name: str) -> Record:
    """A game between two who look one step ahead."""
    rng = np.random.default_rng(SEED)
    player, state = bot("greedy"), archipel.game(name).new()
    actions: list[dict[str, Any]] = []
    while state.mover != archipel.OVER:
        if state.mover == archipel.CHANCE:
            action = state.sample(rng)
        else:
            action = player.choose(state.view(state.mover), rng, Budget(simulations=60))
        actions.append(state.decode(action))
        state = state.after(action)
    players = ["Anna", "Ben", "Chloé", "David"][: state.game.seats]
    return Record(game=name, options=state.game.options, actions=actions, players=players, result=result(state))


def brought(folder: Path) -> dict[str, str]:
    """A database with all those games; the tables they are at."""
    paths = []
    for name in archipel.GAMES:
        record(name).save(folder / f"{name}.json")
        paths.append(str(folder / f"{name}.json"))
    command = [sys.executable, "-m", "archipel", "records", "--database", str(folder / "tables.sqlite3"), "--import"]
    said = subprocess.run([*command, *paths], check=True, capture_output=True, text=True).stdout
    tables = re.findall(r"table (\S+?)\.?$", said, re.MULTILINE)
    assert len(tables) == len(archipel.GAMES), said
    return dict(zip(archipel.GAMES, tables, strict=True))


def turn(name: str, moves: int) -> int:
    """The first position from there on in which seat 0 is to act."""
    for n, state in enumerate(record(name).states()):
        if n >= moves and state.mover == 0:
            return n
    raise ValueError(f"{name} was over before {moves} actions.")


def take(browser: Browser, server: Server, tables: dict[str, str], shot: Shot) -> bytes:
    """A table that goes on from that position, as the one at seat 0 sees it."""
    anna = Person(browser, server.url, shot.size, shot.locale, shot.scheme)
    anna.go("/")
    anna.asks("/api/session", {"name": "Anna"})
    wanted = {"moves": turn(shot.game, shot.moves), "seat": 0, "level": "sailor"}
    made = anna.asks(f"/api/tables/{tables[shot.game]}/branch", wanted)
    anna.go(f"/table/{made['id']}")
    anna.page.locator("div.frame svg").first.wait_for()
    return picture(anna.page)


def lobby(browser: Browser, server: Server) -> bytes:
    """The lobby, for somebody who comes for the first time."""
    anna = Person(browser, server.url, DESK)
    anna.go("/")
    anna.page.locator("article button.main:not([disabled])").first.wait_for()
    return picture(anna.page)


def tray(browser: Browser, server: Server) -> bytes:
    """Krakatoa's dice, and an aim at one of them."""
    anna = Person(browser, server.url, DESK, motion="no-preference")
    anna.opens("krakatoa")
    anna.page.locator(".felt canvas:not(.off)").wait_for()
    anna.plays_until("form.aiming")
    anna.page.wait_for_timeout(3000)
    return picture(anna.page)


def replay(browser: Browser, server: Server, tables: dict[str, str]) -> bytes:
    """A game that is over, as the referee sees it, with what a strong bot thinks."""
    anna = Person(browser, server.url, DESK)
    anna.go(f"/table/{tables['stonehenge']}?game=1&as=referee&step=6")
    anna.page.set_viewport_size({"width": 1180, "height": 900})
    anna.page.get_by_role("button", name="Analysis").click()
    anna.page.get_by_role("button", name="What would a strong bot play here?").click()
    anna.page.locator(".analysis ol li").first.wait_for()
    anna.page.evaluate("scrollTo(0, 0)")
    return picture(anna.page)


def picture(page: Page) -> bytes:
    """What the page shows, in few colours and few bytes; ValueError if a board is not whole."""
    page.wait_for_timeout(400)
    page.evaluate("document.fonts.ready.then(() => new Promise(requestAnimationFrame))")
    check(page)
    return packed(page, page.screenshot())


PIXELS = """async (picture) => {
  const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${picture}`)).blob());
  const canvas = new OffscreenCanvas(image.width, image.height);
  const context = canvas.getContext('2d');
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  let text = '';
  for (let at = 0; at < data.length; at += 32768) text += String.fromCharCode(...data.subarray(at, at + 32768));
  return [image.width, image.height, btoa(text)];
}"""


def packed(page: Page, png: bytes) -> bytes:
    """The same picture with a palette: flat drawings need no more."""
    blank = page.context.browser.new_page()  # type: ignore[union-attr]
    wide, high, data = blank.evaluate(PIXELS, b64encode(png).decode())
    blank.close()
    pixels = np.frombuffer(b64decode(data), np.uint8).reshape(high * wide, 4)[:, :3].astype(np.int32)
    palette, indices = _palette(pixels)
    rows = np.zeros((high, wide + 1), np.uint8)
    rows[:, 1:] = indices.reshape(high, wide)
    head = struct.pack(">IIBBBBB", wide, high, 8, 3, 0, 0, 0)
    parts = [(b"IHDR", head), (b"PLTE", palette.tobytes()), (b"IDAT", zlib.compress(rows.tobytes(), 9)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*part) for part in parts)


def _palette(pixels: NDArray[np.int32]) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """So many colours that no part of the picture is far from one of them, and for each pixel the nearest.

    The commonest alone would all be shades of water: begin with one of each of the commonest regions of the colour
    cube, and move each to the middle of the colours that are nearest to it.
    """
    numbers = pixels @ np.array([65536, 256, 1])
    colours, places, counts = np.unique(numbers, return_inverse=True, return_counts=True)
    parts = np.stack([colours >> 16, colours >> 8 & 255, colours & 255], axis=1).astype(np.float32)
    weights = np.sqrt(counts)
    _, region = np.unique((parts.astype(np.int32) >> 4) @ np.array([256, 16, 1]), return_inverse=True)
    heavy = np.argsort(-np.bincount(region, weights), kind="stable")[:COLOURS]
    chosen = np.stack([parts[region == one].mean(axis=0) for one in heavy])
    for _ in range(6):
        nearest = _nearest(parts, chosen)
        total = np.bincount(nearest, weights, len(chosen))
        moved = np.stack([np.bincount(nearest, weights * part, len(chosen)) for part in parts.T], axis=1)
        chosen = np.where(total[:, None] > 0, moved / np.maximum(total, 1e-9)[:, None], chosen).astype(np.float32)
    palette = chosen.round().astype(np.uint8)
    return palette, _nearest(parts, palette.astype(np.float32)).astype(np.uint8)[places.ravel()]


def _nearest(parts: NDArray[np.float32], chosen: NDArray[np.float32]) -> NDArray[np.intp]:
    """For each colour the nearest of the chosen ones; the square of the colour itself does not matter."""
    nearest: NDArray[np.intp] = ((chosen**2).sum(axis=1) - 2 * parts @ chosen.T).argmin(axis=1)
    return nearest


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def main() -> None:
    """Take all pictures and films."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        tables = brought(Path(folder))
        server = Server(Path(folder))
        flat = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", *SOFTWARE_GL])
        try:
            taken = {shot.game: take(browser, server, tables, shot) for shot in SHOTS}
            taken["krakatoa"] = tray(browser, server)
            taken |= {"lobby": lobby(browser, server), "replay": replay(browser, server, tables)}
            filmed = films(flat, browser, server, tables)
        finally:
            flat.close()
            browser.close()
            server.stop()
    files = {f"screen-{name}.png": content for name, content in taken.items()}
    files |= {f"film-{name}.webp": content for name, content in filmed.items()}
    for name, content in files.items():
        (FOLDER / name).write_bytes(content)
        print(f"{name}: {len(content) // 1024} KB")


if __name__ == "__main__":
    main()
