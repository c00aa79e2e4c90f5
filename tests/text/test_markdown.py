from __future__ import annotations

import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from errata.text.markdown import MOST_BRACKETS, parts
from errata.text.markdown_inline import MANY_SIGNS
from errata.text.projection import BLOCK_END, LINE_END, Projection

PAGE = """\
---
title: A page
---
# A *good* [day](http://x.com "now") ##

He **go** there, with `some code`
and [the docs][1].

| name | what it do |
|------|:----------:|
| `x`  | it \\| go   |

```python
print("a")
```

    indented

<div>kept</div>

$$
x

y
$$

[1]: http://y.com
"""
READ = """\
A good day
He go there, with code and the docs.
name
what it do
code
it | go"""


def prose(text: str) -> list[str]:
    """The stretches of prose."""
    found = [part.text for part in parts(text) if not part.is_markup and part.text]
    assert "".join(part.text for part in parts(text)) == text
    return found


def read_lines(text: str) -> str:
    """What is read, with line ends where blocks and lines end."""
    read = Projection.of(parts(text)).text
    assert "\n" not in read
    return read.replace(BLOCK_END, "\n").replace(LINE_END, "\n")


def test_a_page_reads_as_its_sentences() -> None:
    assert read_lines(PAGE) == READ
    assert Projection.of(parts(PAGE)).original == PAGE
    assert read_lines(PAGE.replace("\n", "\r\n")) == READ


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain text", ["plain text"]),
        ("", []),
        ("\n \n", []),
        ("\ufeff# Title", ["Title"]),
        ("a *b* _c_ **d** ***e*** ~~f~~ g", ["a ", "b", " ", "c", " ", "d", " ", "e", " ", "f", " g"]),
        ("2 * 3 * 4 and snake_case_name", ["2 * 3 * 4 and "]),
        ("**unclosed and *closed*", ["**unclosed and ", "closed"]),
        ("`code` ``a ` b`` `unclosed", [" ", " `unclosed"]),
        ("[text](url) ![alt](url) <http://a.b>", ["text", " ", " "]),
        ("[text][ref] [ref] [ref][] [none]\n\n[ref]: /x", ["text", " ", " ", " [none]"]),
        ("see https://a.b/c_d or x@y.org", ["see ", " or "]),
        ("a <b>bold</b> <!-- no --> <kbd>Ctrl c</kbd> d", ["a ", "bold", " ", " ", " d"]),
        ("<code>a [b](c) d", []),
        (r"a \* b &amp; c \q", ["a ", " b ", " c "]),
        ("$x + y$ costs $5 and $6", [" costs $5 and $6"]),
        (r"so \(x\) and \[y\] or \begin{a} z \end{a}", ["so ", " and ", " or "]),
        ("a[^1] b\n\n[^1]: the note", ["a", " b", "the note"]),
        ('a [b][r]\n\n[^1]: the note\ngoes on\n[^2]: word\n[r]: /x "t"', ["a ", "b", "the note", "goes on", "word"]),
        ("[^1]: the note\n - \n\n[^2]: a\n===\nb\n* _ *\nc - d\n---", ["the note", "a", "b", "c - d"]),
        ("one\n*\ntwo - three\n-5", ["one", "two - three", "-5"]),
        ("*[HTML]: Hyper Text", ["Hyper Text"]),
        ("7. seven\n8. eight", ["seven", "eight"]),
        ("- one\n  two\n* three\n1. four", ["one", "two", "three", "four"]),
        ("- [x] done\n- [ ] open", [" done", " open"]),
        ("> a\n> > b\nc", ["a", "b", "c"]),
        ("Title\n=====\ntext\n---\nend", ["Title", "text", "end"]),
        ("***\n\n- - -", []),
        ("a  \nb\\\nc", ["a", "b", "c"]),
        ("> | a | b |\n> |---|---|\n> | c d |", ["a", "b", "c d"]),
        ("a | b\n--|--\nc | `d`", ["a", "b", "c"]),
        ("---\n\nnot front matter\n\n---\n", ["not front matter"]),
        ("+++\na = 1\n+++\ntext", ["text"]),
        ("[[Wiki page]] {{ name }} {% if %} {#id}", [" ", " ", " "]),
        ("::: tip\ntext\n:::", ["text"]),
        ('!!! note "A title"\n    text', ["text"]),
        ("> [!NOTE]\n> text", ["text"]),
        ("Term\n: what it is", ["Term", "what it is"]),
        ("a ==b c== d == e==f", ["a ", "b c", " d == e==f"]),
        ("a :smile: b :+1: at 10:30:45", ["a ", " b ", " at 10:30:45"]),
        ("中文*强调*，`码`。", ["中文", "强调", "，", "。"]),
        ("a\x00b *c*", ["a\x00b ", "c"]),
        ("\ta\n\n\tb", []),
        ("-\ta b\n\n\tc d", ["a b", "c d"]),
    ],
)
def test_prose(text: str, expected: list[str]) -> None:
    assert prose(text) == expected


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("one\ntwo", "one two"),
        ("中文\n换行 a\nb", "中文换行 a b"),
        ("one  \ntwo<br>three", "one\ntwo\nthree"),
        ("Use `x y` for ![an icon](i.png)", "Use code for an icon"),
        ("an `int`", "an item"),
        ("a &lt; b \\# c", "a < b # c"),
        ("Let $x$ be $a + b$, {{ name }} or {{ a.b }}", "Let x be x, name or name"),
        ("> [!NOTE]\n> one\n> two", "one two"),
        ("Term\n: what it is", "Term \nwhat it is"),
        ("- a\n- b\n\nc", "a\nb\nc"),
    ],
)
def test_what_is_read(text: str, read: str) -> None:
    assert read_lines(text) == read


