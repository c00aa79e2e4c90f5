"""Corpora are fetched from a real server that behaves as servers do, and kept only if their content is right."""

from __future__ import annotations

import gzip
import hashlib
import io
import lzma
import tarfile
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from errata.datasets.catalogue import NamedSet, SetFile
from errata.datasets.fetching import Fetcher, copy_corpus_files, get_corpus_files
from errata.errors import DataError

CONTENT = b"".join(b"She goes home %d .\n" % number for number in range(9000))
DIGEST = hashlib.sha256(CONTENT).hexdigest()
HALF = len(CONTENT) // 2
PAGE = b"\n <!DOCTYPE html><html><body>Please log in.</body></html>"
QUICK = Fetcher(pause=0.01, patience=0.8, attempts=3)


class Library(ThreadingHTTPServer):
    """Serves files; `requests` are the paths asked for, with where they start."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answer)
        self.files: dict[str, bytes] = {}
        self.requests: list[tuple[str, int]] = []
        self.n_broken = 0  # answers that break off after half of the file
        self.n_silent = 0  # answers that stop in the middle and say nothing more
        self.n_busy = 0
        self.has_ranges = True

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/"


class Answer(BaseHTTPRequestHandler):
    server: Library

    def do_GET(self) -> None:
        start = int(self.headers.get("Range", "bytes=0-")[6:-1]) if self.server.has_ranges else 0
        self.server.requests.append((self.path, start))
        if self.path == "/moved.txt":
            self.send_response(302)
            self.send_header("Location", "/dev.txt")
            self.end_headers()
            return
        content = self.server.files.get(self.path)
        if content is None or self.server.n_busy:
            self.server.n_busy -= content is not None
            self.send_error(503 if content else 404)
            return
        if start >= len(content):
            self.send_response(416)
            self.send_header("Content-Range", f"bytes */{len(content)}")
            self.end_headers()
            return
        self.send_response(206 if start else 200)
        self.send_header("Content-Length", str(len(content) - start))
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        self.end_headers()
        self._send(content, start)

    def _send(self, content: bytes, start: int) -> None:
        if self.server.n_broken or self.server.n_silent:
            self.wfile.write(content[start : max(start, HALF)])
            self.wfile.flush()
            if self.server.n_broken:
                self.server.n_broken -= 1
                return
            self.server.n_silent -= 1
            time.sleep(1.0)
            return
        self.wfile.write(content[start:])

    def log_message(self, *words: object) -> None:
        pass


@pytest.fixture
def library() -> Iterator[Library]:
    with Library() as server:
        server.files["/dev.txt"] = CONTENT
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def corpus(library: Library) -> NamedSet:
    files = (SetFile("dev.txt", len(CONTENT), DIGEST, "dev.txt"),)
    return NamedSet(
        *("small", "a set", "en", "bea19", "m2", 1, "https://example.org/small", "free"),
        files=files,
        base=library.address,
    )


def test_a_file_is_fetched_once(library: Library, corpus: NamedSet, tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []
    fetcher = Fetcher(lambda *news: told.append(news))
    place = tmp_path / "small" / "dev.txt"
    assert get_corpus_files(corpus, tmp_path, fetcher) == [place]
    assert place.read_bytes() == CONTENT
    assert told[-1] == ("dev.txt", len(CONTENT), len(CONTENT)) and len(told) > 1
    assert get_corpus_files(corpus, tmp_path) == [place]
    assert library.requests == [("/dev.txt", 0)]
    place.write_bytes(b"changed")
    get_corpus_files(corpus, tmp_path)
    assert place.read_bytes() == CONTENT and list(place.parent.iterdir()) == [place]


def test_a_redirect_is_followed(library: Library, corpus: NamedSet, tmp_path: Path) -> None:
    moved = replace(corpus, files=(replace(corpus.files[0], path="moved.txt"),))
    assert get_corpus_files(moved, tmp_path)[0].read_bytes() == CONTENT


@pytest.mark.parametrize("fault", ["n_broken", "n_silent", "n_busy"])
def test_what_breaks_off_is_taken_up_again(library: Library, corpus: NamedSet, tmp_path: Path, fault: str) -> None:
    setattr(library, fault, 1)
    assert get_corpus_files(corpus, tmp_path, QUICK)[0].read_bytes() == CONTENT
    assert library.requests == [("/dev.txt", 0), ("/dev.txt", 0 if fault == "n_busy" else HALF)]


def test_another_command_goes_on_where_the_last_was_given_up(
    library: Library, corpus: NamedSet, tmp_path: Path
) -> None:
    library.n_broken = 3
    with pytest.raises(DataError) as raised:
        get_corpus_files(corpus, tmp_path, QUICK)
    assert str(raised.value) == (
        f"{library.address}dev.txt cannot be fetched: the connection broke off after {HALF:,} of {len(CONTENT):,} "
        f"bytes (3 attempts); {HALF:,} bytes are kept, the same command goes on from there"
    )
    assert not (tmp_path / "small" / "dev.txt").exists()
    assert get_corpus_files(corpus, tmp_path, QUICK)[0].read_bytes() == CONTENT
    assert library.requests[-1] == ("/dev.txt", HALF)


def test_a_server_that_cannot_go_on_begins_anew(library: Library, corpus: NamedSet, tmp_path: Path) -> None:
    library.n_broken, library.has_ranges = 1, False
    assert get_corpus_files(corpus, tmp_path, QUICK)[0].read_bytes() == CONTENT


def test_a_whole_file_that_was_not_put_in_place_is_not_fetched_again(
    library: Library, corpus: NamedSet, tmp_path: Path
) -> None:
    (tmp_path / "small").mkdir()
    (tmp_path / "small" / "dev.txt.part").write_bytes(CONTENT)
    assert get_corpus_files(corpus, tmp_path, QUICK)[0].read_bytes() == CONTENT
    assert library.requests == [("/dev.txt", len(CONTENT))]


def test_leftovers_of_another_file_do_no_harm(library: Library, corpus: NamedSet, tmp_path: Path) -> None:
    (tmp_path / "small").mkdir()
    (tmp_path / "small" / "dev.txt.part").write_bytes(CONTENT + b"more")
    assert get_corpus_files(corpus, tmp_path, QUICK)[0].read_bytes() == CONTENT


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param(None, "cannot be fetched: the server answers 404 Not Found", id="missing"),
        pytest.param(
            PAGE, "answers with a web page, not with the file; get it from https://example.org/small", id="page"
        ),
        pytest.param(b"She goes .\n", "is not dev.txt of small: its SHA-256 is", id="another content"),
    ],
)
def test_what_is_wrong_is_not_kept(
    library: Library, corpus: NamedSet, tmp_path: Path, content: bytes | None, message: str
) -> None:
    library.files = {} if content is None else {"/dev.txt": content}
    with pytest.raises(DataError, match=message) as raised:
        get_corpus_files(corpus, tmp_path, QUICK)
    assert str(raised.value).startswith(f"{library.address}dev.txt ") and "\n" not in str(raised.value)
    assert list((tmp_path / "small").iterdir()) == []
    assert len(library.requests) == 1


def test_nobody_listens(corpus: NamedSet, tmp_path: Path) -> None:
    gone = replace(corpus, base="http://127.0.0.1:9/")
    with pytest.raises(DataError, match=r"cannot be fetched: Connection refused \(3 attempts\)"):
        get_corpus_files(gone, tmp_path, QUICK)


def test_only_the_web_is_fetched_from(corpus: NamedSet, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="is no address on the web"):
        get_corpus_files(replace(corpus, base="file:///etc/"), tmp_path, QUICK)


def _archive(members: dict[str, bytes], mode: str = "w:gz") -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode=mode) as archive:  # type: ignore[call-overload]
        for name, content in members.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return packed.getvalue()


def _archived(corpus: NamedSet, library: Library, *names: str) -> NamedSet:
    files = tuple(SetFile(name, len(CONTENT), DIGEST) for name in names)
    return replace(corpus, base="", archive=f"{library.address}all.tar.gz", files=files)


def test_files_come_out_of_an_archive_that_is_fetched_once(library: Library, corpus: NamedSet, tmp_path: Path) -> None:
    library.files["/all.tar.gz"] = _archive({"../m2/a.m2": CONTENT, "m2/b.m2": CONTENT, "c.m2": b"other"})
    places = get_corpus_files(_archived(corpus, library, "a.m2", "b.m2"), tmp_path, QUICK)
    assert [place.read_bytes() for place in places] == [CONTENT] * 2
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["a.m2", "b.m2", "small"]
    assert library.requests == [("/all.tar.gz", 0)]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param(
            _archive({"b.m2": CONTENT}), "has no a.m2; get it from https://example.org/small by hand", id="not in it"
        ),
        pytest.param(
            _archive({"a.m2": b"x"}), "all.tar.gz: a.m2 is not a.m2 of small: its SHA-256", id="another content"
        ),
        pytest.param(b"not an archive", "is not an archive, or is damaged", id="no archive"),
    ],
)
def test_archives_may_be_wrong(
    library: Library, corpus: NamedSet, tmp_path: Path, content: bytes, message: str
) -> None:
    library.files["/all.tar.gz"] = content
    with pytest.raises(DataError, match=message):
        get_corpus_files(_archived(corpus, library, "a.m2"), tmp_path, QUICK)
    assert not (tmp_path / "small" / "a.m2").exists()


def test_a_form_is_for_people(library: Library, corpus: NamedSet, tmp_path: Path) -> None:
    asked = replace(corpus, form="fill in the form that the page links to")
    with pytest.raises(DataError) as raised:
        get_corpus_files(asked, tmp_path)
    assert str(raised.value) == (
        "small is not fetched: its owners give it on request. First fill in the form that the page links to "
        "(https://example.org/small); then errata data get small --from FOLDER takes your copy"
    )
    with pytest.raises(DataError, match=r"small is not fetched: no address of its files is known\. First get it from"):
        get_corpus_files(replace(corpus, base=""), tmp_path)
    assert library.requests == [] and list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "packed"),
    [("dev.txt", CONTENT), ("mine.xz", lzma.compress(CONTENT)), ("dev.txt.gz", gzip.compress(CONTENT, mtime=0))],
)
def test_local_copies_are_found_by_content_and_unpacked(
    corpus: NamedSet, tmp_path: Path, name: str, packed: bytes
) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / name).write_bytes(packed)
    (tmp_path / "mine" / "other.xz").write_bytes(lzma.compress(b"other"))
    places = copy_corpus_files(corpus, tmp_path / "mine", tmp_path / "data")
    assert places == [tmp_path / "data" / "small" / "dev.txt"]
    assert places[0].read_bytes() == CONTENT


def test_a_copy_that_is_another_is_refused(corpus: NamedSet, tmp_path: Path) -> None:
    (tmp_path / "dev.txt").write_bytes(b"other")
    with pytest.raises(DataError, match=r"dev\.txt is not that of small"):
        copy_corpus_files(corpus, tmp_path, tmp_path / "data")
    with pytest.raises(DataError, match="nowhere is no folder"):
        copy_corpus_files(corpus, tmp_path / "nowhere", tmp_path / "data")
