"""Names find what is built in, then what other packages bring; nothing is read that nobody asked for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from errata.errors import PluginError, UnknownName
from errata.formats import get_format
from errata.metrics import get_metric
from errata.model import Edit
from errata.registry import load_plugins, lookup
from errata.systems.base import find_system
from plugin_packages import install

GROUP = "errata.tests"
BUILT_IN = {"edit": "errata.model:Edit"}


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of installed packages."""
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def test_another_package_brings_a_name(site: Path) -> None:
    install(site, "brings_one", GROUP, "one = brings_one:make", "def make(): return 1")
    assert lookup("thing", BUILT_IN, "one", group=GROUP)() == 1


def test_a_built_in_name_always_wins(site: Path) -> None:
    install(site, "shadows_edit", GROUP, "edit = shadows_edit:VALUE", "VALUE = 1")
    assert lookup("thing", BUILT_IN, "edit", group=GROUP) is Edit


@pytest.mark.parametrize(
    ("package", "points", "module", "reason"),
    [
        ("no_module", "it = nowhere_at_all:It", "", "ModuleNotFoundError: No module named 'nowhere_at_all'"),
        ("no_member", "it = no_member:It", "", "AttributeError: module 'no_member' has no attribute 'It'"),
        ("fails", "it = fails:It", "raise ValueError('two\\nlines')", "ValueError: two lines"),
        ("bad_syntax", "it = bad_syntax:It", "def", "SyntaxError: "),
        ("quits", "it = quits:It", "import sys; sys.exit('no licence')", "SystemExit: no licence"),
    ],
)
def test_a_broken_entry_point_is_one_line(site: Path, package: str, points: str, module: str, reason: str) -> None:
    install(site, package, GROUP, points, module)
    with pytest.raises(PluginError) as error:
        lookup("thing", BUILT_IN, "it", group=GROUP)
    message = str(error.value)
    assert message.startswith(f"thing 'it' of the package {package} cannot be loaded (") and reason in message
    assert "\n" not in message and message.endswith("install a version that fits, or uninstall it")


def test_what_cannot_be_loaded_is_one_line_each_and_hides_nothing(site: Path) -> None:
    broken = {
        "fails_at_import": "it_fails = fails_at_import:It",
        "lacks_it": "it_lacks = lacks_it:It",
        "is_no_thing": "it_is_none = is_no_thing:It",
        "shadows": "edit = shadows:It",
    }
    modules = {"fails_at_import": "1 / 0", "is_no_thing": "It = None", "shadows": "def It(): pass"}
    for package, points in broken.items():
        install(site, package, GROUP, points, modules.get(package, ""))
    install(site, "works", GROUP, "it_works = works:make", "def make(): return 3")
    loaded, faults = load_plugins("thing", BUILT_IN, GROUP)
    assert {name: make() for name, make in loaded.items()} == {"it_works": 3}
    assert sorted(faults) == [
        "thing 'edit' of the package shadows is left out: the name is one of errata's own",
        "thing 'it_fails' of the package fails_at_import cannot be loaded (fails_at_import:It): "
        "ZeroDivisionError: division by zero; install a version that fits, or uninstall it",
        "thing 'it_is_none' of the package is_no_thing (is_no_thing:It) is None, no thing",
        "thing 'it_lacks' of the package lacks_it cannot be loaded (lacks_it:It): AttributeError: module 'lacks_it' "
        "has no attribute 'It'; install a version that fits, or uninstall it",
    ]


def _find_kind(group: str, name: str, folder: Path) -> object:
    """What a registry of errata has under a name, as users ask for it."""
    if group == "errata.metrics":
        return get_metric(name)
    if group == "errata.formats":
        return get_format(name)
    return find_system(folder, {"system": name})


@pytest.mark.parametrize(
    ("group", "own"), [("errata.metrics", "gleu"), ("errata.formats", "m2"), ("errata.systems", "tagger")]
)
def test_every_registry_names_what_is_broken_and_goes_on(site: Path, group: str, own: str) -> None:
    package = group.replace(".", "_")
    install(site, package, group, f"broken = {package}_gone:It\nlacking = {package}:It\n{own} = {package}:It", "")
    kind = group.removeprefix("errata.").removesuffix("s")
    for name, reason in (("broken", "ModuleNotFoundError"), ("lacking", "AttributeError")):
        with pytest.raises(PluginError, match=f"^{kind} '{name}' of the package {package} cannot be loaded .*{reason}"):
            _find_kind(group, name, site)
    found = _find_kind(group, own, site)
    home = found if isinstance(found, type) else type(found)
    assert home.__module__.startswith(f"{group}.{own}")


@pytest.mark.parametrize("content", [b"[errata.tests]\nno equals sign\n", b"[errata.tests]\n\xff = x\n"])
def test_damaged_entry_points_hide_no_other_package(
    site: Path, caplog: pytest.LogCaptureFixture, content: bytes
) -> None:
    install(site, "damaged", GROUP, "")
    (site / "damaged-1.0.dist-info" / "entry_points.txt").write_bytes(content)
    install(site, "brings_two", GROUP, "two = brings_two:make", "def make(): return 2")
    assert lookup("thing", BUILT_IN, "two", group=GROUP)() == 2
    (record,) = caplog.records
    assert record.getMessage().startswith("the entry points of the package damaged cannot be read (")


def test_a_package_counts_once_as_it_is_in_the_first_folder(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder, version in (("old", "1.0"), ("new", "2.0")):
        install(site / folder, "twice", GROUP, f"it = twice_{folder}:make", version=version)
        (site / folder / f"twice_{folder}.py").write_text(f"def make(): return {folder!r}")
        monkeypatch.syspath_prepend(site / folder)
    assert lookup("thing", BUILT_IN, "it", group=GROUP)() == "new"


def test_two_packages_with_one_name_are_refused(site: Path) -> None:
    for package in ("left", "right"):
        install(site / package, package, GROUP, f"it = {package}:It", "It = 1")
        sys.path.insert(0, str(site / package))
    try:
        with pytest.raises(PluginError, match=r"several packages bring a thing 'it': .*left.*uninstall all but one"):
            lookup("thing", BUILT_IN, "it", group=GROUP)
    finally:
        del sys.path[:2]


def test_an_unknown_name_lists_what_other_packages_bring(site: Path) -> None:
    install(site, "brings_word", GROUP, "word-order = brings_word:VALUE", "VALUE = 1")
    with pytest.raises(UnknownName, match=r"did you mean 'word-order'\? \(choose from edit, word-order\)"):
        lookup("thing", BUILT_IN, "word-ordre", group=GROUP)


def test_entry_points_are_not_read_for_built_in_names() -> None:
    """Reading them takes longer than `import errata`."""
    code = (
        "import sys; from errata.registry import lookup; "
        f"lookup('thing', {BUILT_IN!r}, 'edit', group={GROUP!r}); print('importlib.metadata' in sys.modules)"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert told == "False\n"
