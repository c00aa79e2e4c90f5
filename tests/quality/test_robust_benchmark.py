"""The comparison on RobustGEC: its parts keep near duplicates together, its table tells every alternative."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from benchmarks.robust import __main__ as robust
from benchmarks.robust.alternatives import Models, Variants, find_bias, load, score, with_bias
from benchmarks.robust.parts import (
    DEV,
    PARTS,
    TEST,
    TRAIN,
    SubsetCase,
    count_leaks,
    find_groups,
    read_cases,
    share_out,
    split_cases,
    write_parts,
)
from benchmarks.robust.table import Row, format_table

from errata.errors import UsageError
from errata.formats.robustgec import parse_cases
from errata.model import RobustCase, Sample
from errata.robustness.cases import read_subset

ROOT = Path(__file__).resolve().parents[2]
LEARNERS = ROOT / "examples" / "robust" / "learners.para"


def case(number: int, subset: str = "bea19", text: str | None = None) -> SubsetCase:
    """A case of its own words, or of `text`."""
    own = text or " ".join(f"w{number}n{place}" for place in range(12))
    return SubsetCase(subset, RobustCase(Sample(own, own + " ."), (Sample(own + " x", own + " x ."),)))


SHARED = " ".join(f"same{place}" for place in range(10))
CASES = [
    *(case(number) for number in range(60)),
    *(case(number, "tem8") for number in range(60, 90)),
    *(case(number, "tem8" if number % 2 else "bea19", f"{SHARED} end{number}") for number in range(90, 96)),
    case(96, "tem8", "Hi there ."),
    case(97, "bea19", "hi there"),
]


def test_near_duplicates_are_one_group() -> None:
    groups = [group for group in find_groups(CASES) if len(group) > 1]
    assert groups == [[90, 91, 92, 93, 94, 95], [96, 97]]


@pytest.mark.parametrize("seed", range(5))
def test_parts_have_their_sizes_and_nothing_in_common(seed: int) -> None:
    parts = split_cases(CASES, {TRAIN: 40, DEV: 10}, seed)
    assert [len(parts[name]) for name in PARTS] == [40, 10, 48]
    for name, size in ((TRAIN, 40), (DEV, 10)):
        assert Counter(one.subset for one in parts[name]) == share_out(CASES, size)
    assert count_leaks(parts) == 0
    assert sorted(map(id, CASES)) == sorted(id(one) for cases in parts.values() for one in cases)


def test_another_seed_makes_other_parts() -> None:
    first, again, other = (split_cases(CASES, {TRAIN: 40, DEV: 10}, seed)[TEST] for seed in (1, 1, 2))
    assert first == again != other
    with pytest.raises(UsageError, match="there are 98 cases, and 110 are wanted"):
        split_cases(CASES, {TRAIN: 100, DEV: 10})


def test_a_leak_is_found() -> None:
    assert count_leaks({TRAIN: CASES[90:92], DEV: CASES[92:94], TEST: CASES[:5]}) == 1


def test_parts_are_written(tmp_path: Path) -> None:
    write_parts(split_cases(CASES, {TRAIN: 40, DEV: 10}), tmp_path)
    assert {path.name for path in (tmp_path / TRAIN).iterdir()} == {"bea19.para", "conll14.para", "tem8.para"}
    with (tmp_path / DEV / "tem8.para").open(encoding="utf-8") as lines:
        assert len(list(parse_cases(lines))) == share_out(CASES, 10)["tem8"]
    assert len((tmp_path / "train-originals.tsv").read_text("utf-8").splitlines()) == 40


@pytest.mark.data
def test_the_parts_of_robustgec(shared: Path, tmp_path: Path) -> None:
    """The same on every machine, whatever Python's hashes are."""
    told = []
    for hashes in ("1", "2"):
        line = [sys.executable, "-m", "benchmarks.robust", "split", str(tmp_path / hashes)]
        environment = os.environ | {"PYTHONHASHSEED": hashes, "ERRATA_DATA": str(shared)}
        told.append(subprocess.run(line, check=True, capture_output=True, text=True, cwd=ROOT, env=environment).stdout)
    assert told[0] == told[1] and "train: 2,000 cases (bea19 1,002, conll14 525, tem8 473)" in told[0]
    files = [sorted((tmp_path / hashes).rglob("*.para")) for hashes in ("1", "2")]
    assert [path.read_bytes() for path in files[0]] == [path.read_bytes() for path in files[1]]
    assert len(read_cases(shared / "data" / "en" / "robustgec")) == 4996


def test_variants_from_a_file(tmp_path: Path) -> None:
    blocks = tmp_path / "made.para"
    blocks.write_text("O-S a b\nA1-S c b\nA3-S d b\n", encoding="utf-8")
    variants = Variants(1, blocks)
    assert [variants("a b"), variants("a c")] == [["c b"], []]
    assert (variants.n_sentences, variants.n_without) == (2, 1)
    assert Variants(2)("I saw Mary .") == ["I saw Susan .", "I saw Linda ."]


def test_models_of_a_row() -> None:
    assert Models.parse("CPR=a/model, b/model") == Models("CPR", ("a/model", "b/model"))
    for wrong in ("a/model", "CPR=", "=a"):
        with pytest.raises(UsageError, match="is not NAME=FOLDER"):
            Models.parse(wrong)


def test_the_bias_of_a_precision() -> None:
    """More bias, more precision: the bias that is found gives what was asked for."""
    subsets = [read_subset(LEARNERS)]
    corrector = load("en-small")
    bias = find_bias(corrector, subsets, 1.0)
    assert score(with_bias(corrector, bias), subsets).total.scores["official"].original.precision == pytest.approx(1.0)


def test_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    blocks = LEARNERS.read_text("utf-8").split("\n\n")
    (tmp_path / DEV).mkdir()
    for n, name in enumerate(("bea19", "conll14", "tem8")):  # the same cases twice are refused
        (tmp_path / DEV / f"{name}.para").write_text("\n\n".join(blocks[n:]), "utf-8")
    line = ["table", str(tmp_path), "--baseline", "en-small", "--models", "twice=en-small,en-small"]
    line += ["--tweak-to", "twice", "--average", "2", "--vote", "2", "--limit", "2", "--json", str(tmp_path / "a.json")]
    monkeypatch.setattr(sys, "argv", ["robust", *line])
    assert robust.main() == 0
    out = capsys.readouterr().out
    rows = [one.split(" | ")[0].strip("| ") for one in out.splitlines() if one.startswith("| ")]
    names = ["", "baseline", "twice", "keep bias 0.000", "averaging over 2", "voting of 2"]
    assert rows == [*names, *names] and out.count("± 0.0") == 14
    assert "### official" in out and "`robust|consistent" in out.replace("`robust|official", "", 1)
    assert (tmp_path / "a.json").exists()
    monkeypatch.setattr(sys, "argv", ["robust", *line[:4], "--tweak-to", "none"])
    assert robust.main() == 2 and "there are no --models of this name" in capsys.readouterr().err


def test_means_over_seeds() -> None:
    subsets = [read_subset(LEARNERS)]
    one, other = (score(with_bias(load("en-small"), bias), subsets) for bias in (0.0, 0.9))
    lines = list(format_table([Row("seeds", (one, other)), Row("alone", (one,))]))
    assert "±" in lines[4] and "±" not in lines[5]
