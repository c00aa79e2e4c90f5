"""`errata classify`: is there an error in a sentence, and of which types."""

from __future__ import annotations

import json
from itertools import islice
from typing import Annotated

import typer

# Lines judged at once: large enough to batch by length, small enough to stream.
LINES_AT_ONCE = 4096


def classify(
    model: Annotated[str, typer.Option(help="Folder of a trained classifier, as a path (./mine).")],
    file: Annotated[str, typer.Argument(help="The text to judge, one sentence a line; - is standard input.")] = "-",
    output: Annotated[str, typer.Option("--output", "-o", help="Where to write; - is standard output.")] = "-",
    as_json: Annotated[bool, typer.Option("--json", help="A JSON object a line, with probabilities.")] = False,
    tokenised: Annotated[bool, typer.Option("--tokenised", help="Tokens are separated by spaces.")] = False,
    threshold: Annotated[
        float | None, typer.Option(min=0, max=1, help="Probability from which a label holds; else as chosen on dev.")
    ] = None,
    device: Annotated[str, typer.Option(help="cpu, cuda, cuda:1 …")] = "cpu",
) -> None:
    """Judge sentences: one line of labels for each line in, [b]*[/b] for a correct sentence.

    The output is what [b]errata score --metric detection|identification --hyp[/b] takes.

    Example: [b]errata classify dev.txt --model runs/classifier-tiny/model > dev.labels[/b]
    """
    from errata.cli.model_names import given_with
    from errata.formats.base import clean_lines
    from errata.formats.files import display_name, open_for_writing, read_lines
    from errata.systems.classifier import Classifier
    from errata.systems.installed import find_model

    with given_with("--model"):
        folder = find_model(model)
    classifier = Classifier.load(folder, device=device, threshold=threshold)
    lines = clean_lines(read_lines(file), display_name(file))
    with open_for_writing(output, inputs=[file]) as stream:
        while batch := list(islice(lines, LINES_AT_ONCE)):
            for judgement in classifier.classify(batch, tokenised=tokenised):
                if as_json:
                    rounded = {label: round(p, 4) for label, p in judgement.probabilities.items()}
                    stream.write(json.dumps({"labels": judgement.labels, "probabilities": rounded}) + "\n")
                else:
                    stream.write((";".join(judgement.labels) or "*") + "\n")
