"""The last stage: the runs of all tasks become one file for each register, with a side file that says where from."""

from __future__ import annotations

import heapq
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from errata import __version__
from errata.crawl.comparing import load_marks
from errata.crawl.domains import REGISTERS, find_host
from errata.crawl.job import REPORT, Job
from errata.crawl.reading import READ
from errata.crawl.reasons import Tallies
from errata.crawl.splitting import SPLIT
from errata.files import replacing, write_text
from errata.formats.jsonl import JsonLines
from errata.model import AnnotatedSentence, Sentence
from errata.text.tokens import split_characters
from errata.text.words import tokenise_words

WRITE, COMPARE_SENTENCES = "write", "compare-sentences"
# Runs that are read at once; systems let a process open about a thousand files.
FAN_IN = 200
_PLACE = 16 + 1  # characters of a line before the number of the sentence


def write_task(job: Job, task: int) -> None:
    """Write the texts of all registers, and what they are."""
    facts = [job.facts(SPLIT, one) for one in range(len(job.groups))]
    registers = [name for name in REGISTERS if any(name in one["registers"] for one in facts)]
    tallies = Tallies()
    with ExitStack() as stack:
        writers = {name: stack.enter_context(_writer(job, name)) for name in registers}
        for place, record in _merge_all(job, [one["n_sentences"] for one in facts], tallies):
            writers[record["register"]].write(place, record)
    job.finish(
        WRITE,
        task,
        {"tallies": tallies.as_dict(), "registers": {name: writers[name].as_dict() for name in registers}},
    )
    write_report(job)


def write_report(job: Job) -> dict[str, Any]:
    """What came of a run whose tasks are all done: the same for the same settings and inputs, however it was run."""
    tallies = Tallies()
    for stage in (READ, SPLIT):
        for task in range(len(job.groups)):
            tallies.add(job.facts(stage, task)["tallies"])
    written = job.facts(WRITE, 0)
    tallies.add(written["tallies"])
    report = {
        "version": __version__,
        "counts": tallies.as_dict(),
        "registers": written["registers"],
        "job": job.as_dict(),
    }
    write_text(job.folder / REPORT, json.dumps(report, indent=1) + "\n")
    return report


def tokenise(text: str, language: str) -> tuple[str, ...]:
    """The tokens of a sentence: words in English, characters in Chinese."""
    return split_characters(text) if language == "zh" else tuple(tokenise_words(text))


def text_path(job: Job, register: str) -> Path:
    suffix = ".jsonl" if job.settings.output == "paragraphs" else ".txt"
    return job.folder / f"{register}{suffix}"


@dataclass(slots=True)
class _Writer:
    """Writes the sentences of a register, and counts them."""

    job: Job
    register: str
    texts: TextIO
    sources: TextIO
    counts: Counter[str] = field(default_factory=Counter)
    sites: set[str] = field(default_factory=set)
    last: str = ""

    def write(self, place: str, record: dict[str, Any]) -> None:
        text, settings = record.pop("text"), self.job.settings
        tokens = tokenise(text, settings.language)
        self.counts["sentences"] += 1
        self.counts["tokens"] += len(tokens)
        if settings.output == "paragraphs":
            self.counts["paragraphs"] += place != self.last
            self.last = place
            passage = {"passage": f"{self.register} {self.counts['paragraphs']}"}
            self.texts.writelines(JsonLines().format([AnnotatedSentence(Sentence(tokens, text), meta=passage)]))
        else:
            self.texts.write((" ".join(tokens) if settings.is_tokenised else text) + "\n")
        del record["register"]
        if record["url"]:
            self.sites.add(find_host(record["url"]))
        self.sources.write(json.dumps(record, ensure_ascii=False) + "\n")

    def as_dict(self) -> dict[str, Any]:
        return {**self.counts, "sites": len(self.sites)} if self.sites else dict(self.counts)


@contextmanager
def _writer(job: Job, register: str) -> Iterator[_Writer]:
    side = job.folder / f"{register}.provenance.jsonl"
    with _replacing_text(text_path(job, register)) as texts, _replacing_text(side) as sources:
        yield _Writer(job, register, texts, sources)


@contextmanager
def _replacing_text(path: Path) -> Iterator[TextIO]:
    with replacing(path) as beside, beside.open("w", encoding="utf-8", errors="replace") as stream:
        yield stream
        stream.flush()


def _merge_all(job: Job, counts: Sequence[int], tallies: Tallies) -> Iterator[tuple[str, dict[str, Any]]]:
    """The sentences of all runs in their random order, without those that repeat an earlier one."""
    runs: list[Iterator[str]] = [_free_lines(job, task, count, tallies) for task, count in enumerate(counts)]
    if len(runs) > FAN_IN:
        paths = [job.path(WRITE, number, ".run") for number in range(0, len(runs), FAN_IN)]
        for number, path in zip(range(0, len(runs), FAN_IN), paths, strict=True):
            with replacing(path) as beside, beside.open("w", encoding="utf-8") as stream:
                stream.writelines(heapq.merge(*runs[number : number + FAN_IN]))
        runs = [_lines(path) for path in paths]
    for line in heapq.merge(*runs):
        place, _, text = line.split("\t", 2)
        yield place, json.loads(text)


def _lines(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8") as lines:
        yield from lines


def _free_lines(job: Job, task: int, count: int, tallies: Tallies) -> Iterator[str]:
    """The lines of a run without sentences that repeat an earlier one; paragraphs stay whole."""
    is_whole = job.settings.output == "paragraphs"
    marks = None if is_whole else load_marks(job, task, COMPARE_SENTENCES, count)
    for line in _lines(job.path(SPLIT, task, ".run")):
        if marks is not None and marks[int(line[_PLACE : line.index("\t", _PLACE)])]:
            tallies.sentences.drop("duplicate")
        else:
            yield line
