"""Ensembles of output files and of live systems: Python, command line, folder."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest
from typer.testing import CliRunner

from errata.cli import app
from errata.errors import DataError
from errata.metrics.base import get_metric
from errata.metrics.inputs import make_items, read_gold, read_hypotheses
from errata.model import Edit, Tokens
from errata.pipeline.load import load_model
from errata.pipeline.sentences import SentenceCorrector
from errata.systems.base import SYSTEMS, ProposedEdit, TokenCorrector
from errata.systems.ensemble import Ensemble
from errata.systems.ensemble.ensemble import write_ensemble
from errata.systems.ensemble.outputs import combine_outputs
from errata.systems.installed import bundled_models

SOURCE = "He go to school .\nI like dog .\n\nAll is well ."
A = "He goes to school .\nI like dogs .\n\nAll is well ."
B = "He goes to the school .\nI like a dog .\n\nAll is well ."
C = "He goes to school .\nI like dogs .\n\nAll were well ."


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    for name, text in (("src", SOURCE), ("a", A), ("b", B), ("c", C)):
        (tmp_path / f"{name}.txt").write_text(text + "\n", encoding="utf-8")
    return [str(tmp_path / f"{name}.txt") for name in ("src", "a", "b", "c")]


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["ensemble", *arguments])
    return result.exit_code, result.stdout if result.exception is None else str(result.exception)


def test_the_majority_decides(files: list[str]) -> None:
    source, *outputs = files
    combined = [line for line, _ in combine_outputs(source, outputs, "en")]
    assert combined == A.split("\n")
    hypotheses = [part for path in outputs for part in ("--hyp", path)]
    assert run("--src", source, *hypotheses) == (0, A + "\n")
    status, lenient = run("--src", source, *hypotheses, "--threshold", "1")
    assert status == 0 and "He goes to the school ." in lenient


def test_learn_then_combine(files: list[str], tmp_path: Path) -> None:
    source, a, b, _ = files
    weights = str(tmp_path / "w.json")
    both = ["--src", source, "--hyp", a, "--hyp", b]
    assert run("learn", *both, "--ref", a, "-o", weights)[0] == 0
    assert json.loads(Path(weights).read_text("utf-8"))["systems"] == ["a", "b"]
    out = tmp_path / "out.txt"
    assert run(*both, "--weights", weights, "-o", str(out))[0] == 0
    assert out.read_text("utf-8") == A + "\n"
    # Named systems may come in any order.
    assert run("--src", source, "--hyp", b, "--hyp", a, "--weights", weights) == (0, A + "\n")


@pytest.mark.parametrize(
    ("extra", "message"),
    [
        ([], "at least two --hyp"),
        (["--hyp", "{b}", "--type", "R:WO"], "write TYPE=VOTES"),
        (["--hyp", "{b}", "--threshold", "7"], "makes no sense with 2 systems"),
        (["--hyp", "{short}"], "files must be parallel"),
        (["--hyp", "{b}", "--weights", "nowhere.json"], "nowhere.json"),
    ],
    ids=["one system", "type", "threshold", "parallel", "weights"],
)
def test_mistakes_are_one_line(files: list[str], extra: list[str], message: str, tmp_path: Path) -> None:
    (tmp_path / "short.txt").write_text("one line\n", encoding="utf-8")
    filled = [part.format(b=files[2], short=tmp_path / "short.txt") for part in extra]
    status, said = run("--src", files[0], "--hyp", files[1], *filled)
    assert status != 0 and message in said and "\n" not in said.strip()


def test_chinese_lines_keep_their_spaces(tmp_path: Path) -> None:
    for name, text in (("src", "我用 Word 写做业 。"), ("a", "我用 Word 写作业 。"), ("b", "我用Word写作业。")):
        (tmp_path / name).write_text(text + "\n", encoding="utf-8")
    lines = combine_outputs(str(tmp_path / "src"), [str(tmp_path / "a"), str(tmp_path / "b")], "zh")
    assert [line for line, _ in lines] == ["我用 Word 写作业 。"]


class Replacer(TokenCorrector):
    """A member that replaces one word by another."""

    kind: ClassVar[str] = "replacer"
    max_tokens = 50

    def __init__(self, old: str, new: str, language: str = "en") -> None:
        self.old, self.new, self.language = old, new, language

    def propose(self, sentences: Sequence[Tokens]) -> list[list[ProposedEdit]]:
        return [
            [ProposedEdit(Edit(n, n + 1, (self.new,)), 0.9) for n, token in enumerate(tokens) if token == self.old]
            for tokens in sentences
        ]

    @classmethod
    def load(cls, folder: Path, manifest: object = None) -> Replacer:
        return cls(*json.loads((folder / "words.json").read_text("utf-8")))


def test_live_members_vote() -> None:
    members = [Replacer("go", "goes"), Replacer("go", "goes"), Replacer("dog", "dogs")]
    corrector = SentenceCorrector(Ensemble(members), name="three")
    found = corrector.correct(["He go home.", "I like dog.", ""])
    assert [one.target for one in found] == ["He goes home.", "I like dog.", ""]
    (edit,) = found[0].edits
    assert edit.type == "R:VERB:SVA" and edit.confidence == pytest.approx(2 / 3)


def test_members_share_a_language() -> None:
    with pytest.raises(DataError, match="share a language"):
        Ensemble([Replacer("a", "b"), Replacer("a", "b", "zh")])


@pytest.fixture
def both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two members in it."""
    monkeypatch.setitem(SYSTEMS, "replacer", f"{__name__}:Replacer")
    folder = tmp_path / "both"
    for name, words in (("one", ["go", "goes"]), ("two", ["go", "goes"])):
        (folder / name).mkdir(parents=True)
        (folder / name / "errata.json").write_text('{"system": "replacer"}', encoding="utf-8")
        (folder / name / "words.json").write_text(json.dumps(words), encoding="utf-8")
    return folder


