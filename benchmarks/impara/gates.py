"""The similarity of every correction in judged sets to its source, by another encoder than the judge's own.

    python -m benchmarks.impara.gates gates/base-2 gjg15=FOLDER tmu-gfm=FILE --tagger en-base --layers 2
    python -m benchmarks.impara.tables DATA A=scores/A-1 --gate gates/base-2 --threshold 0.95

IMPARA's gate asks whether a correction is still about its source. The score R does not depend on the encoder that
answers, so the verdicts of a judge can be looked at behind another gate without any training.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.impara.judging import Row, Wanted, format_row, list_corrections

from errata.errors import ErrataError
from errata.judges.sentence_model import Pooling
from errata.judges.starting import build_sentence_model, choose_subwords
from errata.judges.vectors import SentenceVectors, TorchVectors, cosines
from errata.meta_eval.base import Track
from errata.networks.encoder import BackboneSettings, keep_layers


@dataclass(frozen=True, slots=True)
class Gate:
    """An encoder that is not trained: a sentence's vector is the mean of its states."""

    backbone: BackboneSettings | None
    tagger: str | None
    pooling: Pooling = "mean"
    case_embedding: bool = False

    def open(self, layers: int | None, device: str) -> SentenceVectors:
        """Its vectors, from the first `layers` layers (None: all)."""
        subwords = choose_subwords(self, "en", ())
        model = build_sentence_model(self, subwords.tokenizer.get_vocab_size())
        if layers is not None:
            keep_layers(model.encoder, layers, str(self.tagger if self.backbone is None else self.backbone.name))
        return SentenceVectors(TorchVectors(model.eval(), device), subwords)


def list_similarities(track: Track, vectors: SentenceVectors) -> Iterator[Row]:
    """The cosine of each correction and its source; 1 where nothing was changed. A sentence is encoded once."""
    corrections = list_corrections(track)
    changed = [(source, text) for _, _, source, text in corrections if source != text]
    places = {tokens: place for place, tokens in enumerate(dict.fromkeys(side for pair in changed for side in pair))}
    states = vectors(list(places))
    left, right = (states[[places[pair[side]] for pair in changed]] for side in (0, 1))
    alike = iter(cosines(left, right).tolist() if changed else ())
    for system, sentence, source, text in corrections:
        yield system, sentence + 1, 1.0 if source == text else next(alike)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.impara.gates", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("out", type=Path, help="the folder for the similarities")
    parser.add_argument("sets", nargs="+", metavar="SET=FOLDER")
    encoder = parser.add_mutually_exclusive_group(required=True)
    encoder.add_argument("--encoder", help="a pretrained encoder, a name or ./FOLDER")
    encoder.add_argument("--tagger", help="an installed tagger or ./FOLDER, whose encoder is taken")
    parser.add_argument("--layers", type=int, help="take the first layers only")
    parser.add_argument("--device", default="cpu")
    given = parser.parse_args()
    try:
        backbone = None if given.encoder is None else BackboneSettings(name=given.encoder, positions=128)
        vectors = Gate(backbone, given.tagger).open(given.layers, given.device)
        given.out.mkdir(parents=True, exist_ok=True)
        for wanted in map(Wanted.parse, given.sets):
            for name, track in wanted.load().items():
                path = given.out / f"{name}-similarities.tsv"
                path.write_text("".join(map(format_row, list_similarities(track, vectors))), encoding="utf-8")
                print(path)
    except ErrataError as error:
        print(f"errata: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
