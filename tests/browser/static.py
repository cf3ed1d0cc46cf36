"""A static house for tests in a browser, served from a folder below another one, as on a project's page."""

import functools
import subprocess
import sys
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from archipel.table import static_house


class House:
    """The files of the house, and a server that knows nothing but files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "below" / "house"
        self.folder.parent.mkdir()
        games = folder / "games"
        subprocess.run([sys.executable, "-m", "archipel.table.local_files", games], check=True)
        static_house.write(self.folder, games=games)
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=str(folder)))
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        """The address before a path of the page: it follows a #."""
        return f"http://127.0.0.1:{self._server.server_port}/below/house/#"

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it so
        pass
