"""Fast tokenisers that keep character offsets: words for English, characters for Chinese.
from errata.text.han import HAN


The English rules follow the conventions of the tokenised GEC corpora (spaCy's): punctuation and hyphens stand alone,
contractions are split (`do n't`, `it 's`), URLs, e-mail addresses, numbers and abbreviations stay whole. No model and
no import beyond `re`, so a corrector starts at once. Every non-space character belongs to exactly one token.
"""

from __future__ import annotations

import re

from errata.text.han import HAN

Span = tuple[int, int]

# A full stop belongs to these; matched without case.
ABBREVIATIONS = (
    "mr mrs ms dr prof sr jr st vs etc inc ltd co corp ed eds dept est approx gen col capt sgt "
    "rev hon jan feb mar apr jun jul aug sep sept oct nov dec a.m p.m e.g i.e cf al ph.d"
).split()
# … and to these before a number.
NUMBERED = "no vol fig eq ch pp".split()

# Repetitions are bounded where a failed match could otherwise be tried again from every character: a megabyte of
# `1.1.1.1` must not hang.
_WORD = re.compile(
    r"""
    (?:https?://|www\.)[^\s<>"]*[^\s<>".,;:!?'()\[\]]     # URL, without closing punctuation
  | [\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,8}        # e-mail
  | [^\W_]*_\w*                                            # snake_case
  | (?:[A-Za-z]\.){2,}                                      # U.S.
  | \b(?:ABBREVIATIONS)\.(?!\w)                         # Mr.
  | \b(?:NUMBERED)\.(?=\s?\d)                            # no. 5
  | \d+(?:[.,:]\d+){0,8}(?:st|nd|rd|th)?(?!\w)              # 1,000.5  10:30  3rd
  | [Cc][Aa][Nn](?=not\b)                                   # can|not
  | [^\W\d_]+?(?=n['’]t\b)                                  # do|n't
  | n['’]t\b
  | ['’](?:s|re|ve|ll|d|m)\b                                # 's
  | [^\W_]+(?:['’](?!(?:s|re|ve|ll|d|m|t)\b)[^\W_]+)*       # words, O'Brien
  | \.{2,} | -{2,} | ([^\w\s.,;:()\[\]{}"'])\1+              # ... -- !!!
  | \S
    """.replace("ABBREVIATIONS", "|".join(map(re.escape, ABBREVIATIONS))).replace("NUMBERED", "|".join(NUMBERED)),
    re.VERBOSE | re.IGNORECASE,
)
_HAN_OR_REST = re.compile(f"[{HAN}]|[^{HAN}]+")
_CHARACTER, _PIECE = re.compile(r"\S"), re.compile(r"\S+")
# Accents written after their letter, and what makes one emoji of several characters, belong to what is before them.
_ACCENTS = "\u0300-\u036f"
_MARKS = f"{_ACCENTS}\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f\U0001f3fb-\U0001f3ff"
_JOINER = "\u200d"
_MARK = re.compile(f"[{_MARKS}{_JOINER}]")
_INSIDE = re.compile(f"(?<={_JOINER})|(?<=[{_ACCENTS}])(?=[A-Za-z])")


def word_spans(text: str) -> list[Span]:
    """Character ranges of the words: `word_spans("I don't.")` is `[(0, 1), (2, 4), (4, 7), (7, 8)]`."""
    spans: list[Span] = []
    for match in _WORD.finditer(text):
        if match.group().isascii():
            spans.append(match.span())
        else:  # Han characters are tokens of their own, also inside a run of letters
            spans.extend(piece.span() for piece in _HAN_OR_REST.finditer(text, *match.span()))
    return _with_marks(text, spans)


def character_spans(text: str) -> list[Span]:
    """Character ranges of the non-space characters, with the marks on them."""
    return _with_marks(text, [match.span() for match in _CHARACTER.finditer(text)])


def _with_marks(text: str, spans: list[Span]) -> list[Span]:
    """The spans, those of one visible character together."""
    if text.isascii() or not _MARK.search(text):
        return spans
    whole: list[Span] = []
    for start, end in spans:
        is_beside = bool(whole) and whole[-1][1] == start
        if is_beside and (_MARK.match(text, start) or _INSIDE.match(text, start)):
            whole[-1] = whole[-1][0], end
        else:
            whole.append((start, end))
    return whole


def piece_spans(text: str) -> list[Span]:
    """Character ranges of the pieces between white space (text that is tokenised already)."""
    return [match.span() for match in _PIECE.finditer(text)]


def tokenise_words(text: str) -> list[str]:
    """The words of an English text: `tokenise_words("It's 5 p.m.")` is `["It", "'s", "5", "p.m."]`."""
    return [text[start:end] for start, end in word_spans(text)]
