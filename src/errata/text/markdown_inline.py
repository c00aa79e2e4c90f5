"""Where the markup is inside a paragraph of Markdown.

markdown-it parses CommonMark exactly but forgets positions. Its inline rules are wrapped here so that each one notes
what it consumed; what no rule consumed is prose. Added to CommonMark: ~~struck~~ and ==marked== text, math, footnotes,
abbreviations, task boxes, wiki links, template tags, :emoji: names, definitions, the lines that open a note (`:::`,
`!!!`, `[!NOTE]`), and lines that only have the signs of rules and underlines (`---`, `===`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, paragraph
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from errata.text.projection import LINE_END, Role
from errata.text.words import Span

Rule = Callable[[StateInline, bool], bool]

# Longest formula that is looked for: an unpaired $ must not make the parser read to the end each time.
MATH = "{1,2000}"
MATH_LINES = 100
_EXTRAS = re.compile(
    rf"""
    \$\$ (?P<display> [^$]{MATH}) \$\$
  | \$(?!\s) (?P<inline> [^$\n]{MATH}) (?<![\s\\]) \$(?!\d)      # as pandoc has it: $5 and $6 are prices
  | \\\( (?P<round> (?:[^\\]|\\[^()]){MATH}+) \\\)               # what is opened again is not looked for twice
  | \\\[ (?P<square> (?:[^\\]|\\[^\[\]]){MATH}+) \\\]
  | (?P<environment> \\begin\{{(?P<name>\w{{1,20}}\*?)\}} .{MATH}? \\end\{{(?P=name)\}})
  | ^\[\^[^\]\s]{{1,100}}\]:[ ]* | \[\^[^\]\s]{{1,100}}\]          # a footnote, and the place that refers to it
  | ^\*\[[^\]\n]{{1,100}}\]:[ ]*                                  # an abbreviation
  | (?:^|(?<=\n)) \[[ xX]\] (?=\s)                               # task
  | \[\[ (?P<wiki> [^\[\]\n]{{1,200}}) \]\]
  | \{{\{{ (?P<variable> [^{{}}\n]{{0,200}}) \}}\}} | \{{% [^\n]{{0,500}}? %\}} | \{{[#.:%] [^{{}}\n]{{0,200}} \}}
  | (?P<marked> (?<![=\w])==(?=[^\s=][^=\n]{{0,500}}(?<!\s)==(?!=)))   # ==marked==
  | (?P<unmarked> (?<=[^\s=])==(?![=\w]))
  | (?<![\w:]):[a-z0-9_+-]{{1,50}}:(?![\w:])                        # :smile:
  | ^\[![A-Za-z]{{1,30}}\][+-]? [ ]* \n?                            # [!NOTE]
  | (?:^|(?<=\n)) (?P<line> (?: :{{3,}} | !!![ ] | \?\?\?\+?[ ] ) [^\n]* \n?   # ::: tip, !!! tip
  | [-=*_] [-=*_ \t]* (?:\n|\Z)         # under a footnote, where others see the rule of a heading
  | (?<=\n): [ \t]+)                                              # the definition of a term
    """,
    re.VERBOSE | re.DOTALL,
)
# Signs at which the parser stops to try its rules. A paragraph in which they are as many, and as dense, is no prose,
# and parsing it could keep a server busy for half a minute.
SIGNS = "\n!$%&*+-:<=>@[\\]^_`{}~"
MANY_SIGNS, DENSE_SIGNS = 5000, 0.3
_FOOTNOTE, _DEFINITION = re.compile(r"\[\^[^\]\s]{1,100}\]:"), re.compile(r"\[[^\]\n]{1,100}\]:")
_MATH = ("display", "inline", "round", "square", "environment")
_WORD = re.compile(r"\w+")
# What stands between these tags is no prose.
_OPAQUE = re.compile(r"<(/?)(code|kbd|pre|samp|var|tt|script|style|math|svg)\b", re.IGNORECASE)
_FROZEN = re.compile(b"\1+|\2+")
_BREAK = re.compile(r"<br\b", re.IGNORECASE)
_OPENING = re.compile(r"<(?!(?:br|hr|img|input|wbr)\b)[a-z][^>]*(?<!/)>", re.IGNORECASE)
_HAN = re.compile("[\u3000-\u9fff\uf900-\ufaff\uff00-\uff60]")


@dataclass(frozen=True, slots=True)
class Mark:
    """A stretch of markup, and what a reader reads in its place."""

    start: int
    end: int
    reads: str = ""
    role: Role = Role.NONE


@dataclass(slots=True)
class _Notes:
    """What the rules found in one paragraph."""

    owner: StateInline | None = None  # alternative texts of images are parsed apart, and not noted
    marks: list[Mark] = field(default_factory=list)
    delimiters: list[tuple[int, int, Token]] = field(default_factory=list)  # markup only if they find their partner
    frozen: list[Span] = field(default_factory=list)  # prose that must stay as it is


def inline_marks(text: str, references: dict[str, Any]) -> list[Mark]:
    """The markup of a paragraph, in order and apart; `references` are the link targets that the document defines.

    A paragraph of thousands of signs is all markup.
    """
    n_signs = sum(map(text.count, SIGNS))
    if n_signs > MANY_SIGNS and n_signs > DENSE_SIGNS * len(text):
        return [Mark(0, len(text))]
    notes, md = _Notes(), parser()
    state = notes.owner = StateInline(text, md, {"references": references, "notes": notes}, [])
    md.inline.tokenize(state)
    for rule in md.inline.ruler2.getRules(""):
        rule(state)
    paired = [_delimiter(start, end, token) for start, end, token in notes.delimiters if token.nesting]
    marks = sorted([*notes.marks, *paired], key=lambda mark: mark.start)
    return _freeze(text, marks, notes.frozen, list(_opaque_spans(text, marks)))


def _delimiter(start: int, end: int, token: Token) -> Mark:
    """The marker of emphasis; of the two tokens of `**`, the outer one is empty."""
    n_outer = 1 if token.tag == "strong" else 0
    if token.nesting > 0:
        return Mark(start - n_outer, end, "", Role.OPENS)
    return Mark(start, end + n_outer, "", Role.CLOSES)


@cache
def parser() -> MarkdownIt:
    """The Markdown parser, with inline rules that note where they were applied."""
    md = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    md.core.ruler.disable(["inline", "text_join"])
    md.inline.ruler2.disable("fragments_join")
    md.block.ruler.before("fence", "math_block", _math_block)
    md.block.ruler.before("reference", "footnote", _footnote)
    md.inline.ruler.before("newline", "extras", _extras)
    for rule in md.inline.ruler.__rules__:
        if rule.name in _NOTES:
            rule.fn = _noting(rule.fn, _NOTES[rule.name])
    return md


def _math_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Display math over several lines, which may hold blank lines and anything else."""
    opening = state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[start]]
    if state.is_code_block(start) or not opening.startswith("$$") or "$$" in opening[2:]:
        return False
    for line in range(start + 1, min(end, start + MATH_LINES)):
        if state.src[state.bMarks[line] : state.eMarks[line]].rstrip().endswith("$$"):
            if not silent:
                state.line = line + 1
                state.push("math_block", "math", 0).map = [start, state.line]
            return True
    return False


def _footnote(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A footnote is a paragraph that ends where another footnote, or the target of a link, is defined."""
    if silent or state.is_code_block(start) or not _starts(state, start, _FOOTNOTE):
        return False
    after = range(start + 1, end)
    whole, state.lineMax = state.lineMax, next((line for line in after if _starts(state, line, _DEFINITION)), end)
    try:
        return paragraph(state, start, end, silent)
    finally:
        state.lineMax = whole


def _starts(state: StateBlock, line: int, pattern: re.Pattern[str]) -> bool:
    return pattern.match(state.src, state.bMarks[line] + state.tShift[line], state.eMarks[line]) is not None


def _extras(state: StateInline, silent: bool) -> bool:
    match = _EXTRAS.match(state.src, state.pos, state.posMax)
    if match is None:
        return False
    if not silent:
        token = state.push("extra", "", 0)
        token.content, token.meta["role"] = _read_extra(match.groupdict())
    state.pos = match.end()
    return True


def _read_extra(groups: dict[str, str | None]) -> tuple[str, Role]:
    """What is read of an addition to CommonMark, and its role."""
    if groups["wiki"]:
        return groups["wiki"].strip(), Role.NONE
    if groups["line"]:
        return LINE_END, Role.NONE
    if groups["marked"] or groups["unmarked"]:
        return "", Role.OPENS if groups["marked"] else Role.CLOSES
    formula = next(filter(None, map(groups.get, _MATH)), None)
    stands_for = formula or groups["variable"]
    if stands_for is None:
        return "", Role.NONE
    word = stands_for.strip()
    return word if _WORD.fullmatch(word) else "x" if formula else "name", Role.STANDS_IN


def _noting(rule: Rule, note: Callable[[_Notes, StateInline, int], None]) -> Rule:
    """The rule, followed by `note` where it produced something."""

    def noting(state: StateInline, silent: bool) -> bool:
        start, n_tokens = state.pos, len(state.tokens)
        if not rule(state, silent):
            return False
        notes: _Notes = state.env["notes"]
        if not silent and len(state.tokens) > n_tokens and state is notes.owner:
            note(notes, state, start)
        return True

    return noting


def _note_whole(notes: _Notes, state: StateInline, start: int) -> None:
    notes.marks.append(Mark(start, state.pos, state.tokens[-1].content))


def _note_extra(notes: _Notes, state: StateInline, start: int) -> None:
    token = state.tokens[-1]
    notes.marks.append(Mark(start, state.pos, token.content, token.meta["role"]))


def _note_image(notes: _Notes, state: StateInline, start: int) -> None:
    notes.marks.append(Mark(start, state.pos, state.tokens[-1].content, Role.STANDS_IN))


def _note_code(notes: _Notes, state: StateInline, start: int) -> None:
    """Code reads as a noun that goes with the article before it: models take code itself for bad grammar."""
    content = state.tokens[-1].content.lstrip()
    noun = "item" if content[:1].lower() in set("aeiou") else "code"
    notes.marks.append(Mark(start, state.pos, noun, Role.STANDS_IN))


def _note_break(notes: _Notes, state: StateInline, start: int) -> None:
    """A line end: a space where the text goes on, nothing between Chinese characters, a line end where it is forced."""
    if state.tokens[-1].type == "text_special":
        return _note_whole(notes, state, start)
    taken = notes.marks[-1].end if notes.marks else 0  # `:::` lines and footnotes have the spaces after them
    while start > taken and state.src[start - 1] == " ":
        start -= 1
    around = state.src[max(0, start - 1) : start], state.src[state.pos : state.pos + 1]
    soft = "" if all(map(_HAN.match, around)) else " "
    notes.marks.append(Mark(start, state.pos, LINE_END if state.tokens[-1].type == "hardbreak" else soft))


def _note_autolink(notes: _Notes, state: StateInline, start: int) -> None:
    notes.marks.append(Mark(start, state.pos, state.src[start + 1 : state.pos - 1], Role.STANDS_IN))


def _note_html(notes: _Notes, state: StateInline, start: int) -> None:
    tag = state.src[start : state.pos]
    role = Role.CLOSES if tag.startswith("</") else Role.OPENS if _OPENING.fullmatch(tag) else Role.NONE
    notes.marks.append(Mark(start, state.pos, LINE_END if _BREAK.match(tag) else "", role))


def _note_delimiters(notes: _Notes, state: StateInline, start: int) -> None:
    position = state.pos
    for token in reversed(state.tokens):
        if position == start:
            return
        notes.delimiters.append((position - len(token.content), position, token))
        position -= len(token.content)


def _note_link(notes: _Notes, state: StateInline, start: int) -> None:
    """The brackets and the target are markup; a text that is also the name of its target must not change."""
    end = state.md.helpers.parseLinkLabel(state, start, True)
    notes.marks += [Mark(start, start + 1, "", Role.OPENS), Mark(end, state.pos, "", Role.CLOSES)]
    if state.src[end : state.pos] in ("]", "][]"):
        notes.frozen.append((start + 1, end))


_NOTES: dict[str, Callable[[_Notes, StateInline, int], None]] = {
    "extras": _note_extra,
    "newline": _note_break,
    "escape": _note_break,
    "backticks": _note_code,
    "strikethrough": _note_delimiters,
    "emphasis": _note_delimiters,
    "link": _note_link,
    "image": _note_image,
    "autolink": _note_autolink,
    "html_inline": _note_html,
    "entity": _note_whole,
}


def _opaque_spans(text: str, marks: Sequence[Mark]) -> Iterator[Span]:
    """What stands between `<code>` and `</code>` and the like; to the end where the closing tag is missing."""
    opened: tuple[str, int] | None = None
    for mark in marks:
        tag = _OPAQUE.match(text, mark.start, mark.end)
        if tag and not tag[1] and opened is None and not text.endswith("/>", mark.start, mark.end):
            opened = tag[2].lower(), mark.end
        elif tag and tag[1] and opened and opened[0] == tag[2].lower():
            yield opened[1], mark.start
            opened = None
    if opened:
        yield opened[1], len(text)


def _freeze(text: str, marks: Sequence[Mark], frozen: Sequence[Span], opaque: Sequence[Span]) -> list[Mark]:
    """The marks, and between them the frozen and the opaque prose as marks that read as they are."""
    if not frozen and not opaque:
        return list(marks)
    state = bytearray(len(text))
    for spans, value in ((frozen, b"\1"), (opaque, b"\2")):
        for start, end in spans:
            state[start:end] = value * (end - start)
    for mark in marks:
        state[mark.start : mark.end] = bytes(mark.end - mark.start)
    roles = {1: Role.NONE, 2: Role.STANDS_IN}
    runs = [(match.span(), roles[match[0][0]]) for match in _FROZEN.finditer(state)]
    return sorted([*marks, *(Mark(a, b, text[a:b], role) for (a, b), role in runs)], key=lambda mark: mark.start)
