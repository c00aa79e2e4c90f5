"""An ensemble of live systems: a folder whose manifest lists its members.

{"system": "ensemble", "language": "en", "format": 1,
 "settings": {"members": ["en-small", "tagger"], "threshold": null, "by_type": {}, "weights": null}}

A member is a bundled model by name, or a folder inside the ensemble's own (a link will do).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from errata.edits.apply import apply_edits
from errata.errors import DataError
from errata.model import Tokens
from errata.places import inside
from errata.systems.base import ProposedEdit, TokenCorrector, load_token_corrector
from errata.systems.ensemble.ballots import BallotBox
from errata.systems.ensemble.learnt import LearntVoting
from errata.systems.ensemble.voting import Electorate, Voting
from errata.systems.installed import BUNDLED, find_model
from errata.systems.manifest import FORMAT, MANIFEST, Manifest, read_manifest, write_manifest


class Ensemble(TokenCorrector):
    """Several correctors that vote on each other's edits."""

    kind: ClassVar[str] = "ensemble"
    sends_text: ClassVar[bool] = True  # a member may

    def __init__(self, members: Sequence[TokenCorrector], electorate: Electorate | None = None) -> None:
        if not members:
            raise DataError("an ensemble needs at least one member")
        languages = {member.language for member in members}
        if len(languages) > 1:
            raise DataError(f"the members of an ensemble share a language; these have {', '.join(sorted(languages))}")
        self.members = tuple(members)
        self.language = members[0].language
        self.max_tokens = min(member.max_tokens for member in members)
        self.electorate = electorate or Voting(len(members))
        self._box = BallotBox(self.language, segmented=True)

    @classmethod
    def load(
        cls,
        folder: Path,
        manifest: Manifest | None = None,
        *,
        device: str | None = None,
        threshold: float | None = None,
        allow_network: bool = False,
    ) -> Ensemble:
        """The ensemble in a folder; `threshold` (votes, or a probability for learnt weights) overrides the folder's.

        `allow_network` lets members behind an endpoint send the text there.
        """
        manifest = read_manifest(folder) if manifest is None else manifest
        try:
            language, settings = manifest["language"], manifest["settings"]
            places = [_place(folder, number, place) for number, place in enumerate(settings["members"], 1)]
            weights, by_type = settings.get("weights"), dict(settings.get("by_type") or {})
        except (KeyError, TypeError, ValueError) as error:
            raise DataError(f"{folder / MANIFEST} does not describe an ensemble: {error!r}") from error
        electorate = _electorate(folder, settings, places, weights, by_type, threshold)
        options: dict[str, Any] = {"allow_network": allow_network} | ({} if device is None else {"device": device})
        _refuse_loops(folder)
        ensemble = cls([load_token_corrector(_member(folder, place), **options) for place in places], electorate)
        if ensemble.language != language:
            raise DataError(f"{folder}: the manifest says {language}, the members are {ensemble.language}")
        return ensemble

    def propose(self, sentences: Sequence[Tokens]) -> list[list[ProposedEdit]]:
        """The edits the members elect, in order; sentences that no member changes cost nothing."""
        made = [self._targets(member, sentences) for member in self.members]
        outputs = list(zip(*made, strict=True))
        open_cases = [n for n, targets in enumerate(outputs) if any(t != tuple(sentences[n]) for t in targets)]
        pairs = ((" ".join(sentences[n]), [" ".join(target) for target in outputs[n]]) for n in open_cases)
        answers: list[list[ProposedEdit]] = [[] for _ in sentences]
        for number, ballot in zip(open_cases, self._box.hold(pairs), strict=True):
            if ballot.tokens != tuple(sentences[number]):
                raise DataError(f"white space inside the tokens of {' '.join(sentences[number])!r}")
            answers[number] = self.electorate.elect(ballot)
        return answers

    def _targets(self, member: TokenCorrector, sentences: Sequence[Tokens]) -> list[Tokens]:
        proposals = member.propose(sentences)
        return [
            apply_edits(tokens, [one.edit for one in proposed])
            for tokens, proposed in zip(sentences, proposals, strict=True)
        ]


def _place(folder: Path, number: int, place: Any) -> str:
    """Where a manifest says that a member is."""
    if not isinstance(place, str):
        raise DataError(f"{folder / MANIFEST}: member {number} is {json.dumps(place)}, not a bundled model or a folder")
    return place


def _member(folder: Path, place: str) -> Path:
    """The folder of a member."""
    return find_model(place) if place in BUNDLED.values() else inside(folder, place, "member").resolve()


def _refuse_loops(folder: Path, outer: tuple[Path, ...] = ()) -> None:
    """Raise if an ensemble is a member of itself, at any depth: links can do that."""
    if folder.resolve() in outer:
        raise DataError(f"{outer[0]}: the ensemble is one of its own members")
    manifest = read_manifest(folder)
    if manifest.get("system") == Ensemble.kind:
        for number, place in enumerate((manifest.get("settings") or {}).get("members") or (), 1):
            member = _member(folder, _place(folder, number, place))
            if not member.is_dir():
                raise DataError(f"{folder / MANIFEST}: member {number} is {place!r}, but there is no such folder")
            _refuse_loops(member, (*outer, folder.resolve()))


def _electorate(
    folder: Path,
    settings: Mapping[str, Any],
    places: Sequence[str],
    weights: str | None,
    by_type: Mapping[str, float],
    threshold: float | None,
) -> Electorate:
    chosen = settings.get("threshold") if threshold is None else threshold
    if weights is None:
        return Voting(len(places), chosen, settings.get("is_lenient", True), by_type)
    from dataclasses import replace

    learnt = LearntVoting.load(inside(folder, weights, "weights"))
    if len(learnt.systems) != len(places):
        raise DataError(f"{folder / weights} is for {len(learnt.systems)} systems, the ensemble has {len(places)}")
    return learnt if chosen is None else replace(learnt, threshold=chosen)


def write_ensemble(
    folder: Path,
    members: Sequence[Path | str],
    language: str,
    *,
    threshold: float | None = None,
    by_type: Mapping[str, float] | None = None,
    weights: str | None = None,
) -> None:
    """Write the manifest of an ensemble; members are bundled names or, as `weights`, paths inside `folder`.

    A folder that holds another system keeps it: that is a `DataError`.
    """
    for place in map(str, members):
        _member(folder, place)
    if weights is not None:
        inside(folder, weights, "weights")
    if (folder / MANIFEST).exists() and (kept := read_manifest(folder).get("system")) != Ensemble.kind:
        raise DataError(f"{folder} holds a {kept} already: choose another folder for the ensemble")
    settings = {
        "members": [str(member) for member in members],
        "threshold": threshold,
        "by_type": dict(by_type or {}),
        "weights": weights,
    }
    write_manifest(folder, {"system": "ensemble", "language": language, "format": FORMAT, "settings": settings})
