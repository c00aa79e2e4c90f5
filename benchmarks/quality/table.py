"""The table of MODELS.md, made from results.json: `python -m benchmarks.quality table [--write]`."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.quality.results import Measured, Result, Results, read_results
from benchmarks.quality.sets import SETS

from errata.errors import DataError

PAGE = Path(__file__).resolve().parents[2] / "MODELS.md"
BEGIN, END = "<!-- python -m benchmarks.quality table --write -->\n", "<!-- end of the table -->\n"
LANGUAGES = {"en": "English", "zh": "Chinese"}
TITLES = {
    "harper": "Harper",
    "lingotweaker": "lingotweaker, a port of LanguageTool's rules",
    "lm": "SmolLM2-135M alone ([lm](docs/systems/lm.md))",
    "seq2seq-en": "`seq2seq-en`, not bundled ([seq2seq](docs/systems/seq2seq.md#what-it-reaches))",
    "stg-zh": "`stg-zh`, not bundled ([stg](docs/systems/stg.md#what-it-reaches-on-the-encoder-of-zh-small))",
}
METRICS = {"maxmatch": "MaxMatch F0.5", "errant": "ERRANT F0.5", "cherrant": "ChERRANT F0.5", "gleu": "GLEU"}
NOTHING = "–"


def make_tables(results: Results) -> str:
    """A table of each language that was scored: a row for every corrector, a column for every set."""
    return "\n".join(line for language in LANGUAGES for line in _language_lines(results, language))


def _language_lines(results: Results, language: str) -> Iterator[str]:
    correctors = [one for one in _ranked(results) if one.language == language and results.of(one.name)]
    if not correctors:
        return
    names = [name for name, chosen in SETS.items() if chosen.language == language]
    sets = [name for name in names if any(name in results.of(one.name) for one in correctors)]
    heads = [f"{SETS[name].about}<br>{METRICS[SETS[name].metric]}, {SETS[name].preset}" for name in sets]
    yield f"### {LANGUAGES[language]}\n"
    yield _row(["", *heads, "edits per 100 tokens", "sentences a second", "size"])
    yield "|---" * (len(sets) + 4) + "|"
    tables = [results.of(one.name) for one in correctors]
    values = {name: [scores[name].value for scores in tables if name in scores] for name in sets}
    best = {name: max(some) for name, some in values.items() if len(some) > 1}
    for corrector in correctors:
        scores = results.of(corrector.name)
        cells = [_cell(scores.get(name), best.get(name)) for name in sets]
        yield _row([_title(corrector.name), *cells, _edits(scores, sets), _speed(corrector), _size(corrector.size)])
    yield ""
    for name in sets:
        signatures = dict.fromkeys(scores[name].signature for scores in tables if name in scores)
        yield from (f"- {SETS[name].about}: `{signature}`" for signature in signatures)
    yield from _machines(correctors)
    yield ""


def _ranked(results: Results) -> list[Measured]:
    """The correctors, the best on the first set of their language first."""

    def rank(corrector: Measured) -> tuple[int, float, str]:
        scores = list(results.of(corrector.name).items())
        place = list(SETS).index(scores[0][0]) if scores else len(SETS)
        return place, -scores[0][1].value if scores else 0.0, corrector.name

    return sorted(results.correctors.values(), key=rank)


def _cell(result: Result | None, best: float | None) -> str:
    if result is None:
        return NOTHING
    score = f"{100 * result.value:.2f}"
    score = f"**{score}**" if result.value == best else score
    shares = [f"{100 * result.parts[name]:.1f}" for name in ("precision", "recall") if name in result.parts]
    return f"{score}<br>{' / '.join(shares)}" if shares else score


def _title(name: str) -> str:
    return TITLES.get(name, f"`{name}`")


def _edits(scores: dict[str, Result], sets: Sequence[str]) -> str:
    """On the first set that the table has."""
    first = scores.get(sets[0])
    return NOTHING if first is None or first.edits is None else f"{first.edits:.1f}"


def _speed(corrector: Measured) -> str:
    speed = corrector.per_second
    return NOTHING if speed is None else f"{speed:.0f}" if speed >= 10 else f"{speed:.1f}"


def _machines(correctors: Sequence[Measured]) -> Iterator[str]:
    """Where and when speeds were measured, and how busy the machine was: a busy one makes all of them slower."""
    places: dict[str, list[str]] = {}
    for one in correctors:
        if one.per_second is not None:
            machine = f"{one.machine['cores']} cores ({one.machine['cpu']}), load {one.machine['load']}"
            busy = ", **busy with other programs: these speeds are too low**" * (
                one.machine["load"] > one.machine["cores"]
            )
            places.setdefault(f"{machine}, {one.date}{busy}", []).append(_title(one.name))
    yield from (f"- Speed of {', '.join(names)}: {place}." for place, names in places.items())


def _size(n_bytes: int) -> str:
    return f"{n_bytes / 2**20:.1f} MiB"


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def write_page(text: str, page: Path = PAGE) -> None:
    """Put the table into the page, in the place of the one that is there."""
    before = page.read_text(encoding="utf-8")
    pattern = re.compile(f"{re.escape(BEGIN)}.*?{re.escape(END)}", re.DOTALL)
    if not pattern.search(before):
        raise DataError(f"{page} has no place for the table: it needs the lines {BEGIN.strip()} and {END.strip()}")
    page.write_text(pattern.sub(lambda _: f"{BEGIN}{text}\n{END}", before), encoding="utf-8")


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.quality table", description=__doc__)
    parser.add_argument("--write", action="store_true", help="put it into MODELS.md instead of printing it")
    options = parser.parse_args(arguments)
    text = make_tables(read_results())
    if options.write:
        write_page(text)
    else:
        print(text)
    return 0
