"""Where the name of a model came from, for the message that there is no such model."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from errata.systems.installed import NoModel


@contextmanager
def given_with(option: str) -> Iterator[None]:
    """In the block, a model that is not found is an error that says where its name came from."""
    try:
        yield
    except NoModel as error:
        error.extend(f"the name was given as {option}")
        raise
