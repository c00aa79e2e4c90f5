"""Everyday errors of native writers, corrected by errata and others: `python -m benchmarks.everyday`.

Corrects one half of the set (README.md beside this file) with each model in each preset, and with Harper and
lingotweaker, a port of LanguageTool's rules, where they are installed (pip install 'errata[bench]'). Prints for each
kind of error how many sentences are

- right: the output is one of the accepted corrections;
- left (untouched): the output is the sentence;
- part (partly corrected): the output has some edits of an accepted correction, but not all, and no others;
- worse: the output has an edit, or half of one, that the accepted corrections do not have;
- rev. (reversed): worse or a false alarm, and a negation appeared or vanished against every accepted correction;
- false alarms: correct sentences that were changed.

`outcomes.py` has the exact definitions. The dev half is there to be looked at: `--show worse` lists sentences made
worse and false alarms, `--show missed` those left or partly corrected, `--show all` both. Nobody tunes on the test
half, so it gives totals alone.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.everyday.checkers import PEERS, Check, open_errata, open_peers
from benchmarks.everyday.outcomes import Answer, Outcome, Tally, count
from benchmarks.everyday.sentences import HALVES, KINDS, EverydaySentence, read_half

from errata.errors import ErrataError
from errata.pipeline.presets import ORDER

SHOWN = {
    "worse": (Outcome.WORSE, Outcome.CHANGED),
    "missed": (Outcome.UNTOUCHED, Outcome.PARTLY),
    "all": (Outcome.WORSE, Outcome.CHANGED, Outcome.UNTOUCHED, Outcome.PARTLY),
}
# Characters for the name of a checker or a kind, so that a table has 80 columns.
NAME_WIDTH = 24


@dataclass(frozen=True, slots=True)
class Result:
    """All answers of one checker."""

    name: str
    answers: list[Answer]

    def of_kind(self, kind: str) -> list[Answer]:
        return [answer for answer in self.answers if answer.sentence.kind == kind]


def open_checkers(models: Sequence[str], presets: Sequence[str], peers: Sequence[str]) -> Iterator[tuple[str, Check]]:
    """Each checker with its name, opened when its turn comes."""
    for model in models:
        for preset in presets:
            yield f"{Path(model).name} {preset}", open_errata(model, preset)
    yield from open_peers(peers)


def judge(name: str, check: Check, sentences: Sequence[EverydaySentence]) -> Result:
    """The answers of a checker to some sentences."""
    outputs = check([sentence.source for sentence in sentences])
    return Result(name, [Answer(sentence, output) for sentence, output in zip(sentences, outputs, strict=True)])


def head(title: str) -> str:
    columns = "".join(f"{name:>6}" for name in ("errors", "right", "", "left", "part", "worse", "rev."))
    return f"{title:<{NAME_WIDTH}}{columns}{'false alarms':>14}"


def row(title: str, tally: Tally) -> str:
    share = f"{100 * tally.share_right:.0f} %"
    cells = (tally.wrong, tally.right, share, tally.untouched, tally.partly, tally.worse, tally.reversed)
    counts = "".join(f"{cell:>6}" for cell in cells)
    return f"{title:<{NAME_WIDTH}}{counts}{tally.changed:>7} of {tally.correct:>3}"


def tables(results: Sequence[Result], *, with_kinds: bool) -> str:
    """A table by kind for each checker, if asked for, and one of the totals."""
    blocks = []
    for result in results if with_kinds else ():
        rows = [row(kind, count(result.of_kind(kind))) for kind in KINDS]
        blocks.append("\n".join([head(result.name), *rows, row("total", count(result.answers))]))
    blocks.append("\n".join([head("total"), *(row(result.name, count(result.answers)) for result in results)]))
    return "\n\n".join(blocks)


def chosen(result: Result, show: str | None) -> list[Answer]:
    """The answers that `--show` asks for."""
    return [answer for answer in result.answers if answer.outcome in SHOWN[show]] if show else []


def listing(result: Result, show: str) -> str:
    """The answers that `--show` asks for: sentence, output, and the first accepted correction."""
    lines = [f"{result.name}: {show}"]
    for answer in chosen(result, show):
        mark = f"{answer.outcome}, reversed" if answer.is_reversed else answer.outcome
        lines += [f"{answer.sentence.id} ({mark})", f"  {answer.sentence.source}"]
        if answer.outcome is not Outcome.UNTOUCHED:
            lines.append(f"→ {answer.output}")
        if answer.outcome is not Outcome.CHANGED:
            lines.append(f"= {answer.sentence.accepted[0]}")
    return "\n".join(lines)


def as_json(result: Result, half: str, show: str | None) -> dict[str, object]:
    """What the tables and the listing say, for programs."""
    content: dict[str, object] = {"checker": result.name, "half": half, "total": asdict(count(result.answers))}
    if half == "dev":
        content["kinds"] = {kind: asdict(count(result.of_kind(kind))) for kind in KINDS}
    if show:
        content["sentences"] = [
            {"id": answer.sentence.id, "outcome": answer.outcome, "reversed": answer.is_reversed,
             "source": answer.sentence.source, "output": answer.output, "accepted": answer.sentence.accepted}
            for answer in chosen(result, show)
        ]  # fmt: skip
    return content


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.everyday",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--half", choices=HALVES, default="dev", help="which half of the set; dev without")
    parser.add_argument("--model", nargs="*", default=["en-small"], help="bundled models or folders; en-small without")
    parser.add_argument("--preset", nargs="+", choices=ORDER, default=list(ORDER), help="these presets; all without")
    parser.add_argument("--peers", nargs="*", choices=PEERS, default=list(PEERS), help="these peers; all without")
    parser.add_argument("--show", choices=SHOWN, help="list sentences (dev half only)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args(arguments)
    if options.show and options.half == "test":
        parser.error("--show is for the dev half: nobody reads single failures of the test half")
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    options = parse_arguments(arguments)
    try:
        sentences = read_half(options.half)
        checkers = open_checkers(options.model, options.preset, options.peers)
        results = [judge(name, check, sentences) for name, check in checkers]
    except ErrataError as error:
        print(f"benchmarks.everyday: {error}", file=sys.stderr)
        return error.exit_code
    if options.json:
        contents = [as_json(result, options.half, options.show) for result in results]
        print(json.dumps(contents, indent=1, ensure_ascii=False))
        return 0
    for result in results if options.show else ():
        print(listing(result, options.show), end="\n\n")
    print(tables(results, with_kinds=options.half == "dev"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
