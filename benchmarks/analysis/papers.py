"""The papers' figures beside ours, as Markdown: CWEB's Tables 2 to 4, MuCGEC's Table 4, FCGEC's Tables 3 and 6."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from benchmarks.analysis.corpora import list_arguments

from errata.analysis.corpora import find_corpora
from errata.analysis.measuring import measure_all
from errata.analysis.statistics import CorpusStats, StatsOptions

Value = float | None
Row = Mapping[str, Value]
CWEB_2 = {
    "CWEB-S dev": {"sentences": 2862, "tokens": 68857, "edits": 895},
    "CWEB-G dev": {"sentences": 3867, "tokens": 79689, "edits": 1595},
    "CWEB-S test": {"sentences": 2864, "tokens": 68459, "edits": 1004},
    "CWEB-G test": {"sentences": 3981, "tokens": 80684, "edits": 1679},
}
_COLUMNS_3 = ("sentences", "TTR", "tokens/sent.", "erroneous (%)", "edits/sent.", "annotators", "κ", "NEs/sent.")
CWEB_3: dict[str, dict[str, Value]] = {
    name: dict(zip(_COLUMNS_3, values, strict=True))
    for name, values in {
        "JFLEG test": (747, 0.44, 18.9, 86.4, 3.6, 4, 0.53, 0.35),
        "FCE test": (2695, 0.39, 15.6, 67.8, 2.6, 1, None, 0.59),
        "CoNLL-14": (1312, 0.39, 22.9, 75.8, 2.7, 2, 0.25, 0.31),
        "W&I-A dev": (1036, 0.43, 18.0, 80.5, 3.6, 1, None, 0.58),
        "W&I-B dev": (1285, 0.45, 18.4, 72.1, 2.7, 1, None, 0.52),
        "W&I-C dev": (1068, 0.47, 20.1, 53.8, 1.9, 1, None, 0.78),
        "GMEG wiki": (992, 0.55, 26.9, 82.3, 2.5, 4, 0.43, 2.83),
        "CWEB-S test": (2864, 0.56, 23.9, 24.5, 1.5, 2, 0.39, 1.44),
        "CWEB-G test": (3981, 0.53, 20.3, 25.6, 1.9, 2, 0.44, 1.04),
    }.items()
}
_TYPES = ("PUNCT", "VERB", "OTHER", "DET", "NOUN", "PREP", "SPELL", "ALL")
CWEB_4 = {
    name: dict(zip(_TYPES, values, strict=True))
    for name, values in {
        "JFLEG test": (147.7, 233.5, 295.6, 180.7, 167.7, 107.1, 242.5, 1675.6),
        "FCE test": (112.3, 176.7, 138.3, 149.1, 105.4, 113.8, 107.8, 1084.9),
        "CoNLL-14": (65.5, 200.5, 158.1, 134.9, 116.8, 92.7, 26.0, 919.6),
        "W&I-A dev": (244.8, 300.0, 237.3, 159.1, 139.8, 137.2, 79.3, 1561.2),
        "W&I-B dev": (188.2, 202.5, 136.7, 124.1, 89.0, 114.4, 36.3, 1050.7),
        "W&I-C dev": (100.4, 79.4, 57.4, 65.8, 49.9, 64.9, 16.3, 504.1),
        "GMEG wiki": (230.0, 48.1, 93.8, 40.3, 63.6, 37.1, 86.9, 732.3),
        "CWEB-G test": (48.9, 23.4, 31.6, 20.9, 19.6, 15.6, 3.8, 208.9),
        "CWEB-S test": (48.7, 13.1, 21.0, 19.7, 12.8, 9.8, 2.4, 147.2),
    }.items()
}
MUCGEC_4 = {
    "NLPCC-18": {
        "sentences": 2000,
        "erroneous": 1983,
        "%": 99.2,
        "chars/sent.": 29.7,
        "edits/ref.": 2.0,
        "refs/sent.": 1.1,
    },
    "MuCGEC": {
        "sentences": 7063,
        "erroneous": 6544,
        "%": 92.7,
        "chars/sent.": 38.5,
        "edits/ref.": 3.2,
        "refs/sent.": 2.3,
    },
}
FCGEC_3 = {
    "FCGEC valid": {"sentences": 2000, "erroneous": 1102, "Switch": 262, "Delete": 465, "Insert": 553, "Modify": 453}
}
FCGEC_6 = {"FCGEC valid": {"IWC": 21.58, "CM": 20.71, "CR": 6.41, "SC": 19.41, "IWO": 16.90, "ILL": 11.27, "AM": 3.73}}
DIGITS = {"TTR": 2, "κ": 2, "NEs/sent.": 2}
WHOLE = {"sentences", "tokens", "edits", "erroneous", "annotators", "Switch", "Delete", "Insert", "Modify"}


def cweb_2(one: CorpusStats) -> Row:
    edits = None if one.n_edits is None else one.n_edits / 2
    return {"sentences": one.n_sentences, "tokens": one.n_tokens, "edits": edits}


def cweb_3(one: CorpusStats) -> Row:
    values = (
        one.n_sentences,
        one.type_token_shuffled,
        one.lengths["mean"],
        None if one.erroneous_mean is None else 100 * one.erroneous_mean,
        one.edits_per_erroneous_reference,
        one.n_annotators,
        one.kappa,
        one.entities_per_sentence,
    )
    return dict(zip(_COLUMNS_3, values, strict=True))


def cweb_4(one: CorpusStats) -> Row:
    return {name: one.errors_per_10k if name == "ALL" else one.per_10k.get(name) for name in _TYPES}


def mucgec_4(parts: Sequence[CorpusStats]) -> Row:
    """Several files as one corpus."""
    n_sentences = sum(one.n_sentences for one in parts)
    n_erroneous = sum(one.n_erroneous or 0 for one in parts)
    n_references = sum(one.n_references for one in parts)
    return {
        "sentences": n_sentences - sum(one.n_not_annotatable for one in parts),
        "erroneous": n_erroneous,
        "%": 100 * n_erroneous / n_sentences,
        "chars/sent.": sum(one.n_characters for one in parts) / n_sentences,
        "edits/ref.": sum(one.n_edits or 0 for one in parts) / n_references,
        "refs/sent.": n_references / n_sentences,
    }


def fcgec_3(one: CorpusStats) -> Row:
    return {"sentences": one.n_sentences, "erroneous": one.n_erroneous, **one.operations}


def fcgec_6(one: CorpusStats) -> Row:
    return {name: 100 * count / sum(one.labels.values()) for name, count in one.labels.items()}


def compare(title: str, ours: Mapping[str, Row], paper: Mapping[str, Mapping[str, Value]]) -> Iterator[str]:
    """A table of `ours / paper`; bold is what the paper's rounding does not explain."""
    columns = list(next(iter(paper.values())))
    yield f"\n{title}\n\n| | {' | '.join(columns)} |\n|---|{'---|' * len(columns)}"
    for name, theirs in paper.items():
        yield f"| {name} | {' | '.join(_cell(column, ours[name].get(column), theirs[column]) for column in columns)} |"


