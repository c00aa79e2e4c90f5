"""What is learnt before anything is perturbed: the words of the corpus, and how much worse a text may get."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice

from errata.errors import UnknownName
from errata.model import AnnotatedSentence, Annotation, Sentence
from errata.registry import find_object
from errata.synth.perturb.checks import Thresholds
from errata.synth.perturb.counts import WordCounts
from errata.synth.perturb.originals import Original, prepare
from errata.synth.perturb.texts import Tongue
from errata.synth.perturb.variants import Perturber

# Sentences whose targets are perturbed to learn thresholds from, and candidates of each.
CALIBRATED, CANDIDATES = 60, 8
# Sentences that are analysed at once.
AT_ONCE = 500
TONGUES: dict[str, str] = {
    "en": "errata.synth.perturb.english:English",
    "zh": "errata.synth.perturb.chinese:Chinese",
}


def get_tongue(language: str) -> Tongue:
    """What perturbation knows of a language."""
    if language not in TONGUES:
        raise UnknownName("language", language, TONGUES)
    found: Tongue = find_object(TONGUES[language])()
    return found


def count_words(
    sentences: Iterable[AnnotatedSentence], texts: Iterable[str], tongue: Tongue, *, tokenise: bool = False
) -> WordCounts:
    """The words of the first targets of a corpus, and of further correct text, which is raw."""
    counts = WordCounts(tongue.language)
    stream = iter(enumerate(sentences))
    while batch := list(islice(stream, AT_ONCE)):
        for original in prepare(batch, tongue, tokenise=tokenise):
            if isinstance(original, Original):
                counts.add(original.targets[0])
    lines = (tongue.split_raw(line) for line in texts)
    while tokens := list(islice(lines, AT_ONCE)):
        for text in tongue.analyse(tokens):
            counts.add(text)
    return counts.finish()


def learn_thresholds(perturber: Perturber, sentences: Sequence[AnnotatedSentence]) -> Thresholds:
    """The thresholds of a proposer, from perturbations of the first targets, which are taken for clean text."""
    head = list(enumerate(sentences[:CALIBRATED]))
    clean = []
    for original in prepare(head, perturber.tongue, tokenise=perturber.options.tokenise):
        if isinstance(original, Original):
            sentence = Sentence(original.targets[0].tokens)
            clean.append((original.index, AnnotatedSentence(sentence, (Annotation(),))))
    differences: list[tuple[str, float]] = []
    for original in prepare(clean, perturber.tongue):
        assert isinstance(original, Original), "a target that has been analysed before"
        candidates = list(islice(perturber.draw(original), CANDIDATES))
        found = perturber.differences(original, candidates)
        differences += [(one.site.action, value) for one, value in zip(candidates, found, strict=True)]
    return Thresholds.learn(differences)
