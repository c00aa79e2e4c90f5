"""Training files of `zh-small`: `python -m benchmarks.models.zh_small` writes them to runs/data/zh.

From the corpora in ERRATA_DATA: corrected pairs and clean prose without evaluation sentences and their near duplicates
(`benchmarks.models.zh_held_out`), the corrected side of the pairs as more prose, a mixture of clean sentences for the
second stage, and a word list for `errata synth learn`. What was left out and why is printed. With `--everyday`, the
pairs and some of the prose of `benchmarks.models.zh_everyday` are mixed in; it has written them to the same folder.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from pathlib import Path

from benchmarks.models.zh_held_out import HeldOut
from benchmarks.speed.history import shared_folder

from errata.formats.files import open_for_writing, read_lines

SEED = 1
LONGEST = 180
# Longer pairs are cut into their sentences where both sides have the same number.
CUT_ABOVE = 100
NATIVE = frozenset({"nasgec-exam-train", "grammargpt", "goodgap-native", "excgec"})
# A larger share of changed characters is a rewrite; free translations and machine-made targets are judged harder.
REWRITTEN, REWRITTEN_LOOSE, REWRITTEN_SPELLING = 0.5, 0.35, 0.25
# Most sentences this corpus leaves unchanged have errors nevertheless.
UNCHANGED = {"tocfl-grammar": 0.15}
# Single characters are what most spelling corpora correct, and learners' texts are short of it: a part will do.
SPELLING = {
    "midu-ctc": 1.0, "sighan-train": 1.0, "hybirdset-devtest": 0.15, "lang8-aug-spell": 1.0, "macro-gen-de3": 0.25,
}  # fmt: skip
PLACEHOLDERS = ("缺失成分", "[UNK]", "##")
PROSE = (
    "c3-reading", "chinese-literature-essays", "csl-abstracts", "luxun", "ruanyf-weekly", "stories-cmrc17-19-cft",
    "tatoeba-cmn", "wikipedia-cmrc-drcd", "rmrb-2019-2020", "rmrb-1996-1999", "rmrb-2000-2003",
)  # fmt: skip
# Newspapers would be two thirds of all prose: of the old ones 55 % are taken, in runs of neighbouring lines.
PARTIAL, PARTIAL_SHARE, RUN = ("rmrb-1996-1999", "rmrb-2000-2003"), 0.55, 200
MIXTURE = {
    "rmrb-2019-2020": 30_000, "rmrb-1996-1999": 15_000, "ruanyf-weekly": 12_000, "c3-reading": 15_000,
    "stories-cmrc17-19-cft": 6_000, "chinese-literature-essays": 5_000, "wikipedia-cmrc-drcd": 6_000,
    "tatoeba-cmn": 6_000,
}  # fmt: skip
MIXTURE_TARGETS, MIXTURE_EVERYDAY = 25_000, 60_000
_SENTENCE = re.compile(r"[^。！？!?]*[。！？!?]+[”\"’」』）)]*|[^。！？!?]+$")

Row = tuple[str, str, str]  # corpus, source, target


def rows(path: Path) -> Iterator[Row]:
    for line in read_lines(path):
        corpus, source, target = line.rstrip("\n").split("\t")[:3]
        yield corpus, source, target


def changed_share(source: str, target: str) -> float:
    same = sum(block.size for block in SequenceMatcher(None, source, target, autojunk=False).get_matching_blocks())
    return 1 - 2 * same / (len(source) + len(target))


def cut(source: str, target: str) -> list[tuple[str, str]]:
    """A long pair as pairs of its sentences, where they correspond."""
    left, right = _SENTENCE.findall(source), _SENTENCE.findall(target)
    if max(len(source), len(target)) <= CUT_ABOVE or len(left) != len(right) or len(left) < 2:
        return [(source, target)]
    if any(abs(len(a) - len(b)) > 0.5 * max(len(a), len(b)) + 2 for a, b in zip(left, right, strict=True)):
        return [(source, target)]
    parts = [("", "")]
    for a, b in zip(left, right, strict=True):
        before, after = parts[-1]
        if before and max(len(before + a), len(after + b)) > CUT_ABOVE:
            parts.append((a, b))
        else:
            parts[-1] = before + a, after + b
    return parts


def grammar(pairs: Iterable[Row], rng: random.Random, tally: Counter[str]) -> Iterator[Row]:
    for corpus, whole_source, whole_target in pairs:
        for source, target in cut(whole_source.strip(), whole_target.strip()):
            limit = REWRITTEN_LOOSE if corpus in NATIVE or corpus.startswith("lang8") else REWRITTEN
            if not source or not target or max(len(source), len(target)) > LONGEST:
                tally["empty or too long"] += 1
            elif source == target and corpus in UNCHANGED and rng.random() > UNCHANGED[corpus]:
                tally["left unchanged by the annotators"] += 1
            elif source != target and changed_share(source, target) > limit:
                tally["rewritten"] += 1
            else:
                yield corpus, source, target


def spelling(pairs: Iterable[Row], rng: random.Random) -> Iterator[Row]:
    for corpus, source, target in pairs:
        wanted = corpus in SPELLING and len(source) <= LONGEST and "[UNK]" not in source
        if not wanted or rng.random() >= SPELLING[corpus]:
            continue
        if source == target or changed_share(source, target) <= REWRITTEN_SPELLING:
            yield corpus, source, target


def words(lexical: Path) -> Iterator[tuple[str, int]]:
    """Words of two to four characters with their frequency among ten million, dictionary and subtitles together."""
    counted = [
        {fields[0]: int(fields[1]) for line in read_lines(lexical / "frequency" / name) if (fields := line.split())}
        for name in ("jieba.dict.txt.small.xz", "opensubtitles2018.zh_cn_50k.txt.xz")
    ]
    dictionary = counted[0]
    frequency: dict[str, float] = {}
    for source in counted:
        total = sum(source.values())
        for word, n in source.items():
            if word in dictionary or n > 300:
                frequency[word] = frequency.get(word, 0.0) + n / total * 1e7
    for word, share in sorted(frequency.items(), key=lambda item: -item[1]):
        if 1 < len(word) <= 4 and share >= 1:
            yield word, int(share)


def write(lines: Iterable[str], path: Path) -> None:
    with open_for_writing(path) as out:
        out.writelines(f"{line}\n" for line in lines)


def write_pairs(kept: dict[str, list[Row]], everyday: Iterable[Row], out: Path, rng: random.Random) -> list[str]:
    """`pairs.tsv.xz`; gives the distinct corrected sentences, of the corpora alone."""
    tally: Counter[str] = Counter()
    taught = list(grammar(kept["grammar"], rng, tally))
    more = grammar(everyday, rng, tally)
    lines = ["\t".join(row) for row in (*taught, *more, *spelling(kept["spelling"], rng))]
    rng.shuffle(lines)
    lines = [line for line in lines if not any(mark in line for mark in PLACEHOLDERS)]
    write(lines, out / "pairs.tsv.xz")
    print(f"pairs: {len(lines):,}; left out: {dict(tally)}")
    targets = sorted({t for corpus, _, t in taught if len(t) >= 6 and corpus != "lang8-nlpcc18-sample"})
    rng.shuffle(targets)
    write(targets, out / "prose-targets.txt.xz")
    return targets


def write_prose(
    prose: dict[str, list[str]], targets: list[str], everyday: list[str], out: Path, rng: random.Random
) -> None:
    for name, lines in prose.items():
        write(lines, out / f"prose-{name}.txt.xz")
    for name in PARTIAL:
        runs = [prose[name][i : i + RUN] for i in range(0, len(prose[name]), RUN)]
        rng.shuffle(runs)
        prose[name] = [line for run in runs[: int(PARTIAL_SHARE * len(runs))] for line in run]
        write(prose[name], out / f"prose-{name}-part.txt.xz")
    mixture = [
        line
        for name, count in MIXTURE.items()
        for line in rng.sample([line for line in prose[name] if 8 <= len(line) <= 150], count)
    ]
    mixture += targets[:MIXTURE_TARGETS] + everyday[:MIXTURE_EVERYDAY]
    rng.shuffle(mixture)
    write(mixture, out / "mix.txt.xz")
    print(
        f"prose: {sum(map(len, prose.values())):,} and {len(targets):,} corrected sentences; mixture {len(mixture):,}"
    )


def read_everyday(folder: Path) -> tuple[list[Row], list[str]]:
    """The pairs and the prose of `benchmarks.models.zh_everyday`, which has shuffled the prose."""
    prose = [line.rstrip("\n") for line in read_lines(folder / "prose-everyday.txt.xz")]
    return list(rows(folder / "pairs-everyday.tsv.xz")), prose


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("runs/data/zh"), help="folder to write to")
    parser.add_argument("--everyday", action="store_true", help="mix in what benchmarks.models.zh_everyday has made")
    args = parser.parse_args()
    if args.everyday and not (args.out / "prose-everyday.txt.xz").is_file():
        parser.error(f"{args.out / 'prose-everyday.txt.xz'} is missing: run benchmarks.models.zh_everyday CLONES first")
    everyday_pairs, everyday_prose = read_everyday(args.out) if args.everyday else ([], [])
    data = shared_folder() / "data" / "zh"
    held_out, rng = HeldOut.of(data), random.Random(SEED)
    args.out.mkdir(parents=True, exist_ok=True)
    kept = {
        name: [row for row in rows(data / "train-pairs" / f"{name}_pairs.tsv.xz") if held_out.allows(*row)]
        for name in ("grammar", "spelling")
    }
    for name, pairs in kept.items():
        write(("\t".join(row) for row in pairs), args.out / f"{name}.tsv.xz")
    prose = {
        name: [
            line
            for text in read_lines(data / "prose" / f"{name}.txt.xz")
            if (line := text.rstrip("\n")) and held_out.allows(name, line)
        ]
        for name in PROSE
    }
    targets = write_pairs(kept, everyday_pairs, args.out, rng)
    write_prose(prose, targets, everyday_prose, args.out, rng)
    write((f"{word} {count}" for word, count in words(data / "lexical")), args.out / "words.txt")
    write([json.dumps(held_out.report(), ensure_ascii=False, indent=1)], args.out / "held-out.json")
    print(held_out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
