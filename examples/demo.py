"""What `make demo` shows: errata at work on the little files beside this script, in English and Chinese."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
STEPS = (
    ("Correct English; what changes is marked:", "correct --format diff correct/english.txt"),
    ("Correct Chinese:", "correct --format diff correct/chinese.txt"),
    ("The corrected texts:", "correct correct/english.txt correct/chinese.txt"),
    (
        "Score two systems as ERRANT does, with two references and an interval:",
        "score --metric errant --src data/en.src.txt --ref data/en.ref0.txt --ref data/en.ref1.txt"
        " --hyp data/en.hyp.txt --hyp data/en.baseline.txt --bootstrap 500",
    ),
    (
        "Score Chinese as ChERRANT does, over characters:",
        "score --profile mucgec --gold data/zh.gold.tsv --hyp data/zh.hyp.txt",
    ),
)
LAST = """
Your own text:  .venv/bin/errata correct FILE
The server and its page:  .venv/bin/pip install -e '.[serve]' && .venv/bin/errata serve"""


def main() -> None:
    """Run each step as a person would type it."""
    for title, command in STEPS:
        print(f"\n\033[1m{title}\033[0m\n$ errata {command}", flush=True)
        subprocess.run([sys.executable, "-m", "errata", *shlex.split(command)], cwd=HERE, check=True)
    print(LAST)


if __name__ == "__main__":
    main()
