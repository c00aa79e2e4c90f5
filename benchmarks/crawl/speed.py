"""How fast pages become sentences on one core: pages as large as Common Crawl's, by extractor."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Iterator
from html import escape
from pathlib import Path
from random import Random

from benchmarks.crawl.prose import Prose
from benchmarks.crawl.runs import crawl_archives
from benchmarks.crawl.synthetic import Expected, Made, foreign_country, pack
from benchmarks.crawl.synthetic import _Maker as Maker

from errata.crawl.extractors import EXTRACTORS
from errata.crawl.job import Settings

# Bytes of a page before packing, on average; about what a page of Common Crawl has (docs/crawl.md).
PAGE_SIZE = 140_000
N_PAGES = 300


def large_page(prose: Prose, rng: Random) -> str:
    """A page as sites send them: half of it scripts and styles, long menus, and some paragraphs in between."""
    menu = "".join(
        f'<li class="menu-item menu-item-{n}"><a href="/{prose.word()}/{prose.word()}" title="{prose.word()}">'
        f"{prose.word().title()} {prose.word()}</a></li>\n"
        for n in range(rng.randrange(100, 300))
    )
    script = "".join(f"var {prose.word()}=function(a){{return a.{prose.word()}||{n}}};\n" for n in range(1200))
    paragraphs = "".join(
        f'<div class="row"><p style="margin:0">{escape(prose.paragraph(rng.randrange(2, 9)))}</p></div>\n'
        for _ in range(rng.randrange(5, 40))
    )
    comments = "".join(
        f'<div class="comment"><span>{prose.word()}</span><br>{prose.sentence()}</div>\n' for _ in range(40)
    )
    body = f"<ul>{menu}</ul><h1>{prose.word().title()}</h1>{paragraphs}<h2>Comments</h2>{comments}"
    return f"<!DOCTYPE html><html><head><title>A page</title><script>{script}</script></head><body>{body}</body></html>"


def measure(n_pages: int = N_PAGES) -> Iterator[dict[str, object]]:
    """CPU seconds of whole runs over large pages; the last row is over pages that their domain drops."""
    maker = Maker(3)
    pages = [Made(maker.generic(), large_page(maker.prose, maker.rng).encode(), Expected()) for _ in range(n_pages)]
    dropped = [Made(foreign_country(maker).url, page.body, Expected()) for page in pages]
    with tempfile.TemporaryDirectory() as name:
        for what, archive in (("pages", pages), ("dropped", dropped)):
            (Path(name) / what).mkdir()
            pack(archive, Path(name) / what, 1)
        for extractor in (*EXTRACTORS, "dropped"):
            what = "pages" if extractor in EXTRACTORS else "dropped"
            settings = Settings(extractor=extractor if extractor in EXTRACTORS else "justext")
            for attempt in range(2):  # the first one loads what it needs
                begun = time.process_time()
                finished = crawl_archives(Path(name) / what, Path(name) / f"{extractor}-{attempt}", settings)
                seconds = time.process_time() - begun
            assert finished.report is not None
            n_bytes = sum(len(page.body) for page in pages)
            yield {
                "extractor": extractor,
                "pages_per_cpu_second": round(n_pages / seconds, 1),
                "mb_per_cpu_second": round(n_bytes / seconds / 1e6, 1),
                "page_kb": round(n_bytes / n_pages / 1e3),
                "packed_kb": round(sum(p.stat().st_size for p in (Path(name) / what).iterdir()) / n_pages / 1e3),
                "sentences": finished.report["counts"]["sentences"]["kept"],
            }


if __name__ == "__main__":
    for row in measure():
        print(json.dumps(row), flush=True)
