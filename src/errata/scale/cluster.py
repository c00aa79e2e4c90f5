"""The way to a Ray cluster: one that runs already, or one on this machine for the time of a run."""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import Any

from errata.errors import DataError, MissingExtra

SECONDS_TO_REACH = 10.0


@contextmanager
def silenced() -> Iterator[None]:
    """Keep what Ray prints out of our results: it tells of lost machines at length, on standard output."""
    with Path(os.devnull).open("w") as nowhere, redirect_stdout(nowhere):
        yield


@contextmanager
def joined_cluster(address: str | None) -> Iterator[None]:
    """A connection to a cluster for the block; one that is there already is used."""
    try:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # Ray would send home what it runs on
        # Ray is to replace accelerators' variables only where a task asks for some; it warns unless this is said.
        os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
        import ray
    except ImportError as error:
        raise MissingExtra("ray", "ray") from error
    if ray.is_initialized():
        yield
        return
    address = address or os.environ.get("RAY_ADDRESS")
    options: dict[str, Any] = {"address": address} if address else {"address": "local", "include_dashboard": False}
    try:
        _reach(address)
        ray.init(**options, log_to_driver=False, logging_level=logging.ERROR)
    except (OSError, ValueError, RuntimeError) as error:
        where = f"no Ray cluster answers at {address}" if address else "no Ray cluster can be started here"
        raise DataError(f"{where}: `ray status` says whether one runs") from error
    try:
        yield
    finally:
        ray.shutdown()


def _reach(address: str | None) -> None:
    """Fail if nothing listens at an address such as `10.0.0.1:6379`; Ray itself would try for minutes."""
    host, colon, port = (address or "").removeprefix("ray://").rpartition(":")
    if colon and port.isdecimal():
        socket.create_connection((host, int(port)), SECONDS_TO_REACH).close()