fragments = st.sampled_from(
    "a¦b c¦*¦**¦_¦`¦``¦~~¦[¦]¦(¦)¦](u)¦[a]: b¦!¦<b>¦</b>¦<br>¦<code>¦<¦>¦&amp;¦\\¦$¦$$¦\n¦\r\n¦\r¦\n\n¦  \n¦# ¦> ¦- ¦"
    "1. ¦```\n¦---\n¦    ¦\t¦{{¦}}¦[^1]¦:::¦中¦。¦http://a.b¦\ufeff¦\x00¦\u2028¦🙂¦|¦| a | b |\n|--|--|\n".split("¦")
)


@settings(deadline=None)
@given(st.lists(fragments, max_size=25).map("".join))
@example(":::  \na")
@example("[^1]:  \na")
def test_the_parts_are_the_text(text: str) -> None:
    found = parts(text)
    assert "".join(part.text for part in found) == text
    assert not any("\n" in part.text or "\r" in part.text for part in found if not part.is_markup)


def test_a_paragraph_of_brackets_is_left_alone() -> None:
    brackets = "[" * (MOST_BRACKETS + 1)
    found = parts(f"One.\n\n{brackets}\n\nTwo.")
    assert "".join(part.text for part in found) == f"One.\n\n{brackets}\n\nTwo."
    assert [part.text for part in found if not part.is_markup and part.text] == ["One.", "Two."]


@pytest.mark.parametrize("unit", ["a_", "a-", "**a** "])
def test_a_paragraph_of_signs_is_left_alone(unit: str) -> None:
    signs = unit * (2 * MANY_SIGNS)
    found = parts(f"One.\n\n{signs}\n\nTwo.")
    assert "".join(part.text for part in found) == f"One.\n\n{signs}\n\nTwo."
    assert [part.text for part in found if not part.is_markup and part.text.strip()] == ["One.", "Two."]


@pytest.mark.parametrize(
    "unit",
    ["a *b* [c](d). ", "[", "*a **", "`", "<", "$a ", "\\(", "a\n", "[b] ", "$$a\n", "> ", "==a ", ":a", "[^1]: a\n"],
)
def test_reading_time_grows_with_the_length_only(unit: str) -> None:
    def seconds(length: int) -> float:
        began = time.process_time()
        parts(unit * (length // len(unit)))
        return time.process_time() - began

    # The quickest of three: a busy machine takes its time now and then, a quadratic reader always.
    assert min(seconds(16_000) for _ in range(3)) < 10 * max(seconds(4_000), 0.05)
