"""A trained tagger with another tagger's tags: `python -m benchmarks.models.retagged FOLDER TAGS OUT`.

Distillation needs a teacher and a student with the same tags. FOLDER is the student, TAGS the teacher: OUT has the
student's network with a head for the teacher's tags. Tags that both have keep what they learnt; the others begin as the
mean of all tags. OUT is where training goes on from (`run.start_from`); it corrects nothing well before that.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import torch

from errata.errors import DataError, ErrataError
from errata.files import replacing_folder
from errata.systems.manifest import read_manifest
from errata.systems.tagger.model import TaggerModel
from errata.systems.tagger.saved import load_model, read_folder_settings, save_model
from errata.systems.tagger.tags import TagVocabulary
from errata.systems.tagger.vocabulary import Vocabulary


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="the tagger whose network is taken")
    parser.add_argument("tags", type=Path, help="the tagger whose tags and word lists are taken")
    parser.add_argument("out", type=Path, help="folder to write")
    args = parser.parse_args()
    try:
        shared = retag(args.folder, args.tags, args.out)
    except ErrataError as error:
        print(f"benchmarks.models.retagged: {error}", file=sys.stderr)
        return error.exit_code
    print(f"{args.out}: {shared:,} tags keep what they learnt")
    return 0


def retag(folder: Path, tagged: Path, out: Path) -> int:
    """Write the tagger of `folder` with the tags of `tagged`; how many tags both have."""
    manifest, theirs = read_manifest(folder), read_manifest(tagged)
    own, other = (
        Vocabulary.load(place, settings.inventory, settings.max_positions)
        for place, settings in (
            (folder, read_folder_settings(folder, manifest)),
            (tagged, read_folder_settings(tagged, theirs)),
        )
    )
    model = load_model(folder, manifest, own)
    shared = _move_head(model, own.tags, other.tags)
    vocabulary = Vocabulary(other.tags, other.inventory, own.subwords)
    settings = manifest["settings"]
    network = {**settings["model"], "n_tags": len(other.tags)}
    described = {**manifest, "settings": {**settings, "model": network}, "training": {}}
    with replacing_folder(out) as beside:
        save_model(beside, model, vocabulary, described)
    return shared


@torch.no_grad()
def _move_head(model: TaggerModel, own: TagVocabulary, other: TagVocabulary) -> int:
    if not isinstance(model.tags, torch.nn.Linear):
        raise DataError("only a tagger with a linear head can take other tags")
    places = {tag: n for n, tag in enumerate(own.tags)}
    old = model.tags
    new = torch.nn.Linear(old.in_features, len(other))
    new.weight[:], new.bias[:] = old.weight.mean(0), old.bias.mean()
    rows = [(n, places[tag]) for n, tag in enumerate(other.tags) if tag in places]
    to, since = (list(column) for column in zip(*rows, strict=True))
    new.weight[to], new.bias[to] = old.weight[since], old.bias[since]
    model.tags = new
    return len(rows)


if __name__ == "__main__":
    sys.exit(main())
