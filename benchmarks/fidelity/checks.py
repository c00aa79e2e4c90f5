"""What must hold of every correction, whatever the model proposes."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.fidelity.documents import Document

from errata.model import Correction
from errata.pipeline.corrector import Pipeline
from errata.text.projection import trim_edit


def correct_documents(corrector: Pipeline, documents: Sequence[Document]) -> list[Correction]:
    """The correction of each document by its kind of markup, in order, in a batch for each."""
    found: dict[int, Correction] = {}
    for markup in ("none", "text", "markdown"):
        places = [i for i, document in enumerate(documents) if document.markup == markup]
        found |= zip(places, corrector.correct([documents[i].text for i in places], markup=markup), strict=True)
    return [found[i] for i in range(len(documents))]


def faults(document: Document, correction: Correction) -> list[str]:
    """What is wrong with the correction of a document, in words."""
    found: list[str] = []
    if correction.source != document.text:
        found.append("the source is not the input")
    if rebuilt(correction) != correction.target.encode("utf-8", "surrogatepass"):
        found.append("the input with the edits applied is not the output, byte for byte")
    for edit in correction.edits:
        change = trim_edit(document.text, edit)
        for start, end in document.protected:
            if change.start < end and start < change.end:
                found.append(f"{document.text[start:end]!r} was changed by {edit}")
    return found


def rebuilt(correction: Correction) -> bytes:
    """The bytes of the output, made from the input's bytes: what is not edited is copied, not decoded."""
    source = correction.source.encode("utf-8", "surrogatepass")
    offsets = _byte_offsets(correction)
    out: list[bytes] = []
    position = 0
    for edit in correction.edits:
        out += [source[position : offsets[edit.start]], edit.replacement.encode("utf-8", "surrogatepass")]
        position = offsets[edit.end]
    return b"".join((*out, source[position:]))


def _byte_offsets(correction: Correction) -> dict[int, int]:
    """Where the edits' bounds are in the encoded source."""
    offsets: dict[int, int] = {}
    last = n_bytes = 0
    for place in sorted({bound for edit in correction.edits for bound in (edit.start, edit.end)}):
        n_bytes += len(correction.source[last:place].encode("utf-8", "surrogatepass"))
        offsets[place] = n_bytes
        last = place
    return offsets
