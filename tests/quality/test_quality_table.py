"""One table of every corrector on every set: what is kept, what is skipped, and what the page shows."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from benchmarks.quality import __main__ as quality
from benchmarks.quality import pace, plot, results, running_text, table
from benchmarks.quality.correctors import (
    LM,
    ModelCorrector,
    PeerCorrector,
    code_digest,
    find_all,
    find_corrector,
    weights_digest,
)
from benchmarks.quality.results import Measured, Result, Results, edits_per_hundred, read_results, write_results
from benchmarks.quality.sets import SETS, QualitySet
from hypothesis import given
from hypothesis import strategies as st

from errata.errors import DataError, ErrataError, MissingExtra
from errata.metrics.inputs import Gold
from errata.model import AnnotatedSentence, Annotation, Edit, Sentence
from errata.systems.installed import bundled_folder


def scored(model: str, set: str = "conll14", value: float = 0.5, **facts) -> Result:
    known = {
        "set": set, "model": model, "preset": "balanced", "metric": SETS[set].metric, "value": value,
        "parts": {"precision": 0.6, "recall": 0.25}, "sentences": 3, "signature": "maxmatch|F0.5", "gold": "0123",
        "weights": "4567", "floor": None, "part": 0.4, "edits": 3.25, "code": "89ab",
    }  # fmt: skip
    return Result(**{**known, **facts})


def collect(scores: list[Result], correctors: list[Measured]) -> Results:
    return Results({one.key: one for one in scores}, {one.name: one for one in correctors})


# Close calls differ between processors: some hundredths of a point on a whole set.
OTHER_PROCESSOR = 0.0005
MACHINE = {"cpu": "A1", "cores": 2, "load": 0.5}
SMALL = Measured("en-small", "en", "4567", 30 * 2**20, 320.4, 1312, "2026-11-16", MACHINE)
SLOW = Measured(LM, "en", "x", 94 * 2**20, 1.26, 25, "2026-11-16", {**MACHINE, "load": 9.5})
HARPER = Measured("harper", "en", "harper-py-0.2.0", 2**20)
CHINESE = Measured("zh-small", "zh", "y", 2**20, 64.0, 600, "2026-11-16", MACHINE)
GLEU = scored("en-small", "jfleg", 0.5623, parts={"gleu": 0.5623}, signature="gleu|4-gram")
ALL = collect(
    [scored("en-small", value=0.5133), scored(LM, value=0.2), scored("harper", value=0.25, edits=None), GLEU,
     scored("zh-small", "mucgec", 0.2669)],
    [SMALL, SLOW, HARPER, CHINESE, Measured("unscored", "en", "z", 1)],
)  # fmt: skip


def test_what_is_written_is_read(tmp_path):
    path = tmp_path / "results.json"
    assert read_results(path) == Results()
    write_results(ALL, path)
    assert read_results(path) == ALL
    path.write_text('{"scores": {"a": {"b": 1}}}')
    with pytest.raises(DataError, match="holds no results that this version reads"):
        read_results(path)


TOKENS = st.lists(st.sampled_from("ab"), max_size=5)


@given(st.lists(st.tuples(TOKENS, TOKENS), max_size=4))
def test_edits_are_counted_for_each_sentence(pairs):
    sources, targets = [one for one, _ in pairs], [other for _, other in pairs]
    assert edits_per_hundred(sources, sources) == 0
    assert (edits_per_hundred(sources, targets) > 0) is (sources != targets)


def test_a_row_for_each_corrector_and_a_column_for_each_set():
    lines = table.make_tables(ALL).splitlines()
    rows = [line.split(" | ") for line in lines if line.startswith("| ")]
    assert [row[0] for row in rows] == [
        "| ", "| `en-small`", "| Harper", "| SmolLM2-135M alone ([lm](docs/systems/lm.md))", "| ", "| `zh-small`",
    ]  # fmt: skip
    assert rows[0][1:3] == ["CoNLL-14 test<br>MaxMatch F0.5, balanced", "JFLEG test<br>GLEU, eager"]
    assert rows[1][1:] == ["**51.33**<br>60.0 / 25.0", "56.23", "3.2", "320", "30.0 MiB |"]
    assert rows[2][1:] == ["25.00<br>60.0 / 25.0", "–", "–", "–", "1.0 MiB |"]
    assert rows[3][-2] == "1.3"
    assert rows[5][1].startswith("26.69<br>")  # the best of one is not bold
    assert "- JFLEG test: `gleu|4-gram`" in lines
    assert "- Speed of `en-small`: 2 cores (A1), load 0.5, 2026-11-16." in lines
    assert any("load 9.5" in line and "busy with other programs" in line for line in lines)
    assert {len(row) for row in rows[:4]} == {6} and table.make_tables(Results()) == ""


def test_the_page_gets_the_table(tmp_path):
    page = tmp_path / "MODELS.md"
    page.write_text(f"before\n{table.BEGIN}old\\1\n{table.END}after\n")
    for _ in range(2):
        table.write_page("new \\1", page)
        assert page.read_text() == f"before\n{table.BEGIN}new \\1\n{table.END}after\n"
    page.write_text("no place")
    with pytest.raises(DataError, match="has no place for the table"):
        table.write_page("new", page)


def test_the_page_shows_the_results():
    """`python -m benchmarks.quality table --write` refreshes it."""
    assert f"{table.BEGIN}{table.make_tables(read_results())}\n{table.END}" in table.PAGE.read_text("utf-8")


def test_the_results_are_those_that_are_pinned():
    """Whoever pins a score runs the benchmark, which keeps it here as well."""
    kept, pins = read_results().scores, quality.read_pins()
    assert pins
    for key, pin in pins.items():
        assert (kept[key].weights, kept[key].gold) == (pin["weights"], pin["gold"])
        assert kept[key].value == pytest.approx(pin["value"], abs=OTHER_PROCESSOR), key


def test_the_plot_is_a_picture_with_a_label_for_each_corrector(tmp_path):
    picture = plot.draw(plot.find_points(ALL, "conll14"), "conll14")
    root = ElementTree.fromstring(picture)
    texts = [one.text for one in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"en-small", LM, "1", "10", "100", "1,000", "60"} <= set(texts)
    assert not {"harper", "zh-small"} & set(texts)  # no speed, no CoNLL-14
    assert "prefers-color-scheme: dark" in picture
    with pytest.raises(DataError, match="nothing to plot"):
        plot.draw([], "conll14")


def test_chinese_correctors_have_a_picture_of_their_own():
    assert [point.name for point in plot.find_points(ALL, "mucgec")] == ["zh-small"]


def test_the_pictures_show_the_results(tmp_path):
    """`python -m benchmarks.quality plot` refreshes them."""
    plot.main(["--out", str(tmp_path)])
    assert {one.name for one in tmp_path.iterdir()} == set(plot.PICTURES)
    for name in plot.PICTURES:
        assert (tmp_path / name).read_text("utf-8") == (plot.FOLDER / name).read_text("utf-8"), name


@given(st.lists(st.tuples(st.floats(0.01, 1e5), st.floats(0, 100)), min_size=1, max_size=8))
def test_every_point_is_inside_the_picture(points):
    drawn = [plot.Point(f"a<{n}", *point, n % 2 == 0) for n, point in enumerate(points)]
    picture = plot.draw(drawn, "conll14")
    circles = list(ElementTree.fromstring(picture).iter("{http://www.w3.org/2000/svg}circle"))
    assert len(circles) == len(points)
    for circle in circles:
        assert plot.LEFT <= float(circle.get("cx")) <= plot.WIDTH - plot.RIGHT
        assert plot.TOP <= float(circle.get("cy")) <= plot.HEIGHT - plot.BOTTOM


def test_labels_are_apart():
    places = plot._place_labels([(300.0, 200.0, "one"), (302.0, 201.0, "two"), (299.0, 199.0, "three")])
    assert len({round(base) for _, base in places} | {round(at) for at, _ in places}) > 3


@pytest.fixture
def small_sets(monkeypatch, tmp_path):
    """Two sets of two sentences, and nothing kept beside them."""
    sentence = AnnotatedSentence(
        Sentence(tuple("It depends of the weather .".split())), (Annotation("0", (Edit(2, 3, ("on",)),)),)
    )
    gold = Gold("tiny", (sentence, sentence))
    path = tmp_path / "en" / "tiny.txt"
    path.parent.mkdir()
    path.write_text("tiny")

    def tiny(language: str) -> QualitySet:
        return QualitySet("Tiny", language, ("../en/tiny.txt",), "maxmatch", read=lambda paths: gold)

    sets = {"conll14": tiny("en"), "fce": tiny("en"), "mucgec": tiny("zh")}
    for module in (quality, results, table, pace, plot):
        monkeypatch.setattr(module, "SETS", sets, raising=False)
    monkeypatch.setattr(quality, "shared_folder", lambda: tmp_path)
    (tmp_path / "data").symlink_to(tmp_path)
    kept = tmp_path / "results.json"
    for name in ("read_results", "write_results"):
        bound = getattr(results, name)
        monkeypatch.setattr(quality, name, lambda *given, bound=bound: bound(*given, kept))
    return kept


def test_what_was_scored_is_not_scored_again(small_sets, capsys):
    assert quality.main(["--model", "en-small", "--json"]) == 0
    first = capsys.readouterr()
    answers = json.loads(first.out)
    assert [(one["set"], one["value"], one["sentences"]) for one in answers] == [("conll14", 1.0, 2), ("fce", 1.0, 2)]
    assert answers[0]["edits"] == pytest.approx(100 / 6, abs=0.001) and "as before" not in first.err
    kept = read_results(small_sets)
    assert kept.correctors["en-small"].size > 2**20
    write_results(replace(kept, scores={"en-small/fce": kept.scores["en-small/fce"]}), small_sets)  # interrupted
    assert quality.main(["--model", "en-small", "--json"]) == 0
    second = capsys.readouterr()
    assert second.out == first.out and second.err.count("as before") == 1
    assert quality.main(["--model", "en-small", "--again", "--only", "fce"]) == 0
    assert "as before" not in capsys.readouterr().err
    stale = replace(kept.scores["en-small/fce"], code="other", value=0.1)
    write_results(replace(kept, scores={"en-small/fce": stale}), small_sets)
    assert quality.main(["--model", "en-small", "--only", "fce"]) == 0
    assert read_results(small_sets).scores["en-small/fce"].value == 1.0
    assert quality.main(["--model", "en-small", "--only", "fce", "--limit", "1"]) == 0
    assert read_results(small_sets).scores["en-small/fce"].sentences == 2  # a part is not kept


def test_speeds_alone(small_sets, capsys, monkeypatch):
    monkeypatch.setattr(pace, "TIMED", {"en": ("conll14", 2)})
    assert quality.main(["--model", f"mine={bundled_folder('en-small')}", "--speed-only"]) == 0
    assert "mine: " in capsys.readouterr().err
    kept = read_results(small_sets)
    assert kept.correctors["mine"].per_second > 1 and not kept.scores


def test_a_folder_may_get_a_name(tmp_path):
    folder = bundled_folder("en-small")
    own, named = find_corrector("en-small", tmp_path), find_corrector(f"mine={folder}", tmp_path)
    assert (own.name, named.name, own.language) == ("en-small", "mine", "en")
    assert own.digest == named.digest == weights_digest(folder)
    with pytest.raises(ErrataError, match="no model"):
        find_corrector("mine=./nowhere", tmp_path)


def test_what_is_not_installed_is_told(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(
        "benchmarks.quality.correctors.DISTRIBUTIONS", {"harper": ("not-there",), "lingotweaker": ("not-there",)}
    )
    with pytest.raises(MissingExtra, match="not-there is not installed"):
        find_corrector("harper", tmp_path)
    assert {"en-small", "zh-small"} <= {one.name for one in find_all(tmp_path)}
    told = capsys.readouterr().err
    assert "without harper: not-there is not installed" in told and "without lingotweaker" in told


@pytest.mark.parametrize("name", ["harper", "lingotweaker"])
def test_peers_answer_in_tokens(name, tmp_path):
    pytest.importorskip({"harper": "harper", "lingotweaker": "lt_py"}[name])
    peer = find_corrector(name, tmp_path)
    assert isinstance(peer, PeerCorrector) and peer.size > 2**20 and re.search(r"-\d", peer.digest)
    texts = ["I should of asked , do n't you think ?", "He is well known ."]
    sentences = [AnnotatedSentence(Sentence(tuple(text.split())), ()) for text in texts]
    assert peer.correct(SETS["conll14"], sentences) == ["I should have asked , do n't you think ?", texts[1]]
    if name == "harper":  # a third engine of lingotweaker in one process may wait for ever
        check, running = peer.prepare(SETS["conll14"], sentences)
        assert running[0] == "I should of asked, don't you think?"
        check(running)


def test_the_digest_is_of_the_code_that_was_loaded(small_sets, tmp_path, monkeypatch):
    """An edit during a run must not make old answers look like those of the new code."""
    module = tmp_path / "edited.py"
    module.write_text("old")
    monkeypatch.setattr(running_text, "__file__", str(module))
    code_digest.cache_clear()
    answer = ModelCorrector.correct

    def edit_meanwhile(*given):
        module.write_text("new")
        return answer(*given)

    monkeypatch.setattr(ModelCorrector, "correct", edit_meanwhile)
    try:
        assert quality.main(["--model", "en-small", "--only", "fce"]) == 0
        code_digest.cache_clear()  # the next run
        assert read_results(small_sets).scores["en-small/fce"].code != code_digest()
    finally:
        code_digest.cache_clear()


def test_commands_are_found(capsys):
    for command in ("table", "plot"):
        with pytest.raises(SystemExit):
            quality.main([command, "--help"])
        assert f"benchmarks.quality {command}" in capsys.readouterr().out
    assert "benchmarks.quality" in sys.modules
