"""`archipel`, or `archipel serve`: start the server and open the lobby in the browser."""

import argparse
import os
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

import archipel
from archipel.core.errors import LANGUAGES
from archipel.table.net.addresses import EVERYWHERE, reachable

from . import screen
from .errors import BadInput, complaining

if TYPE_CHECKING:
    from archipel.table.net.porch import Porch
    from archipel.table.settings import Settings

ABOUT = "start the server and open the lobby in the browser"


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--host", help="address to listen on (default: 127.0.0.1, this machine only; 0.0.0.0: all interfaces)"
    )
    parser.add_argument("--port", type=int, help="port to listen on (default: 8300, or another if it is taken)")
    parser.add_argument("--database", metavar="URL", help="database: a file, or postgresql://…")
    parser.add_argument("--redis", metavar="URL", help="redis://…, needed for several workers")
    parser.add_argument(
        "--workers", type=int, metavar="N", help="number of worker processes; more than one needs PostgreSQL and Redis"
    )
    parser.add_argument("--public-url", metavar="URL", help="the address at which others reach the server")
    parser.add_argument("--password", metavar="TEXT", help="ask everybody for this password first (default: none)")
    parser.add_argument("--lang", choices=LANGUAGES, help="language of the pages that open (default: the browser’s)")
    parser.add_argument("--no-browser", action="store_true", help="do not open the browser")


def run(args: argparse.Namespace) -> int:
    os.environ.setdefault("ARCHIPEL_KERNELS", "soon")  # so that nobody waits for a compiler: see archipel.core.compiled
    from archipel.table.net.porch import Porch
    from archipel.table.settings import settings

    given = {key: value for key, value in vars(args).items() if key not in ("lang", "no_browser")}
    with complaining():
        chosen = settings(given)
    wanted = chosen.port
    listener = _listening(chosen, given["port"] is None)
    address = _address(chosen, listener)
    opened = f"{address}?lang={args.lang}" if args.lang else address
    browser = _Browser(opened, not args.no_browser and sys.stdout.isatty())

    def ready() -> None:
        _announce(address)
        screen.out().print(f"Operator’s page: {address}operator#{chosen.operator}", soft_wrap=True, highlight=False)
        browser.open()

    try:
        with complaining():
            if chosen.workers > 1:
                _serve(chosen, listener, ready, None)
            else:
                with Porch(listener, chosen) as porch:
                    if chosen.port == wanted:  # otherwise another server may be running already
                        browser.open()
                    _serve(chosen, listener, ready, porch)
    except KeyboardInterrupt:
        pass
    screen.out().print("All tables are saved. Bye!", style="soft")
    return 0


def _serve(settings: "Settings", listener: socket.socket, ready: Callable[[], None], porch: "Porch | None") -> None:
    """Import the server, which takes a moment, and run it."""
    from archipel.table import serving

    _prepare()
    if porch:
        serving.run(settings, listener, ready, porch)
    else:
        serving.run_many(settings, listener, ready)


class _Browser:
    """Opens the lobby in the browser, once."""

    def __init__(self, address: str, wanted: bool) -> None:
        self._address, self._wanted = address, wanted

    def open(self) -> None:
        if self._wanted:
            self._wanted = False
            threading.Thread(target=self._open, daemon=True).start()

    def _open(self) -> None:
        import webbrowser

        with suppress(webbrowser.Error):
            webbrowser.open(self._address)


def _listening(settings: "Settings", any_port: bool) -> socket.socket:
    from archipel.table.net.porch import listening

    try:
        return listening(settings)
    except OSError as error:
        if not any_port:
            raise BadInput(f"Port {settings.port} of {settings.host} cannot be used: {error.strerror}.") from None
    settings.port = 0
    with complaining():
        return listening(settings)


def _prepare() -> None:
    """Report broken plug-ins, and what is being compiled."""
    from archipel.core import compiled, registry, rules

    for complaint in registry.plug_ins().broken.values():
        screen.err().print(complaint, soft_wrap=True, highlight=False)
    if compiled.MODE == compiled.SOON:
        screen.err().print(
            "Compiling the bots in the background (once for this version); the lobby shows how far it is."
        )
    with compiled.announced(lambda: screen.err().print("Compiling the rules (once on this machine)…")):
        for name in archipel.GAMES if compiled.MODE == compiled.JIT else ():
            for _ in rules.warm(archipel.game(name).facts):
                pass


def _address(settings: "Settings", listener: socket.socket) -> str:
    if settings.public_url:
        return f"{settings.public_url}/"
    host = reachable() if settings.host in EVERYWHERE else settings.host
    return f"http://{f'[{host}]' if ':' in host else host}:{listener.getsockname()[1]}/"


def _announce(address: str) -> None:
    out = screen.out()
    out.print(f"Archipel {archipel.__version__} is running at {address}   (Ctrl-C stops it)", soft_wrap=True)
    if out.is_terminal:
        for line in _code(address):
            out.print(line, highlight=False)


def _code(address: str) -> Iterator[str]:
    """A QR code of the address, with two rows of modules per line."""
    import segno

    rows = [list(row) for row in segno.make(address, micro=False).matrix_iter(border=2)]
    rows.append([0] * len(rows[0]))
    for upper, lower in zip(rows[::2], rows[1::2], strict=False):
        yield "  " + "".join(" ▄▀█"[2 * (not up) + (not down)] for up, down in zip(upper, lower, strict=True))
