"""What a score was computed from, for its signature: `gold:edits|digest:1f0c9a3e|refs:1-2`.

The digest is of the gold as the metric compares it: the sources, and of the references whatever the metric looks at
(edits, texts, labels). File names, formats and comments do not change it; another source, reference or edit does.
`gold` says how that came about, `refs` how many references a sentence has.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

from errata.metrics.base import Item, Metric
from errata.metrics.items import reference_names
from errata.metrics.texts import is_usable, reference_texts, side_text, split_like
from errata.model import Annotation, Edit, Score

DIGEST_LENGTH = 8  # hexadecimal digits: two golds of a thousand agree by chance once in ten thousand such collections
EDITS, EXTRACTED, TEXTS, LABELS, REFERENCES, MIXED = "edits", "extracted", "texts", "labels", "references", "mixed"


@dataclass(frozen=True, slots=True)
class GoldView:
    """The gold of one sentence as a metric sees it; `content` can be said in JSON.

    `kinds` says where it came from. A sentence that is not scored has no references.
    """

    kinds: frozenset[str]
    content: Any
    n_references: int


View = Callable[[Item], GoldView]


def describe_gold(items: Sequence[Item], view: View) -> str:
    """The fields of a signature that tell one gold from another."""
    digest = hashlib.sha256()
    kinds: set[str] = set()
    sizes: set[int] = set()
    for item in items:
        seen = view(item)
        digest.update(json.dumps([item.source.tokens, seen.content]).encode() + b"\n")
        kinds |= seen.kinds
        sizes.add(seen.n_references)
    kind = MIXED if len(kinds) > 1 else next(iter(kinds), EDITS)
    return f"gold:{kind}|digest:{digest.hexdigest()[:DIGEST_LENGTH]}|refs:{_range(sizes - {0})}"


def describe_sources(items: Sequence[Item]) -> str:
    """The fields of a signature that tell one set of sources from another, for metrics without references."""
    digest = hashlib.sha256()
    for item in items:
        digest.update(json.dumps(item.source.tokens).encode() + b"\n")
    return f"gold:none|digest:{digest.hexdigest()[:DIGEST_LENGTH]}"


def describe_systems(items: Sequence[Item]) -> str:
    """How many systems there are, and a digest of what they made: `systems:12|outputs:1f0c9a3e`."""
    texts = [[side_text(item.source, one) for one in item.systems] for item in items]
    columns = sorted(zip_longest(*texts, fillvalue=""))  # in judged sets some sentences have fewer corrections
    digest = hashlib.sha256(json.dumps(columns).encode()).hexdigest()
    return f"systems:{len(items[0].systems) if items else 0}|outputs:{digest[:DIGEST_LENGTH]}"


def _range(sizes: Iterable[int]) -> str:
    low, high = min(sizes, default=0), max(sizes, default=0)
    return str(high) if low == high else f"{low}-{high}"


def sign_score(score: Score, metric: Metric[Any], items: Sequence[Item], context: str = "") -> Score:
    """The score with a signature that also says what was compared."""
    return replace(score, signature=f"{score.signature}|{metric.compared(items)}{context}")


def view_edits(item: Item, *, with_annotators: bool = False) -> GoldView:
    """The edits of each reference; those of a text are not known yet, the text stands for them."""
    kinds: set[str] = set()
    contents: dict[str, list[Any]] = {}
    names = reference_names(item, distinct=False)
    for name, reference in zip(names, item.references, strict=True):
        if not is_usable(reference):
            continue
        content = contents.setdefault(name, [])
        if isinstance(reference, Annotation):
            content += map(_edit_content, reference.edits)
            kinds |= {EDITS} if reference.edits else set()
        elif split_like(item.source, reference) != item.source.tokens:
            content.append(_normal(reference))
            kinds.add(EXTRACTED)
    rows = [[name, row] if with_annotators else row for name, row in contents.items()]
    # Nobody wrote anything: the sentence counts as correct.
    return GoldView(frozenset(kinds), rows, len(rows) if item.references else 1)


def _edit_content(edit: Edit) -> list[Any]:
    return [edit.start, edit.end, edit.replacements, edit.type]


def view_texts(item: Item) -> GoldView:
    """The corrected texts, whether a file has them or the edits that make them."""
    texts = [_normal(text) for text in reference_texts(item)]
    return GoldView(frozenset({TEXTS}), texts, len(texts))


def _normal(text: str) -> str:
    return " ".join(text.split())
