"""Whole runs: exact counts, the same output however they are run, and after being killed."""

from __future__ import annotations

import gzip
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

import dill
import pytest
from benchmarks.crawl.runs import crawl_archives, read_output, start_run
from benchmarks.crawl.synthetic import Expected, Made, kept, make_pages, pack, page_of

from errata.crawl.engines import Engine, LocalRunner
from errata.crawl.inputs import find_inputs, open_input
from errata.crawl.job import Settings
from errata.crawl.pages import read_pages
from errata.crawl.progress import shown_progress
from errata.crawl.reasons import REASONS
from errata.crawl.run import crawl
from errata.crawl.stages import STAGES
from errata.crawl.warc import Position
from errata.errors import DataError, UsageError
from errata.formats import iter_sentences

N_PAGES, N_FILES = 200, 3
PAGE = b"<html><body><p>" + b"This is a page that is called an archive, and has no record. " * 5 + b"</p></body></html>"


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Expected]:
    folder = tmp_path_factory.mktemp("archives")
    return folder, pack(make_pages(N_PAGES), folder, N_FILES)


@pytest.fixture(scope="module")
def output(archives: tuple[Path, Expected], tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What one process makes of the archives."""
    folder = tmp_path_factory.mktemp("one") / "out"
    crawl_archives(archives[0], folder)
    return read_output(folder)


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """A small archive, and the counts of a run over it."""
    folder = tmp_path_factory.mktemp("few")
    return folder, pack(make_pages(120)[:30], folder, 1).as_counts()


def report(output: dict[str, bytes]) -> dict[str, Any]:
    return dict(json.loads(output["report.json"]))


def test_every_record_is_counted(archives: tuple[Path, Expected], output: dict[str, bytes]) -> None:
    assert report(output)["counts"] == archives[1].as_counts()


def test_every_reason_is_tried(output: dict[str, bytes]) -> None:
    """All but what other tests show; a reason that nothing makes would be one that nothing checks."""
    elsewhere = {
        "bad-response",
        "not-an-archive",
        "unreadable",
        "crash",
        "few-letters",
        "long-word",
        "many-addresses",
        "repetitive",
        "long-sentence",
    }
    counts = report(output)["counts"]
    missing = {reason for level, known in REASONS.items() for reason in known if reason not in counts[level]["dropped"]}
    assert missing - elsewhere <= {"not-sampled"}


def test_texts_and_their_sources_are_parallel(archives: tuple[Path, Expected], output: dict[str, bytes]) -> None:
    for register in ("generic", "sponsored"):
        texts = output[f"{register}.txt"].decode().splitlines()
        sources = [json.loads(line) for line in output[f"{register}.provenance.jsonl"].splitlines()]
        assert len(texts) == len(sources) == report(output)["registers"][register]["sentences"] > 0
        assert len(set(texts)) == len(texts)
        assert texts != sorted(texts) and sources != sorted(sources, key=lambda one: (one["file"], one["offset"]))


def test_a_source_leads_back_to_the_sentence(few: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    from errata.crawl.extractors import extract_blocks, get_extractor

    crawl_archives(few[0], tmp_path / "out", Settings(is_tokenised=False))
    sources = (tmp_path / "out" / "sponsored.provenance.jsonl").read_text("utf-8").splitlines()
    texts = (tmp_path / "out" / "sponsored.txt").read_text("utf-8").splitlines()
    for text, line in list(zip(texts, sources, strict=True))[:20]:
        source = json.loads(line)
        with open_input(source["file"]) as stream:
            start = Position(source["offset"])
            item = next(read_pages(stream, source["file"], start=start, domains="paper", limit=5 << 20))
        assert item.page is not None and (item.page.url, item.page.date) == (source["url"], source["date"])
        block = extract_blocks(item.page.text, get_extractor("justext"))[source["paragraph"]]
        assert block.text[source["start"] : source["end"]] == text


def test_two_processes_write_the_same(
    archives: tuple[Path, Expected], output: dict[str, bytes], tmp_path: Path
) -> None:
    crawl_archives(archives[0], tmp_path / "out", engine=Engine(workers=2))
    assert read_output(tmp_path / "out") == output


def test_partitions_and_parts_change_nothing(
    archives: tuple[Path, Expected], output: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("errata.crawl.job.BYTES_PER_PARTITION", 50_000)
    monkeypatch.setattr("errata.crawl.reading.LARGEST_PART", 2_000)
    monkeypatch.setattr("errata.crawl.writing.FAN_IN", 2)
    crawl_archives(archives[0], tmp_path / "out")
    found = read_output(tmp_path / "out")
    assert report(found)["job"]["n_partitions"] > 2
    assert {**found, "report.json": b""} == {**output, "report.json": b""}
    assert report(found)["counts"] == report(output)["counts"]


def test_a_run_that_is_killed_goes_on(
    archives: tuple[Path, Expected], output: dict[str, bytes], tmp_path: Path
) -> None:
    rng = Random(11)
    n_killed = 0
    for _ in range(30):
        process = start_run(archives[0], tmp_path / "out", workers=2, records_per_part=20)
        # The first tries are killed when they have just begun to save parts, wherever that is.
        if n_killed < 3:
            n_killed += _kill_after_progress(process, tmp_path / "out", rng)
        elif process.wait() == 0:
            break
    assert n_killed == 3
    found = read_output(tmp_path / "out")
    assert {**found, "report.json": b""} == {**output, "report.json": b""}
    assert report(found)["counts"] == report(output)["counts"]
    assert not (tmp_path / "out" / "work").exists()


def _kill_after_progress(process: subprocess.Popen[bytes], folder: Path, rng: Random) -> bool:
    """Kill a run some time after it has done something; whether it was still running."""
    before = _count_files(folder)
    while process.poll() is None and _count_files(folder) <= before + rng.randrange(1, 12):
        time.sleep(0.01)
    time.sleep(rng.random() * 0.1)
    was_running = process.poll() is None
    process.send_signal(signal.SIGKILL)
    process.wait()
    return was_running


def _count_files(folder: Path) -> int:
    return sum(1 for _ in folder.rglob("*.json*")) if folder.exists() else 0


def test_a_complete_run_is_left_alone(few: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    crawl_archives(few[0], tmp_path / "out", Settings(sample=5))
    times = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "out").iterdir()}
    again = crawl_archives(few[0], tmp_path / "out", Settings(sample=5))
    assert again.n_records == 0 and again.report is not None
    assert {path.name: path.stat().st_mtime_ns for path in (tmp_path / "out").iterdir()} == times
    with pytest.raises(UsageError, match=r"begun with seed 0, and this is 1: .*--restart"):
        crawl_archives(few[0], tmp_path / "out", Settings(sample=5, seed=1))
    with pytest.raises(UsageError, match="other inputs"):
        crawl(find_inputs([__file__]), tmp_path / "out", Settings(sample=5))
    crawl_archives(few[0], tmp_path / "out", Settings(sample=5, seed=1), restart=True)


def test_a_run_that_saved_nothing_binds_nobody(few: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    """An address with a mistake in it: the next command may be another one."""
    with pytest.raises(DataError, match="cannot be opened"):
        crawl(find_inputs(["http://127.0.0.1:9/a.warc.gz"]), tmp_path / "out", Settings())
    assert (tmp_path / "out" / "work" / "read").is_dir()
    finished = crawl_archives(few[0], tmp_path / "out", Settings(seed=3))
    assert finished.report is not None and finished.report["counts"] == few[1]
    assert finished.report["job"]["settings"]["seed"] == 3


def test_a_run_that_slurm_has_is_not_replaced(
    few: tuple[Path, dict[str, Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("errata.crawl.run.submit_to_slurm", lambda job, engine: "1")
    crawl_archives(few[0], tmp_path / "out", engine=Engine("slurm", 1, {}))
    with pytest.raises(UsageError, match="begun with seed 0"):
        crawl_archives(few[0], tmp_path / "out", Settings(seed=1))


@pytest.mark.parametrize(
    ("log", "told"),
    [
        (
            "Traceback\nerrata.errors.DataError: a.warc.gz cannot be opened: gone\n",
            r"failed \(a.warc.gz cannot .*gone\):",
        ),
        ("Killed\n", r"failed; .*logs says why:"),
    ],
)
def test_what_a_task_on_a_cluster_failed_of_is_told(
    few: tuple[Path, dict[str, Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, log: str, told: str
) -> None:
    def fail(self: LocalRunner, stage: str, tasks: object) -> None:
        logs = tmp_path / "out" / "work" / "datatrove" / stage / "logs"
        logs.mkdir(parents=True)
        (logs / "task_00000.log").write_text(log)

    monkeypatch.setattr(LocalRunner, "__call__", fail)
    with pytest.raises(DataError, match=told):
        crawl_archives(few[0], tmp_path / "out")


def test_a_run_that_saved_a_part_is_not_mixed_with_another(few: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    inputs = [*find_inputs([str(few[0])]), *find_inputs(["http://127.0.0.1:9/a.warc.gz"])]
    with pytest.raises(DataError, match="cannot be opened"):
        crawl(inputs, tmp_path / "out", Settings())
    with pytest.raises(UsageError, match="other inputs"):
        crawl(inputs[:1], tmp_path / "out", Settings())
    with pytest.raises(DataError, match="cannot be opened"):  # the same command goes on
        crawl(inputs, tmp_path / "out", Settings())


def test_two_runs_do_not_share_a_folder(archives: tuple[Path, Expected], tmp_path: Path) -> None:
    process = start_run(archives[0], tmp_path / "out", workers=1, records_per_part=5)
    try:
        while not _count_files(tmp_path / "out"):
            assert process.poll() is None
            time.sleep(0.01)
        os.kill(process.pid, signal.SIGSTOP)
        with pytest.raises(UsageError, match="another run is at work here"):
            crawl_archives(archives[0], tmp_path / "out", Settings())
    finally:
        process.kill()
        process.wait()


def test_sampling(few: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    drawn = {}
    for seed in (0, 1):
        settings = Settings(sample=4, seed=seed, output="paragraphs")
        crawl_archives(few[0], tmp_path / str(seed), settings)
        found = report(read_output(tmp_path / str(seed)))
        assert {name: counts["paragraphs"] for name, counts in found["registers"].items()} == dict.fromkeys(
            ("generic", "sponsored"), 4
        )
        kept = few[1]["paragraphs"]["kept"]
        assert found["counts"]["paragraphs"]["dropped"]["not-sampled"] == kept - 8
        drawn[seed] = (tmp_path / str(seed) / "generic.jsonl").read_text("utf-8")
    assert drawn[0] != drawn[1]


def test_a_share(few: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    crawl_archives(few[0], tmp_path / "half", Settings(share=0.5))
    half = report(read_output(tmp_path / "half"))["counts"]["paragraphs"]
    all_kept = few[1]["paragraphs"]["kept"]
    assert 0.2 * all_kept < half["kept"] < 0.8 * all_kept
    assert half["kept"] + half["dropped"]["not-sampled"] == all_kept


def test_paragraphs_for_annotation(few: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    crawl_archives(few[0], tmp_path / "out", Settings(output="paragraphs"))
    sentences = list(iter_sentences(tmp_path / "out" / "sponsored.jsonl"))
    passages = [sentence.meta["passage"] for sentence in sentences]
    assert passages == sorted(passages, key=lambda name: int(name.split()[1])) and len(set(passages)) * 5 == len(
        passages
    )
    texts = [str(sentence.sentence.text) for sentence in sentences]
    assert all(text.endswith(".") and text[0].isupper() for text in texts)


@pytest.mark.parametrize("extractor", ["trafilatura", "resiliparse"])
def test_other_extractors(extractor: str, tmp_path: Path) -> None:
    pages = [page for page in make_pages(120) if page.expected == kept(3)][:5]
    pack(pages, tmp_path, 1)
    crawl_archives(tmp_path, tmp_path / "out", Settings(extractor=extractor))
    counts = report(read_output(tmp_path / "out"))["counts"]
    assert (len(pages), counts["paragraphs"]["kept"], counts["sentences"]["kept"]) == (5, 15, 75)


def test_a_cluster_of_two_nodes_writes_the_same(
    archives: tuple[Path, Expected], output: dict[str, bytes], tmp_path: Path
) -> None:
    command = [sys.executable, "-m", "benchmarks.crawl.on_ray", archives[0], tmp_path / "out"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "2 nodes\n"), done.stderr
    assert read_output(tmp_path / "out") == output


SBATCH = """#!/bin/bash
echo "$@" >>"$JOBS"
cat "${@: -1}" >>"$JOBS"
echo "Submitted batch job $(grep -c ^echo "$JOBS")"
"""


def test_slurm(few: tuple[Path, dict[str, Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The jobs that datatrove hands to Slurm, run here one after the other: what they write is the same."""
    for name, script in (("sbatch", SBATCH), ("scontrol", "#!/bin/sh\necho localhost\n")):
        (tmp_path / name).write_text(script)
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setenv("JOBS", str(tmp_path / "jobs"))
    engine = Engine("slurm", 1, {"partition": "any", "time": "1:00:00"})
    finished = crawl_archives(few[0], tmp_path / "out", engine=engine)
    assert finished.report is None and finished.slurm_job
    jobs = re.findall(r"launch_pickled_pipeline (\S+)", (tmp_path / "jobs").read_text())
    assert [Path(job).parent.name for job in jobs] == list(STAGES)
    monkeypatch.setenv("SLURM_ARRAY_TASK_ID", "0")
    monkeypatch.setenv("SLURM_NODELIST", "localhost")
    for job in jobs:
        with Path(job).open("rb") as stream:
            dill.load(stream).run()
    again = crawl_archives(few[0], tmp_path / "out", engine=engine)
    assert again.report is not None and again.report["counts"] == few[1]
    assert not (tmp_path / "out" / "work").exists()


def test_wet_files(tmp_path: Path) -> None:
    from benchmarks.crawl.prose import Prose

    prose = Prose(4)
    texts = [prose.paragraph() for _ in range(3)]
    content = "\n".join(["Home", *texts, "Copyright"]).encode()
    head = "WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Target-URI: http://a.org/\r\nContent-Type: text/plain\r\n"
    (tmp_path / "a.warc.wet").write_bytes(
        f"{head}Content-Length: {len(content)}\r\n\r\n".encode() + content + b"\r\n\r\n"
    )
    crawl(find_inputs([str(tmp_path / "a.warc.wet")]), tmp_path / "out", Settings(is_tokenised=False))
    counts = report(read_output(tmp_path / "out"))["counts"]
    assert counts["paragraphs"] == {"read": 5, "kept": 3, "dropped": {"short": 2}}
    lines = (tmp_path / "out" / "generic.txt").read_text("utf-8").splitlines()
    assert sorted(lines) == sorted(f"{one.removesuffix('.')}." for text in texts for one in text.split(". "))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("page.warc", PAGE),
        ("page.wet", PAGE),
        ("page.WARC.gz", gzip.compress(PAGE)),
        ("plain.warc.gz", PAGE),
        ("junk.warc", bytes(range(256)) * 300),
        ("empty.warc", b""),
        ("cut.warc", b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 90\r\n\r\nHTTP"),
    ],
)
def test_an_archive_that_is_none_is_counted(name: str, content: bytes, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)
    crawl(find_inputs([str(tmp_path / name)]), tmp_path / "out", Settings())
    counts = report(read_output(tmp_path / "out"))["counts"]
    assert counts["records"] == {"read": 1, "kept": 0, "dropped": {"not-an-archive": 1}}
    assert counts["paragraphs"]["read"] == 0