def _cell(column: str, own: Value, theirs: Value) -> str:
    digits = (
        0
        if column in WHOLE
        else DIGITS.get(column, 2 if theirs is not None and column in FCGEC_6["FCGEC valid"] else 1)
    )
    if own is None and theirs is None:
        return "–"
    left, right = ("–" if value is None else f"{value:,.{digits}f}" for value in (own, theirs))
    text = f"{left} / {right}"
    return text if left == right else f"**{text}**"


def print_tables(data: Path, say: Callable[[str], object]) -> None:
    """All tables; edits of texts are extracted, entities counted."""
    measured: dict[str, CorpusStats] = {}

    def measure(names: Sequence[str], **options: bool) -> None:
        files = find_corpora(list_arguments(data, tuple(names)), lenient=True)
        for one in measure_all(files, StatsOptions(extract=True, **options)):
            measured[one.name] = one

    measure(tuple(CWEB_3), entities=True)
    measure(("CWEB-S dev", "CWEB-G dev", "NLPCC-18", "MuCGEC dev", "MuCGEC test", "FCGEC valid"))
    chinese = {"NLPCC-18": mucgec_4([measured["NLPCC-18"]])}
    chinese["MuCGEC"] = mucgec_4([measured["MuCGEC dev"], measured["MuCGEC test"]])
    for title, ours, paper in (
        ("CWEB, Table 2", {name: cweb_2(one) for name, one in measured.items()}, CWEB_2),
        ("CWEB, Table 3", {name: cweb_3(one) for name, one in measured.items()}, CWEB_3),
        ("CWEB, Table 4", {name: cweb_4(one) for name, one in measured.items()}, CWEB_4),
        ("MuCGEC, Table 4", chinese, MUCGEC_4),
        ("FCGEC, Table 3", {name: fcgec_3(one) for name, one in measured.items()}, FCGEC_3),
        ("FCGEC, Table 6", {name: fcgec_6(one) for name, one in measured.items() if one.labels}, FCGEC_6),
    ):
        for line in compare(title, ours, paper):
            say(line)
    say("\n" + "\n".join(f"{name}: {one.signature}" for name, one in measured.items()))
