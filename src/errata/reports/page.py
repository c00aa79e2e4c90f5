"""The frame of a page that stands alone, light and dark, and its tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

# The colours of the playground.
STYLE = """
:root { color-scheme: light dark; --ground: #f5f4f0; --paper: #fff; --ink: #1d2126; --quiet: #5b626c; --line: #e0ded7;
  --accent: #0f6e66; --del: #a3213a; --ins: #0a6440; --mark: #fdf1df; }
@media (prefers-color-scheme: dark) { :root { --ground: #14171a; --paper: #1b1f23; --ink: #e7e6e1; --quiet: #a3aab2;
  --line: #30363c; --accent: #5ccabb; --del: #ff9aaa; --ins: #79dcae; --mark: #3a2d1a; } }
body { margin: 0 auto; max-width: 64rem; padding: 1.5rem; background: var(--ground); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
table { border-collapse: collapse; background: var(--paper); width: 100%; }
th, td { padding: .35rem .6rem; border-bottom: 1px solid var(--line); text-align: right; vertical-align: top; }
th:first-child, td:first-child { text-align: left; }
small, .quiet { color: var(--quiet); } small { overflow-wrap: anywhere; } td small { white-space: nowrap; }
svg { background: var(--paper); width: 100%; height: auto; } svg text { fill: var(--ink); font-size: 13px; }
.axis { stroke: var(--line); }
.scroll { overflow-x: auto; }
"""


def make_page(title: str, parts: Iterable[str], style: str = "") -> str:
    """The whole page: a title, and parts that are HTML already; `style` is added to that of all pages."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<title>{escape(title)}</title>\n<style>{STYLE}{style}</style>\n</head>\n<body>\n"
        + "\n".join([f"<h1>{escape(title)}</h1>", *parts])
        + "\n</body>\n</html>\n"
    )


def make_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of cells that are HTML already; it scrolls where the screen is narrow."""
    lines = ["<tr>" + "".join(f"<th>{cell}</th>" for cell in head) + "</tr>"]
    lines += ["<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows]
    return '<div class="scroll"><table>' + "\n".join(lines) + "</table></div>"
