"""An ensemble of live systems: a folder whose manifest lists the folders of its members.

{"system": "ensemble", "language": "en", "format": 1,
 "settings": {"members": ["../tagger", "../seq2seq"], "threshold": null, "by_type": {}, "weights": null}}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from errata.edits.apply import apply_edits
from errata.errors import DataError
from errata.model import Tokens
from errata.systems.base import (
    MANIFEST,
    Progress,
    ProposedEdit,
    TokenCorrector,
    load_system,
    read_manifest,
    write_manifest,
)
from errata.systems.ensemble.ballots import BallotBox
from errata.systems.ensemble.learnt import LearntVoting
from errata.systems.ensemble.voting import Electorate, Voting

FORMAT = 1


class Ensemble:
    """Several correctors that vote on each other's edits."""

    kind: ClassVar[str] = "ensemble"

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
    def load(cls, folder: Path, *, device: str | None = None, threshold: float | None = None) -> Ensemble:
        """The ensemble in a folder; `threshold` (votes, or a probability for learnt weights) overrides the folder's."""
        manifest = read_manifest(folder)
        try:
            language, settings = manifest["language"], manifest["settings"]
            places = [str(place) for place in settings["members"]]
            weights, by_type = settings.get("weights"), dict(settings.get("by_type") or {})
        except (KeyError, TypeError, ValueError) as error:
            raise DataError(f"{folder / MANIFEST} does not describe an ensemble: {error!r}") from error
        if manifest.get("format") != FORMAT:
            raise DataError(f"{folder / MANIFEST}: format {manifest.get('format')} of an ensemble is unknown")
        electorate = _electorate(folder, settings, places, weights, by_type, threshold)
        options = {} if device is None else {"device": device}
        ensemble = cls([load_system((folder / place).resolve(), **options) for place in places], electorate)
        if ensemble.language != language:
            raise DataError(f"{folder}: the manifest says {language}, the members are {ensemble.language}")
        return ensemble

    def propose(self, sentences: Sequence[Tokens], *, progress: Progress | None = None) -> list[list[ProposedEdit]]:
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
        if progress:
            progress(len(sentences))
        return answers

    def _targets(self, member: TokenCorrector, sentences: Sequence[Tokens]) -> list[Tokens]:
        proposals = member.propose(sentences)
        return [
            apply_edits(tokens, [one.edit for one in proposed])
            for tokens, proposed in zip(sentences, proposals, strict=True)
        ]


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

    learnt = LearntVoting.load(folder / weights)
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
    """Write the manifest of an ensemble; members and weights are paths relative to `folder`, or absolute."""
    settings = {
        "members": [str(member) for member in members],
        "threshold": threshold,
        "by_type": dict(by_type or {}),
        "weights": weights,
    }
    write_manifest(folder, {"system": "ensemble", "language": language, "format": FORMAT, "settings": settings})