def test_a_folder_lists_its_members(both: Path) -> None:
    write_ensemble(both, ["one", "./two"], "en")
    assert load_model(both).correct(["He go home."])[0].target == "He goes home."
    (both / "errata.json").write_text('{"system": "ensemble", "language": "en"}', encoding="utf-8")
    with pytest.raises(DataError, match="does not describe an ensemble"):
        load_model(both)


def test_a_member_may_be_a_link(both: Path, tmp_path: Path) -> None:
    (tmp_path / "three").symlink_to(both, target_is_directory=True)
    linked = tmp_path / "linked"
    linked.mkdir()
    (linked / "member").symlink_to(both / "one")
    write_ensemble(linked, ["member"], "en")
    assert load_model(linked).correct(["He go home."])[0].target == "He goes home."


@pytest.mark.skipif("en" not in bundled_models(), reason="en-small is not here")
def test_a_member_may_be_bundled(both: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(both)
    (both / "one").rename(both / "en-small")  # does not take the place of the bundled model
    write_ensemble(both, ["en-small", "two"], "en", threshold=1)
    ensemble = load_model(both).model
    assert [member.kind for member in ensemble.members] == ["tagger", "replacer"]


@pytest.mark.parametrize("member", ["../two", "/models/two", "..", ".", ""])
def test_members_lie_inside(both: Path, member: str) -> None:
    with pytest.raises(DataError, match=r"member .* must lie inside the folder"):
        write_ensemble(both, [member], "en")
    settings = {"members": [member]}
    manifest = {"system": "ensemble", "language": "en", "format": 1, "settings": settings}
    (both / "errata.json").write_text(json.dumps(manifest), encoding="utf-8")
    with pytest.raises(DataError, match=r"member .* must lie inside the folder"):
        load_model(both)


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ([None], r"both/errata\.json: member 1 is null, not a bundled model or a folder"),
        (["one", 3], r"both/errata\.json: member 2 is 3, not a bundled"),
        (["one", "None"], r"both/errata\.json: member 2 is 'None', but there is no such folder"),
    ],
)
def test_a_member_that_is_not_there_is_told_with_its_manifest(both: Path, members: list[Any], message: str) -> None:
    manifest = {"system": "ensemble", "language": "en", "format": 1, "settings": {"members": members}}
    (both / "errata.json").write_text(json.dumps(manifest), encoding="utf-8")
    with pytest.raises(DataError, match=message):
        load_model(both)


def test_weights_lie_inside(both: Path) -> None:
    with pytest.raises(DataError, match=r"weights .* must lie inside the folder"):
        write_ensemble(both, ["one"], "en", weights="../w.json")


def test_an_ensemble_is_not_its_own_member(both: Path) -> None:
    (both / "self").symlink_to(both)
    write_ensemble(both, ["self"], "en")
    with pytest.raises(DataError, match="one of its own members"):
        load_model(both)


def test_another_system_is_not_overwritten(both: Path) -> None:
    before = (both / "one" / "errata.json").read_text()
    with pytest.raises(DataError, match="holds a replacer already"):
        write_ensemble(both / "one", ["en-small"], "en")
    assert (both / "one" / "errata.json").read_text() == before


@pytest.mark.data
@pytest.mark.slow
def test_votes_of_two_real_systems_beat_both(data: Path, tmp_path: Path) -> None:
    """The learnt ensemble, which takes longer, is `benchmarks/quality/ensemble.py`."""
    outputs = [data / "en/system-outputs/conll14" / f"esc.{name}.txt.xz" for name in ("source", "T5-Large", "UEDIN-MS")]
    source, *systems = map(str, outputs)
    lines = [line + "\n" for line, _ in combine_outputs(source, systems, "en")]
    (tmp_path / "votes.txt").write_text("".join(lines), encoding="utf-8")
    gold = read_gold(data / "en/conll14/official-2014.combined.m2")
    metric = get_metric("maxmatch")

    def score(path: str) -> float:
        return metric.aggregate(metric.stats(make_items(gold, read_hypotheses(path, gold, "text")))).value

    assert score(str(tmp_path / "votes.txt")) > max(map(score, systems))
