"""Files: encodings, compression, detection, and writing that leaves the whole file or none."""

from __future__ import annotations

import gzip
import io
import lzma
import os
import sys
from pathlib import Path

import pytest

from errata.errors import DataError, FormatError, UnknownName, UsageError
from errata.formats import FORMATS, detect_format, get_format, iter_sentences, read_corpus, write_corpus
from errata.formats.detect import choose_format
from errata.formats.files import check_outputs, open_for_writing
from errata.model import AnnotatedSentence, Annotation, Sentence
from plugin_packages import install

M2 = "S a b\nA 0 1|||R|||x|||REQUIRED|||-NONE-|||0\n\n"
SAMPLES = {
    "m2": M2,
    "m2scorer": "S a b\nA 0 1|||X|||-NONE-|||REQUIRED|||-NONE-|||0\n\n",
    "cherrant": "S 我\nT0 没有错误\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n\n",
    "parallel": "a b\ta c\nd\te\n",
    "mucgec": "1\t我们\t你们\n2\t他\n",
    "fcgec": '{\n    "r1": {\n        "sentence": "好"\n    }\n}',
    "robustgec": "O-S a\nO-T b\n\n",
    "jsonl": '{"text": "a", "is_joined": true, "tokens": ["a"], "annotations": []}\n',
}


def test_there_is_a_sample_of_every_format() -> None:
    assert SAMPLES.keys() == FORMATS.keys()


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("change", ["", "\ufeff", "\r\n"], ids=["plain", "BOM", "CRLF"])
def test_content_tells_the_format(name: str, change: str) -> None:
    text = SAMPLES[name].replace("\n", change) if change == "\r\n" else change + SAMPLES[name]
    assert detect_format(text) == name
    assert "".join(get_format(name).format(get_format(name).parse(io.StringIO(text, newline="\n")))) == SAMPLES[name]


@pytest.mark.parametrize(
    ("head", "path", "name"),
    [
        ("3afc41\t我\nb2c4\t他\n", "-", "mucgec"),
        ("3afc\t我\n3afc\t他\n", "-", "parallel"),  # ids would differ
        ("S a\nA 0 1|||R|||x||y|||REQUIRED|||-NONE-|||0\n", "-", "m2scorer"),
        ("S a\nA 0 1|||R||||||REQUIRED|||-NONE-|||0\n", "-", "m2"),
        ("S a\nA 0 1|||R||||||||REQUIRED|||-NONE-|||0\n", "-", "m2"),  # the correction is ||
        ("no format\n", "x.m2", "m2"),
        ("", "x.jsonl.gz", "jsonl"),
        ("", "x.m2.xz", "m2"),
    ],
)
def test_detection(head: str, path: str, name: str) -> None:
    assert detect_format(head, path) == name


@pytest.mark.parametrize(("head", "path"), [("plain text\n", "-"), ("plain text\n", "x.doc"), ("", "-")])
def test_unclear_content_is_a_usage_error(head: str, path: str) -> None:
    with pytest.raises(UsageError, match="fits no known format; name it with --from"):
        detect_format(head, path)


@pytest.mark.parametrize(
    ("path", "like", "name"),
    [("x.m2", None, "m2"), ("x.m2", "cherrant", "cherrant"), ("x.tsv", "m2", "parallel"), ("x.para", None, "mucgec")],
)
def test_the_suffix_chooses_what_to_write(path: str, like: str | None, name: str) -> None:
    assert choose_format(path, like) == name


def test_an_unknown_suffix_or_name_or_option_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="name it with --to"):
        choose_format("x.doc")
    with pytest.raises(UnknownName, match="did you mean 'jsonl'"):
        get_format("jsonnl")
    with pytest.raises(UsageError, match="format 'jsonl' has no option 'strict'"):
        get_format("jsonl", strict=False)


@pytest.mark.parametrize(("suffix", "pack"), [("", bytes), (".gz", gzip.compress), (".xz", lzma.compress)])
def test_compressed_files(tmp_path: Path, suffix: str, pack) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / f"dev.m2{suffix}"
    path.write_bytes(pack(M2.encode()))
    corpus = read_corpus(path)
    assert (corpus.name, len(corpus)) == ("dev", 1)
    copy = tmp_path / f"copy.m2{suffix}"
    assert write_corpus(corpus, copy) == 1
    assert read_corpus(copy).sentences == corpus.sentences


@pytest.mark.parametrize("suffix", [".gz", ".xz"])
@pytest.mark.parametrize("damage", [lambda raw: raw[:-9], lambda raw: b"oops" + raw], ids=["cut", "not packed"])
def test_damaged_compressed_files(tmp_path: Path, suffix: str, damage) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / f"dev.m2{suffix}"
    path.write_bytes(damage({".gz": gzip.compress, ".xz": lzma.compress}[suffix](M2.encode())))
    with pytest.raises(FormatError, match="the compressed file is damaged"):
        read_corpus(path)


