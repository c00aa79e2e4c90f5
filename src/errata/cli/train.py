"""`errata train`: train a system from a recipe."""

from __future__ import annotations

import typer


def train(
    recipe: str = typer.Argument(
        ..., metavar="RECIPE", help="What to train, on what, and how: a name that errata recipes lists, or a YAML file."
    ),
    assignments: list[str] = typer.Option(
        [], "--set", metavar="KEY=VALUE", help="Change a setting, as in optimiser.learning_rate=1e-4; may be repeated."
    ),
    resume: bool = typer.Option(False, "--resume", help="Go on from the run's last checkpoint, exactly."),
    restart: bool = typer.Option(False, "--restart", help="Throw the run's checkpoints and log away first."),
    prepare_only: bool = typer.Option(False, "--prepare-only", help="Read and pack the data, then stop."),
    device: str = typer.Option("auto", "--device", metavar="NAME", help="auto, cpu, cuda, cuda:1 …"),
) -> None:
    """Train a system: tagger, seq2seq, stg, classifier, causal-lm, encoder.

    The run folder gets the log, the checkpoints, a plot of the loss, and in [b]model/[/b] the best system so far,
    ready for [b]errata correct --model[/b]. Interrupted runs save themselves; [b]--resume[/b] goes on.

    Example: [b]errata train tagger-tiny --set run.steps=200[/b]
    """
    from errata.errors import UsageError
    from errata.training.run import run_recipe

    if resume and restart:
        raise UsageError("--resume goes on, --restart begins anew: give one of them")
    status = run_recipe(recipe, assignments, resume=resume, restart=restart, prepare_only=prepare_only, device=device)
    if status:
        raise typer.Exit(status)
