from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.text.literals import _LITERAL, _SIGN, literal_spans


@pytest.mark.parametrize(
    ("text", "literals"),
    [
        ("see https://a.org/b_c?d=(e)#f. Then", ["https://a.org/b_c?d=(e)#f"]),
        ("看https://a.cn/中国，好", ["https://a.cn/中国"]),
        ("(www.a.com/x), git+ssh://b", ["www.a.com/x", "git+ssh://b"]),
        ("mail me.too+x@mail.example.com.", ["me.too+x@mail.example.com"]),
        ("ask @some_one, not a@b", ["@some_one"]),
        ("#grammar-nerd and C# 1#2", ["#grammar-nerd"]),
        ("#话题 一#是的 #超级话题# 好", ["#话题", "#超级话题#"]),
        ("run `rm -rf x` now `", ["`rm -rf x`"]),
        ("in /usr/lib/x and ~/notes or ./a.", ["/usr/lib/x", "~/notes", "./a"]),
        ("in src/main.py, README.md and C:\\Users\\me\\a.txt.", ["src/main.py", "README.md", "C:\\Users\\me\\a.txt"]),
        ("example.com is docs.python.org/3/, he said", ["example.com", "docs.python.org/3/"]),
        ("the o_start, --in-place and os.walk() or_so() of _it_", ["o_start", "--in-place", "os.walk()", "or_so()"]),
        ("and/or he/she 1/2 end.Next e.g. no.of I.e. a...b", []),
        ("", []),
    ],
)
def test_what_is_not_prose(text: str, literals: list[str]) -> None:
    assert [text[start:end] for start, end in literal_spans(text)] == literals


@pytest.mark.parametrize(
    "unit", ["a", "a.", "/a", "a/", "#", "@a", "`", "www.", "a@", "http://", "x.py", "~/", "a-", "\\"]
)
def test_long_runs_without_spaces_are_read_at_once(unit: str) -> None:
    text = unit * (200_000 // len(unit))
    began = time.process_time()
    literal_spans(text)
    assert time.process_time() - began < 3


@given(st.text(alphabet="a:/.@#_-\\`() wm，。", max_size=40))
def test_whatever_is_no_prose_has_a_sign_in_it(text: str) -> None:
    assert _SIGN.search(text) or not _LITERAL.search(text)
