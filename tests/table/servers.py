"""PostgreSQL and Redis of the tests' own, on free ports, ended with them."""

import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from tests.patience import PATIENCE

from .house import free_port

FOLDERS = (*sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True), Path("/usr/bin"), Path("/usr/local/bin"))


def _program(name: str) -> str | None:
    found = next((folder / name for folder in FOLDERS if (folder / name).exists()), None)
    return str(found) if found else shutil.which(name)


def _as_somebody(folder: Path) -> dict[str, Any]:
    """PostgreSQL does not run as root: run it as somebody else, who owns the folder."""
    if os.getuid() != 0:
        return {}
    nobody = next(entry for entry in pwd.getpwall() if entry.pw_name in ("postgres", "nobody"))
    os.chown(folder, nobody.pw_uid, nobody.pw_gid)
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


@contextmanager
def postgresql() -> Iterator[str]:
    """A server with one empty database; its URL."""
    initdb, postgres = _program("initdb"), _program("postgres")
    if not (initdb and postgres):
        pytest.fail("PostgreSQL is not installed: sh tests/machine.sh")
    with tempfile.TemporaryDirectory(prefix="archipel-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        somebody = _as_somebody(folder)
        data, port = folder / "data", free_port()
        made = [initdb, "-D", str(data), "-U", "archipel", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C"]
        subprocess.run(made, check=True, capture_output=True, cwd=folder, **somebody)
        settings = ["-c", "listen_addresses=127.0.0.1", "-c", f"unix_socket_directories={folder}", "-p", str(port)]
        with (folder / "log").open("wb") as log:
            server = subprocess.Popen([postgres, "-D", str(data), *settings], stderr=log, cwd=folder, **somebody)
        try:
            url = f"postgresql://archipel@127.0.0.1:{port}/postgres"
            _wait(lambda: _answers(url))
            yield url
        finally:
            server.terminate()
            with suppress(subprocess.TimeoutExpired):
                server.wait(10)
            server.kill()
            server.wait()


def _answers(url: str) -> None:
    import psycopg

    psycopg.connect(url, connect_timeout=2).close()


@contextmanager
def redis(port: int = 0) -> Iterator[str]:
    """A Redis that keeps nothing, on that port or a free one; its URL."""
    program = _program("redis-server")
    if not program:
        pytest.fail("Redis is not installed: sh tests/machine.sh")
    port = port or free_port()
    with tempfile.TemporaryDirectory(prefix="archipel-") as folder:
        command = [program, "--port", str(port), "--save", "", "--appendonly", "no", "--dir", folder]
        server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        try:
            url = f"redis://127.0.0.1:{port}"
            _wait(lambda: _pings(url))
            yield url
        finally:
            server.terminate()
            server.wait(10)


def _pings(url: str) -> None:
    from redis import Redis

    with Redis.from_url(url) as client:
        client.ping()


def _wait(check: Callable[[], None]) -> None:
    until = time.monotonic() + PATIENCE
    while True:
        try:
            return check()
        except Exception:
            if time.monotonic() > until:
                raise
            time.sleep(0.05)
