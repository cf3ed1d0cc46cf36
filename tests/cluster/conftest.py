"""Ray clusters of our own."""

from collections.abc import Iterator
from typing import Any

import pytest

NODE = {"num_cpus": 1, "object_store_memory": 80 << 20}
RAY = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning", "ignore::FutureWarning")
"""Ray's own warnings."""


@pytest.fixture
def nodes() -> Iterator[Any]:
    """A cluster of one node, to which others can be added."""
    from ray import cluster_utils

    made: Any = cluster_utils.Cluster(initialize_head=True, head_node_args={**NODE, "include_dashboard": False})
    yield made
    made.shutdown()


def another(nodes: Any) -> Any:
    """A second node."""
    second = nodes.add_node(**NODE)
    nodes.wait_for_nodes()
    return second
