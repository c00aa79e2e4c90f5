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


def kill_node(cluster: Any) -> list[int]:
    """Kill the second node as a power cut would: SIGKILL to its processes and to those they have started; their ids."""
    from psutil import Process

    own = [Process(one.process.pid) for kind in cluster.second.all_processes.values() for one in kind]
    killed = [*own, *(child for process in own for child in process.children(recursive=True))]
    for process in killed:
        process.kill()
    cluster.remove_node(cluster.second, allow_graceful=False)
    return [process.pid for process in killed]
