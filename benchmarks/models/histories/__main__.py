"""More English corrections and prose, from git histories: `python -m benchmarks.models.histories CLONES`.

CLONES is a folder with clones of public repositories, each in a folder OWNER+NAME. Two files are written: corrections
as TSV (source, target, tokenised) from the commits, and sentences of the newest files. Beside each is a table of its
sources (….sources.tsv) with the commit and the licence of every repository; licences are found by rules
(licences.py). What was left out and why is printed. Evaluation sentences are not looked for here: the recipes keep
them out (`data.exclude`). The same clones and options give the same files.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.models.en_small import known_words
from benchmarks.models.histories.corrections import Judge, judge_changes, mine, read_varieties
from benchmarks.models.histories.licences import YES, Licence, find_licence, read_table
from benchmarks.models.histories.prose import read_prose
from benchmarks.models.histories.repositories import TIERS, Repository, find_repositories
from benchmarks.speed.history import shared_folder

from errata.errors import ErrataError, UnknownName
from errata.files import replacing
from errata.formats.files import open_for_writing

FOLDER = Path("runs/data/en")
Counts = Mapping[str, Counter[str]]


def main() -> int:
    args = _parse()
    try:
        repositories = find_repositories(args.clones)
        table = read_table(args.licences) if args.licences else {}
        chosen = choose(repositories, args.only)
        licences = {repository.name: find_licence(repository, table) for repository in chosen}
        if args.open:
            chosen = [repository for repository in chosen if licences[repository.name].commercial == YES]
        print(f"{len(chosen)} of {len(repositories)} repositories", file=sys.stderr)
        ending = "open" if args.open else ""
        if args.what != "prose":
            path = args.corrections or FOLDER / f"doc-edits-{ending or '2'}.tsv.xz"
            write_sources(path, chosen, licences, write_corrections(path, chosen, args.tiers, args.commits), args.tiers)
        if args.what != "corrections":
            path = args.prose or FOLDER / f"prose-{ending or 'web'}.txt.xz"
            write_sources(path, chosen, licences, write_prose(path, chosen, args.most), ["sentences"])
    except ErrataError as error:
        print(f"benchmarks.models.histories: {error}", file=sys.stderr)
        return error.exit_code
    return 0


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clones", type=Path, help="folder with the clones")
    parser.add_argument("what", nargs="?", choices=["both", "corrections", "prose"], default="both")
    parser.add_argument("--only", nargs="+", metavar="OWNER/NAME", help="repositories (all)")
    parser.add_argument("--open", action="store_true", help="only repositories whose licence allows commercial use")
    parser.add_argument(
        "--licences", type=Path, help="TSV of licences: OWNER/NAME, SPDX identifier, where it is stated"
    )
    parser.add_argument("--tiers", nargs="+", choices=TIERS, default=list(TIERS[:2]), help="commits (typo fix)")
    parser.add_argument("--commits", type=int, default=10_000, help="newest commits of each tier to read (10000)")
    parser.add_argument("--most", type=int, default=60_000, help="sentences of one repository (60000)")
    parser.add_argument("--corrections", type=Path, metavar="PATH", help=f"file to write ({FOLDER}/doc-edits-2.tsv.xz)")
    parser.add_argument("--prose", type=Path, metavar="PATH", help=f"file to write ({FOLDER}/prose-web.txt.xz)")
    return parser.parse_args()


def choose(repositories: Sequence[Repository], names: Sequence[str] | None) -> list[Repository]:
    """The repositories with these names, or all."""
    by_name = {repository.name: repository for repository in repositories}
    for name in names or ():
        if name not in by_name:
            raise UnknownName("repository", name, by_name)
    return [repository for repository in repositories if names is None or repository.name in names]


def write_corrections(path: Path, repositories: Sequence[Repository], tiers: Sequence[str], commits: int) -> Counts:
    """How many pairs of each tier were written, by repository."""
    data = shared_folder() / "data" / "en"
    known = known_words(data)
    changes = [change for repository in repositories for change in mine(repository, tiers, commits, known)]
    tally = Counter[str]()
    kept = {repository.name: Counter[str]() for repository in repositories}
    path.parent.mkdir(parents=True, exist_ok=True)
    with open_for_writing(path) as out:
        for change, judged in judge_changes(changes, Judge(known, read_varieties(data))):
            if isinstance(judged, str):
                tally[judged] += 1
            else:
                tally["kept"] += 1
                kept[change.repository][change.tier] += 1
                out.write("\t".join(map(" ".join, judged)) + "\n")
    print(f"{path}: " + ", ".join(f"{count:,} {what}" for what, count in tally.most_common()))
    return kept


def write_prose(path: Path, repositories: Sequence[Repository], most: int) -> Counts:
    """How many sentences were written, by repository."""
    known = known_words(shared_folder() / "data" / "en")
    kept = {repository.name: Counter[str]() for repository in repositories}
    seen: set[str] = set()
    path.parent.mkdir(parents=True, exist_ok=True)
    with open_for_writing(path) as out:
        for repository in repositories:
            for sentence in read_prose(repository, known, seen, most):
                kept[repository.name]["sentences"] += 1
                out.write(f"{sentence}\n")
    print(f"{path}: {len(seen):,} sentences")
    return kept


def write_sources(
    path: Path,
    repositories: Sequence[Repository],
    licences: Mapping[str, Licence],
    counts: Counts,
    columns: Sequence[str],
) -> None:
    """The table beside a file: where its lines come from, the largest source first, without those that gave nothing."""
    head = ["repository", "commit", *columns, "licence", "first line or place", "commercial"]
    given = [repository for repository in repositories if counts[repository.name]]
    with replacing(sources_path(path)) as beside, beside.open("w", encoding="utf-8") as out:
        out.write("\t".join(head) + "\n")
        for repository in sorted(given, key=lambda one: -counts[one.name].total()):
            licence, count = licences[repository.name], counts[repository.name]
            numbers = [str(count[column]) for column in columns]
            known = [" + ".join(licence.names) or "unknown", licence.first_line, licence.commercial]
            out.write("\t".join([repository.name, repository.head, *numbers, *known]) + "\n")


def sources_path(path: Path) -> Path:
    """The table of sources beside a file.

    >>> sources_path(Path("runs/prose-web.txt.xz"))
    PosixPath('runs/prose-web.sources.tsv')
    """
    return path.with_name(path.name.partition(".")[0] + ".sources.tsv")


if __name__ == "__main__":
    sys.exit(main())
