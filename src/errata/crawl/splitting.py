"""Paragraphs that were drawn become sentences, masked where that was asked for, in a random order within their task."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from errata.crawl.columns import open_column, save_columns
from errata.crawl.comparing import DUPLICATE, load_marks
from errata.crawl.fingerprints import exact_key, shuffle_key
from errata.crawl.job import Job
from errata.crawl.masking import mask_text
from errata.crawl.reading import READ, iter_paragraphs
from errata.crawl.reasons import Tallies
from errata.crawl.sampling import SAMPLE
from errata.files import replacing
from errata.text.arguments import printable

SPLIT = "split"


def split_task(job: Job, task: int) -> None:
    """Write the sentences of a task as a run: a file in the order in which they come out."""
    tallies, registers = Tallies(), Counter[str]()
    lines: list[str] = []
    keys: list[int] = []
    for order, paragraph in _drawn(job, task, tallies):
        for number, (start, end) in enumerate(paragraph["spans"]):
            text = mask_text(paragraph["text"][start:end], job.settings.masks)
            key = exact_key(text)
            place = order if job.settings.output == "paragraphs" else shuffle_key(key, job.settings.seed)
            record = _describe(job, task, paragraph, number, text)
            lines.append(f"{place:016x}\t{len(lines):010d}\t{json.dumps(record, ensure_ascii=False)}\n")
            keys.append(key)
            registers[paragraph["register"]] += 1
    tallies.sentences.read = len(lines)
    with replacing(job.path(SPLIT, task, ".run")) as beside, beside.open("w", encoding="utf-8") as stream:
        stream.writelines(sorted(lines))
    _save_keys(job, task, keys)
    job.finish(SPLIT, task, {"tallies": tallies.as_dict(), "registers": registers, "n_sentences": len(lines)})


def _drawn(job: Job, task: int, tallies: Tallies) -> Iterator[tuple[int, dict[str, Any]]]:
    """The paragraphs that repeat no other and were drawn, each with its random number."""
    limits = job.facts(SAMPLE, 0)["limits"]
    orders = open_column(job, READ, task, "orders")
    marks = load_marks(job, task, "compare", len(orders))
    for order, mark, paragraph in zip(orders, marks, iter_paragraphs(job, task), strict=True):
        if mark:
            tallies.paragraphs.drop("duplicate" if mark == DUPLICATE else "near-duplicate")
        elif order > limits[paragraph["register"]]:
            tallies.paragraphs.drop("not-sampled")
        else:
            yield int(order), paragraph


def _describe(job: Job, task: int, paragraph: dict[str, Any], number: int, text: str) -> dict[str, Any]:
    start, end = paragraph["spans"][number]
    return {
        "register": paragraph["register"],
        "text": text,
        "url": paragraph["url"],
        "date": paragraph["date"],
        "file": printable(job.groups[task][paragraph["input"]].path),
        "offset": paragraph["offset"],
        "paragraph": paragraph["paragraph"],
        "start": start,
        "end": end,
    }


def _save_keys(job: Job, task: int, keys: list[int]) -> None:
    numbers = np.array(keys, np.uint64)
    order = np.argsort(numbers, kind="stable")
    save_columns(job, SPLIT, task, keys=numbers[order], ordinals=order.astype(np.uint32))
