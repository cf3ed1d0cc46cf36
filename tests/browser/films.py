"""Take short films of the games from the real pages: `make pictures`.

A film is an animated WebP. Chromium encodes the frames, of which only what has changed is kept; the container is a few
chunks, which are written here, so that no other program is needed.
"""

import struct
from base64 import b64decode, b64encode
from collections.abc import Iterator
from typing import Any, NamedTuple

from playwright.sync_api import Browser, Page

from .person import Person
from .server import Server
from .whole import check

SIZE = {"width": 860, "height": 540}
WIDE = 640
"""How wide a film is shown, in pixels."""
QUALITY = 0.62
LARGEST = 400 * 1024
TICK = 100
"""Milliseconds between two frames of something that moves."""
REST = 650
"""How long a position is looked at before the next move."""

REPLAYED = {"kahuna": range(100, 112), "kula_kula": range(60, 68), "stonehenge": range(5, 12)}
"""The steps of the recorded games that are filmed."""
TRAY = {"width": 860, "height": 800}
BARE = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(".scene :is(.skip, .again) { visibility: hidden }");
  document.adoptedStyleSheets.push(sheet);
}"""
"""Nobody can press anything in a film."""
THROWS = 2
"""How many throws of Krakatoa are filmed."""
BOARDS = {"kahuna": ".frame div.chart", "kula_kula": ".frame div.sea", "stonehenge": ".frame div.ring"}
"""What is filmed of a board that is drawn."""


class Frame(NamedTuple):
    """A rectangle of the picture as WebP, and how long it is seen (milliseconds)."""

    left: int
    top: int
    wide: int
    high: int
    lasts: int
    webp: bytes


class Camera:
    """Keeps the part of each picture that differs from the one before."""

    def __init__(self, page: Page, selector: str) -> None:
        self._page = page
        self._selector = selector
        self._lab = page.context.browser.new_page()  # type: ignore[union-attr]
        self._lab.evaluate(LAB)
        self.frames: list[Frame] = []

    def take(self, lasts: int) -> None:
        """The board as it is now; a picture like the last one makes that one last longer."""
        shot = self._page.locator(self._selector).first.screenshot(animations="allow", caret="hide")
        asked = {"png": b64encode(shot).decode(), "wide": WIDE, "quality": QUALITY}
        found: Any = self._lab.evaluate("asked => seen(asked)", asked)
        if found is None:
            self.frames[-1] = self.frames[-1]._replace(lasts=self.frames[-1].lasts + lasts)
        else:
            left, top, wide, high, data = found
            self.frames.append(Frame(left, top, wide, high, lasts, b64decode(data)))

    def film(self) -> bytes:
        """Everything that was taken."""
        self._lab.close()
        return animated(self.frames)


LAB = """() => {
  let last = null;
  window.seen = async ({ png, wide, quality }) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
    const high = last?.height ?? 2 * Math.round((wide * image.height) / image.width / 2);
    const canvas = new OffscreenCanvas(wide, high);
    const context = canvas.getContext('2d');
    context.imageSmoothingQuality = 'high';
    context.drawImage(image, 0, 0, wide, high);
    const now = context.getImageData(0, 0, wide, high);
    let [left, top, right, bottom] = [0, 0, wide, high];
    if (last) {
      [left, top, right, bottom] = [wide, high, 0, 0];
      for (let at = 0; at < now.data.length; at += 4) {
        const far = Math.abs(now.data[at] - last.data[at]) + Math.abs(now.data[at + 1] - last.data[at + 1]) +
          Math.abs(now.data[at + 2] - last.data[at + 2]);
        if (far < 24) continue;
        const [x, y] = [(at / 4) % wide, Math.floor(at / 4 / wide)];
        [left, top] = [Math.min(left, x), Math.min(top, y)];
        [right, bottom] = [Math.max(right, x + 1), Math.max(bottom, y + 1)];
      }
      if (right <= left) return null;
    }
    last = now;
    [left, top] = [left - (left % 2), top - (top % 2)];
    const part = new OffscreenCanvas(right - left, bottom - top);
    part.getContext('2d').drawImage(canvas, -left, -top);
    const bytes = new Uint8Array(await (await part.convertToBlob({ type: 'image/webp', quality })).arrayBuffer());
    let text = '';
    for (let at = 0; at < bytes.length; at += 32768) text += String.fromCharCode(...bytes.subarray(at, at + 32768));
    return [left, top, right - left, bottom - top, btoa(text)];
  };
}"""
"""Scales a picture, finds the rectangle that has changed, and encodes it; nothing if nothing has."""


def animated(frames: list[Frame]) -> bytes:
    """An animated WebP that begins again when it has ended; the first frame is a whole picture.

    The container is described at https://developers.google.com/speed/webp/docs/riff_container.
    """
    first = frames[0]
    head = struct.pack("<I", 0b10) + _24(first.wide - 1) + _24(first.high - 1)
    chunks = [_chunk(b"VP8X", head), _chunk(b"ANIM", struct.pack("<IH", 0xFFFFFFFF, 0))]
    for frame in frames:
        place = _24(frame.left // 2) + _24(frame.top // 2) + _24(frame.wide - 1) + _24(frame.high - 1)
        overwrite = b"\x02"
        chunks.append(_chunk(b"ANMF", place + _24(frame.lasts) + overwrite + b"".join(_image(frame.webp))))
    body = b"WEBP" + b"".join(chunks)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def _image(webp: bytes) -> Iterator[bytes]:
    """The chunks of a still picture that hold the picture itself."""
    at = 12
    while at < len(webp):
        (size,) = struct.unpack_from("<I", webp, at + 4)
        if webp[at : at + 4] in (b"VP8 ", b"VP8L", b"ALPH"):
            yield _chunk(webp[at : at + 4], webp[at + 8 : at + 8 + size])
        at += 8 + size + size % 2


def _chunk(name: bytes, content: bytes) -> bytes:
    return name + struct.pack("<I", len(content)) + content + b"\0" * (len(content) % 2)


def _24(number: int) -> bytes:
    return number.to_bytes(3, "little")


SEEK = """(time) => {
  const all = document.getAnimations();
  for (const one of all) { one.pause(); one.currentTime = time; }
  return Math.max(0, ...all.map((one) => Number(one.effect.getComputedTiming().endTime)));
}"""
"""Show how everything that moves looks after so long; how long it takes in all."""
DONE = "document.getAnimations().forEach((one) => { try { one.finish(); } catch { one.cancel(); } })"


def replayed(browser: Browser, server: Server, table: str, board: str, steps: range) -> Camera:
    """Moves of a recorded game, one after another, each as it is seen in the replay."""
    anna = Person(browser, server.url, SIZE, motion="no-preference")
    anna.go(f"/table/{table}?game=1&as=referee&step={steps.start}")
    page = anna.page
    page.locator(board).wait_for()
    page.wait_for_timeout(800)
    camera = Camera(page, board)
    camera.take(REST)
    for _ in steps:
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(30)
        time = 0
        while time < page.evaluate(SEEK, time):
            camera.take(TICK)
            time += TICK
        page.evaluate(DONE)
        page.wait_for_timeout(60)
        page.locator(board).scroll_into_view_if_needed()  # what is told of a move may have pushed it down
        check(page)
        camera.take(REST)
    page.context.close()
    return camera


def thrown(browser: Browser, server: Server) -> Camera:
    """Throws of Krakatoa in the tray, at a clock that waits for each picture: here every frame is drawn by software."""
    server.draw_from("the film of Krakatoa")
    anna = Person(browser, server.url, TRAY, motion="no-preference", draws="the film of Krakatoa")
    page = anna.page
    page.clock.install()
    anna.opens("krakatoa")
    page.locator(".felt canvas:not(.off)").wait_for()
    anna.plays_until("form.aiming")
    page.wait_for_timeout(4000)  # until the camera has come closer
    page.evaluate(BARE)
    camera = Camera(page, ".scene")
    for throw in range(THROWS):
        if throw:
            anna.plays_until("form.aiming")
        anna.click(".die.lit")
        page.wait_for_timeout(1500)
        camera.take(REST)
        page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 1)
        page.locator("form.aiming .throw").click()
        while page.locator(".felt .skip").count() == 0:
            page.clock.run_for(TICK)
            page.wait_for_timeout(TICK)
        while page.locator(".felt .skip").count():
            camera.take(TICK)
            page.clock.run_for(TICK)
        page.clock.run_for(TICK)
        camera.take(2 * REST)
        page.clock.resume()
    page.context.close()
    return camera


def films(flat: Browser, deep: Browser, server: Server, tables: dict[str, str]) -> dict[str, bytes]:
    """A film of each game: of the drawn boards in one browser, of the tray in one that has three dimensions.

    ValueError if one is too large to be loaded with a page.
    """
    made = {game: replayed(flat, server, tables[game], BOARDS[game], steps).film() for game, steps in REPLAYED.items()}
    made["krakatoa"] = thrown(deep, server).film()
    for game, film in made.items():
        if len(film) > LARGEST:
            raise ValueError(f"The film of {game} has {len(film) // 1024} KB: film fewer moves.")
    return made
