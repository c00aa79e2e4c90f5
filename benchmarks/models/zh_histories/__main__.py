"""Corrections by Chinese editors, from git histories: `python -m benchmarks.models.zh_histories CLONES`.

CLONES has a clone of every repository in CORPORA, in a folder OWNER+NAME. Written to runs/data/zh:

- pairs-proofread-strict.tsv.xz: corpus, source, target; only particles, characters of the same sound or shape, doubled
  characters and small grammatical words differ;
- pairs-proofread-loose.tsv.xz: other pairs, in which short words or their order differ too;
- proofread.json: for each repository the commit, the licence, and how many changes were kept or left out and why.

Everything is in Simplified characters and without evaluation sentences (`zh_held_out`).
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from benchmarks.models.histories.licences import find_licence
from benchmarks.models.histories.repositories import (
    LARGEST_FILE,
    Repository,
    find_repositories,
    list_files,
    read_blobs,
)
from benchmarks.models.zh_held_out import HeldOut
from benchmarks.models.zh_histories.changes import Change, may_be_chinese, mine, plain, sentences
from benchmarks.models.zh_histories.corrections import Judged, Shapes, judge
from benchmarks.models.zh_histories.ngrams import NGrams
from benchmarks.models.zh_small import write
from benchmarks.speed.history import shared_folder

from errata.errors import DataError, ErrataError
from errata.formats.files import read_lines

# Translated articles that editors proofread, then manuals and textbooks.
CORPORA = {
    "LCTT/TranslateProject": "lctt-proofread",
    "xitu/gold-miner": "gold-miner-proofread",
    "d2l-ai/d2l-zh": "d2l-edits",
    "KaiserY/trpl-zh-cn": "trpl-edits",
    "krahets/hello-algo": "hello-algo-edits",
    "pingcap/docs-cn": "tidb-docs-edits",
    "vuejs-translations/docs-zh-cn": "vue-docs-edits",
    "reactjs/zh-hans.reactjs.org": "react-docs-edits",
    "ruanyf/es6tutorial": "es6-edits",
    "apachecn/sklearn-doc-zh": "sklearn-docs-edits",
}
# Marks of markup and formulas.
_ODD = re.compile(r"[#*_<>|{}\[\]=\\~`@$^【】\ufffd]|//|https?:|[，。、；：]{2}")


def find_clones(folder: Path, names: Iterable[str]) -> list[Repository]:
    found = {repository.name: repository for repository in find_repositories(folder)}
    wanted = list(names)
    if missing := [name for name in wanted if name not in found]:
        raise DataError(f"{folder} lacks {', '.join(missing)}; clone github.com/OWNER/NAME to {folder}/OWNER+NAME")
    return [found[name] for name in wanted]


def edited_text(repositories: Sequence[Repository], data: Path) -> Iterator[str]:
    """Sentences of the newest files, and the prose of the corpora, without quotation marks like the changes."""
    for repository in repositories:
        blobs = ((path, blob) for path, blob in sorted(list_files(repository).items()) if may_be_chinese(path))
        for _, content in read_blobs(repository, blobs):
            if len(content) < LARGEST_FILE:
                yield from sentences(content.decode("utf-8", "replace").splitlines())
    for path in sorted((data / "prose").glob("*.txt.xz")):
        yield from (plain(line) for line in read_lines(path))


def read_shapes(data: Path) -> Shapes:
    lines = read_lines(data / "lexical" / "confusion" / "ecspell.shapeConfusion.tsv.xz")
    return Shapes(dict(line.rstrip("\n").split("\t")[:2] for line in lines))


class Selection:
    """The pairs of both tiers, and what was left out."""

    def __init__(self, held_out: HeldOut) -> None:
        import opencc

        self._convert: Callable[[str], str] = opencc.OpenCC("t2s").convert
        self._held_out = held_out
        self._seen: set[tuple[str, str]] = set()
        self.strict: list[str] = []
        self.loose: list[str] = []
        self.tally = {name: Counter[str]() for name in CORPORA}

    def add(self, judged: Judged) -> None:
        corpus = CORPORA[judged.change.repository]
        source, target = self._convert(judged.source), self._convert(judged.change.target)
        reason = judged.reason or self._fault(corpus, source, target)
        self.tally[judged.change.repository][reason or ("strict" if judged.is_strict else "loose")] += 1
        if not reason:
            (self.strict if judged.is_strict else self.loose).append("\t".join((corpus, source, target)))

    def _fault(self, corpus: str, source: str, target: str) -> str:
        if source == target:
            return "unchanged in Simplified characters"
        if (source, target) in self._seen:
            return "seen before"
        self._seen.add((source, target))
        if _ODD.search(source) or _ODD.search(target) or target.count("（") != target.count("）"):
            return "markup or formulas"
        return "" if self._held_out.allows(corpus, source, target) else "evaluation sentences"


def write_files(repositories: Sequence[Repository], data: Path, out: Path) -> None:
    """Write both tiers and the counts to the folder."""
    changes: list[Change] = []
    for repository in repositories:
        changes += mine(repository)
        print(f"{repository.name}: {len(changes):,} changed sentences so far", file=sys.stderr, flush=True)
    mined = Counter(change.repository for change in changes)
    model = NGrams(sorted(set(edited_text(repositories, data))))
    held_out = HeldOut.of(data)
    selection = Selection(held_out)
    for judged in judge(changes, model, read_shapes(data)):
        selection.add(judged)
    report: dict[str, Mapping[str, object]] = {}
    for repository in repositories:
        licence = find_licence(repository, {})
        report[repository.name] = {
            "corpus": CORPORA[repository.name],
            "commit": repository.head,
            "commits read": int(repository.git("rev-list", "--no-merges", "--count", "HEAD")),
            "licence": " + ".join(licence.names) or "none found",
            "changed sentences": mined[repository.name],
            **dict(selection.tally[repository.name].most_common()),
        }
    out.mkdir(parents=True, exist_ok=True)
    write(selection.strict, out / "pairs-proofread-strict.tsv.xz")
    write(selection.loose, out / "pairs-proofread-loose.tsv.xz")
    write([json.dumps(report, ensure_ascii=False, indent=1)], out / "proofread.json")
    total = sum(selection.tally.values(), Counter[str]())
    print(", ".join(f"{count:,} {what}" for what, count in total.most_common()))
    print(held_out)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clones", type=Path, help="folder with the clones")
    parser.add_argument("--only", nargs="+", metavar="OWNER/NAME", choices=CORPORA, help="repositories (all)")
    parser.add_argument("--out", type=Path, default=Path("runs/data/zh"), help="folder to write to")
    args = parser.parse_args()
    try:
        write_files(find_clones(args.clones, args.only or CORPORA), shared_folder() / "data" / "zh", args.out)
    except ErrataError as error:
        print(f"benchmarks.models.zh_histories: {error}", file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
