"""A server of the tests' own, in a process that can be stopped and started again."""

import socket
import subprocess
import time
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from tests import chance


class Server:
    """Serves the built client on a free port; its tables outlive it. `packages`: a folder with installed packages."""

    def __init__(self, folder: Path, packages: Path | None = None, **settings: str) -> None:
        self._settings = settings
        self._packages = packages
        self.database = folder / "tables.sqlite3"
        self.log = folder / "server.log"
        self._seeds = folder / "seeds"
        self._lives = 0
        self.draw_from("the first draws")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def draw_from(self, name: str) -> None:
        """Let the server's chance come from a source of this name from now on."""
        self._seeds.write_text(f"{chance.SEED} {name}", "utf-8")

    def start(self) -> None:
        archipel, environment = chance.archipel(self._lives, self._seeds)
        self._lives += 1
        command = [*archipel, "serve", "--no-browser", "--port", str(self.port), "--database", str(self.database)]
        settings = {"BOTS": "1", "ANY_BOT": "1", "PACE": "0", "REQUESTS": "500", "TABLES_EACH": "500", "AWAY": "0"}
        settings |= self._settings
        environment |= {f"ARCHIPEL_{name}": value for name, value in settings.items()}
        if self._packages:  # uncompiled: the built kernels know nothing of these games
            environment |= {"PYTHONPATH": str(self._packages), "NUMBA_DISABLE_JIT": "1"}
        with self.log.open("a") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, env=environment)
        self._wait()

    def _wait(self) -> None:
        """However busy the machine is: a server that starts is waited for, one that has ended is not."""
        while self._process.poll() is None:
            try:
                urlopen(f"{self.url}/healthz").close()
                return
            except (URLError, OSError):
                time.sleep(0.1)
        raise RuntimeError(f"The server has ended: {self.log.read_text('utf-8')}")

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(30)
