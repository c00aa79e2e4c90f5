"""Marks at the end of a sentence that it must not get: a question mark after a statement, a full stop in a table.

A tagger sees that a mark is missing more often than which one, and takes a row of a table or a title for a sentence.
"""

from __future__ import annotations

import re

from errata.model import TextEdit
from errata.text.han import HAN_CHARACTER
from errata.text.projection import trim_edit
from errata.text.words import Span

_END_MARKS = frozenset(".?!。？！．…")
_QUESTION_MARKS = frozenset("?？")
_CLOSING = "\"'”’」』)）】》\\]*_`"
_REST = re.compile(rf"[\s{_CLOSING}]*")

_AUXILIARY = (
    r"(?:am|is|are|was|were|do|does|did|have|has|had|can|could|will|would|shall|should|may|might|must|ca|wo|ai)"
    r"(?:\s?n[’']t|nt)?"
)
# A question begins with a question word or an auxiliary: at the start of the sentence, of a clause, or after "and".
# Anywhere else, an auxiliary before its subject tells; "it" is no such subject, because of "I did it".
_ENGLISH_QUESTION = re.compile(
    rf"""^[\W\d_]*(?:(?:and|but|so|or|well|then|ok|okay|also|now)\b[\s,]*)?
            (?:who(?:m|se|['’]?s)?|what(?:['’]?s)?|which|when|where(?:['’]?s)?|why|how(?:['’]?s)?|{_AUXILIARY})\b
        | (?:[,;:.!?—–(“"-]|\b(?:and|but|so|or|then))\s*(?:(?:how|what|why)\b|{_AUXILIARY}\s)
        | \b{_AUXILIARY}\s(?:i|you|he|she|we|they|there)\b
        | ,\s*(?:right|ok|okay|yes|no|eh|huh)\s*$""",
    re.IGNORECASE | re.VERBOSE,
)
_CHINESE_QUESTION = re.compile(
    "[吗嗎呢吧么麼谁誰哪啥几幾何]|怎|多少|多[大长久远高]|是否|能否|可否|难道|難道|岂|(.)[不没]\\1|有没有|什"
)
# Cells of a table: tabs, bars, or columns of spaces (two gaps of two spaces, or one of three).
_ROW = re.compile(r"\S\t+\S|\S \| \S|\S {3,200}\S|\S {2,200}\S[^\n]{0,200}?\S {2,200}\S")
# A title: "About importing data", "Moving fields to another area". Annotators of W&I left all 15 without a full stop.
_TITLE = re.compile(r"\W{0,3}(?:About\s+)?[A-Z]?[a-z]{2,20}ing\s+[a-z(A-Z]")
# A pronoun or an auxiliary: what begins with a participle may be a sentence after all.
_CLAUSE = re.compile(
    r"\b(?:i|you|he|she|it|we|they|me|him|us|them|my|your|his|our|their|am|is|are|was|were|has|have|had|do|does|did|can|"
    r"could|will|would|shall|should|may|might|must|let|please)\b|[’']",
    re.IGNORECASE,
)
_RELATIVE = re.compile(r"\b(?:that|which|who|whose|where|when)\b.*")
# Titles are not longer than this many words.
TITLE_WORDS = 14
_CHINESE_MARKS = frozenset("。？！．…")
_QUOTES = {'"': '"', "“": "”", "「": "」", "『": "』"}


def spoils_end(text: str, edit: TextEdit, sentence: Span) -> bool:
    """Whether an edit of a sentence makes a question of a statement, or ends what is none.

    Rows of tables, titles, bare quotations and items of a list that end with a semicolon are no sentences.

    >>> spoils_end("You like it.", TextEdit(11, 12, "?"), (0, 12)), spoils_end("Do you.", TextEdit(6, 7, "?"), (0, 7))
    (True, False)
    """
    change = trim_edit(text, edit)
    old, new = text[change.start : change.end].strip(), change.replacement.strip()
    first, last = sentence
    if not new or not _END_MARKS.issuperset(new):
        return False
    if old == ";":
        return _REST.fullmatch(text, change.end, max(change.end, last)) is not None
    if not _END_MARKS.issuperset(old):
        return False
    if not old and (_ROW.search(text, first, last) or text[first : change.start].rstrip()[-1:] in _CHINESE_MARKS):
        return True
    if not _REST.fullmatch(text, change.end, max(change.end, last)):
        return False  # in the middle of a sentence
    before = text[first : change.start]
    if _QUESTION_MARKS.intersection(new) and not _QUESTION_MARKS.intersection(old) and not _asks(before):
        return True
    return not old and (_is_quotation(text[first:last].strip()) or is_title(before))


def _asks(sentence: str) -> bool:
    """Whether a sentence has the form of a question."""
    is_chinese = HAN_CHARACTER.search(sentence) is not None
    return (_CHINESE_QUESTION if is_chinese else _ENGLISH_QUESTION).search(sentence) is not None


def is_title(sentence: str) -> bool:
    """Whether the words are a title that begins with a participle.

    >>> is_title("About importing data"), is_title("Looking forward to your answer")
    (True, False)
    """
    if len(sentence.split()) > TITLE_WORDS or not _TITLE.match(sentence):
        return False
    return _CLAUSE.search(_RELATIVE.sub("", sentence)) is None


def _is_quotation(sentence: str) -> bool:
    """Whether a sentence is nothing but words in quotation marks, such as a title."""
    closing = _QUOTES.get(sentence[:1])
    return closing is not None and sentence.find(closing, 1) == len(sentence) - 1
