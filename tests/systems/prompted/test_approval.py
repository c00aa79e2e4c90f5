"""Who may receive text and keys: a manifest never decides."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from errata.errors import DataError, ErrataError, UsageError
from errata.pipeline.load import load_model
from errata.systems.base import load_system
from errata.systems.prompted.approval import ALLOWED, HOMES, OWN_KEY, find_key, is_loopback, origin_of
from unruly_server import said, unruly

OK = (200, {}, said("She goes home."))
TEXT = "She go home."


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Secrets of every kind, and no approval."""
    for name in (*HOMES, OWN_KEY, "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, f"secret-{name}")
    monkeypatch.delenv(ALLOWED, raising=False)


def make(folder: Path, endpoint: str, **settings: Any) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    manifest = {"system": "prompted", "language": "en", "settings": {"model": "m", "endpoint": endpoint, **settings}}
    (folder / "errata.json").write_text(json.dumps(manifest))
    return folder


@pytest.mark.parametrize(
    ("address", "origin"),
    [
        ("https://api.openai.com/v1", "https://api.openai.com"),
        ("HTTPS://API.openai.com:443", "https://api.openai.com"),
        ("http://localhost:8000/v1", "http://localhost:8000"),
        ("http://[::1]:80/", "http://[::1]"),
        ("https://api.openai.com:8443/v1", "https://api.openai.com:8443"),
    ],
)
def test_origins(address: str, origin: str) -> None:
    assert origin_of(address) == origin


@pytest.mark.parametrize(
    "address",
    [
        "localhost",
        "ftp://host/",
        "https://api.openai.com@evil.example/v1",
        "https://evil.example\\@api.openai.com/v1",
        "https://evil.example#api.openai.com",
        "https://api.openai.com /v1",
        "https://api.openai.com\n.evil.example",
        "https://аpi.openai.com/v1",  # the first letter is Cyrillic
        "https://",
        "https://host?x=1",
    ],
)
def test_addresses_that_can_be_read_in_two_ways_are_refused(tmp_path: Path, address: str) -> None:
    with pytest.raises(ValueError, match="no plain address"):
        origin_of(address)
    with pytest.raises(DataError, match="no plain address"):
        load_system(make(tmp_path, address), allow_network=True)


@pytest.mark.parametrize(
    ("origin", "expected"),
    [
        ("http://127.0.0.1:1", True),
        ("http://127.8.9.1", True),
        ("http://[::1]", True),
        ("http://localhost:80", True),
        ("http://localhost.evil.example", False),
        ("http://10.0.0.1", False),
    ],
)
def test_loopback(origin: str, expected: bool) -> None:
    assert is_loopback(origin) is expected


@pytest.mark.parametrize(
    ("endpoint", "variable", "allowed", "sent"),
    [
        ("https://api.openai.com/v1", None, "", "OPENAI_API_KEY"),
        ("https://api.openai.com/v1", "OPENAI_API_KEY", "", "OPENAI_API_KEY"),
        ("https://api.deepseek.com", None, "", "DEEPSEEK_API_KEY"),
        ("https://api.openai.com:8443/v1", None, "", None),
        ("https://api.openai.com.evil.example/v1", None, "", None),
        ("https://evil.example/v1", "OPENAI_API_KEY", "", None),
        ("https://evil.example/v1", None, "", None),
        ("https://mine.example/v1", None, "https://mine.example", OWN_KEY),
        ("https://mine.example/v1", None, "https://other.example https://mine.example/v1", OWN_KEY),
        ("https://mine.example/v1", "OPENAI_API_KEY", "https://mine.example", None),
        ("https://mine.example/v1", "OPENAI_API_KEY", "OPENAI_API_KEY=https://mine.example", "OPENAI_API_KEY"),
        ("http://127.0.0.1:1/v1", None, "http://127.0.0.1:1", OWN_KEY),
    ],
)
def test_where_keys_go(
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    endpoint: str,
    variable: str | None,
    allowed: str,
    sent: str | None,
) -> None:
    monkeypatch.setenv(ALLOWED, allowed)
    assert find_key(endpoint, variable) == (sent and f"secret-{sent}")
    assert ("is not sent to" in caplog.text) is (sent is None)
    assert "secret-" not in caplog.text


def test_a_key_does_not_travel_in_the_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ALLOWED, "http://mine.example")
    with pytest.raises(UsageError, match="use https"):
        find_key("http://mine.example/v1", None)
    monkeypatch.delenv(OWN_KEY)
    assert find_key("http://mine.example/v1", None) is None


@pytest.mark.parametrize("name", ["AWS_SECRET_ACCESS_KEY", "HOME", "openai_api_key", "X_API_KEY ", "GITHUB_TOKEN"])
def test_a_manifest_names_no_other_secret(tmp_path: Path, name: str) -> None:
    with pytest.raises(DataError, match="must end in _API_KEY"):
        load_system(make(tmp_path, "https://api.openai.com/v1", key_variable=name), allow_network=True)


