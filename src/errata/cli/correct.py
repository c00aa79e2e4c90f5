"""`errata correct`: text in, corrected text out, one line for each line."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

import typer

# Lines corrected at once: large enough to batch by length, small enough to stream.
LINES_AT_ONCE = 4096


class Rendering(StrEnum):
    text = "text"
    diff = "diff"
    json = "json"
    jsonl = "jsonl"
    m2 = "m2"


def correct(
    model: Annotated[str, typer.Option(help="Folder of a trained system.")],
    file: Annotated[str, typer.Argument(help="The text to correct; - is standard input.")] = "-",
    rendering: Annotated[Rendering, typer.Option("--format", help="What to print.")] = Rendering.text,
    output: Annotated[str, typer.Option("--output", "-o", help="Where to write; - is standard output.")] = "-",
    tokenised: Annotated[bool, typer.Option("--tokenised", help="Tokens are separated by spaces, in and out.")] = False,
    min_confidence: Annotated[float, typer.Option(min=0, max=1, help="Leave out edits the model trusts less.")] = 0.0,
    keep_bias: Annotated[float | None, typer.Option(help="Added to the score of leaving a token alone.")] = None,
    passes: Annotated[int | None, typer.Option(min=1, help="At most this many rounds of correction.")] = None,
    beam: Annotated[int | None, typer.Option(min=1, help="Beam size of generating systems.")] = None,
    domain: Annotated[str | None, typer.Option(help="Domain whose threshold a language model uses.")] = None,
    device: Annotated[str | None, typer.Option(help="cpu, cuda, cuda:1 … (torch systems).")] = None,
) -> None:
    """Correct text, one line out for each line in.

    Everything outside the corrections comes back byte for byte.

    Example: echo "He go home." | errata correct --model runs/tagger/best
    """
    from errata.cli.corrections import RENDERERS, correct_lines
    from errata.formats.files import open_for_writing, read_lines
    from errata.systems import load_corrector

    options = {"keep_bias": keep_bias, "passes": passes, "beam": beam, "domain": domain, "device": device}
    given: dict[str, Any] = {name: value for name, value in options.items() if value is not None}
    corrector = load_corrector(model, tokenised=tokenised, min_confidence=min_confidence, **given)
    corrections = correct_lines(corrector, read_lines(file), LINES_AT_ONCE)
    with open_for_writing(output) as stream:
        for chunk in RENDERERS[rendering.value](corrections, corrector.language, tokenised):
            stream.write(chunk)
