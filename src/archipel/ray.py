"""Connect to a Ray cluster."""

import logging
import os
import socket
from typing import Any

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # no usage statistics are sent
os.environ.setdefault("RAY_worker_niceness", "0")  # otherwise a busy machine would starve the work for minutes

KNOCK = 10.0
"""Seconds to wait for an address to answer."""


class NoCluster(ValueError):
    """Ray is not installed, or there is no cluster at the address."""


def connect(address: str) -> Any:
    """Connect to `host:port`, `ray://host:port`, `auto` (the cluster on this machine) or `local` (a new one), and
    return Ray."""
    ray = _ray()
    options: dict[str, Any] = {"include_dashboard": False} if address == "local" else {}
    try:
        _knock(address)
        ray.init(address=address, logging_level=logging.ERROR, log_to_driver=False, **options)
    except (ValueError, RuntimeError, OSError, OverflowError) as error:
        message = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        reason = " ".join(message.split()).partition(". ")[0].rstrip(".")
        raise NoCluster(f"No Ray cluster can be reached at {address!r}: {reason}.") from None
    return ray


def cpus(ray: Any) -> int:
    """The number of CPUs that the cluster has now: nodes come and go."""
    return max(1, int(ray.cluster_resources().get("CPU", 0)))


def _ray() -> Any:
    try:
        import ray
        import ray.exceptions
    except ImportError:
        raise NoCluster("A Ray cluster needs Ray: pip install 'archipel[ray]'.") from None
    return ray


def _knock(address: str) -> None:
    """Check that something listens at an address; OSError if not. Ray itself would retry for many minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if colon and port.isdigit():
        socket.create_connection((host, int(port)), KNOCK).close()
