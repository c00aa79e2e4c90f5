"""Slips of punctuation that leave no doubt: a space before a comma, none after it, a question mark after a report.

They are matters of characters, not of words, so no rule over words can tell of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from errata.model import TextEdit
from errata.text.words import Span

ABOUT_SPACE = "A space belongs after this mark, and none before it."
ABOUT_REPORT = "The sentence tells of a question and asks none."

# A word, spaces, and a mark that a space or the end follows.
_SPACE_BEFORE = re.compile(r"(?<=[a-z]{2})[ ]{1,2}([,;?!])(?=\s|\Z)")
# Text whose tokens were separated by spaces has many of these, and more.
_TOKENISED = re.compile(r"(?<=\w)[ ](?:[.,;:?!]|n't|'s|'re|'ve)(?=\s|\Z)")
_NO_SPACE = re.compile(
    r"(?<=[a-z]{2}),(?=(?:and|but|or|so|because|the|then|which|who|it|we|he|she|they|I|you|my|this|there|with|if|when|as|"
    r"that|not|for|after|before)\b(?![-_.(/=]))"
)
_REPORT = re.compile(
    r"""\s*(?:
        (?:I|we|he|she|they|you|[A-Z][a-z]+|(?:my|his|her|our|the|your)\s[a-z]+)\s
          (?:(?:also|just|then|once|has|have|had|never|often)\s)?
          (?:asked|wondered|wonders|enquired|inquired)
          (?:\s(?:me|him|her|us|them|you|my\s[a-z]+|his\s[a-z]+|her\s[a-z]+))?
      | (?:I|we|he|she|they)(?:['’]d|\swould)\s(?:like|love)\sto\sknow
      | (?:I|we)(?:\swas|\swere|['’]m|\sam|\sare)?\s(?:just\s)?wondering
      | (?:I|we|he|she|they)\s(?:do\snot|don['’]t|does\snot|doesn['’]t|didn['’]t)\s(?:know|understand|remember)
      )\s(?:where|what|when|why|how(?:\s(?:much|many|long|far|often|old))?|who|if|whether|which)\s
      (?:(?:time|kind|one|day|bus|train|people|money)\s)?
      (?:(?:I|we|he|she|they|you|it|there)\b|(?:my|his|her|our|the|your|their|this|that)\s[a-z]+\s)
      [^?!.,;:"“”]{1,80}(\?)\s*\Z""",
    re.VERBOSE,
)


def find_slips(text: str, sentence: Span) -> Iterator[TextEdit]:
    """The edits of a sentence of a text, in order.

    >>> [*find_slips("I like tea , but not now.", (0, 25))]
    [TextEdit(start=10, end=12, replacement=',', type='R:PUNCT', confidence=None)]
    """
    start, end = sentence
    spaced = list(_SPACE_BEFORE.finditer(text, start, end))
    if len(spaced) == 1 and len(_TOKENISED.findall(text, start, end)) == 1:
        found = spaced[0]
        yield TextEdit(found.start(), found.end(), found[1], "R:PUNCT", about=ABOUT_SPACE)
    for found in _NO_SPACE.finditer(text, start, end):
        yield TextEdit(found.start(), found.end(), ", ", "R:PUNCT", about=ABOUT_SPACE)
    report = _REPORT.fullmatch(text, start, end)
    if report is not None:
        yield TextEdit(report.start(1), report.end(1), ".", "R:PUNCT", about=ABOUT_REPORT)
