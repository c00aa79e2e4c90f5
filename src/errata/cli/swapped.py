"""Hints for whoever gave a file to the wrong option: the output of a system as gold, gold as the output of a system."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from errata.errors import DataError
from errata.formats.m2 import NotM2
from errata.metrics.inputs import Gold


@contextmanager
def suggest_hypothesis(remedy: str) -> Iterator[None]:
    """In the block, gold that is not in M2 is an error that says where else the file may belong."""
    try:
        yield
    except NotM2 as error:
        error.extend(remedy)
        raise


def require_references(gold: Gold) -> None:
    """Refuse gold that is only text: nobody corrected it, so it may be the output of a system."""
    if not any(one.annotations or one.labels for one in gold.sentences):
        raise DataError(
            f"{gold.name} has text, but no corrections: if it is a system's output, give it with --hyp; "
            "--gold takes the corrected corpus"
        )
