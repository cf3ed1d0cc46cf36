"""`archipel`, or `archipel serve`: the tables in your browser, for you and whoever you give a link to."""

import argparse
import socket
import sys
import webbrowser
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

import archipel

from . import screen
from .errors import BadInput, complaining

if TYPE_CHECKING:
    from archipel.table.settings import Settings

ABOUT = "start the server and open the lobby in the browser"
EVERYWHERE = ("0.0.0.0", "::", "")


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
    parser.add_argument("--no-browser", action="store_true", help="do not open the browser")


def run(args: argparse.Namespace) -> int:
    from archipel.table import serving
    from archipel.table.settings import settings

    given = {key: value for key, value in vars(args).items() if key != "no_browser"}
    with complaining():
        chosen = settings(given)
    listener = _listening(chosen, given["port"] is None)
    _prepare()
    address = _address(chosen, listener)

    def ready() -> None:
        _announce(address)
        screen.out().print(f"Operator’s page: {address}operator#{chosen.operator}", soft_wrap=True, highlight=False)
        if not args.no_browser and sys.stdout.isatty():
            with suppress(webbrowser.Error):
                webbrowser.open(address)

    try:
        with complaining():
            (serving.run_many if chosen.workers > 1 else serving.run)(chosen, listener, ready)
    except KeyboardInterrupt:
        pass
    screen.out().print("All tables are saved. Bye!", style="soft")
    return 0


def _listening(settings: "Settings", any_port: bool) -> socket.socket:
    from archipel.table import serving

    try:
        return serving.listening(settings)
    except OSError as error:
        if not any_port:
            raise BadInput(f"Port {settings.port} of {settings.host} cannot be used: {error.strerror}.") from None
    settings.port = 0
    with complaining():
        return serving.listening(settings)


def _prepare() -> None:
    """Compile all rules now if they are in no cache: nobody's move is to wait for that."""
    from archipel.core import registry, rules
    from archipel.core.compiled import announced

    for complaint in registry.plug_ins().broken.values():
        screen.err().print(complaint, soft_wrap=True, highlight=False)
    with announced(lambda: screen.err().print("Compiling the rules (once on this machine)…")):
        for name in archipel.GAMES:
            for _ in rules.warm(archipel.game(name).facts):
                pass


def _address(settings: "Settings", listener: socket.socket) -> str:
    if settings.public_url:
        return f"{settings.public_url}/"
    host = _reachable() if settings.host in EVERYWHERE else settings.host
    return f"http://{f'[{host}]' if ':' in host else host}:{listener.getsockname()[1]}/"


def _reachable() -> str:
    """The address by which others in the same network reach this machine."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(("192.0.2.1", 9))  # nothing is sent; it only shows which address would be used
        host: str = probe.getsockname()[0]
        return host
    return "127.0.0.1"


def _announce(address: str) -> None:
    out = screen.out()
    out.print(f"Archipel {archipel.__version__} is running at {address}   (Ctrl-C stops it)", soft_wrap=True)
    if out.is_terminal:
        for line in _code(address):
            out.print(line, highlight=False)


def _code(address: str) -> Iterator[str]:
    """A QR code of the address, two rows of it in each line."""
    import segno

    rows = [list(row) for row in segno.make(address, micro=False).matrix_iter(border=2)]
    rows.append([0] * len(rows[0]))
    for upper, lower in zip(rows[::2], rows[1::2], strict=False):
        yield "  " + "".join(" ▄▀█"[2 * (not up) + (not down)] for up, down in zip(upper, lower, strict=True))
