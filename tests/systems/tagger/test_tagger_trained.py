"""A trained tagger: reproduces its sentences, is loaded strictly, and corrects the same after export."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from itertools import chain
from pathlib import Path

import pytest
from tiny_taggers import RECIPES, pairs, run

from errata.edits.apply import apply_edits
from errata.errors import DataError, UsageError
from errata.networks.weights import WEIGHTS
from errata.pipeline.load import load_model
from errata.systems.base import load_system
from errata.systems.tagger import Tagger

LANGUAGES = ("en", "zh")


def tokens(language: str, text: str) -> tuple[str, ...]:
    return tuple(text) if language == "zh" else tuple(text.split())


def corrected(tagger: Tagger, language: str) -> list[tuple[str, ...]]:
    sources = [tokens(language, source) for source, _ in pairs(language)]
    return [
        apply_edits(source, [one.edit for one in proposed])
        for source, proposed in zip(sources, tagger.propose(sources), strict=True)
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_tiny_recipe_learns_fifty_sentences(trained, language):
    folder = trained(language)
    records = [json.loads(line) for line in (folder.parent / "log.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [record["loss"] for record in records if record["event"] == "step"][-1] < 0.05
    assert records[-1]["scores"]["f0.5"] == 1.0
    assert corrected(load_system(folder), language) == [tokens(language, target) for _, target in pairs(language)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_raw_text_is_corrected(trained, language):
    model = load_model(trained(language), tokenised=language == "en", rules=False)
    corrections = model.correct([source for source, _ in pairs(language)])
    assert [one.target for one in corrections] == [target for _, target in pairs(language)]
    assert all(0 < edit.confidence <= 1 for one in corrections for edit in one.edits)


@pytest.mark.parametrize("language", LANGUAGES)
def test_export_corrects_the_same(trained, language, tmp_path):
    from errata.systems.tagger.export import export_tagger

    folder = trained(language)
    before = load_system(folder).propose([tokens(language, source) for source, _ in pairs(language)])
    for is_small, backend, gap in (
        (False, "onnx", 1e-4),
        (False, "native", 5e-3),
        (True, "onnx", 5e-2),
        (True, "native", 5e-2),
    ):
        out = tmp_path / f"{is_small}"
        export_tagger(folder, out, small=is_small)
        after = load_system(out, backend=backend).propose([tokens(language, source) for source, _ in pairs(language)])
        assert [[one.edit for one in found] for found in after] == [[one.edit for one in found] for found in before]
        pairwise = zip(chain.from_iterable(before), chain.from_iterable(after), strict=True)
        assert max(abs(a.confidence - b.confidence) for a, b in pairwise) < gap


@pytest.mark.parametrize("language", LANGUAGES)
def test_command_line_corrects_the_same(trained, language, tmp_path):
    from errata.systems.tagger.export import export_tagger

    export_tagger(trained(language), tmp_path / "onnx", small=False)
    given = "".join(f"{source}\n" for source, _ in pairs(language))
    options = ["--no-rules", *(["--tokenised"] if language == "en" else [])]
    command = [sys.executable, "-m", "errata", "correct", "--model", str(tmp_path / "onnx"), *options]
    answer = subprocess.run(command, input=given, capture_output=True, text=True, check=True, timeout=120)
    assert answer.stdout.splitlines() == [target for _, target in pairs(language)]


def test_exported_tagger_needs_no_torch(trained, tmp_path):
    from errata.systems.tagger.export import export_tagger

    export_tagger(trained("en"), tmp_path / "onnx")
    program = (
        "import sys\n"
        "for name in ('torch', 'transformers', 'spacy', 'lemminflect', 'safetensors', 'onnx'):\n"
        "    sys.modules[name] = None\n"
        "from errata.pipeline.load import load_model\n"
        f"model = load_model({str(tmp_path / 'onnx')!r}, tokenised=True)\n"
        "print(model.correct(['She go to school every day .'])[0].target)\n"
    )
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=120)
    assert answer.stdout == "She goes to school every day .\n"


def test_decoding_options(trained):
    folder, source = trained("en"), ("She", "go", "to", "school", "every", "day", ".")
    assert load_system(folder, keep_bias=1.0).propose([source, ()]) == [[], []]
    assert load_system(folder, min_error_probability=1.0).propose([source]) == [[]]
    tagger = load_system(folder)
    assert tagger.propose([source]) != [[]] == tagger.with_decoding(keep_bias=1.0).propose([source])
    for wrong in ({"keep_biass": 0.1}, {"passes": 0}, {"backend": "tea"}):
        with pytest.raises(UsageError):
            load_system(folder, **wrong)


def test_order_and_batches_do_not_matter(trained):
    sources = [tokens("en", source) for source, _ in pairs("en")]
    whole = load_system(trained("en")).propose(sources)
    alone = load_system(trained("en"), batch_tokens=1).propose(sources[::-1])[::-1]
    assert [[one.edit for one in found] for found in whole] == [[one.edit for one in found] for found in alone]


@pytest.mark.parametrize(
    ("text", "n_edits"), [("", 0), ("a " * 200, None), ("x" * 3000, None), ("🙂 é 漢字 \u0301", None), ("She go", None)]
)
def test_odd_text(trained, text, n_edits):
    correction = load_model(trained("en")).correct([text])[0]
    assert correction.source == text
    if n_edits is not None:
        assert len(correction.edits) == n_edits


def _damage(folder: Path, how: str) -> None:
    from safetensors.torch import load_file, save_file

    weights = load_file(folder / WEIGHTS)
    name = "errors.weight"
    if how == "missing":
        del weights[name]
    elif how == "extra":
        weights["stranger"] = weights[name].clone()
    elif how == "misshapen":
        weights[name] = weights[name][:, :-1].contiguous()
    save_file(weights, folder / WEIGHTS)


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ("missing", "errors.weight is missing"),
        ("extra", "stranger is not in the model"),
        ("misshapen", r"errors.weight is \(1, 63\), not \(1, 64\)"),
    ],
)
def test_weights_are_loaded_strictly(trained, tmp_path, how, message):
    folder = tmp_path / "model"
    shutil.copytree(trained("en"), folder)
    _damage(folder, how)
    with pytest.raises(DataError, match=message):
        load_system(folder)


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("tags.json", '[["keep"], ["delete"]]', "tags.json has 2"),
        ("errata.json", '{"system": "tagger", "language": "en"}', "manifest lacks"),
        ("inflections.tsv.gz", None, "missing"),
        ("tokenizer.json", "{", "not a readable tokenizer"),
        ("encoder.json", "{}", "does not describe an encoder"),
    ],
)
def test_damaged_folder_is_one_line(trained, tmp_path, file, text, message):
    folder = tmp_path / "model"
    shutil.copytree(trained("en"), folder)
    if text is None:
        (folder / file).unlink()
    else:
        (folder / file).write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=message) as caught:
        load_system(folder)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("inventory", "head"), [("pie", "factored"), ("lasertagger", "linear")])
def test_other_inventories_learn_too(tmp_path, inventory, head):
    few = tmp_path / "few.tsv"
    few.write_text("".join(f"{a}\t{b}\n" for a, b in pairs("en")[:12]), encoding="utf-8")
    folder = run(
        RECIPES / "tagger-tiny.yaml",
        tmp_path,
        f"model.inventory={inventory}",
        f"model.head={head}",
        "model.case_embedding=true",
        f"data.train=[{few}]",
        f"data.dev=[{few}]",
    )
    tagger = load_system(folder)
    sources = [tokens("en", source) for source, _ in pairs("en")[:12]]
    answers = [
        apply_edits(source, [one.edit for one in found])
        for source, found in zip(sources, tagger.propose(sources), strict=True)
    ]
    assert answers == [tokens("en", target) for _, target in pairs("en")[:12]]


def test_data_files_have_fifty_pairs():
    assert [len(pairs(language)) for language in LANGUAGES] == [50, 50]
    assert RECIPES.joinpath("data", "tagger-pairs.en.tsv").is_file()


def test_a_sentence_without_errors_is_done_early(trained, tmp_path):
    import torch
    from safetensors.torch import load_file, save_file

    from errata.systems.tagger.export import export_tagger

    shutil.copytree(trained("en"), tmp_path / "never")
    weights = load_file(tmp_path / "never" / WEIGHTS)
    weights["exit_below"] = torch.tensor(1.1)  # every sentence is done after the first layer
    save_file(weights, tmp_path / "never" / WEIGHTS, metadata={"format": "pt"})
    export_tagger(tmp_path / "never", tmp_path / "onnx", small=False)
    sources = [tokens("en", source) for source, _ in pairs("en")]
    for folder in ("never", "onnx"):
        assert not any(load_system(tmp_path / folder).propose(sources))


def test_the_mean_of_two_runs_is_exported(trained, tmp_path):
    import torch
    from safetensors.torch import load_file, save_file

    from errata.systems.averaging import average_systems

    first, second, mean = trained("en"), tmp_path / "second", tmp_path / "mean"
    shutil.copytree(first, second)
    weights = load_file(first / WEIGHTS)
    save_file(
        {name: value + 2 if value.is_floating_point() else value for name, value in weights.items()}, second / WEIGHTS
    )
    average_systems([first, second], mean)
    found = load_file(mean / WEIGHTS)
    assert all(torch.allclose(found[name], value + 1) for name, value in weights.items() if value.is_floating_point())
    assert [one["step"] for one in json.loads((mean / "errata.json").read_text("utf-8"))["training"]["averaged_with"]]
    for other in (trained("zh"), tmp_path / "other"):
        if not other.exists():
            shutil.copytree(first, other)
            (other / "tags.json").write_text('[["keep"], ["delete"]]', encoding="utf-8")
        with pytest.raises(DataError, match="only runs of one recipe"):
            average_systems([first, other], tmp_path / "none")


def test_how_early_is_said_at_export(trained, tmp_path):
    from errata.systems.comparison import compare_answers
    from errata.systems.tagger.export import export_tagger

    sources = [tokens("en", source) for source, _ in pairs("en")]
    for threshold, is_idle in ((0.0, False), (0.9999, True)):
        export_tagger(trained("en"), tmp_path / "out", exit_below=threshold)
        for backend in ("native", "onnx"):
            proposed = Tagger.load(tmp_path / "out", backend=backend).propose(sources)
            assert (not any(proposed)) == is_idle
        comparison = compare_answers(trained("en"), tmp_path / "out")
        assert (comparison.n_changed > 30) == is_idle and comparison.n_sentences > 90
        assert str(comparison).startswith("other answers to" if comparison.n_changed else "the same answers to")
    with pytest.raises(DataError, match="no early exit"):
        export_tagger(trained("zh"), tmp_path / "out", exit_below=0.1)
