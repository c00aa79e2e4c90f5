"""What a corrector makes of every sentence of a part, kept in a file: a GPU may answer, and another machine score.

`python -m benchmarks.robust.answers FOLDER --model runs/cpr-31/model -o cpr-31.json --device cuda` needs rapidfuzz and
errant's word list beside what training needs.
`python -m benchmarks.robust table … --models "CPR=cpr-31.json,cpr-32.json"` reads such files.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.robust.alternatives import Variants, averaged, load, voting, with_bias
from benchmarks.robust.parts import PARTS, SUBSETS

from errata.errors import ErrataError
from errata.files import write_text
from errata.robustness.cases import read_subsets
from errata.robustness.evaluation import Corrector, run_corrector


def answer(folder: Path, parts: Sequence[str], corrector: Corrector) -> dict[str, str]:
    """What the corrector makes of every sentence of the parts."""
    subsets = [one for part in parts for one in read_subsets([folder / part / f"{name}.para" for name in SUBSETS])]
    sources = [source for subset in subsets for source in subset.sources]
    return dict(zip(sources, run_corrector(corrector, subsets), strict=True))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.robust.answers", description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="what split wrote")
    parser.add_argument("--model", required=True, help="a model by name or folder")
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--part", action="append", choices=PARTS, help="parts to answer (dev and test)")
    parser.add_argument("--bias", type=float, default=0.0, help="keep bias")
    parser.add_argument("--average", type=int, metavar="N", help="average over N variants")
    parser.add_argument("--vote", type=int, metavar="N", help="vote with N variants")
    parser.add_argument("--device", help="cpu, cuda …")
    given = parser.parse_args()
    try:
        corrector: Any = load(given.model, device=given.device)
        if given.bias:
            corrector = with_bias(corrector, given.bias)
        for n, wrap in ((given.average, averaged), (given.vote, voting)):
            if n:
                corrector = wrap(corrector, Variants(n))
        answered = answer(given.folder, given.part or ("dev", "test"), corrector)
        write_text(given.output, json.dumps(answered, ensure_ascii=False, indent=0) + "\n")
    except ErrataError as error:
        print(f"errata: {error}", file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
