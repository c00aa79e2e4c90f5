"""An extractor in a process of its own for each page: parsers are written in C, and a page may crash one."""

from __future__ import annotations

import os
import pickle
import signal
from typing import BinaryIO

from errata.crawl.drops import Drop
from errata.crawl.extractors import Block, Extractor

# Seconds for one page; no page that was tried takes more than a few.
LONGEST = 120


def isolate(extract: Extractor) -> Extractor:
    """The same extractor, only that a page on which it crashes is a `Drop`; a hundred times as slow for small pages."""
    if not hasattr(os, "fork"):  # Windows
        return extract

    def extract_apart(html: str) -> list[Block]:
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reader)
            _answer(extract, html, writer)
        os.close(writer)
        with os.fdopen(reader, "rb") as stream:
            answer = _read_answer(stream)
        _, status = os.waitpid(child, 0)
        if status != 0 or answer is None:
            raise Drop("crash")
        if isinstance(answer, str):
            raise Drop(answer)
        return answer

    return extract_apart


def _answer(extract: Extractor, html: str, writer: int) -> None:
    """In the child: send the paragraphs, or the reason why there are none, and end without any cleaning up."""
    try:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(LONGEST)
        try:
            answer: list[Block] | str = extract(html)
        except Drop as drop:
            answer = drop.reason
        except RecursionError:
            answer = "markup"
        except Exception:
            answer = "unreadable"
        with os.fdopen(writer, "wb") as stream:
            pickle.dump(answer, stream)
        os._exit(0)
    finally:
        os._exit(1)


def _read_answer(stream: BinaryIO) -> list[Block] | str | None:
    try:
        answer: list[Block] | str = pickle.load(stream)
    except (EOFError, pickle.UnpicklingError):
        return None
    return answer
