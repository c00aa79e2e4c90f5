"""A Ray cluster of two nodes on this machine, for benchmarks and tests."""

from __future__ import annotations

from typing import Any

# Bytes, the least that Ray takes.
STORE = 80 << 20
# Ray gives a node 30 seconds to start, which a busy machine may need more than.
TRIES = 3


def start_cluster() -> Any:
    """The cluster, a core to a node; its `second` node may be killed."""
    from ray.cluster_utils import Cluster

    head = {"num_cpus": 1, "object_store_memory": STORE, "include_dashboard": False}
    for left in reversed(range(TRIES)):
        made = Cluster()
        try:
            made.add_node(**head)
            made.second = made.add_node(num_cpus=1, object_store_memory=STORE)
        except Exception:  # whatever the node died of
            made.shutdown()
            if not left:
                raise
        else:
            return made
    raise AssertionError
