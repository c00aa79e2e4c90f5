"""Counts of a corpus, one sentence after the other: what `statistics` turns into figures."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from errata.analysis.references import Reference, list_references
from errata.analysis.variety import TokenNumbers
from errata.formats.base import M2_DIALECTS
from errata.model import AnnotatedSentence, Annotation, Status
from errata.text.tokens import is_char_level

# The operations of FCGEC's table, in its order.
OPERATIONS = ("Switch", "Delete", "Insert", "Modify")
# In these formats an annotator who is missing from a sentence found no error in it.
EDIT_LISTS = frozenset(M2_DIALECTS) - {"cherrant"}
# In these formats the columns of a line are references, which need not be of the same people in every line.
COLUMNS = frozenset({"parallel", "mucgec", "cherrant", "robustgec"})
ALTERNATIVES = "fcgec"  # its references are alternatives that nobody in particular gave


@dataclass(slots=True)
class CorpusCounts:
    """What is counted of a corpus; lists have an entry for each sentence."""

    format: str
    lengths: list[int] = field(default_factory=list)
    references: list[list[Reference]] = field(default_factory=list)
    tokens: TokenNumbers = field(default_factory=TokenNumbers)
    labels: Counter[str] = field(default_factory=Counter)
    operations: Counter[str] = field(default_factory=Counter)
    n_characters: int = 0
    n_char_level: int = 0
    n_labelled: int = 0
    n_labelled_erroneous: int = 0
    n_not_annotatable: int = 0

    def add(self, annotated: AnnotatedSentence) -> None:
        """One more sentence."""
        tokens = annotated.sentence.tokens
        self.lengths.append(len(tokens))
        self.n_characters += sum(map(len, tokens))
        self.n_char_level += is_char_level(tokens)
        self.tokens.add(tokens)
        self.references.append(list_references(annotated))
        self.n_not_annotatable += any(one.status is Status.NOT_ANNOTATABLE for one in annotated.annotations)
        if annotated.labels is not None:
            self.n_labelled += 1
            self.n_labelled_erroneous += bool(annotated.labels)
            self.labels.update(annotated.labels)
        for annotation in annotated.annotations:
            self.operations.update(count_operations(annotation))

    def find_annotators(self) -> list[str] | None:
        """The people who read the corpus; None where references are not of certain people.

        In M2 that is whoever corrected at least half as many sentences as the busiest one: those with fewer gave
        alternatives here and there (NLPCC-2018). Columns are people if every line has the same number of them.
        """
        counts = Counter(name for own in self.references for name in {one.annotator for one in own})
        if not counts or self.format == ALTERNATIVES:
            return None
        if self.format in EDIT_LISTS:
            return sorted(name for name, count in counts.items() if 2 * count >= max(counts.values()))
        if self.format in COLUMNS and set(counts.values()) != {len(self.references)}:
            return None
        return sorted(counts)

    def complete(self) -> list[list[Reference]]:
        """The references, with those of M2's annotators who found nothing and are therefore not in the file."""
        annotators = self.find_annotators()
        if annotators is None or self.format not in EDIT_LISTS:
            return self.references
        return [
            [*own, *(Reference(name, False, (), frozenset()) for name in annotators if name not in _names(own))]
            for own in self.references
        ]


def _names(references: list[Reference]) -> set[str]:
    return {one.annotator for one in references}


def count_operations(annotation: Annotation) -> Counter[str]:
    """FCGEC's four operations; an insertion or modification counts once for each of its alternatives, as in its paper.

    >>> from errata.model import Insertion, Operations
    >>> count_operations(Annotation(operations=Operations(delete=(3, 4), insert=(Insertion(1, ("的", "了")),))))
    Counter({'Insert': 2, 'Delete': 1})
    """
    operations = annotation.operations
    if operations is None:
        return Counter()
    found = {
        "Switch": int(operations.switch is not None),
        "Delete": int(bool(operations.delete)),
        "Insert": sum(len(one.texts) for one in operations.insert),
        "Modify": sum(len(one.texts) for one in operations.modify),
    }
    return Counter({name: count for name, count in found.items() if count})
