"""The first stage: the pages of a task's inputs become paragraphs of prose, with numbers to compare them by.

Every so many records the task saves a part: the paragraphs, their numbers, the counts, and where the next part begins.
A part is whole or not there, and its borders depend on the input alone, so a run that was killed saves the same parts.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from errata.crawl.columns import Column, save_columns
from errata.crawl.domains import REGISTERS
from errata.crawl.drops import Drop
from errata.crawl.extractors import Block, Extractor, extract_blocks, get_extractor, text_blocks
from errata.crawl.filters import judge_paragraph
from errata.crawl.fingerprints import Numbers, exact_key, near_keys, shuffle_key
from errata.crawl.inputs import is_address, open_input
from errata.crawl.isolation import isolate
from errata.crawl.job import Job, Settings
from errata.crawl.pages import Item, Page, read_pages
from errata.crawl.reasons import Tallies
from errata.crawl.warc import BEGINNING, Position
from errata.errors import DataError
from errata.files import replacing

READ = "read"
# Tries of a part after which its pages are read apart.
MOST_TRIES = 2
# Characters after which a part is saved, however few records it has.
LARGEST_PART = 1 << 25


@dataclass(frozen=True, slots=True)
class Place:
    """Where a part begins: the input of the task, and the position in it; and how many came before."""

    input: int = 0
    position: Position = BEGINNING
    part: int = 0
    n_records: int = 0
    n_paragraphs: int = 0


@dataclass(slots=True)
class _Part:
    """What a task has gathered since it last saved."""

    place: Place
    lines: list[str] = field(default_factory=list)
    keys: list[Numbers] = field(default_factory=list)
    orders: list[int] = field(default_factory=list)
    registers: list[int] = field(default_factory=list)
    tallies: Tallies = field(default_factory=Tallies)
    n_characters: int = 0


def read_task(job: Job, task: int) -> None:
    """Read the inputs of a task, from where an earlier try was killed."""
    folder = job.work / READ / f"{task:05d}"
    place = _find_place(folder)
    extract = get_extractor(job.settings.extractor)
    part, careful = _Part(place), _choose_care(folder, place, extract)
    for number, item in _read_items(job, task, place):
        _add_item(part, job.settings, number, item, careful)
        if part.tallies.records.read >= job.records_per_part or part.n_characters >= LARGEST_PART:
            place = _save(job, task, part, number, item.next)
            part, careful = _Part(place), _choose_care(folder, place, extract)
    _save(job, task, part, len(job.groups[task]), BEGINNING)
    _finish(job, task)


def _choose_care(folder: Path, place: Place, extract: Extractor) -> Extractor:
    """The extractor for a part: after a few tries that had no end, one that survives a page on which it crashes.

    The result is the same, so it does not matter whether a page or a person has ended them.
    """
    path = folder / f"part-{place.part:05d}.tries"
    n_tries = len(path.read_bytes()) if path.exists() else 0
    folder.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as stream:
        stream.write(b".")
    return extract if n_tries < MOST_TRIES else isolate(extract)


def iter_paragraphs(job: Job, task: int) -> Iterator[dict[str, Any]]:
    """The paragraphs that a task has kept, in order."""
    for path in _parts(job.work / READ / f"{task:05d}"):
        with path.open(encoding="utf-8") as lines:
            next(lines)
            yield from map(json.loads, lines)


def _read_items(job: Job, task: int, place: Place) -> Iterator[tuple[int, Item]]:
    """The records of the inputs from a place on, each with the number of its input."""
    settings, inputs = job.settings, job.groups[task]
    for number in range(place.input, len(inputs)):
        path, start = inputs[number].path, place.position if number == place.input else BEGINNING
        with open_input(path) as stream:
            items = read_pages(stream, path, start=start, domains=settings.domains, limit=settings.max_page)
            try:
                for item in items:
                    yield number, item
            except Exception as error:
                # Every kind of address fails in its own way when the network does.
                if not is_address(path) and not isinstance(error, OSError):
                    raise
                reason = " ".join(str(error).split()) or type(error).__name__
                raise DataError(f"{path} cannot be read: {reason}; run the same command again to go on") from error


def _add_item(part: _Part, settings: Settings, number: int, item: Item, extract: Extractor) -> None:
    records = part.tallies.records
    records.read += 1
    if item.page is None:
        records.drop(str(item.reason))
        return
    try:
        blocks = _blocks(item.page, extract)
    except Drop as drop:
        records.drop(drop.reason)
        return
    if not blocks:
        records.drop("no-paragraph")
    for paragraph, block in enumerate(blocks):
        _add_block(part, settings, number, item.page, paragraph, block)


def _blocks(page: Page, extract: Extractor) -> list[Block]:
    return extract_blocks(page.text, extract) if page.is_html else text_blocks(page.text)


def _add_block(part: _Part, settings: Settings, number: int, page: Page, paragraph: int, block: Block) -> None:
    tally = part.tallies.paragraphs
    tally.read += 1
    if block.is_boilerplate:
        tally.drop("boilerplate")
        return
    judged = judge_paragraph(block.text, settings.language, settings.fewest_sentences)
    if judged.reason:
        tally.drop(judged.reason)
        return
    key = exact_key(block.text)
    near = near_keys(block.text, settings.language) if settings.near_duplicates else np.empty(0, np.uint64)
    part.keys.append(np.append(near, np.uint64(key)))
    part.orders.append(shuffle_key(key, settings.seed))
    part.registers.append(REGISTERS.index(page.register))
    line = json.dumps(_describe(page, number, paragraph, block.text, judged.spans), ensure_ascii=False)
    part.lines.append(line)
    part.n_characters += len(line)


def _describe(page: Page, number: int, paragraph: int, text: str, spans: object) -> dict[str, Any]:
    return {
        "text": text,
        "spans": spans,
        "register": page.register,
        "url": page.url,
        "date": page.date,
        "input": number,
        "offset": page.offset,
        "paragraph": paragraph,
    }


def _save(job: Job, task: int, part: _Part, number: int, position: Position) -> Place:
    """Write a part; where the next one begins."""
    place, folder = part.place, job.work / READ / f"{task:05d}"
    n_paragraphs = place.n_paragraphs + len(part.lines)
    n_records = place.n_records + part.tallies.records.read
    following = Place(number, position, place.part + 1, n_records, n_paragraphs)
    head = {
        "tallies": part.tallies.as_dict(),
        "next": [number, position.offset, position.inner, n_records, n_paragraphs],
    }
    ordinals = np.repeat(np.arange(place.n_paragraphs, n_paragraphs, dtype=np.uint32), [len(k) for k in part.keys])
    keys = np.concatenate(part.keys) if part.keys else np.empty(0, np.uint64)
    with replacing(folder / f"part-{place.part:05d}.npz") as beside, beside.open("wb") as stream:
        orders, registers = np.array(part.orders, np.uint64), np.array(part.registers, np.uint8)
        np.savez(stream, keys=keys, ordinals=ordinals, orders=orders, registers=registers)
    with replacing(folder / f"part-{place.part:05d}.jsonl") as beside:  # last: it says that the part is whole
        beside.write_text("\n".join([json.dumps(head), *part.lines, ""]), encoding="utf-8")
    _tell_progress(job, task, following)
    return following


def _tell_progress(job: Job, task: int, place: Place) -> None:
    """Leave word for whoever shows how far the run is; nothing depends on it."""
    inputs = job.groups[task]
    n_bytes = sum(one.size for one in inputs[: place.input]) + place.position.offset
    counts = {"records": place.n_records, "bytes": n_bytes, "paragraphs": place.n_paragraphs}
    job.path(READ, task, ".progress").write_text(json.dumps(counts), encoding="utf-8")


def _parts(folder: Path) -> list[Path]:
    return sorted(folder.glob("part-*.jsonl"))


def _read_head(path: Path) -> dict[str, Any]:
    with path.open(encoding="utf-8") as lines:
        head: dict[str, Any] = json.loads(next(lines))
    return head


def _find_place(folder: Path) -> Place:
    """Where to go on after the parts that are there."""
    parts = _parts(folder)
    if not parts:
        return Place()
    number, offset, inner, *counts = _read_head(parts[-1])["next"]
    return Place(number, Position(offset, inner), len(parts), *counts)


def _finish(job: Job, task: int) -> None:
    """Gather the numbers of all parts into one file, in order of the keys, and add up the counts."""
    parts = _parts(job.work / READ / f"{task:05d}")
    tallies = Tallies()
    for path in parts:
        tallies.add(_read_head(path)["tallies"])
    keys, ordinals, orders, registers = (np.concatenate(arrays) for arrays in zip(*map(_load_part, parts), strict=True))
    by_key = np.lexsort((ordinals, keys))
    save_columns(job, READ, task, keys=keys[by_key], ordinals=ordinals[by_key], orders=orders, registers=registers)
    job.finish(READ, task, {"tallies": tallies.as_dict()})


def _load_part(path: Path) -> tuple[Column, ...]:
    with np.load(path.with_suffix(".npz")) as arrays:
        return tuple(arrays[name] for name in ("keys", "ordinals", "orders", "registers"))
