"""MAEGE: Choshen and Abend (2018). Nobody judges: a correction with more of the gold edits applied is the better one.

So any corpus with references will do. Three questions are asked of a metric:

- **system**: models that apply a share of the gold edits, from none to all, in the order of the shares;
- **sentence**: sentences of all chains together, in the order of how many edits each still needs;
- **chain**: for each annotation one chain from the source to its correction, edits applied one by one in random order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from errata.edits.apply import apply_edits
from errata.edits.base import get_extractor
from errata.edits.texts import source_text, target_text
from errata.errors import DataError, UsageError
from errata.meta_eval.base import ALL, JudgedSet, Rated, Track
from errata.metrics.inputs import Gold, read_gold
from errata.model import AnnotatedSentence, Annotation, Edit, Sentence, Status, correction
from errata.text.language import find_language
from errata.text.tokens import join_tokens

# Models apply 0, 10, 20 … 100 % of the edits.
N_STEPS = 10


@dataclass(frozen=True, slots=True)
class _Corrected:
    """A sentence with the edit lists of those annotators who changed something."""

    sentence: Sentence
    edits: tuple[tuple[Edit, ...], ...]


class Maege(JudgedSet):
    """`root` is a corpus in any format errata reads; edits of references that are texts are extracted."""

    name = "maege"
    draws_sentences = True

    def load(self, root: Path) -> list[Track]:
        if self.options.gold is not None:
            raise UsageError("maege has its corpus in --root, references and all: leave --gold out")
        path = root
        if not Path(path).is_file():
            raise DataError(f"{path} is no file: maege works on a corpus, --root names its file")
        read = read_gold(path)
        gold = self._draw(read)
        rng = Random(self.options.seed)
        corrected, n_left_out = find_edits(gold)
        if not any(one.edits for one in corrected):
            raise DataError(f"{gold.name} has no corrections: maege applies parts of them")
        outputs, shares = _make_models(corrected, rng)
        warnings = []
        if (self.options.sentences or 0) > len(read):
            warnings.append(f"there are {len(read)} sentences, not {self.options.sentences}: all are taken")
        if n_left_out:
            warnings.append(f"{n_left_out} annotations left out: their edits overlap")
        return [
            Track(
                Path(path).name,
                gold,
                outputs,
                rated=list(_make_chains(corrected, rng)),
                scores={"share": shares},
                groups={ALL: list(outputs)},
                order="chain",
                warnings=warnings,
            )
        ]

    def _draw(self, gold: Gold) -> Gold:
        """As many sentences as are wanted, drawn at random, in the order of the file."""
        n = self.options.sentences
        if n is None or n >= len(gold):
            return gold
        places = sorted(Random(self.options.seed).sample(range(len(gold)), n))
        return Gold(gold.name, tuple(gold.sentences[place] for place in places))


def find_edits(gold: Gold) -> tuple[list[_Corrected], int]:
    """The edits of each annotation that can be applied one by one, and how many annotations cannot."""
    n_left_out = 0
    corrected = []
    for one in _with_edits(gold):
        lists = []
        for annotation in one.annotations:
            edits = tuple({correction(edit): edit for edit in annotation.edits}.values())
            if _overlap(one.sentence, edits):
                n_left_out += 1
            elif edits:
                lists.append(edits)
        corrected.append(_Corrected(one.sentence, tuple(lists)))
    return corrected, n_left_out


def _overlap(sentence: Sentence, edits: Sequence[Edit]) -> bool:
    try:
        apply_edits(sentence.tokens, edits)
    except DataError:
        return True
    return False


def _with_edits(gold: Gold) -> Iterator[AnnotatedSentence]:
    """The sentences with edits in all annotations; where there are only texts, the language's extractor finds them."""
    texts = [one for one in gold.sentences if any(map(_is_text, one.annotations))]
    language = find_language(source_text(one.sentence) for one in texts)
    if texts and language is None:
        raise DataError(f"{gold.name} is neither English nor Chinese, as far as one can tell: give edits, as M2 does")
    pairs = ((source_text(one.sentence), [target_text(one.sentence, a) for a in _usable(one)]) for one in texts)
    extracted = get_extractor(language).annotate(pairs) if language else iter(())
    for one in gold.sentences:
        if not any(map(_is_text, one.annotations)):
            yield one
        else:
            found = next(extracted)
            first = {annotation.annotator: annotation for annotation in reversed(found.annotations)}
            yield AnnotatedSentence(found.sentence, tuple(first[name] for name in sorted(first)))


def _is_text(annotation: Annotation) -> bool:
    return not annotation.edits and annotation.target is not None


def _usable(one: AnnotatedSentence) -> list[Annotation]:
    return [annotation for annotation in one.annotations if annotation.status is Status.ANNOTATED]


def _apply(sentence: Sentence, edits: Sequence[Edit]) -> str:
    """The text with the edits applied; without any, the source as it was given."""
    if not edits:
        return source_text(sentence)
    return join_tokens(apply_edits(sentence.tokens, edits), like=sentence.tokens)


def _make_models(corrected: Sequence[_Corrected], rng: Random) -> tuple[dict[str, list[str]], dict[str, float]]:
    """The output of each model, and the share of edits that it really applies."""
    outputs: dict[str, list[str]] = {}
    shares: dict[str, float] = {}
    for step in range(N_STEPS + 1):
        n_applied = n_edits = 0
        texts = []
        for one in corrected:
            edits = rng.choice(one.edits) if one.edits else ()
            applied = [edit for edit in edits if rng.random() < step / N_STEPS]
            n_applied, n_edits = n_applied + len(applied), n_edits + len(edits)
            texts.append(_apply(one.sentence, applied))
        name = f"{100 * step // N_STEPS} %"
        outputs[name], shares[name] = texts, n_applied / n_edits
    return outputs, shares


def _make_chains(corrected: Sequence[_Corrected], rng: Random) -> Iterator[Rated]:
    """A chain for each annotation; a link is worth the less, the more edits it still needs."""
    for place, one in enumerate(corrected):
        for edits in one.edits:
            order = rng.sample(edits, len(edits))
            texts = tuple(_apply(one.sentence, order[:n]) for n in range(len(order) + 1))
            yield Rated(place, texts, tuple(float(n - len(order)) for n in range(len(order) + 1)))
