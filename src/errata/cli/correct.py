"""`errata correct`: text in, corrected text out, one line for each line."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from errata.cli import engines
from errata.errors import UsageError
from errata.text.arguments import as_text


class Rendering(StrEnum):
    text = "text"
    diff = "diff"
    json = "json"
    jsonl = "jsonl"
    m2 = "m2"


class Language(StrEnum):
    auto = "auto"
    en = "en"
    zh = "zh"


AUTO = "auto"  # of markup: by the suffix
_DEVICE = re.compile(r"cpu|mps|cuda(:\d+)?")

READING, CHOOSING, PROTECTING, WRITING, TUNING = (
    "What to read",
    "How to correct",
    "What to leave alone",
    "What to write",
    "Options of single systems",
)


def correct(
    files: Annotated[
        list[str] | None,
        typer.Argument(help="Files, folders, patterns ('docs/**/*.md'); - is standard input.", show_default=False),
    ] = None,
    markup: Annotated[
        str,
        typer.Option(
            metavar="[auto|none|text|markdown]",
            help="How it is written; auto goes by the suffix, none reads every line by itself.",
            rich_help_panel=READING,
        ),
    ] = AUTO,
    tokenised: Annotated[
        bool,
        typer.Option("--tokenised", help="Tokens are separated by spaces, in and out.", rich_help_panel=READING),
    ] = False,
    language: Annotated[
        Language, typer.Option("--lang", help="auto finds out sentence by sentence.", rich_help_panel=CHOOSING)
    ] = Language.auto,
    model: Annotated[
        str | None,
        typer.Option(help="Installed model, or folder of a trained system (./mine).", rich_help_panel=CHOOSING),
    ] = None,
    preset: Annotated[str | None, typer.Option(help="careful, balanced or eager.", rich_help_panel=CHOOSING)] = None,
    min_confidence: Annotated[
        float | None, typer.Option(min=0, max=1, help="Leave out edits trusted less.", rich_help_panel=CHOOSING)
    ] = None,
    rules: Annotated[
        bool,
        typer.Option(
            "--rules/--no-rules", help="Correct everyday slips by rule too (errata rules).", rich_help_panel=CHOOSING
        ),
    ] = True,
    without_rule: Annotated[
        list[str] | None, typer.Option(help="Rule that shall not count.", rich_help_panel=CHOOSING)
    ] = None,
    rule_file: Annotated[
        list[Path] | None, typer.Option(help="File of rules of your own.", rich_help_panel=CHOOSING)
    ] = None,
    dictionary: Annotated[
        list[Path] | None,
        typer.Option(help="File of words that are right, beside your own.", rich_help_panel=PROTECTING),
    ] = None,
    user_words: Annotated[
        bool,
        typer.Option("--user-words/--no-user-words", help="Heed your own dictionary.", rich_help_panel=PROTECTING),
    ] = True,
    protect: Annotated[
        list[str] | None, typer.Option(help="Phrase that stays as it is.", rich_help_panel=PROTECTING)
    ] = None,
    protect_file: Annotated[
        list[Path] | None, typer.Option(help="File of such phrases.", rich_help_panel=PROTECTING)
    ] = None,
    rendering: Annotated[
        Rendering, typer.Option("--format", help="What to print.", rich_help_panel=WRITING)
    ] = Rendering.text,
    explain: Annotated[
        bool,
        typer.Option("--explain", help="A message with each edit, in JSON and --check.", rich_help_panel=WRITING),
    ] = False,
    output: Annotated[
        str, typer.Option("--output", "-o", help="Where to write; - is standard output.", rich_help_panel=WRITING)
    ] = "-",
    check: Annotated[
        bool,
        typer.Option("--check", help="Report what would change; exit 1 if anything.", rich_help_panel=WRITING),
    ] = False,
    in_place: Annotated[
        bool, typer.Option("--in-place", "-i", help="Correct the files themselves.", rich_help_panel=WRITING)
    ] = False,
    backup: Annotated[
        str | None,
        typer.Option(help="Suffix of the copy that --in-place keeps, .bak unless given.", rich_help_panel=WRITING),
    ] = None,
    no_backup: Annotated[bool, typer.Option("--no-backup", help="Keep no copy.", rich_help_panel=WRITING)] = False,
    keep_bias: Annotated[
        float | None,
        typer.Option(help="Added to the score of leaving a token alone.", rich_help_panel=TUNING),
    ] = None,
    passes: Annotated[int | None, typer.Option(min=1, help="At most this many rounds.", rich_help_panel=TUNING)] = None,
    beam: Annotated[
        int | None, typer.Option(min=1, help="Beam size of generating systems.", rich_help_panel=TUNING)
    ] = None,
    domain: Annotated[
        str | None, typer.Option(help="Domain whose threshold a language model uses.", rich_help_panel=TUNING)
    ] = None,
    device: Annotated[
        str | None, typer.Option(help="cpu, cuda, cuda:1 … (torch systems).", rich_help_panel=TUNING)
    ] = None,
    allow_network: Annotated[
        bool,
        typer.Option(
            "--allow-network", help="Let a model behind an endpoint send the text there.", rich_help_panel=CHOOSING
        ),
    ] = False,
    engine: engines.EngineName = None,
    address: engines.Address = None,
    shards: engines.Shards = None,
) -> None:
    """Correct text: plain or Markdown, English or Chinese, one line out for each line in.

    Everything outside the corrections comes back byte for byte.

    Example: echo "She have alot of informations about it." | errata correct
    """
    from errata.cli.in_place import correct_files, leave_out_backups
    from errata.cli.inputs import find_inputs, skip_others
    from errata.cli.model_names import given_with
    from errata.cli.printing import print_corrections, print_findings
    from errata.cli.renderings import Style
    from errata.cli.sharded import correct_shards
    from errata.cli.watching import tell, watching
    from errata.pipeline.load import load_corrector
    from errata.pipeline.views import LINES, find_writing

    _refuse_contradictions(rendering, markup, output, tokenised=tokenised, check=check, in_place=in_place)
    if explain and not check and rendering not in (Rendering.json, Rendering.jsonl):
        raise UsageError("--explain goes with --check or --format json or jsonl: other output has no place for it")
    if device is not None and not _DEVICE.fullmatch(device):
        raise UsageError(f"no device {device!r}: choose cpu, cuda, cuda:N or mps")
    scaling = engines.choose_scaling(engine, address, shards)
    suffix = _backup_suffix(backup, no_backup=no_backup, in_place=in_place)
    if markup != AUTO:
        find_writing(markup)
    found = find_inputs(files or [], LINES if tokenised else markup)
    inputs = skip_others(found)
    n_skipped = len(found) - len(inputs)
    if in_place and not all(one.is_plain_file for one in inputs):
        raise UsageError("--in-place needs plain files: standard input, pipes and compressed files cannot be rewritten")
    if in_place and suffix is not None:
        inputs = leave_out_backups(inputs, suffix)
    options: dict[str, Any] = {
        "keep_bias": keep_bias,
        "passes": passes,
        "beam": beam,
        "domain": domain,
        "device": device,
        "allow_network": allow_network or None,
    }
    dictionary_words = _words(dictionary or [], with_own=user_words and not tokenised)
    terms = (*map(_phrase, protect or []), *_words(protect_file or [], with_own=False))
    loading: dict[str, Any] = {
        "model": model,
        "language": language.value,
        "preset": preset,
        "min_confidence": min_confidence or 0.0,
        "words": dictionary_words,
        "terms": terms,
        "tokenised": tokenised,
        "rules": rules,
        "without_rules": without_rule or (),
        "rule_files": rule_file or (),
        **{name: value for name, value in options.items() if value is not None},
    }
    if scaling:
        if check or in_place:
            raise UsageError("--engine writes corrected text to -o FILE: leave --check and --in-place out")
        with given_with("--model"):
            correct_shards(scaling, inputs, output, rendering, loading, explains=explain)
        return
    is_terminal = output == "-" and sys.stdout.isatty()
    with watching([one.size for one in inputs], is_wanted=in_place or not is_terminal) as watch:
        with given_with("--model"):
            pipeline = load_corrector(**loading)
        corrector = watch(pipeline)
        style = Style(
            language=corrector.language,
            tokenised=tokenised,
            is_coloured=is_terminal and not os.environ.get("NO_COLOR"),
            explains=explain,
            names_files=len(inputs) > 1,
        )
        if in_place:
            is_clean = correct_files(corrector, inputs, suffix)
        elif check:
            is_clean = print_findings(corrector, inputs, output, rendering, style)
        else:
            is_clean = print_corrections(corrector, inputs, output, rendering, style)
    if n_skipped:
        tell(f"{n_skipped} file{'s' if n_skipped > 1 else ''} skipped: not prose")
    if not is_clean:
        raise typer.Exit(1)


def _refuse_contradictions(
    rendering: Rendering, markup: str, output: str, *, tokenised: bool, check: bool, in_place: bool
) -> None:
    from errata.pipeline.views import LINES

    if in_place and check:
        raise UsageError("--check changes nothing and --in-place does: leave one of them out")
    if in_place and (rendering is not Rendering.text or output != "-"):
        raise UsageError("--in-place writes corrected text into the files: leave --format and --output out")
    if check and rendering in (Rendering.diff, Rendering.m2):
        raise UsageError(f"--check reports as text, json or jsonl, not as {rendering}")
    if tokenised and markup not in (AUTO, LINES):
        raise UsageError("--tokenised takes sentences, one on each line, without markup")


def _backup_suffix(backup: str | None, *, no_backup: bool, in_place: bool) -> str | None:
    """What is put after the name of a file that is corrected in place to name its copy; None for no copy."""
    if not in_place and (backup is not None or no_backup):
        raise UsageError("--backup and --no-backup go with --in-place: nothing else changes files")
    if no_backup and backup is not None:
        raise UsageError(f"--backup {backup} keeps a copy and --no-backup none: leave --backup or --no-backup out")
    if backup is not None and os.sep in backup:
        raise UsageError(f"--backup takes a suffix such as .bak, not {backup!r}; --no-backup keeps no copy")
    return None if no_backup else backup or ".bak"


def _phrase(argument: str) -> str:
    phrase = as_text(argument)
    if not phrase.strip():
        raise UsageError(f"--protect {phrase!r} is blank: give the words that stay as they are")
    return phrase


def _words(paths: Sequence[Path], *, with_own: bool) -> tuple[str, ...]:
    """The words of dictionary files, after the user's own; a file without any is told of, for it protects nothing."""
    from errata.cli.watching import tell
    from errata.formats.files import display_name
    from errata.pipeline.dictionary import read_user_words, read_words

    words = read_user_words() if with_own else []
    for path in paths:
        listed = read_words(path)
        if not listed:
            tell(f"errata: warning: {display_name(path)} has no words: its lines are blank or comments")
        words += listed
    return tuple(words)
