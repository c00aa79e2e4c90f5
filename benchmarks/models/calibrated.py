"""A trained IMPARA with other layers of similarity, threshold or scale: `python -m benchmarks.models.calibrated …`.

`errata train` does all of it by itself (`model.similarity_layers`, `threshold`, `scaled`); this is for judges that were
trained before. FILEs are parallel data that the judge has not seen: pairs of their sentences say how often it is right.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path
from typing import Any

import numpy as np

from errata.errors import ErrataError
from errata.files import replacing_folder
from errata.judges.impara.calibration import fit_scale
from errata.judges.impara.saved import SIMILARITY, read_score, write_score
from errata.judges.impara.supervision import RankedPair, rank_pairs
from errata.judges.saved_vectors import load_sentence_model, save_sentence_model
from errata.judges.vectors import SentenceVectors, VectorShape
from errata.networks.encoder import keep_layers
from errata.networks.subwords import Subwords
from errata.systems.manifest import read_manifest, write_manifest
from errata.training.digests import file_digest
from errata.training.pairs import read_examples

EACH = 30  # pairs of one sentence, as in training


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--pairs", type=int, default=3000, help="pairs that give the scale (3000)")
    parser.add_argument("--similarity-layers", type=int, help="layers of the encoder of similarity to keep (all)")
    parser.add_argument("--scaled", action="store_true", help="multiply scores, as model.scaled of a recipe does")
    parser.add_argument("--threshold", type=float, help="similarity above which a correction is about its source")
    parser.add_argument("--seed", type=int, default=7)
    args = parser.parse_args()
    try:
        told = write(args)
    except ErrataError as error:
        print(f"errata: {error}", file=sys.stderr)
        return 1
    print(f"{args.out}: {told['pairs']} pairs, {told['accuracy']:.1%} in the right order, scale {told['scale']:.3f}")
    return 0


def write(args: argparse.Namespace) -> dict[str, Any]:
    """Write the folder; what its manifest says of the calibration."""
    manifest = read_manifest(args.folder)
    weight, bias = read_score(args.folder, VectorShape.read(args.folder).hidden)
    pairs = draw_pairs(args, manifest["language"])
    better, worse = score(SentenceVectors.load(args.folder), pairs, weight, bias)
    scale = fit_scale(better, worse) if args.scaled else 1.0
    told = {
        "scale": scale,
        "pairs": len(pairs),
        "accuracy": float((better > worse).mean()),
        "data": {path.name: file_digest(path) for path in args.files},
    }
    with replacing_folder(args.out) as beside:
        shutil.copytree(args.folder, beside, dirs_exist_ok=True)
        write_score(beside, weight, bias, scale)
        if args.similarity_layers is not None:
            shorten(beside / SIMILARITY, args.similarity_layers)
        training = {**manifest["training"], "calibration": told, "similarity_layers": args.similarity_layers}
        settings = manifest["settings"] | ({} if args.threshold is None else {"threshold": args.threshold})
        write_manifest(beside, {**manifest, "settings": settings, "training": training})
    return told


def draw_pairs(args: argparse.Namespace, language: str) -> list[RankedPair]:
    """Ranked pairs; impacts are those of the whole encoder of similarity, as in training."""
    similar = SentenceVectors.load(args.folder / SIMILARITY)
    return rank_pairs(read_examples(args.files, language), similar, limit=args.pairs, each=EACH, seed=args.seed)


def score(
    vectors: SentenceVectors, pairs: list[RankedPair], weight: np.ndarray, bias: float
) -> tuple[np.ndarray, np.ndarray]:
    """The scores of the better sentences, and of the worse ones."""
    found = vectors([pair.better for pair in pairs] + [pair.worse for pair in pairs]) @ weight + bias
    return found[: len(pairs)], found[len(pairs) :]


def shorten(folder: Path, n_layers: int) -> None:
    """Keep the first layers of the sentence model in a folder."""
    model = load_sentence_model(folder)
    keep_layers(model.encoder, n_layers, str(folder))
    save_sentence_model(folder, model, Subwords.load(folder, VectorShape.read(folder).max_positions))


if __name__ == "__main__":
    sys.exit(main())
