"""What is compared: models as they are, with a keep bias, averaged over variants, and with a majority of variants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from errata.errors import DataError, UsageError
from errata.files import read_json
from errata.formats.files import read_lines
from errata.formats.robustgec import parse_samples
from errata.model import Counts
from errata.pipeline.load import load_model
from errata.pipeline.sentences import SentenceCorrector
from errata.robustness.averaging import average_over
from errata.robustness.cases import Subset, with_hypotheses
from errata.robustness.evaluation import Corrector, RobustOptions, evaluate, run_corrector
from errata.robustness.judging import Judge
from errata.robustness.report import RobustReport
from errata.robustness.voting import MakeVariants, Voting, substitute_words

# The search for a keep bias ends when precision differs by less than a tenth of a per cent, or after so many halvings.
EQUAL, HALVINGS = 0.001, 8
# Where it is looked for: a tagger edits nearly everything below the first bias, nearly nothing above the last.
LEAST, MOST = -0.5, 0.9
# Variants that have another error than their original are marked, not refused: RobustGEC has some.
OPTIONS = RobustOptions(flips=0, bootstrap=0, lenient=True)


@dataclass(frozen=True, slots=True)
class Models:
    """The models of a row of the table: one, or the same with several seeds; folders or installed names."""

    name: str
    models: tuple[str, ...]

    @classmethod
    def parse(cls, text: str) -> Models:
        """`NAME=FOLDER`, or `NAME=FOLDER,FOLDER` for several seeds."""
        name, is_named, models = text.partition("=")
        found = tuple(one.strip() for one in models.split(",") if one.strip())
        if not (name.strip() and is_named and found):
            raise UsageError(f"{text!r} is not NAME=FOLDER, or NAME=FOLDER,FOLDER for several seeds")
        return cls(name.strip(), found)


def load(model: str, *, device: str | None = None) -> SentenceCorrector:
    """A model that looks at a sentence once, without rules: they would be the same in all rows."""
    options = {} if device is None else {"device": device}
    # The bias is given, so no preset changes it.
    loaded = load_model(model, tokenised=True, rules=False, keep_bias=0.0, **options)
    if loaded.language != "en":
        raise UsageError(f"{model} corrects {loaded.language}, RobustGEC is English")
    return loaded


class Answers:
    """A corrector that answers from a file; a sentence that is not there is a `DataError`."""

    def __init__(self, path: Path) -> None:
        self.name, self._path = path.stem, path
        self._known = read_json(path)
        if not isinstance(self._known, dict):
            raise DataError(f"{path} has no answers by sentence")

    def correct(self, sources: Sequence[str]) -> list[str]:
        missing = [source for source in sources if source not in self._known]
        if missing:
            raise DataError(f"{self._path} lacks {len(missing):,} sentences; the first is {missing[0]!r}")
        return [self._known[source] for source in sources]


def load_row(model: str, *, device: str | None = None) -> Corrector:
    """What a row of the table is about: a model, or a file of answers (`benchmarks.robust.answers`)."""
    return Answers(Path(model)) if model.endswith(".json") else load(model, device=device)


def with_bias(corrector: SentenceCorrector, keep_bias: float) -> SentenceCorrector:
    """The same model with a keep bias."""
    return corrector.around(corrector.base.with_decoding(keep_bias=keep_bias), f"{corrector.name} bias {keep_bias:.3f}")


class Variants:
    """Makes up to `n` variants of a sentence: those that a file of blocks has of it, else by a list of words.

    It counts the sentences that have none: averaging and voting leave them as they are.
    """

    def __init__(self, n: int, path: Path | None = None) -> None:
        self.n_sentences = self.n_without = 0
        self._make: MakeVariants = substitute_words("en", n)
        if path is not None:
            blocks = parse_samples(read_lines(path), origin=str(path), may_skip=True)
            known = {case[0].source: [sample.source for sample in case[1 : n + 1]] for case in blocks}
            self._make = lambda text: known.get(text, [])

    def __call__(self, text: str) -> Sequence[str]:
        variants = self._make(text)
        self.n_sentences += 1
        self.n_without += not variants
        return variants


def averaged(corrector: SentenceCorrector, variants: Variants) -> SentenceCorrector:
    """The same model, averaging over variants of each sentence."""
    return average_over(corrector, variants)


def voting(corrector: SentenceCorrector, variants: Variants) -> Voting:
    """What most of the variants and the sentence itself get."""
    return Voting(corrector, variants, layout="tokenised")


def score(corrector: Corrector, subsets: Sequence[Subset]) -> RobustReport:
    """The report on some cases."""
    name = str(getattr(corrector, "name", type(corrector).__name__))
    return evaluate(with_hypotheses(subsets, run_corrector(corrector, subsets), name), name, "en", OPTIONS)


def find_bias(corrector: SentenceCorrector, subsets: Sequence[Subset], precision: float) -> float:
    """The keep bias with which a model is as precise on the originals as is asked for, by halving.

    Precision rises with the bias, as good as everywhere. The network answers each sentence once.
    """
    originals = [_without_variants(subset) for subset in subsets]
    remembering = corrector.around(corrector.base.remembering(), corrector.name)
    judge = Judge("en")
    low, high = LEAST, MOST
    bias = 0.0
    for _ in range(HALVINGS):
        found = _precision(with_bias(remembering, bias), originals, judge)
        if abs(found - precision) < EQUAL:
            break
        low, high = (bias, high) if found < precision else (low, bias)
        bias = (low + high) / 2
    return bias


def _without_variants(subset: Subset) -> Subset:
    return replace(subset, cases=tuple(replace(case, samples=case.samples[:1]) for case in subset.cases))


def _precision(corrector: Corrector, originals: Sequence[Subset], judge: Judge) -> float:
    filled = with_hypotheses(originals, run_corrector(corrector, originals), "originals")
    judged = judge.judge(case for subset in filled for case in subset.cases)
    return sum((one.counts[0] for one in judged), Counts()).precision
