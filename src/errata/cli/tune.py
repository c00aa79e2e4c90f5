"""`errata tune`: the threshold of a language-model corrector, found on a development set."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer


def tune(
    model: Annotated[Path, typer.Option(help="Folder of a language-model corrector; made if it is not there.")],
    gold: Annotated[str | None, typer.Option(help="Development set with gold edits, any format errata reads.")] = None,
    domain: Annotated[str, typer.Option(help="The domain the threshold is for.")] = "default",
    lm: Annotated[str | None, typer.Option(help="For a new folder: the language model, by name or folder.")] = None,
    language: Annotated[str, typer.Option("--lang", help="For a new folder: en or zh.")] = "en",
    limit: Annotated[int | None, typer.Option(min=1, help="Use the first sentences only.")] = None,
    tokenise: Annotated[bool, typer.Option("--tokenise", help="Cut raw English text into words.")] = False,
    device: Annotated[str, typer.Option(help="cpu, cuda, cuda:1 …")] = "cpu",
) -> None:
    """Find the threshold with the best F0.5 on a development set and write it into the model's folder.

    Without --gold a new folder is made with the usual threshold.

    Example: errata tune --model cweb-lm --gold CWEB-G.dev.m2 --domain cweb-g
    """
    from errata.errors import DataError, UsageError
    from errata.systems.base import MANIFEST, read_manifest
    from errata.systems.lm.confusions import CONFUSIONS
    from errata.systems.lm.settings import fresh_settings, read_settings, write_settings

    is_new = not (model / MANIFEST).exists()
    told: dict[str, Any] = {}
    if is_new:
        if language not in CONFUSIONS:
            raise UsageError(f"--lang {language}: there are confusion sets for {' and '.join(CONFUSIONS)}")
        settings = fresh_settings(language, lm)
        write_settings(model, language, settings, told)
    elif lm is not None:
        raise UsageError(f"{model} has a language model already: --lm is for a new folder")
    else:
        manifest = read_manifest(model)
        if manifest.get("system") != "lm":
            raise DataError(f"{model} is a {manifest.get('system')} system: only language-model correctors are tuned")
        (language, settings), told = read_settings(model), dict(manifest.get("training", {}))
    if gold is None:
        if not is_new:
            raise UsageError("give --gold: a development set to tune on")
        typer.echo(f"{model}: threshold {settings.threshold(None):.2f}, not tuned", err=True)
        return

    from errata.systems.lm import LanguageModelCorrector
    from errata.systems.lm.tuning import Trial
    from errata.systems.lm.tuning import tune as find_threshold
    from errata.systems.tagger.data import read_dev
    from errata.train.digests import file_digest

    dev = read_dev([Path(gold)], language, tokenise=tokenise)[:limit]
    if not dev:
        raise DataError(f"{gold} has no sentences")

    def show(trial: Trial) -> None:
        cells = "  ".join(f"{name} {100 * trial.scores[name]:5.2f}" for name in ("precision", "recall", "f0.5"))
        typer.echo(f"{trial.threshold:.2f}  {cells}", err=True)

    best, _ = find_threshold(LanguageModelCorrector.load(model, device=device), dev, progress=show)
    told[domain] = {
        "gold": Path(gold).name,
        "sha256": file_digest(Path(gold)),
        "sentences": len(dev),
        "scores": best.scores,
    }
    write_settings(model, language, settings.with_threshold(domain, best.threshold), told)
    typer.echo(f"{domain}: {best.threshold:.2f}")
