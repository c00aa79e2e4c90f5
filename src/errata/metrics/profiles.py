"""Profiles: the metric and options a benchmark is reported with, under the benchmark's name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from errata.errors import UnknownName


@dataclass(frozen=True, slots=True)
class Profile:
    """Metrics with their options, and what happens to the sentences before they are scored."""

    about: str
    metrics: Mapping[str, Mapping[str, Any]]
    erroneous_only: bool = False
    strip_punctuation: bool = False
    groupings: tuple[str, ...] = field(default=())


PROFILES: dict[str, Profile] = {
    "bea19": Profile("BEA-2019 shared task: ERRANT, span-based correction", {"errant": {}}),
    "conll14": Profile("CoNLL-2014 shared task: MaxMatch with the official scorer's defaults", {"maxmatch": {}}),
    "cweb": Profile("CWEB: ERRANT against each annotator, then the mean", {"errant": {"per_annotator": True}}),
    "fcgec": Profile(
        "FCGEC correction: exact match and character edits of the erroneous sentences, punctuation stripped",
        {"exact-match": {"erroneous_only": True, "ignore_punctuation": True}, "cherrant": {}},
        erroneous_only=True,
        strip_punctuation=True,
        groupings=("error-type", "operation"),
    ),
    "fcgec-detection": Profile("FCGEC error detection", {"detection": {}}),
    "fcgec-types": Profile("FCGEC error type identification", {"identification": {}}),
    "jfleg": Profile("JFLEG: GLEU as the official script reports it", {"gleu": {"variant": "official"}}),
    "mucgec": Profile("MuCGEC: character edits, targets in simplified characters", {"cherrant": {"simplify": True}}),
    "nlpcc18": Profile("NLPCC-2018 shared task: MaxMatch over segmented words", {"maxmatch": {}}),
}


def get_profile(name: str) -> Profile:
    """The profile of that name."""
    try:
        return PROFILES[name]
    except KeyError:
        raise UnknownName("profile", name, PROFILES) from None
