"""`errata tune`: a corrector's settings, found on development sets."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from collections.abc import Sequence


def tune(
    model: Annotated[Path, typer.Option(help="Folder of a trained corrector; a language-model corrector is made.")],
    gold: Annotated[
        list[Path] | None,
        typer.Option(help="Development set with gold edits, any format errata reads; repeat."),
    ] = None,
    rare: Annotated[
        list[Path] | None,
        typer.Option(help="Development set in which errors are rare: the preset `careful` is chosen on it; repeat."),
    ] = None,
    domain: Annotated[str, typer.Option(help="Language models: the domain the threshold is for.")] = "default",
    lm: Annotated[str | None, typer.Option(help="For a new folder: the language model, by name or folder.")] = None,
    language: Annotated[str, typer.Option("--lang", help="For a new folder: en or zh.")] = "en",
    limit: Annotated[int | None, typer.Option(min=1, help="Use the first sentences of each set only.")] = None,
    tokenise: Annotated[bool, typer.Option("--tokenise", help="Language models: cut raw English into words.")] = False,
    device: Annotated[str, typer.Option(help="cpu, cuda, cuda:1 …")] = "cpu",
) -> None:
    """Find a corrector's settings on development sets and write them into its folder.

    Of a tagger (or another trained system): the presets careful, balanced and eager, and what its confidences mean. Of
    a language-model corrector: the threshold of a domain with the best F0.5; without --gold a new folder is made with
    the usual one.

    Example: errata tune --model my-tagger --gold ABC.dev.m2 --rare CWEB-G.dev.m2 --rare CWEB-S.dev.m2
    """
    from errata.errors import UsageError
    from errata.systems.base import MANIFEST, read_manifest

    paths = gold or []
    is_new = not (model / MANIFEST).exists()
    if not is_new and read_manifest(model).get("system") != "lm":
        if lm is not None or tokenise or domain != "default":
            raise UsageError("--lm, --domain and --tokenise are for language-model correctors")
        _tune_presets(model, paths, rare or [], limit, device)
        return
    if len(paths) > 1 or rare:
        raise UsageError("the threshold of a language model is tuned on one --gold, without --rare")
    _tune_threshold(model, paths[0] if paths else None, is_new, domain, lm, language, limit, tokenise, device)


def _tune_presets(folder: Path, gold: Sequence[Path], rare: Sequence[Path], limit: int | None, device: str) -> None:
    from errata.cli.grids import make_console, print_grid
    from errata.cli.tables import preset_grid
    from errata.errors import UsageError
    from errata.systems.base import load_corrector
    from errata.systems.devsets import DevSet
    from errata.systems.tuning import tune_presets, write_presets

    if not gold:
        raise UsageError("give --gold: a development set to tune on")
    options: dict[str, Any] = {} if device == "cpu" else {"device": device}
    corrector = load_corrector(folder, tokenised=True, **options)
    sets, rare_sets = ([DevSet.read(path, corrector.language, limit) for path in paths] for paths in (gold, rare))
    choices = tune_presets(corrector, sets, rare_sets, lambda line: typer.echo(line, err=True))
    write_presets(folder, choices, [*sets, *rare_sets])
    print_grid(make_console(), preset_grid(choices))


def _tune_threshold(
    folder: Path,
    gold: Path | None,
    is_new: bool,
    domain: str,
    lm: str | None,
    language: str,
    limit: int | None,
    tokenise: bool,
    device: str,
) -> None:
    from errata.errors import DataError, UsageError
    from errata.systems.base import read_manifest
    from errata.systems.lm.confusions import CONFUSIONS
    from errata.systems.lm.settings import fresh_settings, read_settings, write_settings

    told: dict[str, Any] = {}
    if is_new:
        if language not in CONFUSIONS:
            raise UsageError(f"--lang {language}: there are confusion sets for {' and '.join(CONFUSIONS)}")
        settings = fresh_settings(language, lm)
        write_settings(folder, language, settings, told)
    elif lm is not None:
        raise UsageError(f"{folder} has a language model already: --lm is for a new folder")
    else:
        (language, settings), told = read_settings(folder), dict(read_manifest(folder).get("training", {}))
    if gold is None:
        if not is_new:
            raise UsageError("give --gold: a development set to tune on")
        typer.echo(f"{folder}: threshold {settings.threshold(None):.2f}, not tuned", err=True)
        return

    from errata.systems.lm import LanguageModelCorrector
    from errata.systems.lm.tuning import Trial
    from errata.systems.lm.tuning import tune as find_threshold
    from errata.systems.tagger.data import read_dev
    from errata.train.digests import file_digest

    dev = read_dev([gold], language, tokenise=tokenise)[:limit]
    if not dev:
        raise DataError(f"{gold} has no sentences")

    def show(trial: Trial) -> None:
        cells = "  ".join(f"{name} {100 * trial.scores[name]:5.2f}" for name in ("precision", "recall", "f0.5"))
        typer.echo(f"{trial.threshold:.2f}  {cells}", err=True)

    best, _ = find_threshold(LanguageModelCorrector.load(folder, device=device), dev, progress=show)
    told[domain] = {"gold": gold.name, "sha256": file_digest(gold), "sentences": len(dev), "scores": best.scores}
    write_settings(folder, language, settings.with_threshold(domain, best.threshold), told)
    typer.echo(f"{domain}: {best.threshold:.2f}")
