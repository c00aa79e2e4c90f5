"""Correctors of documents by the name of a model, or with the default model of every language."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from pathlib import Path
from typing import Any

from errata.errors import DataError, UsageError
from errata.formats.files import display_name, read_lines
from errata.model import Correction
from errata.parameters import check_type, check_words
from errata.pipeline.corrector import Pipeline
from errata.pipeline.documents import AUTO, Options
from errata.pipeline.presets import BALANCED, ORDER, Ladder, read_presets
from errata.pipeline.protection import Protection
from errata.pipeline.sentences import SentenceCorrector
from errata.pipeline.views import TEXT
from errata.rules.book import BOOKS, Rule, RuleBook, load_rules, read_rules, refuse_doubles
from errata.systems.base import check_options, load_token_corrector
from errata.systems.installed import PREFERRED, default_model, default_models, find_model
from errata.systems.manifest import MANIFEST, read_manifest
from errata.text.spacing import LAYOUTS


def load_corrector(
    model: str | Path | None = None,
    *,
    language: str = AUTO,
    preset: str | None = None,
    min_confidence: float = 0.0,
    words: Collection[str] = (),
    terms: Collection[str] = (),
    tokenised: bool = False,
    rules: bool = True,
    without_rules: Collection[str] = (),
    rule_files: Collection[Path] = (),
    **options: Any,
) -> Pipeline:
    """A corrector of texts: with a named model, the default one of a language, or each sentence's own.

    `model` is the name of an installed model (`en-small`) or the folder of a trained system. `preset` is one it has
    (`careful`, `balanced`, `eager`); edits trusted less than `min_confidence` are left out on top of that. `words` and
    `terms` stay as they are. `tokenised` reads benchmark files: tokens are separated by spaces, every sentence is
    looked at once, and nothing is protected but `words` and `terms`. `rules` correct everyday slips beside the model,
    but for those named in `without_rules`, and with those of your `rule_files`. `options` are the system's own
    (`keep_bias` …).
    """
    words, terms = check_words("words", words), check_words("terms", terms)
    without_rules = check_words("without_rules", without_rules)
    check_type("model", model, str | Path | None)
    check_type("language", language, str)
    check_type("preset", preset, str | None)
    check_type("min_confidence", min_confidence, float)
    check_type("tokenised", tokenised, bool)
    check_type("rules", rules, bool)
    if model == "":
        raise UsageError("a model has the name of an installed one or is a folder, not ''")
    if language not in (AUTO, *PREFERRED):
        raise UsageError(f"no language {language!r}: choose {', '.join((AUTO, *PREFERRED))}")
    if not 0 <= min_confidence <= 1:
        raise UsageError(f"min_confidence is between 0 and 1, not {min_confidence}")
    if model is None and preset not in (None, *ORDER):
        raise UsageError(f"no preset {preset!r}: choose {', '.join(ORDER)}")

    choose = _rule_chooser(rules, without_rules, rule_files)

    def load(name: str | Path) -> SentenceCorrector:
        return _load(name, choose, tokenised=tokenised, preset=preset, **options)

    given = Options(
        languages=frozenset(PREFERRED),
        preset=preset or BALANCED,
        min_confidence=min_confidence,
        protection=Protection(words, terms, literals=not tokenised),
        is_tokenised=tokenised,
        is_stable=not tokenised,
    )
    if model is None and language == AUTO:
        # Models are loaded when a sentence needs them; options that they do not have are refused now.
        for name in default_models().values() if options else ():
            check_options(find_model(name), **options)
        return Pipeline(AUTO, lambda own: load(default_model(own)), given)
    corrector = load(model or default_model(language))
    if language not in (AUTO, corrector.language):
        raise UsageError(f"{corrector.name} corrects {corrector.language}, not {language}: leave the language out")
    given = replace(given, languages=frozenset({corrector.language}), language=corrector.language)
    return Pipeline(corrector.name, lambda _: corrector, given)


def correct(text: str, *, markup: str = TEXT, **options: Any) -> Correction:
    """The correction of one text; `options` are those of `load_corrector`. For many texts, load once.

    >>> import errata
    >>> errata.correct("It depends of the weather.").target
    'It depends on the weather.'
    """
    check_type("text", text, str)
    check_type("markup", markup, str)
    return load_corrector(**options).correct([text], markup=markup)[0]


def load_model(
    name: str | Path,
    *,
    tokenised: bool = False,
    preset: str | None = None,
    min_confidence: float | None = None,
    allow_network: bool = False,
    rules: bool = True,
    without_rules: Collection[str] = (),
    rule_files: Collection[Path] = (),
    **options: Any,
) -> SentenceCorrector:
    """A model with its presets, which looks at sentences once: what `load_corrector` and the server are made from.

    `name` is an installed model (`en-small`), or the folder of a trained system: a `Path`, or text that is written as
    a path (`./mine`). `tokenised` reads sentences whose tokens are separated by spaces, as benchmark files are.
    `preset` is one the model has; `min_confidence` and `options`, which are the system's own (`keep_bias`, `passes`,
    `beam` …), take precedence over it. `allow_network` lets a system behind an endpoint send the text there.
    `rules` and the two after it are as for `load_corrector`.
    """
    choose = _rule_chooser(rules, without_rules, rule_files)
    return _load(
        name,
        choose,
        tokenised=tokenised,
        preset=preset,
        min_confidence=min_confidence,
        allow_network=allow_network,
        **options,
    )


def _load(
    name: str | Path,
    choose: Callable[[str], RuleBook | None],
    *,
    tokenised: bool,
    preset: str | None,
    min_confidence: float | None = None,
    allow_network: bool = False,
    **options: Any,
) -> SentenceCorrector:
    """A model with the rules that `choose` gives for its language."""
    folder = find_model(name)
    manifest = read_manifest(folder)
    presets = read_presets(manifest)
    ladder = Ladder.of(presets, preset)
    if min_confidence is not None:
        ladder = Ladder.alone(replace(ladder.preset, min_confidence=min_confidence, wording_odds=1.0))
    system = load_token_corrector(folder, manifest, allow_network=allow_network, **options)
    if system.language not in LAYOUTS:
        raise DataError(f"{folder / MANIFEST}: language {system.language!r} is none of {', '.join(PREFERRED)}")
    return SentenceCorrector(
        system,
        name=folder.name,
        tokenised=tokenised,
        presets=presets,
        ladder=ladder,
        fixed=options,
        rules=choose(system.language),
    )


def _rule_chooser(
    rules: bool, without_rules: Collection[str], rule_files: Collection[Path]
) -> Callable[[str], RuleBook | None]:
    """The rules by their language. Files are read now, so that faults are told, and once: they may be pipes."""
    if not without_rules and not rule_files:
        return lambda language: choose_rules(rules, language=language)
    book = choose_rules(rules, without_rules, rule_files)
    return lambda language: None if book is None else book.of_language(language)


def choose_rules(
    rules: bool,
    without_rules: Collection[str] = (),
    rule_files: Collection[Path] = (),
    *,
    language: str | None = None,
) -> RuleBook | None:
    """The rules that come with errata and those of files, without those named; None where there shall be none.

    They are those about one language, or about all; names may be those of any.
    """
    if not rules and not rule_files:
        return None
    if language in BOOKS and not without_rules and not rule_files:
        return load_rules(language)
    known = [rule for name in BOOKS for rule in load_rules(name).rules] if rules else []
    for path in rule_files:
        known += read_rule_file(path)
    refuse_doubles(known)
    book = RuleBook(known).without(without_rules)
    return book if language is None else book.of_language(language)


def read_rule_file(path: Path) -> list[Rule]:
    """The rules of a file of one's own; what is wrong in it is a `DataError` or a `FormatError` that names the line."""
    return list(read_rules(read_lines(path), display_name(path)))
