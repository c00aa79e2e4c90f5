"""The commands that can be cut, on shards: what is refused, what the rows are, and how results are joined."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from errata.cli.engines import Scaling, digest_files, join_texts, shards_folder, stamp_folder
from errata.cli.inputs import Input
from errata.cli.shard_work import CorrectLines, CorruptLines, CountItems, ExtractEdits, freeze, read_stats
from errata.errors import UsageError

if TYPE_CHECKING:
    from errata.metrics.base import Item, Metric
    from errata.synth.stream import Job, Tally

# Formats in which a corpus is its parts one after the other.
JOINED = ("cherrant", "jsonl", "m2", "m2scorer", "parallel")


def correct_shards(
    scaling: Scaling, inputs: Sequence[Input], output: str, rendering: str, loading: dict[str, Any], *, explains: bool
) -> None:
    """Correct a file of lines; `loading` are the options of `load_corrector`."""
    from errata.cli.corrections import split_lines
    from errata.pipeline.documents import AUTO
    from errata.pipeline.views import LINES

    if len(inputs) != 1:
        raise UsageError(f"--engine corrects one file at a time, not {len(inputs)}")
    if inputs[0].markup != LINES:
        raise UsageError(
            "--engine cuts between lines, and a sentence may go on in the next: "
            "give --tokenised or --markup none for one sentence per line, or leave --engine out"
        )
    if rendering == "json":
        raise UsageError("--engine joins the lines of shards, and json is one list: give --format jsonl")
    if rendering == "m2" and loading["language"] == AUTO:
        raise UsageError("--engine looks at no other shard for the language of M2: give --lang en or --lang zh")
    if scaling.engine == "ray" and str(loading.get("device", "cpu")) != "cpu":
        raise UsageError("--engine ray gives a shard a core and no GPU: leave --device or --engine out")
    text = inputs[0]
    folder = shards_folder(output, [text.path])
    models = _find_models(loading["model"], loading["language"])
    loading |= _from_anywhere(loading["model"], loading["rule_files"])
    work = CorrectLines(freeze(loading), text.name, rendering, loading["tokenised"], explains)
    key = {
        "command": "correct",
        "work": repr(work),
        "models": [[str(model), stamp_folder(model)] for model in models],
        "rules": digest_files(loading["rule_files"]),
    }
    if scaling.engine == "ray":  # nothing that results depend on, so it is not in the key
        work = replace(work, options=freeze({**loading, **_one_thread(models)}))
    with scaling.finished(work, lambda: split_lines(text.batches()), folder, key) as paths:
        join_texts(paths, output, [text.path])


def _find_models(model: str | None, language: str) -> list[Path]:
    """The folders of the models that may be needed."""
    from errata.systems.installed import default_models, find_model

    defaults = default_models()
    names = [model] if model else [name for own, name in defaults.items() if language in ("auto", own)]
    return [find_model(name) for name in names]


def _from_anywhere(model: str | None, rule_files: Sequence[Path]) -> dict[str, Any]:
    """The options with whole paths: processes of a cluster stand in another folder."""
    from errata.places import as_path, is_path

    whole = str(as_path(model).resolve()) if model is not None and is_path(model) else model
    return {"model": whole, "rule_files": [path.resolve() for path in rule_files]}


def _one_thread(models: Sequence[Path]) -> dict[str, int]:
    """The option that keeps a shard to the one core it has on a cluster, if the systems have it."""
    from errata.systems.base import check_options

    try:
        for model in models:
            check_options(model, threads=1)
    except UsageError:
        return {}
    return {"threads": 1}


def extract_shards(
    scaling: Scaling,
    inputs: Sequence[str],
    output: str,
    folder: Path,
    format: str,
    language: str,
    options: dict[str, Any],
) -> None:
    """Find the edits between parallel files."""
    from errata.edits.base import get_extractor
    from errata.formats.parallel import zip_lines

    if format not in JOINED:
        raise UsageError(f"--engine joins shards, which {format} does not allow: give --to {', '.join(JOINED)}")
    options = {name: value.resolve() if isinstance(value, Path) else value for name, value in options.items()}
    work = ExtractEdits(language, freeze(options), format)
    key = {
        "command": "extract",
        "work": repr(work),
        "extractor": get_extractor(language, **options).signature,
        "lexicon": stamp_folder(options.get("lexicon")),
    }
    with scaling.finished(work, lambda: zip_lines(inputs), folder, key) as paths:
        join_texts(paths, output, inputs)


def refuse_uncut(metrics: Sequence[Metric[Any]], hypotheses: Sequence[str]) -> None:
    """Refuse metrics that look at several sentences at once, and hypotheses beside which nothing can be kept."""
    from errata.cli.engines import refuse_stream

    refuse_stream(hypotheses[0])
    for metric in metrics:
        if not metric.is_cuttable:
            limited = " with --max-refs" if metric.unlimited is not metric else ""
            raise UsageError(
                f"{metric.name}{limited} cannot be cut into shards, for it looks at several sentences at once: "
                "leave --engine out"
            )


def count_shards(scaling: Scaling, metric: Metric[Any], items: Sequence[Item], hypothesis: str) -> list[Any]:
    """The statistics of all items; finished shards are kept beside the hypothesis."""
    from errata.scale.keeping import folder_beside

    lexicon = getattr(metric.options, "lexicon", None)
    options = replace(metric.options, lexicon=Path(lexicon).resolve()) if lexicon else metric.options
    work = CountItems(type(metric), options)
    key = {
        "command": "score",
        "metric": f"{type(metric).__module__}:{type(metric).__qualname__}",
        "options": repr(options),
        "lexicon": stamp_folder(Path(lexicon)) if lexicon else None,
    }
    folder = folder_beside(Path(hypothesis).resolve())
    with scaling.finished(work, lambda: items, folder, key) as paths:
        return list(read_stats(paths))


def corrupt_shards(
    scaling: Scaling, inputs: Sequence[str], output: str, job: Job, rows: Callable[[], Iterable[str]]
) -> Tally:
    """Corrupt lines; the tally of all shards."""
    from errata.formats.files import open_for_writing
    from errata.synth.stream import Tally

    folder = shards_folder(output, inputs)
    key = {
        "command": "synth corrupt",
        "model": job.model.digest,
        "job": [job.seed, job.copies, job.format, job.is_tokenised],
    }
    total = Tally()
    with (
        scaling.finished(CorruptLines(job), rows, folder, key) as paths,
        open_for_writing(output, inputs=inputs) as stream,
    ):
        for path in paths:
            with path.open(encoding="utf-8", newline="") as content:
                total.add(Tally(**json.loads(content.readline())))
                shutil.copyfileobj(content, stream)
    return total
