"""Sentences corrupted per second on one core, and memory while streaming: `python -m benchmarks.speed.synth`.

Models are learnt from W&I train (English) and the Chinese training pairs; the text is clean prose, English sentences of
18 to 22 words and Chinese ones of 30 to 40 characters. `cold` starts with empty tables (each word's errors are worked
out when it is first met), `warm` has seen the text before, as from the second epoch on. CPU seconds, best of several
runs. Exits 1 below 10,000 English sentences a second (warm).
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.speed.history import best_time, digest, record, shared_folder

from errata.formats import iter_sentences
from errata.formats.files import read_lines
from errata.model import Tokens
from errata.synth import NoiseModel
from errata.synth.learn import Learner
from errata.synth.lexicon import read_frequencies
from errata.text.words import tokenise_words

RUNS = 5
N_SENTENCES = 20_000
MIN_RATE = 10_000
STREAMED = (10_000, 200_000)

# The peak memory of a process that corrupts n lines without keeping them.
STREAM_PROGRAM = """
import sys
from itertools import cycle, islice
from benchmarks.speed.history import peak_memory
from errata.formats.files import read_lines
from errata.synth import NoiseModel
from errata.synth.stream import Job, corrupt_text
lines = [line.rstrip() for line in islice(read_lines(sys.argv[2]), 5000)]
for _ in corrupt_text(islice(cycle(lines), int(sys.argv[3])), Job(NoiseModel.load(sys.argv[1]))):
    pass
print(int(peak_memory()))
"""


def english_model(data: Path) -> NoiseModel:
    """Learnt from W&I train, with misspellings and confusion sets."""
    learner = Learner("en")
    for part in "ABC":
        for sentence in iter_sentences(data / "wi" / "m2" / f"{part}.train.gold.bea19.m2.xz"):
            learner.add(sentence)
    lists = data / "lexicons"
    return learner.model(
        misspellings=[lists / "wikipedia-misspellings.txt", lists / "codespell.dictionary.txt.xz"],
        confusables=[lists / "lt-confusion_sets.txt"],
    )


def chinese_model(data: Path) -> NoiseModel:
    """Learnt from every fourth training pair, with jieba's word list, look-alikes and synonyms."""
    learner = Learner("zh")
    for line in islice(read_lines(data / "train-pairs" / "grammar_pairs.tsv.xz"), 0, None, 4):
        _, source, target = line.rstrip("\n").split("\t")
        learner.add_pair(source, target)
    learner.add_frequencies(read_frequencies(data / "lexical" / "frequency" / "jieba.dict.txt.small.xz"))
    return learner.model(
        glyphs=[data / "lexical" / "confusion" / "plome.same_stroke.txt.xz"],
        synonyms=[data / "lexical" / "cherrant" / "cilin.txt.xz"],
    )


def sentences(path: Path, shortest: int, longest: int, *, words: bool) -> list[Tokens]:
    """The first sentences of a length from a text."""
    split = tokenise_words if words else list
    tokens = (tuple(split(line.strip())) for line in read_lines(path))
    return list(islice((t for t in tokens if shortest <= len(t) <= longest), N_SENTENCES))


def measure(model: NoiseModel, text: list[Tokens]) -> dict[str, Any]:
    """Sentences and tokens per second, and what came out."""
    fresh = best_time(lambda: model.with_options().corrupt_batch(text, Random(0)), runs=2)
    warm = best_time(lambda: model.corrupt_batch(text, Random(0)), runs=RUNS)
    noisy = model.corrupt_batch(text, Random(0))
    if any(n.clean != tokens for n, tokens in zip(noisy, text, strict=True)):
        sys.exit("edits do not give the clean text")
    n_tokens = sum(map(len, text))
    return {
        "sentences": len(text),
        "tokens_per_sentence": round(n_tokens / len(text), 1),
        "errors_per_token": round(sum(len(n.edits) for n in noisy) / n_tokens, 4),
        "cold_per_second": round(len(text) / fresh),
        "warm_per_second": round(len(text) / warm),
        "warm_tokens_per_second": round(n_tokens / warm),
    }


def stream_memory(model: NoiseModel, text: Path) -> dict[str, int]:
    """Peak megabytes while corrupting so many lines."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.json"
        model.save(path)
        return {
            str(n): int(
                subprocess.run(
                    [sys.executable, "-c", STREAM_PROGRAM, str(path), str(text), str(n)],
                    check=True,
                    capture_output=True,
                    text=True,
                ).stdout
            )
            for n in STREAMED
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--no-record", action="store_true", help="do not append to the history")
    options = parser.parse_args()
    data = shared_folder() / "data"
    english_text = data / "en" / "prose" / "bbc-news.txt.xz"
    chinese_text = data / "zh" / "prose" / "ruanyf-weekly.txt.xz"
    english = english_model(data / "en")
    entry = {
        "en": measure(english, sentences(english_text, 18, 22, words=True)),
        "zh": measure(chinese_model(data / "zh"), sentences(chinese_text, 30, 40, words=False)),
        "stream_megabytes": stream_memory(english, english_text),
        "corpus": digest(english_text, chinese_text),
    }
    print(json.dumps(entry, indent=2))
    if not options.no_record:
        record("synth", entry)
    if entry["en"]["warm_per_second"] < MIN_RATE:
        sys.exit(f"fewer than {MIN_RATE} English sentences a second")


if __name__ == "__main__":
    main()
