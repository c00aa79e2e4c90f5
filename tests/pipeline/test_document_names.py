"""A word of a document's code and addresses is a name in its prose."""

from __future__ import annotations

import pytest

from errata.model import TextEdit
from errata.pipeline.names import Names
from errata.pipeline.views import find_writing

THINC = "See [Thinc](https://github.com/explosion/thinc#the-command-line)."


def keeps(text: str, old: str, new: str, *, markup: str = "markdown", about: str = "") -> bool:
    edit = TextEdit(text.index(old), text.index(old) + len(old), new, about=about)
    return Names(find_writing(markup).read(text)).keep(text, [edit]) == [edit]


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        (THINC, "Thinc", "Think"),
        ("The cdist is `cdist(a, b)`.", "cdist ", "dist "),
        ("The cdist is `cdist(a, b)`.", "cdis", "dis"),
        ("Install fastai:\n\n```\npip install fastai\n```", "fastai", "Fastai"),
        ("[annotated-types](https://a.org/annotated-types)", "-", " "),
        ("[python-goose](https://a.org/python-goose)", "goose", "loose"),
        ("Use anyio, `anyio` and `trio`.", "anyio", "anyion"),
    ],
)
def test_names_stay(text: str, old: str, new: str) -> None:
    assert not keeps(text, old, new)


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        (THINC, "See", "see"),
        ("It use `use`.", "use", "uses"),  # words of the dictionary
        ("Use curio, `curio` and `trio`.", "curio", "curious"),
        ("The elipsis is `elipsis_ratio`.", "elipsis", "ellipsis"),  # a part of a name
        ("On the command-line [it](https://a.org/b#command-line)", "-", " "),
        ("On the command-line:\n\n```\nCommand-line help\n```", "-", " "),
        ("See curio now, `curio`.", " now", ", now"),
        ("See curio now.", "curio", "curious"),
        ("", "", "a"),
    ],
)
def test_other_words_may_change(text: str, old: str, new: str) -> None:
    assert keeps(text, old, new)


def test_addresses_of_plain_text_have_names() -> None:
    assert not keeps("Thinc is at https://github.com/explosion/thinc", "Thinc", "Think", markup="text")


def test_what_a_rule_says_stays() -> None:
    assert keeps("I recieve it from `recieve`.", "recieve", "receive", about="misspelt")
