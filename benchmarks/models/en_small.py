"""Training files of `en-small`: `python -m benchmarks.models.en_small` writes them to runs/data/en.

From the corpora in ERRATA_DATA: corrections from documentation histories, Lang-8, C4_200M and ErAConD, tokenised and
filtered, and unchanged sentences of edited prose. Each file is TSV (source, target). What was left out and why is
printed. W&I and FCE are read as they are; evaluation sentences are kept out by the recipe (`data.exclude`).
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from benchmarks.models.pairs import (
    QUESTION,
    Moderation,
    Pair,
    is_spelt,
    no_shown_corrections,
    only_corrections,
    plain_quotes,
    small_changes,
    without_end,
)
from benchmarks.speed.history import shared_folder

from errata.edits.apply import apply_edits
from errata.formats.files import iter_sentences, open_for_writing, read_lines
from errata.text.words import tokenise_words

SEED = 4
# Sentences of each kind of edited prose that are shown unchanged.
NATIVE = {"openstax-textbooks": 20_000, "tech-docs-and-blogs": 15_000, "bbc-news": 15_000, "nltk-abc-speeches": 10_000}
# How often one word may be replaced by one other in documentation: `a → an` 40 times teaches what 400 would.
CHANGE_LIMIT = 40
# The sample of C4_200M lost its " v": `latest version` is `latestn'tersion`.
_DAMAGED = re.compile(r"n't\w")

# A pair, or the reason why it is left out.
Judged = Pair | str


def rows(path: Path) -> Iterator[list[str]]:
    for line in read_lines(path):
        yield [plain_quotes(cell).strip() for cell in line.rstrip("\n").split("\t")]


def cut(source: str, target: str) -> Pair:
    return tuple(tokenise_words(source)), tuple(tokenise_words(target))


def from_documentation(data: Path, known: set[str], only: Collection[str] | None = None) -> Iterator[Judged]:
    """Corrections in documentation; with `only`, those of these repositories (OWNER/NAME)."""
    often = Moderation(CHANGE_LIMIT)
    for source, target, commit in rows(data / "doc-edits" / "doc-edits.grammar.tsv.xz"):
        if only is not None and commit.partition("@")[0] not in only:
            yield "another licence"
            continue
        pair = cut(source, target)
        if not 4 <= len(pair[0]) <= 70:
            yield "too short or too long"
        else:
            yield small_changes(pair, share=0.3) or only_corrections(pair) or often(pair) or pair


def from_lang8(data: Path, known: set[str]) -> Iterator[Judged]:
    """Final punctuation is cut off in this copy, here and there not in the target: both sides get a full stop."""
    for source, target, *_ in rows(data / "lang8" / "lang8.en.20k.filtered.tsv.xz"):
        pair = cut(without_end(source) + " .", without_end(target) + " .")
        if len(pair[0]) < 4:
            yield "too short or too long"
        elif pair[0][0].lower() in QUESTION:
            yield "may be a question"
        elif target.count("(") != source.count("("):
            yield "a comment"
        elif not is_spelt(pair[1], known):
            yield "the target has an unknown word"
        else:
            unchanged = pair if pair[0] == pair[1] else None
            yield unchanged or small_changes(pair, share=0.3, longest=2) or no_shown_corrections(pair) or pair


def from_lang8_votes(data: Path, known: set[str]) -> Iterator[Judged]:
    for source, target, votes in rows(data / "lang8-amt" / "pairs.tsv"):
        pair = cut(source, target)
        if votes.count("Yes") < 2:
            yield "judged incomplete"
        else:
            yield small_changes(pair, share=0.4) or pair


def from_c4(data: Path, known: set[str]) -> Iterator[Judged]:
    for source, target, *_ in rows(data / "c4_200m-sample" / "c4_200m.10k.tsv.xz"):
        pair = cut(source, target)
        if _DAMAGED.search(source) or _DAMAGED.search(target):
            yield "damaged"
        elif not 4 <= len(pair[0]) <= 60 or target[-1:] not in ".!?":
            yield "no whole sentence"
        elif not is_spelt(pair[1], known):
            yield "the target has an unknown word"
        else:
            yield small_changes(pair, share=0.3) or only_corrections(pair) or pair


def from_dialogue(data: Path, known: set[str]) -> Iterator[Judged]:
    seen: set[Pair] = set()
    for sentence in iter_sentences(data / "eracond" / "eracond.all.m2.xz"):
        if not sentence.annotations:
            yield "not annotated"
            continue
        source = sentence.sentence.tokens
        target = apply_edits(source, sentence.annotations[0].edits)
        pair = tuple(word for word in source if word.strip()), tuple(word for word in target if word.strip())
        yield "seen before" if pair in seen else pair
        seen.add(pair)


def from_native(data: Path, known: set[str]) -> Iterator[Judged]:
    rng = random.Random(SEED)
    for name, count in NATIVE.items():
        lines = [line.strip() for line in read_lines(data / "prose" / f"{name}.txt.xz")]
        for line in rng.sample(lines, count):
            tokens = tuple(tokenise_words(line))
            yield (tokens, tokens) if 5 <= len(tokens) <= 60 else "too short or too long"


FILES = {
    "doc-edits": from_documentation,
    "lang8": from_lang8,
    "lang8-votes": from_lang8_votes,
    "c4": from_c4,
    "eracond": from_dialogue,
    "clean-native": from_native,
}


def known_words(data: Path) -> set[str]:
    """Words people write: a frequency list, and a list of inflections."""
    frequent = (line.split()[0] for line in read_lines(data / "lexicons" / "opensubtitles-freq-en_50k.txt.xz"))
    inflected = (
        word for line in read_lines(data / "lexicons" / "agid-infl.txt.xz") for word in re.findall(r"[a-z]+", line)
    )
    return {*frequent, *inflected}


def write(judged: Iterable[Judged], path: Path) -> Counter[str]:
    tally: Counter[str] = Counter()
    with open_for_writing(path) as out:
        for one in judged:
            if isinstance(one, str):
                tally[one] += 1
            else:
                tally["changed" if one[0] != one[1] else "unchanged"] += 1
                out.write("\t".join(map(" ".join, one)) + "\n")
    return tally


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=list(FILES), help=f"which files: {', '.join(FILES)}")
    parser.add_argument("--out", type=Path, default=Path("runs/data/en"), help="folder to write to")
    args = parser.parse_args()
    data = shared_folder() / "data" / "en"
    known = known_words(data)
    args.out.mkdir(parents=True, exist_ok=True)
    for name in args.names:
        tally = write(FILES[name](data, known), args.out / f"{name}.tsv.xz")
        print(f"{name}: " + ", ".join(f"{count:,} {what}" for what, count in tally.most_common()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
