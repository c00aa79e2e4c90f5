"""Lexicon files, and the substitution costs that come of them."""

from __future__ import annotations

import lzma
from pathlib import Path

import pytest

from errata.edits.zh.features import TokenTable
from errata.edits.zh.lexicon import Lexicon, load_lexicon
from errata.errors import DataError, FormatError

THESAURUS = "Aa01A01= 人 士\nAa02B01# 我\nBb03A01@ 人\n\nAa02C01= 咱\n"
CONFUSIONS = "人 入 八\n未 末\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "cilin.txt").write_text(THESAURUS, encoding="utf-8")
    (tmp_path / "confusion_dict.txt").write_text(CONFUSIONS, encoding="utf-8")
    return tmp_path


def test_the_last_entry_of_a_word_counts(folder: Path) -> None:
    lexicon = load_lexicon(folder)
    assert lexicon.code_parts("人") == ("B", "b", "03")
    assert lexicon.code_parts("士") == ("A", "a", "01")
    assert lexicon.code_parts("天") == ()
    assert lexicon.confusions_of("人") == "入八"
    assert lexicon.confusions_of("入") == ""


def test_compressed_files_are_the_same_lexicon(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    packed = tmp_path_factory.mktemp("packed")
    for path in folder.iterdir():
        (packed / f"{path.name}.xz").write_bytes(lzma.compress(path.read_bytes()))
    assert load_lexicon(packed) == load_lexicon(folder)


def test_byte_order_mark_and_crlf_are_harmless(folder: Path) -> None:
    expected = load_lexicon(folder)
    (folder / "cilin.txt").write_bytes(b"\xef\xbb\xbf" + THESAURUS.replace("\n", "\r\n").encode())
    assert load_lexicon(folder).codes == expected.codes


@pytest.mark.parametrize(
    ("name", "content", "error", "message"),
    [
        ("cilin.txt", None, DataError, "has no cilin.txt"),
        ("confusion_dict.txt", None, DataError, "has no confusion_dict.txt"),
        ("cilin.txt", "Aa01A01= 人\nAa 我\n".encode(), FormatError, "cilin.txt:2: thesaurus code 'Aa' is too short"),
        ("cilin.txt", "Aa01A01= 人\n".encode() + b"\xff\n", FormatError, "cilin.txt:2: not UTF-8"),
        ("cilin.txt.xz", b"not packed", FormatError, "cilin.txt.xz: not an xz file"),
    ],
)
def test_bad_files_get_one_line(
    folder: Path, name: str, content: bytes | None, error: type[Exception], message: str
) -> None:
    if content is None:
        (folder / name).unlink()
    else:
        (folder / "cilin.txt").unlink()
        (folder / name).write_bytes(content)
    with pytest.raises(error, match=message):
        load_lexicon(folder)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        pytest.param("我", "咱", 0 + 0.5 + 0.25, id="same-meaning"),
        pytest.param("士", "我", 2 / 6 + 0.5 + 0.25, id="two-levels-agree"),
        pytest.param("人", "我", 6 / 6 + 0.5 + 0.25, id="no-level-agrees"),
        pytest.param("是", "事", 4 / 6 + 0 + 0.25, id="unknown-same-sound"),
        pytest.param("行", "航", 4 / 6 + 0 + 0.25, id="one-of-several-readings"),
        pytest.param("未", "末", 4 / 6 + 0 + 0.25, id="confused"),
        pytest.param("末", "未", 4 / 6 + 0 + 0.25, id="confused-the-other-way"),
        pytest.param("末", "天", 4 / 6 + 0.5 + 0.25, id="nothing-in-common"),
        pytest.param("，", "、", 4 / 6 + 0.5 + 0, id="punctuation"),
        pytest.param("，", "天", 4 / 6 + 0.5 + 0.499, id="punctuation-and-word"),
        pytest.param("。", "天", 4 / 6 + 0.5 + 0.25, id="full-stop-is-no-punctuation-here"),
        pytest.param("a", "[MC]", 4 / 6 + 0.5 + 0.25, id="not-chinese"),
    ],
)
def test_substitution_costs(folder: Path, a: str, b: str, expected: float) -> None:
    table = TokenTable(load_lexicon(folder))
    assert table.compute_substitution(*table.intern([a, b])) == expected


def test_cached_costs_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("errata.edits.zh.features.MAX_CACHED_COSTS", 2)
    table = TokenTable(Lexicon())
    tokens = table.intern("天地玄黄")
    costs = [table.substitution_costs(a)[b] for a in tokens for b in tokens]
    assert costs == [table.substitution_costs(a)[b] for a in tokens for b in tokens]
