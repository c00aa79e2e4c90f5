"""Whether the compiled kernels are there and this processor can run them."""

from __future__ import annotations

import os
from functools import cache


@cache
def is_available() -> bool:
    """Whether networks can run natively; `ERRATA_NATIVE=off` in the environment says no."""
    if os.environ.get("ERRATA_NATIVE", "").lower() in ("off", "0", "no", "false"):
        return False
    try:
        from errata.networks.native._network import is_supported
    except ImportError:
        return False
    return is_supported()
