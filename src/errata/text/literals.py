"""What is not prose in running text: URLs, e-mail addresses, file paths, @handles, #tags, `code` and identifiers."""

from __future__ import annotations

import re

from errata.text.windows import window_end
from errata.text.words import Span

_STOP = '\\s<>"`，。；：！？、（）《》【】“”‘’「」…'  # what no URL, path or tag holds in running text
_SUFFIXES = (
    "avi bat bib bmp c cfg cpp cs css csv db dll doc docx epub exe gif go gz h hpp htm html ico ini ipynb iso jar java "
    "jpeg jpg js json jsonl jsx log lua m2 md mkv mov mp3 mp4 odt onnx pdf php pkl png ppt pptx ps1 py pyi rar rb rs "
    "rst scala sh sql svg swift tar tex tgz toml ts tsv tsx txt wav webp whl xls xlsx xml xz yaml yml zip"
).split()
_DOMAINS = "com org net edu gov io cn de uk eu dev ai".split()
# Each alternative can only begin where a run of its characters begins, so a megabyte without spaces is read once.
_LITERAL = re.compile(
    rf"""
    `[^`\r\n]+`                                                               # code
  | (?<![a-z0-9+.-])(?:[a-z][a-z0-9+.-]{{1,15}}://|www\.|mailto:)[^{_STOP}]*[^{_STOP}.,;:!?'()\[\]]   # URL
  | (?<![\w.+-])[\w.+-]{{1,64}}@[\w-]{{1,64}}(?:\.[\w-]{{1,64}}){{1,8}}       # e-mail
  | (?<![\w@.])@\w+(?:[.-]\w+)*                                               # @handle
  | (?<![\w#&])\#[^{_STOP}\#]{{1,64}}\#(?!\w)                                 # #topic# as Chinese networks write it
  | (?<![\w#&])\#\w+(?:-\w+)*                                                 # #tag
  | (?<![\w\\])(?:[a-z]:\\|\\\\[\w.-]+\\)[^{_STOP}|?*]*[^{_STOP}|?*.,;:!'()\[\]]   # C:\file, \\server\file
  | (?<![\w./~-])(?:~|\.{{1,2}})/[^{_STOP}]*[^{_STOP}.,;:!?'()\[\]]           # ~/file, ./file
  | (?<![\w./~-])/[\w.+~-]+(?:/[\w.+~-]*)+(?<![.,-])                          # /usr/lib
  | (?<![\w./~+-])[\w+-][\w.+~-]*(?:/[\w.+~-]+)*\.(?:{"|".join(_SUFFIXES)})(?![\w/-])       # src/main.py, main.py
  | (?<![a-z0-9_./~-])(?:[a-z0-9-]{{1,63}}\.){{1,6}}(?:{"|".join(_DOMAINS)})(?![\w-])     # example.com/page
    (?:/[^{_STOP}]*[^{_STOP}.,;:!?'()\[\]])?
  | (?<![\w.])[a-z_][\w.]*\(\) | (?<!\w)\w+_\w+(?!\w) | (?<![\w-])--[a-z][\w-]*\w         # call() snake_case --flag
    """,
    re.VERBOSE | re.IGNORECASE,
)

# Every alternative has one of these in it, and most sentences have none: looking for them is ten times as fast.
_SIGN = re.compile(r"[`@#\\/_]|[.:]\S|\(\)|--")
_CODE = re.compile(r"`[^`\r\n]+`")


def literal_spans(text: str) -> list[Span]:
    """Character ranges of what is not prose in a plain text, in order."""
    spans: list[Span] = []
    start = 0 if _SIGN.search(text) else len(text)
    while start < len(text):
        end = window_end(text, start)
        spans += (match.span() for match in _LITERAL.finditer(text, start, end))
        start = end if end == len(text) else _finish_code(text, start, end, spans)
    return spans


def _finish_code(text: str, start: int, end: int, spans: list[Span]) -> int:
    """Where to go on after a window: behind code that begins in it and ends later, which joins the spans."""
    tick = text.rfind("`", start, end)
    n_before = len(spans)
    while n_before and spans[n_before - 1][0] > tick:
        n_before -= 1
    is_closing = n_before > 0 and spans[n_before - 1][1] == tick + 1
    code = _CODE.match(text, tick) if tick >= 0 and not is_closing else None
    if code is None:
        return end
    spans[n_before:] = [code.span()]
    return code.end()
