"""The edits that a language model proposes, on another machine: `python -m benchmarks.quality.propose TASK ANSWERS`.

A task is a folder from `python -m benchmarks.quality task`: the model, and the sentences of each set as the model gets
them. Answers are a file of JSON lines, to which the edits are added as they are made, set after set; one that is there
already is gone on with. `--processes` side by side each load the model and take the next sentences.

Nothing here needs more than torch, transformers, and what the model's confusion sets read: neither the test sets' gold
nor what scores them.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from errata.errors import DataError, ErrataError
from errata.model import Edit, Tokens
from errata.systems.base import ProposedEdit, TokenCorrector, load_token_corrector

# In a task: the model's folder, and what the answers belong to.
MODEL, ORIGIN = "model", "origin.json"
SUFFIX = ".txt"
# Sentences that a process takes at once: a few batches of a GPU, seconds of work.
CHUNK = 128

Answers = dict[Tokens, list[ProposedEdit]]
_loaded: list[TokenCorrector] = []  # of this process


@dataclass(frozen=True, slots=True)
class Origin:
    """What answers belong to: digests of the model's files and of errata's code."""

    model: str
    weights: str
    code: str


def read_sentences(path: Path) -> list[Tokens]:
    """The sentences of a set in a task: one a line, a space between tokens, which may hold any other white space."""
    lines = path.read_text(encoding="utf-8").split("\n")
    return [tuple(line.split(" ")) for line in lines if line]


def write_sentences(path: Path, sentences: Iterable[Tokens]) -> None:
    """Write what `read_sentences` reads."""
    with path.open("w", encoding="utf-8", newline="") as file:
        file.writelines(" ".join(tokens) + "\n" for tokens in sentences)


def format_answer(tokens: Tokens, proposed: Sequence[ProposedEdit]) -> str:
    """The edits of a sentence as a line."""
    edits = [[one.edit.start, one.edit.end, " ".join(one.edit.replacement), one.confidence] for one in proposed]
    return json.dumps({"sentence": " ".join(tokens), "edits": edits}, ensure_ascii=False) + "\n"


def parse_answer(line: str) -> tuple[Tokens, list[ProposedEdit]]:
    """A sentence and its edits."""
    read: dict[str, Any] = json.loads(line)
    edits = [
        ProposedEdit(Edit(start, end, tuple(words.split(" ")) if words else ()), confidence)
        for start, end, words, confidence in read["edits"]
    ]
    return tuple(read["sentence"].split(" ")), edits


def read_answers(path: Path) -> tuple[Origin, Answers]:
    """What a file of answers belongs to, and the edits of its sentences.

    A last line without an end was cut off by a kill, and is left out.
    """
    head, *lines = path.read_text(encoding="utf-8").split("\n")[:-1] or [""]
    try:
        return Origin(**json.loads(head)), dict(map(parse_answer, lines))
    except (ValueError, TypeError, KeyError) as error:
        raise DataError(f"{path} holds no answers that this version reads: {error}") from error


def begin(path: Path, origin: Origin) -> Answers:
    """The answers that are there already, in a file to which more can be added; those of another task are refused."""
    line = json.dumps({"model": origin.model, "weights": origin.weights, "code": origin.code}) + "\n"
    if not path.is_file() or b"\n" not in path.read_bytes():
        path.write_text(line, encoding="utf-8")
        return {}
    whole = path.read_bytes()
    if not whole.endswith(b"\n"):
        path.write_bytes(whole[: whole.rindex(b"\n") + 1])
    known, answers = read_answers(path)
    if known != origin:
        raise DataError(f"{path} has answers of another task: {known}")
    return answers


def answer(task: Path, path: Path, *, device: str, processes: int, sets: Sequence[str] = ()) -> None:
    """Add the edits of every sentence of the task to the file, the sets one after the other as they are named."""
    known = begin(path, Origin(**json.loads((task / ORIGIN).read_text(encoding="utf-8"))))
    names = sets or sorted(file.stem for file in task.glob(f"*{SUFFIX}"))
    asked = {name: list(dict.fromkeys(read_sentences(task / f"{name}{SUFFIX}"))) for name in names}
    left = {name: [tokens for tokens in some if tokens not in known] for name, some in asked.items()}
    started, n_done, n_left = time.monotonic(), 0, sum(map(len, left.values()))
    say(f"{n_left} sentences in {len(names)} sets, {len(known)} answered before")
    with (
        path.open("a", encoding="utf-8", newline="") as file,
        ProcessPoolExecutor(
            processes, mp_context=get_context("spawn"), initializer=load, initargs=(task / MODEL, device)
        ) as pool,
    ):
        for name, answers in ask(pool, list(chunks(left)), 2 * processes):
            file.writelines(format_answer(tokens, proposed) for tokens, proposed in answers)
            file.flush()
            n_done += len(answers)
            pace = n_done / (time.monotonic() - started)
            say(f"{name}: {n_done} of {n_left}, {pace:.1f} a second, {(n_left - n_done) / pace:.0f} s to go")
    say("done")


def ask(
    pool: ProcessPoolExecutor, asked: Sequence[tuple[str, list[Tokens]]], ahead: int
) -> Iterator[tuple[str, list[tuple[Tokens, list[ProposedEdit]]]]]:
    """The answers to chunks as they come; `ahead` are asked for at once, so that an error ends the rest."""
    waiting: dict[Future[list[list[ProposedEdit]]], tuple[str, list[Tokens]]] = {}
    rest = iter(asked)
    while True:
        for chunk in islice(rest, ahead - len(waiting)):
            waiting[pool.submit(propose, chunk[1])] = chunk
        if not waiting:
            return
        for done in wait(waiting, return_when=FIRST_COMPLETED).done:
            name, sentences = waiting.pop(done)
            yield name, list(zip(sentences, done.result(), strict=True))


def chunks(sets: dict[str, list[Tokens]]) -> Iterator[tuple[str, list[Tokens]]]:
    """Sentences that are answered together, those of about the same length; the longest of a set come first."""
    for name, sentences in sets.items():
        ordered = sorted(sentences, key=len, reverse=True)
        yield from ((name, ordered[start : start + CHUNK]) for start in range(0, len(ordered), CHUNK))


def load(folder: Path, device: str) -> None:
    """Load the model for `propose`; sums on a GPU are of 32 bits, as on a CPU."""
    import torch

    torch.set_num_threads(1)
    torch.set_float32_matmul_precision("highest")
    # The other ways to compute attention may round to fewer bits.
    torch.backends.cuda.enable_flash_sdp(False)
    torch.backends.cuda.enable_mem_efficient_sdp(False)
    torch.backends.cuda.enable_cudnn_sdp(False)
    _loaded[:] = [load_token_corrector(folder, device=device)]


def propose(sentences: list[Tokens]) -> list[list[ProposedEdit]]:
    [model] = _loaded
    return model.propose(sentences)


def say(line: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {line}", file=sys.stderr, flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.quality.propose",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("task", type=Path, help="the folder of the task")
    parser.add_argument("answers", type=Path, help="the file that the answers are added to")
    parser.add_argument("sets", nargs="*", metavar="SET", help="sets in the order that they are answered in; all")
    parser.add_argument("--device", default="cpu", help="cpu, cuda …")
    parser.add_argument("--processes", type=int, default=1, help="how many load the model")
    options = parser.parse_args(arguments)
    try:
        answer(options.task, options.answers, device=options.device, processes=options.processes, sets=options.sets)
    except ErrataError as error:
        print(f"benchmarks.quality.propose: {error}", file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
