"""What `score` and `compare` share: their options, and the way from options to metrics and items."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from errata.cli.grids import Grid, Row, make_console, print_grid
from errata.cli.json_text import format_json
from errata.cli.lenient import suggest_lenient
from errata.cli.swapped import require_references, suggest_hypothesis
from errata.datasets.catalogue import NamedSet, get_set, scored_sets
from errata.datasets.finding import data_folder, find_files
from errata.edits.texts import source_text
from errata.errors import UnknownName, UsageError
from errata.formats.files import display_name
from errata.metrics.base import METRICS, Metric
from errata.metrics.classification import is_erroneous
from errata.metrics.evaluation import Evaluation
from errata.metrics.inputs import (
    Gold,
    Hypothesis,
    check_sources,
    make_items,
    read_gold,
    read_hypotheses,
    read_parallel,
)
from errata.metrics.named_sets import read_set
from errata.metrics.options import make_metrics
from errata.metrics.profiles import PROFILES, get_profile
from errata.metrics.references import limit_references
from errata.metrics.scoring import (
    Answers,
    add_systems,
    check_answers,
    check_metric_language,
    evaluate_answers,
    refuse_sources,
    with_language,
)
from errata.metrics.selection import GROUPINGS, group_sentences, without_punctuation
from errata.text.arguments import printable

_METRICS = ", ".join(METRICS)
_IN, _HOW, _OUT = "Input", "Scoring", "Output"


def _option(*names: str, help: str, panel: str, min: int | None = None) -> Any:
    return typer.Option(*names, help=help, rich_help_panel=panel, show_default=False, min=min)


MetricNames = Annotated[list[str] | None, _option("--metric", "-m", help=f"Metric: {_METRICS}.", panel=_HOW)]
ProfileName = Annotated[
    str | None, _option("--profile", help=f"A benchmark's metrics and options: {', '.join(PROFILES)}.", panel=_HOW)
]
GoldPath = Annotated[str | None, _option("--gold", help="Gold corpus in any format errata reads.", panel=_IN)]
M2Path = Annotated[str | None, _option("--m2", help="Gold corpus in M2.", panel=_IN)]
SourcePath = Annotated[str | None, _option("--src", help="Source, one sentence per line.", panel=_IN)]
ReferencePaths = Annotated[list[str] | None, _option("--ref", help="Reference, parallel to --src.", panel=_IN)]
HypothesisPaths = Annotated[
    list[str] | None, _option("--hyp", help="Hypothesis: text parallel to the source, M2, labels …", panel=_IN)
]
SystemPaths = Annotated[
    list[str] | None,
    _option("--system", help="Output of another system, for gotoscorer and llm.", panel=_IN),
]
GoldFormat = Annotated[str | None, _option("--gold-format", help="Format of --gold (else detected).", panel=_IN)]
Lenient = Annotated[
    bool,
    _option("--lenient", help="Keep M2 edits that reach beyond their sentence, as m2scorer does.", panel=_IN),
]
HypothesisKind = Annotated[
    str, _option("--hyp-format", help="auto, text, labels, predictions, or a corpus format.", panel=_IN)
]
Language = Annotated[str | None, _option("--lang", help="en or zh.", panel=_IN)]
Beta = Annotated[float | None, _option("--beta", help="Beta of the F score.", panel=_HOW)]
Mode = Annotated[str | None, _option("--mode", help="What must agree: cs, ds, dt or cse.", panel=_HOW)]
Level = Annotated[str | None, _option("--level", help="char or word (Chinese).", panel=_HOW)]
Lexicon = Annotated[Path | None, _option("--lexicon", help="Folder with ChERRANT's lexicons.", panel=_HOW)]
Simplify = Annotated[
    bool | None, _option("--simplify/--no-simplify", help="Convert Chinese targets to simplified script.", panel=_HOW)
]
Tokenise = Annotated[bool | None, _option("--tokenise", help="Texts are raw: tokenise them first.", panel=_HOW)]
PerAnnotator = Annotated[
    bool | None, _option("--per-annotator", help="Score against each annotator, then average.", panel=_HOW)
]
MaxReferences = Annotated[
    int | None, _option("--max-refs", help="Expected score with at most N references.", panel=_HOW)
]
ReferenceChoice = Annotated[
    str, _option("--ref-choice", help="Which N references: sample (mean over subsets) or first.", panel=_HOW)
]
ErroneousOnly = Annotated[
    bool, _option("--erroneous-only", help="Leave out sentences that need no correction.", panel=_HOW)
]
StripPunctuation = Annotated[
    bool, _option("--strip-punctuation", help="Drop punctuation and spaces everywhere (Chinese).", panel=_HOW)
]
Settings = Annotated[
    list[str] | None,
    _option("--set", help="A test set by its name (list: all), or a metric's option: name=value.", panel=_IN),
]
DataFolder = Annotated[
    str | None,
    _option(
        "--data-dir",
        help="Folder with the files of test sets (else $ERRATA_DATA, else that of errata data get).",
        panel=_IN,
    ),
]
AllowNetwork = Annotated[
    bool, _option("--allow-network", help="Let llm send the text to its model's endpoint.", panel=_HOW)
]
Workers = Annotated[int | None, _option("--workers", help="Processes that extract edits.", panel=_HOW)]
Seed = Annotated[int, _option("--seed", help="Seed of everything random.", panel=_HOW, min=0)]
AsJson = Annotated[bool, _option("--json", help="Print JSON.", panel=_OUT)]


@dataclass(frozen=True, slots=True)
class Inputs:
    """The files of a scoring run."""

    gold: str | None = None
    m2: str | None = None
    src: str | None = None
    refs: Sequence[str] = ()
    gold_format: str | None = None
    is_lenient: bool = False
    test_set: NamedSet | None = None
    data_dir: str | None = None


@dataclass(frozen=True, slots=True)
class Selection:
    """The sentences to score and their shape."""

    erroneous_only: bool = False
    strip_punctuation: bool = False
    groupings: tuple[str, ...] = ()

    @property
    def signature(self) -> str:
        """What it adds to the signature of a score."""
        stripped = "|stripped:punctuation" if self.strip_punctuation else ""
        return stripped + ("|select:erroneous" if self.erroneous_only else "")


def load_gold(inputs: Inputs, metrics: Sequence[Metric[Any]] = ()) -> Gold:
    """The gold corpus from whichever options name it; M2 in the dialect of the metrics, where they have one.

    Metrics that need no references need no more than the sources.
    """
    named = [one for one in (inputs.gold, inputs.m2) if one]
    if inputs.test_set:
        if named or inputs.src or inputs.refs:
            raise UsageError(f"--set {inputs.test_set.name} is the gold: leave out --gold, --m2, --src and --ref")
        return read_set(inputs.test_set, find_files(inputs.test_set, data_folder(inputs.data_dir)))
    if inputs.data_dir:
        raise UsageError("--data-dir is where a named test set is looked for: give --set NAME too")
    if len(named) == 2:
        raise UsageError("--gold and --m2 both name the gold corpus; give one")
    if inputs.refs:
        if named or not inputs.src:
            raise UsageError("--ref goes with --src, and not with --gold or --m2")
        return read_parallel(inputs.src, inputs.refs)
    if inputs.src and not named and metrics and not any(metric.needs_references for metric in metrics):
        return read_parallel(inputs.src, ())
    if not named:
        raise UsageError("no gold corpus: give --m2 GOLD.m2, --gold FILE, --src SRC with --ref REF, or --set NAME")
    dialects = {metric.m2_dialect for metric in metrics} if inputs.m2 else {None}
    dialect = dialects.pop() if len(dialects) == 1 else None
    remedy = "--m2 takes gold: give a system's output with --hyp, and gold in another format with --gold"
    with suggest_lenient(), suggest_hypothesis(remedy):
        gold = read_gold(
            named[0], inputs.gold_format or dialect, lenient=inputs.is_lenient, is_m2=inputs.m2 is not None
        )
    if inputs.gold:
        require_references(gold)
    if inputs.src:
        check_sources(gold, inputs.src)
    return gold


def split_settings(settings: Sequence[str] | None) -> tuple[str | None, list[str]]:
    """The test set among the values of `--set`, which has no `=`, and the options of metrics."""
    names = [one for one in settings or () if "=" not in one]
    if len(names) > 1:
        raise UsageError(f"--set names several test sets, {' and '.join(names)}: score one at a time")
    return next(iter(names), None), [one for one in settings or () if "=" in one]


def read_settings(settings: Sequence[str], told: Mapping[str, Any] | None = None) -> dict[str, str]:
    """The options of a metric that `name=value` gives; refuse a second value, or one that `told` has already."""
    found: dict[str, str] = {}
    for setting in settings:
        name, _, value = (part.strip() for part in setting.partition("="))
        option = name.replace("-", "_")
        if option in (told or ()):
            raise UsageError(f"--set {name} and --{option.replace('_', '-')} are the same option: give one of them")
        if found.setdefault(option, value) != value:
            raise UsageError(f"{name} has two values, {found[option]} and {value}: give one of them")
    return found


def choose_set(name: str | None) -> NamedSet | None:
    """The test set of that name."""
    try:
        return None if name is None else get_set(name)
    except UnknownName as error:
        raise UsageError(
            f"{error}; errata score --set {LIST} shows them, and a metric's option is name=value"
        ) from None


LIST = "list"  # `--set list` shows the test sets


def asks_for_sets(set_name: str | None, others: Mapping[str, object]) -> bool:
    """Whether the test sets are to be shown. Nothing is scored then, so `others`, by their flags, must be absent."""
    if set_name != LIST:
        return False
    if flags := [flag for flag, value in others.items() if value]:
        raise UsageError(f"--set {LIST} shows the test sets and scores nothing: leave out {', '.join(flags)}")
    return True


def print_sets(as_json: bool) -> None:
    """The test sets that there are, as a table or as JSON."""
    sets = scored_sets().values()
    if as_json:
        typer.echo(format_json([one.as_dict() for one in sets], 2))
        return
    rows = (Row(one.name, (one.language, str(one.n_sentences), one.profile, one.licence, one.about)) for one in sets)
    columns = ("language", "sentences", "profile", "licence", "about")
    print_grid(make_console(), Grid("", "set", columns, tuple(rows), frozenset(columns) - {"sentences"}))


def choose_metrics(
    names: Sequence[str] | None,
    profile: str | None,
    given: Mapping[str, Any],
    settings: Sequence[str] | None = None,
    *,
    lang: str | None = None,
    max_refs: int | None = None,
    ref_choice: str = "sample",
    seed: int,
) -> list[Metric[Any]]:
    """The metrics asked for, with the options that were given (None: not given)."""
    wanted: dict[str, Mapping[str, Any]] = dict(get_profile(profile).metrics) if profile else {}
    wanted |= {name: wanted.get(name, {}) for name in names or ()}
    if not wanted:
        raise UsageError(f"no metric: give --metric NAME ({_METRICS}) or --profile NAME ({', '.join(PROFILES)})")
    told = {name: value for name, value in given.items() if value is not None}
    told |= read_settings(settings or (), told)
    if lang is not None:
        wanted = {name: with_language(name, lang, own) for name, own in wanted.items()}
    metrics = make_metrics(wanted, told)
    for metric in metrics:
        check_metric_language(metric, lang, f"--lang {lang}")
    if max_refs is None:
        return metrics
    return [limit_references(metric, max_refs, ref_choice, seed) for metric in metrics]


def choose_selection(
    profile: str | None, erroneous_only: bool, strip_punctuation: bool, groupings: Sequence[str] = ()
) -> Selection:
    """What the profile and the options say about sentences."""
    for one in groupings:
        if one not in GROUPINGS:
            raise UnknownName("grouping", one, GROUPINGS)
    base = get_profile(profile) if profile else None
    return Selection(
        erroneous_only or bool(base and base.erroneous_only),
        strip_punctuation or bool(base and base.strip_punctuation),
        tuple(groupings) or (base.groupings if base else ()),
    )


def select_gold(gold: Gold, selection: Selection) -> tuple[list[int], dict[str, dict[str, list[int]]]]:
    """The places of the sentences to score, and the groups as places among those."""
    items = make_items(gold, [Hypothesis()] * len(gold))
    kept = [place for place, item in enumerate(items) if not selection.erroneous_only or is_erroneous(item)]
    sentences = [gold.sentences[place] for place in kept]
    return kept, {one: group_sentences(sentences, one) for one in selection.groupings}


def check_languages(gold: Gold, metrics: Sequence[Metric[Any]], lang: str | None) -> None:
    """Refuse gold in a language that a metric is not for, unless `lang` says what it is."""
    if lang:
        return
    sources = [source_text(one.sentence) for one in gold.sentences]
    for metric in metrics:
        refuse_sources(gold.name, sources, metric, _write_setting)


def _write_setting(setting: str, value: str) -> str:
    flags = {"metric": "use --metric", "language": "give --lang"}
    return f"{flags[setting]} {value}" if setting in flags else f"set {setting}={value}"


@dataclass(frozen=True, slots=True)
class Reading:
    """How hypothesis files are read."""

    kind: str = "auto"
    is_lenient: bool = False


def load_answers(
    path: str, gold: Gold, kept: Sequence[int], selection: Selection, reading: Reading, metrics: Sequence[Metric[Any]]
) -> Answers:
    """A hypothesis file in the shape the selection asks for; warnings are also told on standard error."""
    with suggest_lenient():
        items = make_items(gold, read_hypotheses(path, gold, reading.kind, lenient=reading.is_lenient))
    answers = check_answers(path, items, metrics, warn)
    chosen = [items[place] for place in kept]
    if selection.strip_punctuation:
        chosen = [without_punctuation(item) for item in chosen]
    return replace(answers, items=chosen, name=printable(answers.name))


MIN_SYSTEMS = 2  # one system alone cannot say what is difficult


def load_all_answers(
    paths: Sequence[str], system_paths: Sequence[str], read: Callable[[str], Answers], metrics: Sequence[Metric[Any]]
) -> list[Answers]:
    """All hypothesis files, beside the outputs of systems where a metric needs them: by default the hypotheses."""
    answers = [read(path) for path in paths]
    needing = [metric for metric in metrics if metric.needs_systems]
    if not needing and system_paths:
        raise UsageError(
            "--system is for metrics that weigh errors by how many systems correct them (gotoscorer) "
            "or rate corrections together (llm with --set together=yes)"
        )
    if not needing:
        return answers
    systems = [read(path) for path in system_paths] or answers
    if len(systems) < MIN_SYSTEMS:
        raise UsageError(f"{needing[0].name} {needing[0].use_of_systems}: give two --system or more, or several --hyp")
    return [add_systems(one, [other.items for other in systems]) for one in answers]


def warn(path: str, warning: str) -> None:
    """Say on standard error what is odd about a file."""
    tell(f"{display_name(path)}: {warning}")


def tell(warning: str) -> None:
    """Say on standard error what is odd."""
    typer.echo(f"errata: warning: {warning}", err=True)


def evaluate(metric: Metric[Any], answers: Answers, stats: Sequence[Any], **wanted: Any) -> Evaluation:
    """The evaluation of a hypothesis file; new warnings are told on standard error."""
    return evaluate_answers(metric, answers, stats, warn, **wanted)
