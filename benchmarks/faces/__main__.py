"""Whether all faces of errata give the same edits: `python -m benchmarks.faces`.

Random documents (plain and Markdown, English and Chinese mixed, odd scripts, signs and line ends) with random options
(preset, language, least confidence, protected words and phrases) go through Python, the command line, `/v1/correct`
and, where LanguageTool's interface can express the options, `/v2/check`. The exit status is 1 if any two differ.
"""

from __future__ import annotations

import argparse
import sys

import httpx
from benchmarks.faces.cases import Group, make_groups
from benchmarks.faces.ways import Shown, Web, run_command, run_python, speaks_languagetool
from benchmarks.server.__main__ import running

from errata.edits.apply import apply_text_edits
from errata.model import TextEdit

SEED = 20


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.faces", description=__doc__)
    parser.add_argument("--documents", type=int, default=2000)
    parser.add_argument("--group", type=int, default=40, help="documents that share their options")
    parser.add_argument("--seed", type=int, default=SEED)
    args = parser.parse_args()
    options = ["--model", "zh-small", "--max-length=1000000", "--timeout=600"]
    n_documents = n_edits = n_checked = n_different = 0
    with running("en-small", options) as address, httpx.Client(base_url=address, timeout=600) as client:
        for number, group in enumerate(make_groups(args.documents, args.group, args.seed)):
            expected = run_python(group)
            found = compare(group, expected, Web(client))
            n_documents += len(group.documents)
            n_edits += sum(map(len, expected))
            n_checked += len(group.documents) * speaks_languagetool(group.choices)
            n_different += len(found)
            for line in found:
                print(f"group {number} {group.choices}: {line}", flush=True)
            print(f"{n_documents} documents, {n_edits} edits, {n_different} differences", file=sys.stderr, flush=True)
    told = f"{n_documents} documents ({n_checked} also through /v2/check), {n_edits} edits"
    print(f"{told}: {n_different} differences between Python, command line and server")
    return 1 if n_different else 0


def compare(group: Group, expected: list[list[Shown]], web: Web) -> list[str]:
    """What differs from the edits that Python gives, a line for each document and face."""
    found = []
    for name, answers in (("errata correct", run_command(group)), ("/v1/correct", web.run_v1(group))):
        for text, own, other in zip(group.documents, expected, answers, strict=True):
            if own != other:
                found.append(f"{name}: only Python {_only(own, other)}, only here {_only(other, own)} in {text[:60]!r}")
    if speaks_languagetool(group.choices):
        for text, own, target in zip(group.documents, expected, web.run_v2(group), strict=True):
            if apply_text_edits(text, [TextEdit(start, end, new) for start, end, new, *_ in own]) != target:
                found.append(f"/v2/check: another text than Python in {text[:60]!r}")
    return found


def _only(first: list[Shown], second: list[Shown]) -> list[Shown]:
    return [edit for edit in first if edit not in second]


if __name__ == "__main__":
    sys.exit(main())