def test_bytes_that_are_not_utf8_are_named(tmp_path: Path) -> None:
    path = tmp_path / "dev.m2"
    path.write_bytes(b"S a\n\nS caf\xe9\n")
    with pytest.raises(FormatError, match=r"dev\.m2:3: not UTF-8: byte 0xe9 at column 6") as caught:
        read_corpus(path)
    assert caught.value.line == 3


@pytest.mark.parametrize("name", ["missing.m2", "."])
def test_files_that_cannot_be_read(tmp_path: Path, name: str) -> None:
    with pytest.raises(DataError, match=r"No such file|Is a directory"):
        list(iter_sentences(tmp_path / name, "m2"))


def test_reading_streams(tmp_path: Path) -> None:
    path = tmp_path / "dev.m2"
    path.write_bytes(b"S a\n\nS b\n\nS \xff\n")
    sentences = iter_sentences(path, "m2")
    assert next(sentences).sentence.tokens == ("a",)


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "out.m2"
    path.write_text("old", encoding="utf-8")
    good, bad = AnnotatedSentence(Sentence(("a",))), AnnotatedSentence(Sentence(("a",)), (Annotation(target="b"),))
    with pytest.raises(DataError, match=r"out\.m2: sentence 2 cannot be written: only the corrected text is known"):
        write_corpus([good, bad], path)
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_may_be_converted_onto_itself(tmp_path: Path) -> None:
    path = tmp_path / "dev.m2"
    path.write_text(M2, encoding="utf-8")
    write_corpus(iter_sentences(path), path)
    assert path.read_text(encoding="utf-8") == M2


def test_writing_follows_links_and_permissions(tmp_path: Path) -> None:
    plain, link = tmp_path / "plain.m2", tmp_path / "link.m2"
    link.symlink_to(plain)
    write_corpus([AnnotatedSentence(Sentence(("a",)))], link)
    assert link.is_symlink() and plain.stat().st_mode & 0o400
    (tmp_path / "probe").touch()
    assert plain.stat().st_mode == (tmp_path / "probe").stat().st_mode


def test_an_existing_file_keeps_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "private.txt"
    path.touch(0o600)
    with open_for_writing(path) as stream:
        stream.write("new")
    assert path.read_bytes() == b"new" and path.stat().st_mode & 0o777 == 0o600


def test_writing_into_a_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="No such file or directory"):
        write_corpus([], tmp_path / "missing" / "x.m2")


def test_standard_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.BytesIO()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(M2.encode())))
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(out, write_through=True))
    write_corpus(iter_sentences("-"), "-", "m2")
    assert out.getvalue().decode() == M2


def test_devices_are_written_in_place() -> None:
    with open_for_writing("/dev/null") as stream:
        stream.write("gone")


FITTING = """
class Notes:
    name, suffixes, keeps = "notes", (".notes",), frozenset()
    def sniff(self, head): return head.startswith("# notes")
    def parse(self, lines, *, origin="<input>"): return iter(())
    def format(self, sentences): return iter(())
"""
UNSURE = FITTING.replace("Notes", "Broken").replace(".notes", ".broken").replace("startswith", "begins")


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of installed packages, with a format that works."""
    monkeypatch.syspath_prepend(tmp_path)
    install(tmp_path, "notes_format", "errata.formats", "notes = notes_format:Notes", FITTING)
    return tmp_path


@pytest.mark.parametrize(
    ("module", "fault"),
    [
        ("raise ValueError('two\\nlines')", "cannot be loaded (broken_format:Broken): ValueError: two lines"),
        ("class Broken:\n def __init__(self): raise OSError('no licence')", "cannot be used: OSError: no licence"),
        ("class Broken: pass", "cannot be used: TypeError: format 'broken' is of type Broken: give a Format"),
        (UNSURE, "cannot tell: AttributeError: 'str' object has no attribute 'begins'"),
    ],
    ids=["import", "make", "no format", "sniff"],
)
def test_a_broken_format_of_another_package_hides_nothing(
    site: Path, monkeypatch: pytest.MonkeyPatch, module: str, fault: str
) -> None:
    monkeypatch.delitem(sys.modules, "broken_format", raising=False)
    install(site, "broken_format", "errata.formats", "broken = broken_format:Broken", module)
    assert detect_format("# notes", "x.txt2") == "notes" == detect_format("", "x.notes") == choose_format("x.notes")
    with pytest.raises(UsageError) as unknown:
        detect_format("?", "x.unknown")
    message = str(unknown.value)
    assert message.startswith("x.unknown fits no known format; name it with --from or format= (one of m2, ")
    assert fault in message and "\n" not in message
    with pytest.raises(UsageError, match=r"the suffix of 'x.unknown' names no format") as unwritable:
        choose_format("x.unknown")
    assert fault in str(unwritable.value) or fault.startswith("cannot tell")  # that one's suffixes can be read


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_names_the_file() -> None:
    message = "/dev/full cannot be written: No space left on device; make room"
    with pytest.raises(DataError, match=message), open_for_writing("/dev/full") as stream:
        stream.write("text\n")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="the superuser may write everywhere")
def test_a_locked_folder_is_refused_before_any_work(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(UsageError, match="you may not write into the folder"):
        check_outputs([tmp_path / "page.html"])
