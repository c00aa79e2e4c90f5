"""Which model a name means, and which one is the default, whatever packages are installed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from errata.errors import DataError, ErrataError, PluginError, UsageError
from errata.places import is_path
from errata.systems.installed import (
    BUNDLED,
    CHOICE,
    IN_REPOSITORY,
    JUDGES,
    NAMED,
    PREFERRED,
    NoModel,
    bundled_folder,
    default_model,
    default_models,
    find_model,
    list_models,
)
from errata.systems.model_packages import GROUP
from plugin_packages import install

RUNS = "raise SystemExit('the code of a package ran')"


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of installed packages, before all others; the current folder is another one."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(folder)
    for language in PREFERRED:
        monkeypatch.delenv(CHOICE + language.upper(), raising=False)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return folder


def bring(site: Path, package: str, name: str, *, module: str = "", version: str = "1.0") -> Path:
    """Install a package that brings a model; the model's folder."""
    module = module or package.replace("-", "_")
    install(site, package, GROUP, f"{name} = {module}", version=version)
    folder = site / module / name
    folder.mkdir(parents=True)
    (site / module / "__init__.py").write_text(RUNS)
    (folder / "errata.json").write_text(json.dumps({"system": "tagger", "language": "en"}))
    return folder


def names() -> list[str]:
    return [model.name for model in list_models()[0]]


def test_a_package_brings_a_model_and_runs_no_code(site: Path) -> None:
    folder = bring(site, "acme-models", "legal")
    assert find_model("legal") == folder
    found = next(model for model in list_models()[0] if model.name == "legal")
    assert (found.folder, found.package, found.version) == (folder, "acme-models", "1.0")


def test_a_package_may_bring_several(site: Path) -> None:
    install(site, "acme", GROUP, "legal = acme_models\nmedical = acme_models")
    for name in ("legal", "medical"):
        (site / "acme_models" / name).mkdir(parents=True)
        (site / "acme_models" / name / "errata.json").write_text("{}")
        assert find_model(name) == site / "acme_models" / name
    assert {"legal", "medical"} < set(names())


@pytest.mark.parametrize("name", BUNDLED.values())
def test_a_bundled_name_means_the_bundled_model(site: Path, name: str) -> None:
    for package in ("thief", f"errata-{name}"):
        bring(site, package, name)
    assert find_model(name) == bundled_folder(name)
    _, faults = list_models()
    assert faults == [f"model {name!r} of the package thief is left out: the name is one of errata's own"]


def test_a_preferred_model_is_the_default_where_it_is_installed(site: Path) -> None:
    bring(site, "errata-en-base", "en-base")
    assert default_model("en") == "en-base" and find_model("en-base") == site / "errata_en_base" / "en-base"
    assert default_models()["en"] == "en-base"
    assert find_model("en-small") == bundled_folder("en-small")


