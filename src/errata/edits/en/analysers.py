"""Which analyser is used: the fast one where it can be, spaCy otherwise, behind the cache unless it is off."""

from __future__ import annotations

import logging
import os

from errata.edits.en.analysis import Analyser
from errata.edits.en.spacy_analyser import SpacyAnalyser, find_model, model_signature

_log = logging.getLogger(__name__)


def get_analyser(*, cache: bool = True) -> Analyser:
    """The analyser for the installed English model; nothing is loaded before it is needed."""
    from errata.edits.en.cache import CachedAnalyser, cache_folder

    folder = cache_folder() if cache else None
    if folder is None:
        return make_analyser()
    return CachedAnalyser(model_signature(find_model()), make_analyser, folder)


def make_analyser() -> Analyser:
    """The fast analyser, or spaCy where the compiled code or the model is not the expected one."""
    if os.environ.get("ERRATA_PURE") == "1":
        return SpacyAnalyser()
    try:
        from errata.edits.en.fast_analyser import FastAnalyser
        from errata.edits.en.model_files import Unsupported
    except ImportError:
        return SpacyAnalyser()
    try:
        return FastAnalyser()
    except Unsupported as error:
        _log.info("spaCy analyses English itself: %s", error)
        return SpacyAnalyser()
