"""Where log lines of a command go."""

from __future__ import annotations

import io
import logging
import sys


def speak_utf8() -> None:
    """Have standard output and error take any text, in any locale; file names that are no UTF-8 stay as they are."""
    for stream, errors in ((sys.stdout, "surrogateescape"), (sys.stderr, "backslashreplace")):
        if isinstance(stream, io.TextIOWrapper):  # not where a program has put something else there
            stream.reconfigure(encoding="utf-8", errors=errors)


class StderrHandler(logging.Handler):
    """Writes to standard error, whatever that is by then."""

    def emit(self, record: logging.LogRecord) -> None:
        print(self.format(record), file=sys.stderr, flush=True)
