"""Where log lines of a command go."""

from __future__ import annotations

import logging
import sys


class StderrHandler(logging.Handler):
    """Writes to standard error, whatever that is by then."""

    def emit(self, record: logging.LogRecord) -> None:
        print(self.format(record), file=sys.stderr, flush=True)
