"""Everyday Chinese prose and learners' corrections, from `python -m benchmarks.models.zh_everyday CLONES`.

CLONES has a clone of every repository named in SOURCES and CORPORA, in a folder OWNER+NAME. Written to runs/data/zh:

- prose-everyday.txt.xz: sentences of essays, novels, children's books, chats and textbooks to make errors in, shuffled;
- pairs-everyday.tsv.xz: corrections (corpus, source, target), which `zh_small --everyday` mixes with the others;
- text/extra-NAME.txt.gz: all sentences of the sources that the encoder reads, in the order of the files;
- everyday.json: for each source the commits, and how many sentences were kept or left out for which reason.

Everything is in Simplified characters and without evaluation sentences (`zh_held_out`). The same clones give the same
files. The bundled model was trained on files of an earlier version, with slightly other sentences; the README of the
recipes compares their numbers.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from benchmarks.models.histories.repositories import Repository, find_repositories, list_files, read_blobs
from benchmarks.models.zh_cleaning import LONGEST_DRAWN, Cleaner
from benchmarks.models.zh_held_out import HeldOut
from benchmarks.models.zh_readers import (
    Pair,
    common_mistakes,
    decode,
    fields,
    flacgec,
    gee_pages,
    gee_prompts,
    markdown,
    plain,
    second_column,
    smile,
)
from benchmarks.models.zh_small import rows, write
from benchmarks.speed.history import shared_folder

from errata.errors import DataError, ErrataError
from errata.formats.files import read_lines

# Chooses the dialogues that are read and the sentences that are drawn, and shuffles the sentences.
SEED = 7
# What SMILE's dialogues have left of the names of roles.
ROLES = re.compile(r"支持者|求助者|[:：]$")

Item = TypeVar("Item")


# --- What is read ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Files(Generic[Item]):
    """The files of a repository whose whole path matches a pattern, and how to read them."""

    repository: str
    paths: str
    read: Callable[[str], Iterable[Item]]


@dataclass(frozen=True, slots=True)
class Source:
    """Prose of one kind."""

    name: str
    files: tuple[Files[str], ...]
    part: tuple[int, int] | None = None  # of the files in random order
    most: int | None = None  # sentences to draw; all if None
    is_for_encoder: bool = False
    leave_out: re.Pattern[str] | None = None  # what a sentence of this source must not contain


@dataclass(frozen=True, slots=True)
class Corpus:
    """Corrections of one kind."""

    name: str
    files: tuple[Files[Pair], ...]


SMILE = (Files("qiuhuachuan/smile", r"data/.*", smile),)
GEE = "Yixiao-Song/GEE-with-LLMs"
SOURCES = (
    # Essays and stories of many authors, and the owner's own. Poems, study notes and archives are other folders.
    Source(
        "tinysnow-essays",
        (
            Files(
                "TinySnow/TinySnow.github.io",
                r"src/(?:阅读/(?:每日一文|其他|没事)|生活碎笔/(?:随笔|文章|小说)).*\.md",
                markdown,
            ),
        ),
        is_for_encoder=True,
    ),
    # Children's books and classics for schools.
    Source("aim9-books", (Files("aim9/books", r".*\.txt", plain),), most=200_000, is_for_encoder=True),
    # Counselling dialogues, written by a language model after real posts. The counsellor's phrases come again and
    # again, so half of the 55,165 dialogues are read, and a quarter of their sentences drawn. The encoder reads the
    # first part.
    Source("smilechat-dialogue", SMILE, part=(0, 12_000), most=100_000, is_for_encoder=True, leave_out=ROLES),
    Source("smilechat-dialogue2", SMILE, part=(12_000, 30_000), most=100_000, leave_out=ROLES),
    # Chat of crowd workers on films, music and travel.
    Source(
        "kdconv-dialogue",
        (Files("thu-coai/KdConv", r"data/\w+/(?:dev|test)\.json", fields("message")),),
        is_for_encoder=True,
    ),
    # Example sentences for learners.
    Source(
        "hsk-examples",
        (
            Files("krmanik/Chinese-Grammar", r"CSV Files.*\.csv", second_column),
            Files("sarachdatabear-polar/hsk_game", r"data/examples\.json", fields("s")),
            Files("s-mberli/hsknest", r"prisma/data/hsk/sentences\.json", fields("text")),
        ),
    ),
    # Modern novels. The repositories also have classical ones, whose language is different.
    Source(
        "hexhero-novels",
        (
            Files(
                "hexhero/book-txt",
                r"(?:遥远的救世主|天幕红尘|背叛|百年孤独|围城|鼠疫|荒原狼|局外人)\.txt",
                plain,
            ),
        ),
    ),
    # Left out: film scripts (对话), web novels, and fantasy full of invented names.
    Source(
        "modern-novels",
        (
            Files("01miaom/novel_corpus", r"data/(?!.*(?:对话|唐家三少|酒神|魔戒)).*\.txt", plain),
            Files("klaustjq/novel", r"(?:活着|人间失格)\.txt", plain),
            Files("deltacdevadmin/Book", r"(?:.*/)?(?:月亮和六便士.*|当我谈跑步时我谈些什么)\.txt", plain),
        ),
    ),
)
CORPORA = (
    # Learners' sentences of HSK essays with minimal corrections, from a study of explanations.
    Corpus(
        "gee-zh",
        (
            Files(GEE, r"data/fine-tune_data/Chinese_train_test_data/496_train_.*\.jsonl", gee_prompts),
            Files(GEE, r"data/human_annotation_data/zh_\d_anonymized\.json", gee_pages),
        ),
    ),
    # Typical mistakes of learners, written by a teacher.
    Corpus("common-mistakes", (Files("anthonypoon12/CommonMistakes", r"sentences\.js", common_mistakes),)),
    # Errors made by rule from grammar points. Who trains on them cannot test on FlaCGEC.
    Corpus("flacgec-devtest", (Files("hyDududu/FlaCGEC", r"data/(?:dev|test)\.json", flacgec),)),
)


# --- The files -------------------------------------------------------------------------------------------------------


class Clones:
    """The clones of all repositories that are read."""

    def __init__(self, folder: Path, most_files: int | None = None) -> None:
        found = {repository.name: repository for repository in find_repositories(folder)}
        needed = sorted({files.repository for kind in (*SOURCES, *CORPORA) for files in kind.files})
        if missing := [name for name in needed if name not in found]:
            raise DataError(f"{folder} lacks {', '.join(missing)}; clone github.com/OWNER/NAME to {folder}/OWNER+NAME")
        self._repositories: Mapping[str, Repository] = {name: found[name] for name in needed}
        self._most_files = most_files
        self.n_damaged = Counter[str]()  # characters, by repository

    def read(self, files: Files[Item], part: tuple[int, int] | None = None) -> Iterator[Item]:
        """What the files have, one after the other; of a part, in random order."""
        repository, pattern = self._repositories[files.repository], re.compile(files.paths)
        blobs = [(path, blob) for path, blob in sorted(list_files(repository).items()) if pattern.fullmatch(path)]
        if not blobs:
            raise DataError(f"{repository.folder} has no files {files.paths}")
        if part:
            random.Random(SEED).shuffle(blobs)
            blobs = blobs[slice(*part)]
        for path, content in read_blobs(repository, blobs[: self._most_files]):
            text, n_damaged = decode(content)
            if n_damaged:
                print(f"{repository.folder}: {path} has {n_damaged} damaged characters", file=sys.stderr)
                self.n_damaged[files.repository] += n_damaged
            try:
                yield from files.read(text)
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise DataError(f"{repository.folder}: {path} has another format than expected: {error!r}") from error

    def commits(self, files: Sequence[Files[Any]]) -> dict[str, str]:
        """The commit that is read of each repository."""
        return {one.repository: self._repositories[one.repository].head for one in files}


def read_source(source: Source, clones: Clones, cleaner: Cleaner, held_out: HeldOut, tally: Counter[str]) -> list[str]:
    """The clean sentences of a source, in the order of its files; the tally has what was left out and why."""
    kept = []
    for files in source.files:
        for sentence in clones.read(files, source.part):
            if source.leave_out and source.leave_out.search(sentence):
                tally["left out of this source"] += 1
                continue
            text, reason = cleaner.judge(sentence)
            if reason:
                tally[reason] += 1
            else:
                kept.append(text)
    refused = held_out.find(kept)
    tally["evaluation sentences"] += len(refused)
    tally["kept"] += len(kept) - len(refused)
    return [text for i, text in enumerate(kept) if i not in refused]


def read_corpus(corpus: Corpus, clones: Clones, cleaner: Cleaner, held_out: HeldOut, tally: Counter[str]) -> list[Pair]:
    """The clean corrections of a corpus; the tally has what was left out and why."""
    kept = []
    for files in corpus.files:
        for raw in clones.read(files):
            pair, reason = cleaner.judge_pair(raw)
            if not reason and not held_out.allows(corpus.name, *pair):
                reason = "evaluation sentences"
            tally[reason or "kept"] += 1
            if not reason:
                kept.append(pair)
    return kept


def draw(sentences: Sequence[str], most: int | None, rng: random.Random) -> list[str]:
    """At most as many of the sentences that are not too long for a tagger, in random order."""
    fitting = [text for text in sentences if len(text) <= LONGEST_DRAWN]
    return rng.sample(fitting, min(len(fitting), most or len(fitting)))


def write_files(clones: Clones, cleaner: Cleaner, held_out: HeldOut, out: Path) -> None:
    """Write all files to the folder, and print the counts as they come."""
    (out / "text").mkdir(parents=True, exist_ok=True)
    rng = random.Random(SEED)
    report: dict[str, dict[str, Any]] = {}

    def tell(kind: Source | Corpus, tally: Counter[str], **more: int) -> None:
        damaged = {one.repository: n for one in kind.files if (n := clones.n_damaged[one.repository])}
        report[kind.name] = {"commits": clones.commits(kind.files), **more, **tally}
        if damaged:
            report[kind.name]["damaged"] = damaged
        print(f"{time.strftime('%H:%M:%S')} {kind.name}: {more or ''} {dict(tally)}", flush=True)

    pairs = []
    for corpus in CORPORA:
        tally = Counter[str]()
        pairs += ["\t".join((corpus.name, *pair)) for pair in read_corpus(corpus, clones, cleaner, held_out, tally)]
        tell(corpus, tally)
    write(pairs, out / "pairs-everyday.tsv.xz")
    prose = []
    for source in SOURCES:
        tally = Counter[str]()
        sentences = read_source(source, clones, cleaner, held_out, tally)
        if source.is_for_encoder:
            write(sentences, out / "text" / f"extra-{source.name}.txt.gz")
        drawn = draw(sentences, source.most, rng)
        prose += drawn
        tell(source, tally, drawn=len(drawn))
    rng.shuffle(prose)
    write(prose, out / "prose-everyday.txt.xz")
    write([json.dumps(report, ensure_ascii=False, indent=1)], out / "everyday.json")
    print(f"prose: {len(prose):,} sentences; pairs: {len(pairs):,}")


def known_prose(data: Path) -> Iterator[str]:
    """The sentences of the corpora that `zh_small` reads, without newspapers, which share none with everyday prose."""
    for path in sorted((data / "prose").glob("*.txt.xz")):
        if not path.name.startswith("rmrb"):
            yield from read_lines(path)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clones", type=Path, help="folder with the clones")
    parser.add_argument("--out", type=Path, default=Path("runs/data/zh"), help="folder to write to")
    parser.add_argument("--files", type=int, metavar="N", help="read at most N files of each kind, for a trial (all)")
    args = parser.parse_args()
    data = shared_folder() / "data" / "zh"
    try:
        clones = Clones(args.clones, args.files)
        sources = (source for _, source, _ in rows(data / "train-pairs" / "grammar_pairs.tsv.xz"))
        write_files(clones, Cleaner(known_prose(data), sources), HeldOut.of(data), args.out)
    except ErrataError as error:
        print(f"benchmarks.models.zh_everyday: {error}", file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
