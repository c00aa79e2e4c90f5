"""`errata tune`: a corrector's settings, found on development sets."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from errata.errors import DataError, UsageError
from errata.text.arguments import printable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from errata.pipeline.fluency import Fluency


def tune(
    model: Annotated[str, typer.Option(help="Installed model, or folder of a trained corrector (./mine).")],
    gold: Annotated[
        list[Path] | None,
        typer.Option(help="Development set with gold edits, any format errata reads; repeat."),
    ] = None,
    rare: Annotated[
        list[Path] | None,
        typer.Option(help="Development set in which errors are rare: the preset `careful` is chosen on it; repeat."),
    ] = None,
    learners: Annotated[
        list[Path] | None,
        typer.Option(
            help="Sentences of learners, any format errata reads: confidences are then fitted for each kind "
            "of writer; repeat."
        ),
    ] = None,
    fluent: Annotated[
        list[Path] | None, typer.Option(help="Sentences of fluent writers, to go with --learners; repeat.")
    ] = None,
    out: Annotated[Path | None, typer.Option(metavar="FOLDER", help="Copy the model there and tune the copy.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print the manifest; write nothing.")] = False,
    domain: Annotated[str, typer.Option(help="Language models: the domain the threshold is for.")] = "default",
    lm: Annotated[
        str | None, typer.Option(help="Make a new folder --model with this language model, a name or a path.")
    ] = None,
    language: Annotated[str, typer.Option("--lang", help="For a new folder: en or zh.")] = "en",
    limit: Annotated[int | None, typer.Option(min=1, help="Use the first sentences of each set only.")] = None,
    tokenise: Annotated[bool, typer.Option("--tokenise", help="Language models: cut raw English into words.")] = False,
    device: Annotated[str, typer.Option(help="cpu, cuda, cuda:1 …")] = "cpu",
    allow_network: Annotated[
        bool, typer.Option("--allow-network", help="Let a model behind an endpoint send the sets there.")
    ] = False,
) -> None:
    """Find a corrector's settings on development sets and write them into its folder.

    Of a tagger (or another trained system): the presets careful, balanced and eager, and what its confidences mean. Of
    a language-model corrector: the threshold of a domain with the best F0.5; --lm makes a new one, without --gold with
    the usual threshold. The old manifest is kept as errata.json.bak.

    Example: errata tune --model ./my-tagger --gold ABC.dev.m2 --rare CWEB-G.dev.m2 --rare CWEB-S.dev.m2
    """
    from errata.systems.manifest import read_manifest

    work = _Work(gold or [], rare or [], learners or [], fluent or [], limit, device, allow_network, out, dry_run)
    if lm is not None:
        _make_lm(work, model, lm, language, domain, tokenise)
        return
    folder = _find(model)
    manifest = read_manifest(folder)
    if not work.gold:
        raise UsageError("give --gold: a development set to tune on")
    if bool(work.learners) != bool(work.fluent):
        raise UsageError("--learners and --fluent go together: give sentences of both kinds of writers")
    if not dry_run:
        from errata.systems.revising import require_revisable

        require_revisable(folder, out)
    if manifest.get("system") == "lm":
        if work.learners:
            raise UsageError("--learners and --fluent are for presets, which language-model correctors do not have")
        _tune_lm(work, folder, domain, tokenise)
        return
    if tokenise or domain != "default":
        raise UsageError("--domain and --tokenise are for language-model correctors")
    _tune_presets(work, folder)


@dataclass(frozen=True, slots=True)
class _Work:
    """What to tune on, how, and where the settings go."""

    gold: list[Path]
    rare: list[Path]
    learners: list[Path]
    fluent: list[Path]
    limit: int | None
    device: str
    allow_network: bool
    out: Path | None
    is_dry: bool

    def keep(self, folder: Path, manifest: Mapping[str, Any]) -> None:
        """Write the manifest into the folder or a copy of it; a dry run prints it."""
        from errata.cli.json_text import format_json
        from errata.systems.manifest import MANIFEST
        from errata.systems.revising import revise

        if self.is_dry:
            typer.echo(f"{(self.out or folder) / MANIFEST} would be:", err=True)
            typer.echo(format_json(manifest, 2))
        else:
            typer.echo(f"written: {revise(folder, manifest, self.out) / MANIFEST}", err=True)


def _find(model: str) -> Path:
    from errata.cli.model_names import given_with
    from errata.places import as_path, is_path
    from errata.systems.installed import find_model

    if is_path(model) and not as_path(model).exists():
        raise DataError(f"there is no folder {model}: --lm NAME makes a language-model corrector there")
    with given_with("--model"):
        return find_model(model)


def _tune_presets(work: _Work, folder: Path) -> None:
    from errata.cli.grids import make_console, print_grid
    from errata.cli.tables import preset_grid
    from errata.pipeline.load import load_model
    from errata.pipeline.presets import read_fluency
    from errata.systems.manifest import read_manifest
    from errata.tuning.choosing import tune_presets, with_presets
    from errata.tuning.devsets import DevSet

    options: dict[str, Any] = {} if work.device == "cpu" else {"device": work.device}
    corrector = load_model(folder, tokenised=True, rules=False, allow_network=work.allow_network, **options)
    sets, rare = (
        [DevSet.read(path, corrector.language, work.limit) for path in paths] for paths in (work.gold, work.rare)
    )
    for dev in (*sets, *rare):
        if not any(edits for references in dev.gold for edits in references):
            raise DataError(f"{dev.path} has no gold edits: nothing can be tuned on it")
    fluency = _fluency(work, corrector.language) or read_fluency(read_manifest(folder))
    choices = tune_presets(corrector, sets, rare, lambda line: typer.echo(line, err=True), fluency)
    tuned = with_presets(read_manifest(folder), choices, [*sets, *rare], fluency)  # as it is after hours of tuning
    work.keep(folder, tuned)
    if not work.is_dry:
        print_grid(make_console(), preset_grid(choices))


def _fluency(work: _Work, language: str) -> Fluency | None:
    """What tells the two kinds of writers apart, if there are sentences to learn it from."""
    from errata.tuning.fluency import learn_fluency, read_sentences

    if not work.learners:
        return None
    learnt = learn_fluency(read_sentences(work.learners, language), read_sentences(work.fluent, language))
    typer.echo(
        f"{learnt.n_learners:,} sentences of learners, {learnt.n_fluent:,} of fluent writers: "
        f"{100 * learnt.accuracy:.1f} % of held-out ones are told apart",
        err=True,
    )
    return learnt.fluency


def _make_lm(work: _Work, model: str, lm: str, language: str, domain: str, tokenise: bool) -> None:
    """A new folder; nothing is made if its threshold cannot be tuned."""
    from errata.places import as_path, is_path
    from errata.systems.exported import require_free
    from errata.systems.lm.settings import fresh_settings, manifest_of
    from errata.systems.manifest import write_manifest

    if not is_path(model):
        raise UsageError(f"--lm makes a new folder, which is given as a path: --model ./{model}")
    if work.out is not None:
        raise UsageError("--out copies a model that is there; --lm makes a new one")
    folder = as_path(model)
    require_free([], folder)
    settings = fresh_settings(language, lm)
    told: dict[str, Any] = {}
    if work.gold:
        best, told = _threshold(work, folder, language, settings, domain, tokenise)
        settings = settings.with_threshold(domain, best)
    manifest = manifest_of(language, settings, told)
    if work.is_dry:
        work.keep(folder, manifest)
        return
    write_manifest(folder, manifest)
    if not work.gold:
        typer.echo(f"{folder}: threshold {settings.threshold(None):.2f}, not tuned", err=True)


def _tune_lm(work: _Work, folder: Path, domain: str, tokenise: bool) -> None:
    from errata.systems.cards import without_measurements
    from errata.systems.lm.settings import manifest_of, read_settings
    from errata.systems.manifest import read_manifest

    language, settings = read_settings(folder)
    best, told = _threshold(work, folder, language, settings, domain, tokenise)
    # Another domain may have been tuned meanwhile: what the folder says now is what the threshold is added to.
    manifest, (_, settings) = read_manifest(folder), read_settings(folder)
    settings = settings.with_threshold(domain, best)
    training = {**manifest.get("training", {}), **told}
    work.keep(folder, without_measurements(manifest) | manifest_of(language, settings, training))


def _threshold(
    work: _Work, folder: Path, language: str, settings: Any, domain: str, tokenise: bool
) -> tuple[float, dict[str, Any]]:
    """The best threshold for the domain, and what is told of it."""
    from errata.systems.lm import LanguageModelCorrector
    from errata.systems.lm.tuning import Trial
    from errata.systems.lm.tuning import tune as find_threshold
    from errata.training.digests import file_digest
    from errata.training.pairs import read_dev
    from errata.tuning.devsets import refuse_other_language

    if len(work.gold) > 1 or work.rare:
        raise UsageError("the threshold of a language model is tuned on one --gold, without --rare")
    (gold,) = work.gold
    dev = read_dev([gold], language, tokenise=tokenise)[: work.limit]
    if not dev:
        raise DataError(f"{gold} has no sentences")
    refuse_other_language(gold, [" ".join(one.tokens) for one in dev], language)

    def show(trial: Trial) -> None:
        cells = "  ".join(f"{name} {100 * trial.scores[name]:5.2f}" for name in ("precision", "recall", "f0.5"))
        typer.echo(f"{trial.threshold:.2f}  {cells}", err=True)

    corrector = LanguageModelCorrector.build(folder, language, settings, device=work.device)
    best, _ = find_threshold(corrector, dev, progress=show)
    if not best.scores["recall"] or not best.scores["changed"]:
        raise DataError(f"no threshold finds anything in {gold}: nothing is saved")
    if not work.is_dry:
        typer.echo(f"{domain}: {best.threshold:.2f}")
    told = {"gold": printable(gold.name), "sha256": file_digest(gold), "sentences": len(dev), "scores": best.scores}
    return best.threshold, {domain: told}
