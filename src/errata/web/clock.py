"""What time it is: given to whoever asks, so that tests can turn it."""

from __future__ import annotations

from collections.abc import Callable

# Seconds since 1970.
Clock = Callable[[], float]
