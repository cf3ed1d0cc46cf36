"""A server of the tests' own, in a process that can be stopped and started again."""

import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen


class Server:
    """Serves the built client on a free port; its tables outlive it."""

    def __init__(self, folder: Path) -> None:
        self.database = folder / "tables.sqlite3"
        self.log = folder / "server.log"
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        command = [sys.executable, "-m", "archipel", "serve", "--no-browser"]
        command += ["--port", str(self.port), "--database", str(self.database)]
        settings = {"BOTS": "1", "PACE": "0", "REQUESTS": "500", "TABLES_EACH": "500", "AWAY": "0"}
        settings = os.environ | {f"ARCHIPEL_{name}": value for name, value in settings.items()}
        with self.log.open("a") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, env=settings)
        self._wait()

    def _wait(self) -> None:
        for _ in range(600):
            try:
                urlopen(f"{self.url}/healthz").close()
                return
            except (URLError, OSError):
                time.sleep(0.1)
        raise TimeoutError(f"The server does not answer; see {self.log}.")

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(30)