def test_nothing_is_sent_unasked(tmp_path: Path) -> None:
    with unruly(OK) as web:
        with pytest.raises(UsageError, match=f"would send your text to {web.address}") as caught:
            load_model(make(tmp_path / "m", web.address))
        assert "\n" not in str(caught.value)
        assert load_model(tmp_path / "m", allow_network=True).correct([TEXT])[0].target == "She goes home."
    assert [request["key"] for request in web.requests] == [None]


def test_an_approved_endpoint_needs_no_option(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with unruly(OK) as web:
        monkeypatch.setenv(ALLOWED, web.address)
        load_model(make(tmp_path, web.address)).correct([TEXT])
    assert [request["key"] for request in web.requests] == [f"Bearer secret-{OWN_KEY}"]


def test_a_key_that_belongs_elsewhere_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with unruly(OK) as web:
        folder = make(tmp_path, web.address, key_variable="OPENAI_API_KEY")
        monkeypatch.setenv(ALLOWED, web.address)
        with pytest.raises(UsageError, match=f"{ALLOWED}=OPENAI_API_KEY=http://127.0.0.1"):
            load_model(folder, allow_network=True)
        monkeypatch.setenv(ALLOWED, f"OPENAI_API_KEY={web.address}")
        load_model(folder).correct([TEXT])
    assert [request["key"] for request in web.requests] == ["Bearer secret-OPENAI_API_KEY"]


@pytest.mark.parametrize("value", ["mine.example", "HOME=https://mine.example", "https://a@b"])
def test_a_faulty_approval_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv(ALLOWED, value)
    with pytest.raises(UsageError, match=ALLOWED):
        load_system(make(tmp_path, "https://mine.example/v1"))


def test_a_manifest_cannot_give_leave(tmp_path: Path) -> None:
    with unruly(OK) as web:
        folder = make(tmp_path, web.address, presets={"balanced": {"decoding": {"allow_network": 1}}})
        with pytest.raises(ErrataError):
            load_model(folder)
        ensemble = tmp_path / "ensemble"
        make(ensemble / "member", web.address)
        settings = {"members": ["member"], "presets": {"balanced": {"decoding": {"allow_network": 1}}}}
        manifest = {"system": "ensemble", "language": "en", "format": 1, "settings": settings}
        (ensemble / "errata.json").write_text(json.dumps(manifest))
        with pytest.raises(UsageError, match=f"would send your text to {web.address}"):
            load_model(ensemble)
        with pytest.raises(UsageError, match="no decoding options"):  # with leave, the preset is still no way in
            load_model(ensemble, allow_network=True)
    assert web.requests == []


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_redirects_are_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, status: int) -> None:
    with unruly(OK) as thief, unruly((status, {"Location": thief.address}, "")) as web:
        monkeypatch.setenv(ALLOWED, web.address)
        with pytest.raises(DataError, match=f"redirects to {thief.address}"):
            load_model(make(tmp_path, web.address, concurrency=1)).correct([TEXT])
    assert thief.requests == [] and len(web.requests) == 1


def test_a_proxy_does_not_see_what_stays_on_this_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with unruly(OK) as proxy, unruly(OK) as web:
        monkeypatch.setenv("HTTP_PROXY", proxy.address)
        monkeypatch.setenv("http_proxy", proxy.address)
        monkeypatch.setenv(ALLOWED, web.address)
        load_model(make(tmp_path, web.address)).correct([TEXT])
    assert proxy.requests == [] and len(web.requests) == 1


@pytest.mark.parametrize("journal", ["../../bashrc", "/tmp/errata-journal", "link.jsonl"])
def test_a_journal_stays_in_the_folder(tmp_path: Path, journal: str) -> None:
    victim = tmp_path / "bashrc"
    victim.write_text("alias ll='ls -l'\n")
    folder = make(tmp_path / "a" / "m", "http://127.0.0.1:9/v1", journal=journal)
    (folder / "link.jsonl").symlink_to(victim)
    with pytest.raises(DataError, match=r"journal .* must lie inside the folder"):
        load_system(folder, allow_network=True)
    assert victim.read_text() == "alias ll='ls -l'\n"


def test_a_template_stays_in_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes.toml").write_text('user = "private {sentence}"')
    for template in ("../notes.toml", str(tmp_path / "notes.toml")):
        with pytest.raises(DataError, match=r"template .* must lie inside the folder"):
            load_system(make(tmp_path / "m", "http://127.0.0.1:9/v1", template=template), allow_network=True)
    with pytest.raises(DataError, match="no such file"):  # nor is one in the current folder taken
        load_system(make(tmp_path / "m", "http://127.0.0.1:9/v1", template="notes.toml"), allow_network=True)
