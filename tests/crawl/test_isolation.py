"""Pages that crash a parser are dropped, and nothing else is."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from benchmarks.crawl.runs import crawl_archives, read_output
from benchmarks.crawl.synthetic import Expected, Made, kept, make_pages, pack, page_of

from errata.crawl import isolation
from errata.crawl.drops import Drop
from errata.crawl.extractors import Block, extract_blocks, get_extractor
from errata.crawl.isolation import isolate

PROGRAM = """
import json, os, signal, sys
from pathlib import Path
from benchmarks.crawl.runs import crawl_archives
from errata.crawl import extractors
from errata.crawl.engines import Engine

def load():
    extract = load_justext()
    def fragile(html):
        if "CRASH" in html:
            os.kill(os.getpid(), signal.SIGSEGV)
        return extract(html)
    return fragile

load_justext, extractors.EXTRACTORS["justext"] = extractors.EXTRACTORS["justext"], load
crawl_archives(Path(sys.argv[1]), Path(sys.argv[2]))
"""


def test_a_page_that_crashes_the_parser(tmp_path: Path) -> None:
    pages = [page for page in make_pages(120) if page.expected == kept(3)][:8]
    deadly = Made("http://example.com/", page_of(["CRASH"]).encode(), Expected())
    pack([*pages[:4], deadly, *pages[4:]], tmp_path, 1)
    command = [sys.executable, "-c", PROGRAM, str(tmp_path), str(tmp_path / "out")]
    ends = [subprocess.run(command, capture_output=True).returncode for _ in range(3)]
    assert ends == [-signal.SIGSEGV, -signal.SIGSEGV, 0]
    (tmp_path / "pages-000.warc.gz").unlink()
    pack(pages, tmp_path, 1)
    crawl_archives(tmp_path, tmp_path / "without")
    crashed, without = read_output(tmp_path / "out"), read_output(tmp_path / "without")
    assert b'"crash": 1' in crashed["report.json"]
    assert crashed["generic.txt"] == without["generic.txt"]


def test_the_same_paragraphs_apart() -> None:
    html, extract = page_of(["Some text that is short."] * 3), get_extractor("justext")
    assert extract_blocks(html, isolate(extract)) == extract_blocks(html, extract) != []


@pytest.mark.parametrize(
    ("error", "reason"),
    [(Drop("markup"), "markup"), (RecursionError(), "markup"), (ValueError(), "unreadable"), (SystemExit(), "crash")],
)
def test_reasons_come_back(error: BaseException, reason: str) -> None:
    def extract(html: str) -> list[Block]:
        raise error

    with pytest.raises(Drop, match=reason):
        extract_blocks("", isolate(extract))


def test_a_page_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    def extract(html: str) -> list[Block]:
        time.sleep(60)
        return []

    monkeypatch.setattr(isolation, "LONGEST", 1)
    with pytest.raises(Drop, match="crash"):
        isolate(extract)("")


def test_a_long_answer() -> None:
    blocks = [Block("x" * 1000)] * 1000
    assert isolate(lambda html: blocks)("") == blocks
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)
