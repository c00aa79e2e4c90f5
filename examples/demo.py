"""What `make demo` shows: errata at work on the little files beside this script, in English and Chinese."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent / "data"
STEPS = (
    ("Which edits lead from the source to the corrections?", "extract en.src.txt en.ref0.txt -o -"),
    (
        "How good are two systems, with two references and an interval?",
        "score --metric errant --metric gleu --src en.src.txt --ref en.ref0.txt --ref en.ref1.txt"
        " --hyp en.hyp.txt --hyp en.baseline.txt --bootstrap 500",
    ),
    (
        "Is the difference real, and which edits make it?",
        "compare --metric errant --src en.src.txt --ref en.ref0.txt --hyp en.baseline.txt --hyp en.hyp.txt",
    ),
    (
        "Chinese, over characters, several references per sentence:",
        "score --profile mucgec --gold zh.gold.tsv --hyp zh.hyp.txt",
    ),
)


def main() -> None:
    """Run each step as a person would type it."""
    for title, command in STEPS:
        print(f"\n\033[1m{title}\033[0m\n$ errata {command}", flush=True)
        subprocess.run([sys.executable, "-m", "errata", *shlex.split(command)], cwd=HERE, check=True)


if __name__ == "__main__":
    main()
