"""A model folder may come from anywhere: damage is one line that names file and tensor, never a crash or a hang."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from errata.errors import DataError
from errata.networks.bits import Bits
from errata.networks.native import is_available
from errata.networks.subwords import Subwords
from errata.networks.tokenizer import learn_wordpieces
from errata.systems.manifest import write_manifest
from errata.systems.tagger import Tagger
from errata.systems.tagger.inventory import get_inventory
from errata.systems.tagger.tags import DELETE, KEEP, Op, Tag, TagVocabulary
from errata.systems.tagger.vocabulary import Vocabulary

pytestmark = pytest.mark.skipif(not is_available(), reason="no kernels: they need x86-64 with AVX2 and a C compiler")

POSITIONS, HIDDEN = 20, 48
TAGS = [
    KEEP,
    DELETE,
    *(Tag(op, (f"w{k}",)) for op in (Op.APPEND, Op.REPLACE) for k in range(8)),
    Tag(Op.CASE, ("upper",)),
]
N_DAMAGES = int(os.environ.get("ERRATA_FUZZ", "150"))  # of each network; more on request


def export_tiny(folder: Path, *, architecture: str, head: str, is_small: bool, bits: Bits | None = None) -> Path:
    """An exported tagger with random weights, which makes edits."""
    from errata.networks.encoder import BackboneSettings
    from errata.systems.tagger.export import export_tagger
    from errata.systems.tagger.saved import make_model, save_model

    words = Counter({"he": 9, "walk": 9, "walked": 5, "a": 5, "lot": 3, ".": 9})
    subwords = Subwords(learn_wordpieces(words, 60, lowercase=True), POSITIONS)
    vocabulary = Vocabulary(TagVocabulary(TAGS), get_inventory("gector"), subwords)
    n_subwords = subwords.tokenizer.get_vocab_size()
    torch.manual_seed(1)
    if architecture == "mpnet":
        encoder = make_mpnet(n_subwords)
    else:
        backbone = BackboneSettings(architecture=architecture, layers=2, hidden=HIDDEN, heads=2, positions=POSITIONS)  # type: ignore[arg-type]
        encoder, _ = backbone.build(n_subwords)
    model = make_model(encoder, HIDDEN, vocabulary, head=head, detection=True, case_embedding=True, early_exit=1)
    for weights in model.parameters():
        weights.data += 0.2 * torch.randn(weights.shape)
    described = {"inventory": "gector", "head": head, "detection": True, "case_embedding": True, "early_exit": 1}
    manifest = {
        "system": "tagger",
        "language": "en",
        "settings": {
            "model": {**described, "n_tags": len(TAGS)},
            "max_positions": POSITIONS,
            "max_tokens": 14,
            "decoding": {"keep_bias": -0.3, "passes": 3},
        },
    }
    plain = folder / "plain"
    plain.mkdir()
    save_model(plain, model, vocabulary, manifest)
    write_manifest(plain, manifest)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("errata.networks.shrink.MIN_SIZE", 100)  # quantise what is this small
        export_tagger(plain, folder / "exported", small=is_small, bits=bits, exit_below=0.001)
    (folder / "exported" / "model.onnx").write_bytes(b"never read")
    return folder / "exported"


def make_mpnet(n_subwords: int) -> torch.nn.Module:
    from transformers import MPNetConfig, MPNetModel

    sizes = {"hidden_size": HIDDEN, "intermediate_size": 96, "num_hidden_layers": 2, "num_attention_heads": 2}
    config = MPNetConfig(vocab_size=n_subwords, max_position_embeddings=POSITIONS + 2, **sizes)
    return MPNetModel(config, add_pooling_layer=False)


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return export_tiny(tmp_path_factory.mktemp("bert"), architecture="bert", head="linear", is_small=True)


@pytest.fixture(scope="module")
def mpnet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    bits = Bits(layers=4, attention=5, tables=6)
    folder = tmp_path_factory.mktemp("mpnet")
    return export_tiny(folder, architecture="mpnet", head="linear", is_small=True, bits=bits)


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return export_tiny(tmp_path_factory.mktemp("own"), architecture="pre-norm", head="factored", is_small=False)


SEEDS = {"bert": 0, "own": 1_000_000, "mpnet": 2_000_000}


@pytest.mark.parametrize("kind", SEEDS)
def test_no_damage_ends_the_process(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    program = Path(__file__).with_name("hostile_folders.py")
    arguments = [str(request.getfixturevalue(kind)), str(tmp_path), str(SEEDS[kind])]
    done = subprocess.run(
        [sys.executable, str(program), *arguments, str(N_DAMAGES)], capture_output=True, text=True, errors="replace"
    )
    lines = done.stdout.splitlines()
    assert done.returncode == 0, f"exit status {done.returncode} at {lines[-1:]}\n{done.stderr[-3000:]}"
    assert lines[0] == "untouched: worked"
    outcomes = Counter(line.split(": ")[1] for line in lines[2::2])
    assert outcomes.total() == N_DAMAGES and outcomes["refused"] > N_DAMAGES / 3 and outcomes["worked"] > 0


Change = Callable[[dict[str, Any]], object]
TABLE, QUERY = "encoder.embeddings.word_embeddings.weight", "encoder.encoder.layer.0.attention.self.query"


def change_json(folder: Path, file: str, change: Change) -> None:
    content = json.loads((folder / file).read_text(encoding="utf-8"))
    change(content)
    (folder / file).write_text(json.dumps(content), encoding="utf-8")


def change_part(tensor: str, *parts: str, **values: Any) -> Change:
    def change(index: dict[str, Any]) -> None:
        for part in parts or ("",):
            (index[tensor][part] if part else index[tensor]).update(values)

    return change


@pytest.mark.parametrize(
    ("file", "change", "message"),
    [
        ("weights.json", change_part(TABLE, shape=[10, 1]), f"{TABLE} is .* × 1, not any × 48"),
        ("weights.json", change_part(TABLE, "high", shape=[5, HIDDEN]), f"{TABLE} has scales for"),
        ("weights.json", change_part(TABLE, bits=4), f"{TABLE} has bytes for"),
        ("weights.json", change_part(TABLE, bits=9), f"{TABLE} has numbers of 9 bits"),
        ("weights.json", change_part(f"{QUERY}.weight", bits=8), f"{QUERY}.weight has numbers of 8 bits, but needless"),
        ("weights.json", change_part(TABLE, "high", shape=[2**40, HIDDEN]), f"too short for {TABLE}"),
        ("weights.json", change_part(TABLE, "high", shape=[2**62, 4, HIDDEN]), f"too short for {TABLE}"),
        ("weights.json", change_part(TABLE, "high", shape=[-5, HIDDEN]), f"{TABLE} lacks a file, an offset or a shape"),
        ("weights.json", change_part(TABLE, "high", shape=[0, HIDDEN]), f"{TABLE} lacks a file, an offset or a shape"),
        ("weights.json", change_part(TABLE, "high", shape=[1] * 90), f"{TABLE} has 90 axes"),
        ("weights.json", change_part(TABLE, "high", offset=-64), f"{TABLE} lacks a file, an offset or a shape"),
        ("weights.json", change_part(TABLE, "high", offset=2**70), f"too short for {TABLE}"),
        ("weights.json", change_part(TABLE, "scales", offset=1), f"{TABLE} begins at byte 1"),
        ("weights.json", change_part(TABLE, "high", file="pipe"), f"{TABLE} lies in 'pipe', which is no file"),
        ("weights.json", change_part(f"{QUERY}.bias", shape=[16]), f"{QUERY}.bias is 16, not 48"),
        ("weights.json", change_part("early.weight", shape=[HIDDEN]), "early.weight is 48, not 1 × 48"),
        ("weights.json", lambda index: index[TABLE].pop("scales"), f"{TABLE} has no scales"),
        ("weights.json", lambda index: index.update({TABLE: 5}), f"{TABLE} is no mapping"),
        ("encoder.json", lambda d: d["config"].update(num_hidden_layers=3), "has no encoder.encoder.layer.2"),
        ("encoder.json", lambda d: d["config"].update(hidden_size=96), "cases.weight is 4 × 48, not 4 × 96"),
        ("encoder.json", lambda d: d["config"].update(hidden_size=-48), "hidden_size is -48, not a whole number"),
        ("encoder.json", lambda d: d["config"].update(intermediate_size=2**70), "intermediate_size is 11805916207174"),
        ("encoder.json", lambda d: d["config"].update(num_attention_heads=0), "num_attention_heads is 0"),
        ("encoder.json", lambda d: d["config"].update(layer_norm_eps=float("nan")), "layer_norm_eps is nan"),
        ("encoder.json", lambda d: d.update(config=[]), "encoder.json does not describe an encoder"),
        ("errata.json", lambda d: d["settings"].update(max_positions=10**6), "max_positions is 1000000"),
        ("errata.json", lambda d: d["settings"].update(max_positions="20"), r"max_positions \('20'\)"),
        ("errata.json", lambda d: d["settings"].update(max_tokens=0), r"max_tokens \(0\) is at least 1"),
        ("errata.json", lambda d: d["settings"]["decoding"].update(passes=10**12), "passes is between 1 and 100"),
        ("errata.json", lambda d: d["settings"]["model"].update(n_tags=5), "speaks of 5 tags, tags.json has 19"),
        ("errata.json", lambda d: d["settings"]["model"].update(early_exit=-1), "early_exit is -1"),
        ("errata.json", lambda d: d["settings"]["model"].update(head="other"), "needs a head"),
        ("tags.json", lambda tags: tags.pop(), "speaks of 19 tags, tags.json has 18"),
        ("tags.json", lambda tags: tags.__setitem__(5, ["append"]), r'tags.json is not a list of tags: \["append"\]'),
        ("tags.json", lambda tags: tags.__setitem__(5, ["append", 5]), r"tags.json is not a list of tags"),
    ],
)  # fmt: skip
def test_damage_is_one_line(bert: Path, tmp_path: Path, file: str, change: Change, message: str) -> None:
    folder = tmp_path / "damaged"
    shutil.copytree(bert, folder)
    os.mkfifo(folder / "pipe")
    change_json(folder, file, change)
    with pytest.raises(DataError, match=message) as caught:
        Tagger.load(folder, backend="native", threads=1)
    assert "\n" not in str(caught.value) and str(folder) in str(caught.value)


DISTANCES = "encoder.encoder.relative_attention_bias.weight"
POSITION_ROWS = "encoder.embeddings.position_embeddings.weight"


def cut_positions(n_rows: int) -> Change:
    def change(index: dict[str, Any]) -> None:
        for part in ("high", "scales"):
            index[POSITION_ROWS][part]["shape"][0] = n_rows

    return change


@pytest.mark.parametrize(
    ("file", "change", "message"),
    [
        ("weights.json", change_part(TABLE, top=1e300), f"{TABLE} has a scale that is not a positive number"),
        ("weights.json", change_part(TABLE, "high", shape=[5, 24]), f"{TABLE} has scales for"),
        ("weights.json", change_part(DISTANCES, shape=[31, 2]), f"{DISTANCES} is 31 × 2, not 32 × 2"),
        ("weights.json", change_part(DISTANCES, shape=[32, 1]), f"{DISTANCES} is 32 × 1, not 32 × 2"),
        ("weights.json", lambda index: index.pop(DISTANCES), f"has no {DISTANCES}"),
        ("weights.json", cut_positions(2), "max_positions is 20, but the network has 0"),
        ("weights.json", cut_positions(1), "max_positions is 20, but the network has 0"),
        ("encoder.json", lambda d: d["config"].update(num_attention_heads=3), f"{DISTANCES} is 32 × 2, not 32 × 3"),
        ("encoder.json", lambda d: d["config"].update(num_hidden_layers=3), "has no encoder.encoder.layer.2"),
    ],
)  # fmt: skip
def test_damage_to_mpnet_is_one_line(mpnet: Path, tmp_path: Path, file: str, change: Change, message: str) -> None:
    folder = tmp_path / "damaged"
    shutil.copytree(mpnet, folder)
    change_json(folder, file, change)
    with pytest.raises(DataError, match=message) as caught:
        Tagger.load(folder, backend="native", threads=1)
    assert "\n" not in str(caught.value) and str(folder) in str(caught.value)


@pytest.mark.parametrize("number", [np.nan, np.inf, -1.0, 0.0])
def test_scales_are_positive_numbers(bert: Path, tmp_path: Path, number: float) -> None:
    folder = tmp_path / "damaged"
    shutil.copytree(bert, folder)
    offset = json.loads((folder / "weights.json").read_text(encoding="utf-8"))[TABLE]["scales"]["offset"]
    content = bytearray((folder / "weights0.bin").read_bytes())
    content[offset : offset + 2] = np.float16(number).tobytes()
    (folder / "weights0.bin").write_bytes(content)
    with pytest.raises(DataError, match=f"{TABLE} has a scale that is not a positive number"):
        Tagger.load(folder, backend="native", threads=1)


def test_answers_that_are_not_numbers(bert: Path, tmp_path: Path) -> None:
    folder = tmp_path / "damaged"
    shutil.copytree(bert, folder)
    place = json.loads((folder / "weights.json").read_text(encoding="utf-8"))["errors.weight"]
    content = bytearray((folder / "weights0.bin").read_bytes())
    largest = np.full(HIDDEN, np.finfo(np.float32).max, np.float32)
    largest[::2] *= -1  # infinity less infinity
    content[place["offset"] : place["offset"] + largest.nbytes] = largest.tobytes()
    (folder / "weights0.bin").write_bytes(content)
    tagger = Tagger.load(folder, backend="native", threads=1)
    with pytest.raises(DataError, match="answers are not numbers"):
        tagger.propose([("he", "walk", "a", "lot")])


def test_a_tokenizer_of_another_network(bert: Path, tmp_path: Path) -> None:
    folder = tmp_path / "damaged"
    shutil.copytree(bert, folder)
    larger = learn_wordpieces(Counter({f"word{k}": 2 for k in range(300)}), 400)
    larger.save(str(folder / "tokenizer.json"))
    with pytest.raises(DataError, match=r"tokenizer.json has \d+ subwords, the table of embeddings has \d+ rows"):
        Tagger.load(folder, backend="native", threads=1)
