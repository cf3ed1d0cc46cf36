"""`make play` in a fresh clone: seconds to the page, and to the first move of a bot of each game.

`python -m archipel.bench.clone` clones the checkout that it runs in, with its last commit, into a temporary folder, and
runs `make play` there with empty caches; what make prints is shown with the seconds that have passed.
"""

import os
import signal
import subprocess
import threading
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from .visit import SERVED, Visitor, free_port

ROOT = Path(__file__).parents[3]


def main() -> None:
    with TemporaryDirectory() as room:
        clone, port = Path(room) / "archipel", free_port()
        subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
        caches = {"XDG_CACHE_HOME": f"{room}/cache", "XDG_DATA_HOME": f"{room}/data"}
        environment = os.environ | caches | SERVED | {"ARCHIPEL_PORT": str(port)}
        start = time.perf_counter()
        making = subprocess.Popen(
            ["make", "play"],
            cwd=clone,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        threading.Thread(target=_tell, args=(making, start), daemon=True).start()
        try:
            visitor = Visitor(port, start)
            print(f"the page after {visitor.page():.1f} s", flush=True)
            visitor.bots(lambda game, seconds: print(f"{game}: a bot's first move after {seconds:.1f} s", flush=True))
        finally:
            os.killpg(making.pid, signal.SIGTERM)
            making.wait(60)


def _tell(making: "subprocess.Popen[str]", start: float) -> None:
    assert making.stdout
    for line in making.stdout:
        print(f"{time.perf_counter() - start:6.1f} s  {line.rstrip()}", flush=True)


if __name__ == "__main__":
    main()
