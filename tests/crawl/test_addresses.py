"""Archives on a web server: read from any place in them, or copied where the server cannot do that."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from benchmarks.crawl.runs import read_output
from benchmarks.crawl.synthetic import make_pages, pack

from errata.crawl.inputs import find_inputs
from errata.crawl.job import Settings
from errata.crawl.run import crawl
from errata.errors import DataError


class Plain(SimpleHTTPRequestHandler):
    def log_message(self, *rest: object) -> None:
        pass


class Ranges(Plain):
    """Gives parts of files, and forgets a connection when it is told to."""

    asked: list[str] = []  # noqa: RUF012
    n_left = 10**6

    def do_GET(self) -> None:
        path, wanted = Path(self.translate_path(self.path)), self.headers.get("Range", "")
        Ranges.asked.append(wanted)
        Ranges.n_left -= 1
        if Ranges.n_left < 0:
            self.send_error(503)
            return
        content = path.read_bytes()
        first, _, last = wanted.removeprefix("bytes=").partition("-")
        start, end = int(first or 0), min(int(last or len(content)) + 1, len(content))
        self.send_response(206 if wanted else 200)
        self.send_header("Content-Range", f"bytes {start}-{end - 1}/{len(content)}")
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Length", str(end - start))
        self.end_headers()
        self.wfile.write(content[start:end])


@pytest.fixture
def served(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of a server over `tmp_path`."""
    Ranges.n_left = 10**6
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(request.param, directory=str(tmp_path)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("served", [Ranges, Plain], indirect=True, ids=["ranges", "plain"])
def test_an_archive_on_a_server(served: str, tmp_path: Path) -> None:
    expected = pack(make_pages(120)[:20], tmp_path, 1).as_counts()
    finished = crawl(find_inputs([f"{served}/pages-000.warc.gz"]), tmp_path / "out", Settings())
    assert finished.report is not None and finished.report["counts"] == expected
    assert f"{served}/pages-000.warc.gz" in read_output(tmp_path / "out")["generic.provenance.jsonl"].decode()


@pytest.mark.parametrize("served", [Ranges], indirect=True)
def test_a_server_that_fails_and_comes_back(served: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = pack(make_pages(120)[:20], tmp_path, 1).as_counts()
    inputs = find_inputs([f"{served}/pages-000.warc.gz", f"{served}/pages-000.warc.gz?again"])
    Ranges.n_left = 1
    with pytest.raises(DataError, match=r"cannot be (read|opened): .*503"):
        crawl(inputs, tmp_path / "out", Settings())
    Ranges.n_left = 10**6
    finished = crawl(inputs, tmp_path / "out", Settings())
    assert finished.report is not None
    assert finished.report["counts"]["records"]["read"] == 2 * expected["records"]["read"]


@pytest.mark.parametrize("served", [Plain], indirect=True)
def test_an_address_that_is_not_there(served: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"nowhere.warc.gz cannot be (opened|read)") as caught:
        crawl(find_inputs([f"{served}/nowhere.warc.gz"]), tmp_path / "out", Settings())
    assert "\n" not in str(caught.value)
