"""What is learnt before anything is perturbed: the words of the corpus, and how much worse a text may get."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from errata.errors import UnknownName
from errata.model import AnnotatedSentence, Annotation, Sentence
from errata.registry import find_object
from errata.synth.perturb.checks import Thresholds
from errata.synth.perturb.counts import WordCounts
from errata.synth.perturb.originals import Original, prepare
from errata.synth.perturb.texts import ACTIONS, Tongue
from errata.synth.perturb.variants import Perturber

# Thresholds are learnt from so many perturbations for each action, so many of a sentence, of the first sentences at
# most. Of 400 sentences, about 40 have a word that can be deleted.
WANTED, CANDIDATES, CALIBRATED = 60, 4, 400
CLEAN_AT_ONCE = 20
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
    missing = dict.fromkeys(ACTIONS, WANTED)
    differences: list[tuple[str, float]] = []
    stream = iter(enumerate(sentences[:CALIBRATED]))
    while missing and (batch := list(islice(stream, CLEAN_AT_ONCE))):
        for original in _clean(batch, perturber):
            candidates = list(islice(perturber.draw(original, dict.fromkeys(missing, 1.0)), CANDIDATES))
            found = perturber.differences(original, candidates)
            for candidate, difference in zip(candidates, found, strict=True):
                differences.append((candidate.site.action, difference))
                missing[candidate.site.action] = missing.get(candidate.site.action, 1) - 1
            missing = {action: count for action, count in missing.items() if count > 0}
    return Thresholds.learn(differences)


def _clean(batch: Sequence[tuple[int, AnnotatedSentence]], perturber: Perturber) -> Iterator[Original]:
    """The first targets of sentences, as sentences without errors."""
    clean = []
    for original in prepare(batch, perturber.tongue, tokenise=perturber.options.tokenise):
        if isinstance(original, Original):
            sentence = Sentence(original.targets[0].tokens)
            clean.append((original.index, AnnotatedSentence(sentence, (Annotation(),))))
    for original in prepare(clean, perturber.tongue):
        assert isinstance(original, Original), "a target that has been analysed before"
        yield original
