"""A tagger with another's tags: what both know stays, new tags begin as the mean."""

import json
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from benchmarks.models.retagged import retag  # noqa: E402

from errata.systems.manifest import read_manifest  # noqa: E402
from errata.systems.tagger.saved import load_model, read_folder_settings  # noqa: E402
from errata.systems.tagger.vocabulary import Vocabulary  # noqa: E402


def loaded(folder: Path):
    manifest = read_manifest(folder)
    settings = read_folder_settings(folder, manifest)
    vocabulary = Vocabulary.load(folder, settings.inventory, settings.max_positions)
    return load_model(folder, manifest, vocabulary), vocabulary.tags.tags


def test_shared_tags_keep_their_weights_and_new_ones_begin_as_the_mean(trained, tmp_path):
    own = trained("en")
    other = tmp_path / "other"
    other.mkdir()
    for file in own.iterdir():
        (other / file.name).write_bytes(file.read_bytes())
    tags = json.loads((other / "tags.json").read_text(encoding="utf-8"))
    tags[-1] = ["append", "zebra"]
    (other / "tags.json").write_text(json.dumps(tags, ensure_ascii=False), encoding="utf-8")

    shared = retag(own, other, tmp_path / "out")
    before, old_tags = loaded(own)
    after, new_tags = loaded(tmp_path / "out")
    assert shared == len(set(old_tags) & set(new_tags)) == len(old_tags) - 1
    for place, tag in enumerate(new_tags):
        if tag in old_tags:
            assert torch.equal(after.tags.weight[place], before.tags.weight[old_tags.index(tag)])
        else:
            assert torch.allclose(after.tags.weight[place], before.tags.weight.mean(0))
    encoder = before.encoder.state_dict()
    assert all(torch.equal(encoder[name], value) for name, value in after.encoder.state_dict().items())