def test_an_archive_with_a_damaged_beginning_is_one(few: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    whole = next(few[0].glob("*.warc.gz")).read_bytes()
    (tmp_path / "a.warc.gz").write_bytes(gzip.compress(b"no record") + whole)
    crawl(find_inputs([str(tmp_path / "a.warc.gz")]), tmp_path / "out", Settings())
    counts, expected = report(read_output(tmp_path / "out"))["counts"], few[1]
    assert counts["records"]["read"] == expected["records"]["read"] + 1
    assert counts["records"]["dropped"]["damaged"] == expected["records"]["dropped"].get("damaged", 0) + 1
    assert counts["sentences"] == expected["sentences"]


def test_progress_is_told(
    few: tuple[Path, dict[str, Any]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("errata.crawl.progress.SECONDS_BETWEEN_LOOKS", 0.001)
    monkeypatch.setattr("errata.crawl.progress.SECONDS_BETWEEN_LINES", 0.0)
    monkeypatch.setattr("errata.crawl.job.Job.__init__.__defaults__", (10,))
    crawl(find_inputs([str(few[0])]), tmp_path / "out", Settings(), show=shown_progress)
    told = capfd.readouterr().err
    line = re.compile(
        r"read: 0 of 1 tasks \(\d+ % of the bytes\), [1-9]\d* records, \d+ paragraphs; \d+ records/s, [\d.]+ MB/s"
    )
    assert line.search(told) and "write: 0 of 1 tasks" in told


@pytest.mark.parametrize("extractor", ["trafilatura", "resiliparse"])
def test_chinese_pages(extractor: str, tmp_path: Path) -> None:
    texts = [
        "今天天气很好，我们一起去公园散步。然后我们回家吃饭，聊了很久才去睡觉。",
        "学校的图书馆最近买了很多新书，同学们都非常高兴。老师说，大家每个星期可以借三本。",
        "会议决定从下个月开始实行新的规定，所有员工都必须参加培训。如果有问题，请写信给 pat@example.cn 。",
    ]
    page = Made(
        "http://www.city.gov.cn/", page_of(texts).encode("gb18030"), Expected(), (("Content-Type", "text/html"),)
    )
    japanese = page_of(["今日は天気がいいので、公園へ散歩に行きました。それから家に帰って、ご飯を食べました。"] * 2)
    pack([page, Made("http://example.jp/", japanese.encode(), Expected())], tmp_path, 1)
    settings = Settings(
        language="zh", extractor=extractor, domains="any", is_tokenised=False, masks=("email",), output="sentences"
    )
    crawl_archives(tmp_path, tmp_path / "out", settings)
    lines = (tmp_path / "out" / "sponsored.txt").read_text("utf-8").splitlines()
    assert sorted(lines) == sorted(
        f"{sentence}。" for text in texts for sentence in text.replace("pat@example.cn", "_EMAIL_").split("。")[:-1]
    )
    assert report(read_output(tmp_path / "out"))["counts"]["paragraphs"]["dropped"]["language"] == 2
