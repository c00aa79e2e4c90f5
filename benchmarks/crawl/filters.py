"""What the filters would drop of text that people chose: `python -m benchmarks.crawl.filters CWEB-G.dev.m2 …`.

Each sentence is taken for a paragraph. Sentences are short for paragraphs, and putting tokens back together makes some
look incomplete, so the other reasons say most.
"""

from __future__ import annotations

import json
import sys
from collections import Counter

from errata.crawl.filters import judge_paragraph
from errata.formats import iter_sentences
from errata.formats.files import content_digest
from errata.text.spacing import join_words


def measure(path: str) -> dict[str, object]:
    """The share of sentences that each reason drops, in per cent."""
    sentences = [join_words(annotated.sentence.tokens) for annotated in iter_sentences(path)]
    counts = Counter(judge_paragraph(text, "en").reason or "kept" for text in sentences)
    shares = {reason: round(100 * count / len(sentences), 2) for reason, count in counts.most_common()}
    return {"sha256": content_digest(path)[:12], "sentences": len(sentences), "per cent": shares}


if __name__ == "__main__":
    for path in sys.argv[1:]:
        print(json.dumps({"file": path.rsplit("/", 1)[-1], **measure(path)}), flush=True)
