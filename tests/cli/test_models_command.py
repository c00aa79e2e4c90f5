"""`errata models`: what is listed, in lines that fit a terminal, and cards that cannot steer it."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from pathlib import Path

import pytest
from command_runs import Run

from doc_examples import check_commands
from errata.cli.models import WIDTH
from errata.systems.installed import BUNDLED, IN_REPOSITORY, bundled_folder, bundled_models, list_models
from errata.systems.model_packages import GROUP
from plugin_packages import install

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.skipif(bundled_models() != BUNDLED, reason="the bundled models are not here")


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of installed packages, which bring a model each."""
    folder = tmp_path / "site"
    monkeypatch.syspath_prepend(folder)
    for language in ("EN", "ZH"):
        monkeypatch.delenv(f"ERRATA_MODEL_{language}")
    for name in ("legal", "medical"):
        bring(folder, name)
    return folder


def bring(site: Path, name: str) -> None:
    """Install a package with a model whose licence allows commercial use."""
    module = f"errata_{name.replace('-', '_')}"
    install(site, f"errata-{name}", GROUP, f"{name} = {module}")
    model = site / module / name
    model.mkdir(parents=True)
    card = {"licence": "CC BY 4.0, " + "long " * 20, "commercial_use": True}
    (model / "errata.json").write_text(json.dumps({"system": "tagger", "language": "en", "card": card}))


def without_own_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take away the packages of errata's own models that may be installed: `en-base`, `en-open`, the judges."""
    monkeypatch.setattr("errata.systems.installed.find_own_package", lambda name: None)


def test_the_list_fits_a_terminal(run: Run, site: Path) -> None:
    code, out, err = run("models")
    assert (code, err) == (0, "")
    assert max(map(len, out.splitlines())) <= WIDTH
    for name in ("en-small +English", "zh-small +Chinese"):
        assert re.search(f"^{name}", out, re.M)
    for phrase in ("research, non-commercial", "package errata-legal 1.0"):
        assert phrase in out
    [best, *_] = json.loads((bundled_folder("en-small") / "errata.json").read_text("utf-8"))["card"]["scores"]
    assert "bundled, 28.7 MiB, 320 sentences a second" in out and f"CoNLL-14 test {best['score']:.2f} (M2 F0.5)" in out


def test_json_has_all_scores(run: Run) -> None:
    listed = {entry["name"]: entry for entry in json.loads(run("models", "--json")[1])}
    for name in BUNDLED.values():
        manifest = json.loads((bundled_folder(name) / "errata.json").read_text("utf-8"))
        assert listed[name]["scores"] == manifest["card"]["scores"]
        assert Path(listed[name]["folder"]) == bundled_folder(name)
        assert listed[name]["size"] == sum(path.stat().st_size for path in bundled_folder(name).iterdir())


def listed_as_open(run: Run) -> list[str]:
    return [entry["name"] for entry in json.loads(run("models", "--open", "--json")[1])]


def test_open_lists_those_whose_licence_allows_commercial_use(
    run: Run, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_own_packages(monkeypatch)
    assert listed_as_open(run) == ["legal", "medical"]
    shutil.rmtree(site)
    site.mkdir()
    assert run("models", "--open") == (0, "", "no model here allows commercial use\n")
    assert run("models", "--open", "--json")[:2] == (0, "[]\n")


def test_of_the_packages_of_the_repository_en_open_alone_is_open(run: Run, site: Path) -> None:
    bring(site, "en-open")  # before the one that may be installed
    assert listed_as_open(run) == ["en-open", "legal", "medical"]
    shutil.rmtree(site)
    site.mkdir()
    here = {model.name for model in list_models()[0]}
    assert listed_as_open(run) == (["en-open"] if "en-open" in here else [])


@pytest.mark.parametrize(
    ("manifest", "message"),
    [
        ("{", "errata.json is not JSON"),
        ("[]", "does not describe a system: it is no mapping"),
        ('{"system": "tagger"}', 'has no "language"'),
        ('{"system": "tagger", "language": "\\u001b[2J"}', "language is"),
        ('{"system": "tagger", "language": "en", "card": 3}', '"card" is 3, not a mapping'),
    ],
)
def test_a_broken_manifest_is_one_warning(run: Run, site: Path, manifest: str, message: str) -> None:
    (site / "errata_legal" / "legal" / "errata.json").write_text(manifest)
    code, out, err = run("models")
    assert code == 0 and "medical" in out and "en-small" in out and "legal  " not in out
    assert err.startswith("errata: warning: model 'legal' cannot be listed: ") and message in err
    assert err.count("\n") == 1 and "\x1b" not in err


def test_a_broken_package_is_one_warning(run: Run, site: Path) -> None:
    shutil.rmtree(site / "errata_legal")
    code, out, err = run("models")
    assert code == 0 and "medical" in out
    assert err.startswith("errata: warning: model 'legal' of the package errata-legal cannot be used")
    code, out, err = run("correct", "--model", "legal")
    assert (code, out) == (1, "") and "install it again, or uninstall it" in err and err.count("\n") == 1


def test_a_broken_default_is_told_once(run: Run, site: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (site / "errata_zh_base").mkdir()
    (site / "errata_zh_base" / "__init__.py").touch()
    code, out, err = run("models")
    assert code == 0 and re.search("^zh-small +Chinese, default", out, re.M) and err.count("\n") == 1
    assert err.startswith("errata: warning: model 'zh-base' of the package errata-zh-base cannot be used: ")
    assert not caplog.records
    (tmp_path / "text").write_text("他跑的很快。", "utf-8")
    assert run("correct", "text", "--lang", "zh")[:2] == (0, "他跑得很快。")
    (record,) = caplog.records
    assert record.getMessage().endswith("install it again, or uninstall it; zh-small is taken until then")


def test_a_card_is_shown(run: Run, tmp_path: Path) -> None:
    assert run("models", "show", "en-small") == (0, (bundled_folder("en-small") / "README.md").read_text("utf-8"), "")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "README.md").write_bytes(b"# Mine\r\n\x1b[2J\tx")
    assert run("models", "show", "./mine") == (0, "# Mine\n\ufffd[2J\tx\n", "")


@pytest.mark.parametrize(
    ("name", "code", "message"),
    [
        ("absent", 1, "no model 'absent'"),
        ("zh-base", 1, "it is in the package errata-zh-base, which is not installed"),
        ("legal", 1, "has no card"),
        ("mine", 2, "write ./mine"),
        ("../mine", 1, "there is no such folder"),
    ],
)
def test_a_card_that_is_not_there_is_told(
    run: Run, site: Path, tmp_path: Path, name: str, code: int, message: str
) -> None:
    (tmp_path / "mine").mkdir()
    answer, out, err = run("models", "show", name)
    assert (answer, out) == (code, "") and message in err and err.count("\n") == 1


def test_the_examples_run(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    if missing := sorted({*IN_REPOSITORY} - {model.name for model in list_models()[0]}):
        pytest.skip(f"packages of models are not installed: {', '.join(missing)}")
    for language in ("EN", "ZH"):
        monkeypatch.delenv(f"ERRATA_MODEL_{language}")
    check_commands(ROOT / "docs" / "commands" / "models.md", lambda command, _: run(*shlex.split(command))[1], "models")