def test_users_choose_the_default_in_their_environment(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bring(site, "errata-en-base", "en-base")
    mine = bring(site, "acme-models", "legal")
    monkeypatch.setenv("ERRATA_MODEL_EN", "en-small")
    assert default_model("en") == "en-small" and default_models()["en"] == "en-small"
    monkeypatch.setenv("ERRATA_MODEL_EN", "legal")
    assert default_models() == {"en": "legal", "zh": "zh-small"}
    monkeypatch.setenv("ERRATA_MODEL_EN", str(mine))
    assert find_model(default_model("en")) == mine
    monkeypatch.setenv("ERRATA_MODEL_EN", "leagl")
    with pytest.raises(NoModel, match="ERRATA_MODEL_EN in the environment: no model 'leagl'"):
        default_model("en")


def test_no_other_package_becomes_the_default(site: Path) -> None:
    before = default_models()
    bring(site, "thief", "zh-base")
    bring(site, "errata-zh-best", "zh-best")
    assert default_models() == before
    with pytest.raises(NoModel, match="it is in the package errata-zh-base, which is not installed"):
        find_model("zh-base")
    assert "model 'zh-base' of the package thief is left out: the name is one of errata's own" in list_models()[1]
    assert "zh-base" not in names() and "zh-best" in names()


def test_a_model_that_has_to_be_named(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = default_models()
    bring(site, "thief", "en-open")
    folder = bring(site, "errata-en-open", "en-open")
    assert default_models() == before
    assert find_model("en-open") == folder and names().count("en-open") == 1
    assert "model 'en-open' of the package thief is left out: the name is one of errata's own" in list_models()[1]
    monkeypatch.setattr("errata.systems.installed.find_own_package", lambda name: None)
    with pytest.raises(NoModel, match=r"errata-en-open, which is not installed; .*: pip install \./models/en-open$"):
        find_model("en-open")


def test_entry_points_are_not_read_for_the_default() -> None:
    """Importing what reads them takes a tenth of the time to the first correction."""
    code = (
        "import sys; from errata.systems.installed import default_models; default_models(); "
        "print('importlib.metadata' in sys.modules)"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert told == "False\n"


def test_two_packages_with_one_name_are_both_named(site: Path) -> None:
    bring(site, "left", "legal")
    bring(site, "right", "legal")
    with pytest.raises(PluginError) as error:
        find_model("legal")
    message = str(error.value)
    assert "several packages bring a model 'legal'" in message and "left (left)" in message
    assert "right (right)" in message and message.endswith("uninstall all but one")
    models, faults = list_models()
    assert faults == [message] and "legal" not in [model.name for model in models]
    assert find_model("en-small")


def test_of_two_versions_the_first_on_the_path_counts(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bring(site, "acme", "legal", version="1.0")
    newer = bring(tmp_path / "other", "acme", "legal", version="2.0")
    monkeypatch.syspath_prepend(tmp_path / "other")
    (found,) = (model for model in list_models()[0] if model.name == "legal")
    assert (found.folder, found.version) == (newer, "2.0") and find_model("legal") == newer


@pytest.mark.parametrize("lost", ["errata.json", "folder", "package"])
def test_a_broken_package_is_one_line_and_others_work(site: Path, lost: str) -> None:
    folder = bring(site, "acme", "legal")
    other = bring(site, "beta", "medical")
    if lost == "errata.json":
        (folder / lost).unlink()
    else:
        shutil.rmtree(folder if lost == "folder" else folder.parent)
    with pytest.raises(PluginError) as error:
        find_model("legal")
    assert str(error.value) == (
        "model 'legal' of the package acme cannot be used: acme has no folder legal with errata.json; "
        "install it again, or uninstall it"
    )
    assert list_models()[1] == [str(error.value)]
    assert find_model("medical") == other and find_model("en-small")


def test_a_broken_preferred_model_is_passed_over_with_a_warning(site: Path, caplog: pytest.LogCaptureFixture) -> None:
    folder = bring(site, "errata-zh-base", "zh-base")
    (folder / "errata.json").unlink()
    assert default_model("zh") == "zh-small"
    (record,) = caplog.records
    assert "model 'zh-base' of the package errata-zh-base cannot be used" in record.getMessage()
    with pytest.raises(PluginError, match="install it again, or uninstall it"):
        find_model("zh-base")
    assert any("errata-zh-base" in fault for fault in list_models()[1])


def test_what_uninstalling_left_is_no_package(site: Path, caplog: pytest.LogCaptureFixture) -> None:
    (site / "errata_zh_base" / "__pycache__").mkdir(parents=True)
    assert default_model("zh") == "zh-small" and not caplog.records
    with pytest.raises(NoModel, match="which is not installed"):
        find_model("zh-base")


def test_uninstalling_takes_a_model_away(site: Path) -> None:
    bring(site, "acme", "legal")
    assert "legal" in names()
    shutil.rmtree(site / "acme")
    shutil.rmtree(site / "acme-1.0.dist-info")
    assert "legal" not in names()
    with pytest.raises(NoModel, match="no model 'legal'"):
        find_model("legal")


@pytest.mark.parametrize(
    ("points", "message"),
    [
        ("../../etc = acme", "the package acme brings a model '../../etc', which is no name: uninstall it"),
        (".. = acme", "the package acme brings a model '..', which is no name: uninstall it"),
        ("Legal = acme", "the package acme brings a model 'Legal', which is no name: uninstall it"),
        ("le\x1bgal = acme", r"the package acme brings a model 'le\x1bgal', which is no name: uninstall it"),
        ("legal = nowhere_at_all", "nowhere_at_all has no folder legal with errata.json"),
        ("legal = acme.inner:Thing", "acme.inner:Thing has no folder legal with errata.json"),
        ("legal = ../..", "../.. has no folder legal with errata.json"),
        ("legal =", " has no folder legal with errata.json"),
    ],
)
def test_a_broken_entry_point_is_one_line(site: Path, points: str, message: str) -> None:
    install(site, "acme", GROUP, points)
    (fault,) = list_models()[1]
    assert message in fault and "\n" not in fault
    assert find_model("en-small")


def test_a_package_without_metadata_is_named_as_far_as_possible(site: Path) -> None:
    folder = bring(site, "acme", "legal")
    (site / "acme-1.0.dist-info" / "METADATA").unlink()
    assert find_model("legal") == folder
    (found,) = (model for model in list_models()[0] if model.name == "legal")
    assert (found.package, found.version) == ("unknown", "")


def test_an_unknown_name_lists_what_is_installed(site: Path) -> None:
    bring(site, "acme", "legal")
    with pytest.raises(NoModel, match=r"as a path, or .*en-small, .*zh-small, .*legal"):
        find_model("leagl")


def test_an_installed_name_is_no_folder_here(site: Path) -> None:
    folder = bring(site, "acme", "legal")
    Path("legal").mkdir()
    assert find_model("legal") == folder
    Path("mine").mkdir()
    with pytest.raises(UsageError, match=r"write \./mine"):
        find_model("mine")


def test_a_folder_here_is_no_installed_package(tmp_path: Path) -> None:
    """`python -m` looks for packages in the current folder, which may be anybody's repository."""
    for package, name in (("errata-zh-base", "zh-base"), ("acme", "legal")):
        bring(tmp_path, package, name)
    code = (
        "from errata.systems.installed import default_model, list_models; "
        "print(default_model('zh'), 'legal' in [model.name for model in list_models()[0]])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=dict(os.environ), capture_output=True, text=True, check=True
    )
    assert done.stdout == "zh-small False\n"


def test_names_of_models_are_names() -> None:
    assert not any(is_path(name) for names in PREFERRED.values() for name in names)
    assert all(names[-1] == BUNDLED[language] for language, names in PREFERRED.items())
    assert {*IN_REPOSITORY} <= {*NAMED, *JUDGES, *(name for names in PREFERRED.values() for name in names)}


def test_a_bundled_model_that_is_gone_is_told(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("errata.systems.installed.bundled_folder", lambda name: site / "nowhere" / name)
    with pytest.raises(DataError, match="it comes with errata but is not installed"):
        find_model("en-small")
    with pytest.raises(ErrataError, match="no model 'x': give the folder of a trained system as a path"):
        find_model("x")
