"""Chinese paragraphs to pretrain an encoder on, from `python -m benchmarks.models.zh_text CLONE` in runs/data/zh/text.

CLONE is a bare clone of github.com/fangj/rmrb: People's Daily, one 7z archive a month (`7z` must be installed). Months
are read newest first until there are enough characters. Every year becomes a file rmrb-YEAR.txt.gz, one paragraph a
line. Other prose without evaluation sentences (`benchmarks.models.zh_small`) is copied beside it as text. What was left
out and why is printed, and kept in counts.json.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from benchmarks.models.zh_held_out import HeldOut, to_simplified
from benchmarks.speed.history import shared_folder

from errata.errors import DataError, ErrataError
from errata.files import replacing
from errata.formats.files import read_lines

ENOUGH, NEWEST = 460_000_000, 2003
# Paragraphs with fewer characters are captions, headings and answers.
SHORTEST = 20
# Share of characters that are Chinese, less is a table or a list of results.
LEAST_HAN = 0.55
# Share of digits: a report on production has up to a sixth, tables more.
MOST_DIGITS = 0.2
# An enumeration mark every five characters or more often: a list of names or titles.
CHARACTERS_PER_ITEM = 5
# Gaps inside a paragraph: columns of a table, lists of names, verse.
MOST_GAPS = 4
# What may follow the last sentence: a photographer, a reporter, a source. More is a sentence that was cut off.
LONGEST_TAIL = 30
# gzip level: xz takes eight times as long for a sixth less.
COMPRESSION = 3
# From a full-width letter, digit or sign to the usual one.
WIDE_OFFSET = 0xFEE0
# Prose of the same newspaper and years, which is read here in whole paragraphs, and prose that
# `benchmarks.models.zh_everyday` puts beside the text in the order of its sources.
TWICE = ("rmrb-1996-1999", "rmrb-2000-2003", "everyday")

_ARTICLE = re.compile(r"^### ", re.MULTILINE)
_HEADER_END = re.compile(r"^专栏：.*$", re.MULTILINE)
_ARCHIVE = re.compile(r"7z/(\d{4})年(\d{2})月\.7z")
_GAP = re.compile(r"[ \t\u3000]{2,}|[\t\u3000]")
_BLANK = re.compile(r"(?<![A-Za-z0-9.,;:!?])[ \t\u3000]+|[ \t\u3000]+(?![A-Za-z0-9])")
_DATELINE = re.compile(
    r"^(?:据?(?:新华社|本报|中新社|人民日报|中国新闻社)[^，。：；（）]{0,20}?(?:[电讯]|专电)"
    r"(?=[ \t\u3000（]|记者|通讯员)[ \t\u3000]*"
    r"(?:（[^（）]{0,40}）|(?:本报)?(?:特派)?(?:实习)?(?:记者|通讯员)[^，。]{1,30}报道：)?|[△▲●○■□◆◇★☆＊*][ \t\u3000]*)"
)
_LAST_END = re.compile(r".*(?:[。！？]|……)[”’）》]*", re.DOTALL)
_BYLINE = re.compile(r"(?<=[。！？”])（[^（）。！？]{1,30}）$")
_GARBLED = re.compile(r"[0-9][A-Za-z][0-9]|[，。、；：！？]{3}|[，、；：][。！？]")
_ODD = re.compile(r"[^\u4e00-\u9fff〇A-Za-z0-9，。、；：？！“”‘’（）《》〈〉—…·%.∶:/℃\-+ ×°‰&,$]")
_HAN = re.compile(r"[\u4e00-\u9fff]+")
_DIGIT = re.compile(r"[0-9]+")
_ZERO = re.compile(r"(?<=[一二三四五六七八九〇○])○|○(?=[一二三四五六七八九])")
_SPACES = re.compile(r"[ \t\u3000]+")
_PAIRS = ("“”", "（）", "《》", "‘’")
_WIDE = re.compile(r"[０-９Ａ-Ｚａ-ｚ％／－＋＆．]")


class Cleaner:
    """Judges the lines of articles. A paragraph is given once; the tally has the reasons for leaving out the others."""

    def __init__(self, traditional: Iterable[str]) -> None:
        self._traditional = re.compile("[" + "".join(sorted(traditional)) + "]")
        self._seen: set[int] = set()

    def judge(self, line: str) -> tuple[str, str]:
        """The clean paragraph and the reason to leave it out, which is empty for a paragraph to keep."""
        text = line.strip()
        if len(text) < SHORTEST:  # every third line; the blanks to come out make it shorter still
            return text, "short"
        if len(_GAP.findall(text)) > MOST_GAPS:
            return text, "table or list"
        text = prose(text)
        reason = fault(text) or ("traditional characters" if self._traditional.search(text) else "")
        if reason:
            return text, reason
        digest = hash(text)
        if digest in self._seen:
            return text, "seen before"
        self._seen.add(digest)
        return text, ""


def prose(text: str) -> str:
    """The sentences of a paragraph alone: no dateline, no byline, no blanks between Chinese characters.

    >>> prose("本报讯　记者王明报道：产量增长３．５％。　　（王明）")
    '产量增长3.5%。'
    """
    text = _DATELINE.sub("", text)
    text = _WIDE.sub(lambda match: chr(ord(match.group()) - WIDE_OFFSET), text)
    if "○" in text:
        text = _ZERO.sub("〇", text)
    if " " in text or "\u3000" in text or "\t" in text:
        text = _SPACES.sub(" ", _BLANK.sub("", text))
    whole = _LAST_END.match(text)
    if whole is not None and len(text) - whole.end() <= LONGEST_TAIL:
        text = whole.group()
    return _BYLINE.sub("", text) if text.endswith("）") else text


def fault(text: str) -> str:
    """Why this is no paragraph of whole sentences; empty if it is one."""
    length = len(text)
    if length < SHORTEST:
        return "short"
    whole = _LAST_END.match(text)
    if whole is None or whole.end() < length:
        return "no whole sentences"
    if _characters(_HAN, text) < LEAST_HAN * length or _characters(_DIGIT, text) > MOST_DIGITS * length:
        return "figures or foreign text"
    if text.count("、") * CHARACTERS_PER_ITEM > length:
        return "table or list"
    if any(text.count(pair[0]) != text.count(pair[1]) for pair in _PAIRS[:3]):
        return "quotes or brackets without a partner"
    if _ODD.search(text) or _GARBLED.search(text):
        return "odd characters"
    return ""


def is_simplified(character: str) -> bool:
    """Whether the character is in GB 2312, which has what simplified text needs, names such as 乾 included."""
    try:
        return bool(character.encode("gb2312"))
    except UnicodeEncodeError:
        return False


def _characters(runs: re.Pattern[str], text: str) -> int:
    return sum(map(len, runs.findall(text)))


def bodies(month: str) -> Iterator[str]:
    """The articles of a month without their headers (title, author, date, page, column)."""
    for article in _ARTICLE.split(month)[1:]:
        header = _HEADER_END.search(article)
        if header is not None:
            yield article[header.end() :]


def archives(clone: Path) -> dict[tuple[int, int], str]:
    """The archive of each month (year, month), newest first."""
    listing = _run("git", "-C", str(clone), "ls-tree", "-r", "-z", "--name-only", "HEAD").decode("utf-8")
    found = {
        (int(match[1]), int(match[2])): path
        for path in listing.split("\0")
        if (match := _ARCHIVE.fullmatch(path)) is not None
    }
    if not found:
        raise DataError(f"{clone} has no archives 7z/YEAR年MONTH月.7z; clone github.com/fangj/rmrb there")
    return dict(sorted(found.items(), reverse=True))


def read_month(clone: Path, path: str, scratch: Path) -> str:
    """The text of a month's archive; `scratch` is a file to unpack from."""
    scratch.write_bytes(_run("git", "-C", str(clone), "cat-file", "blob", f"HEAD:{path}"))
    packed = _run("7z", "x", "-so", str(scratch))
    return packed.decode("utf-8", "replace").replace("\r\n", "\n")


def _run(*command: str) -> bytes:
    try:
        return subprocess.run(command, check=True, capture_output=True).stdout
    except FileNotFoundError as error:
        raise DataError(f"{command[0]} is not installed") from error
    except subprocess.CalledProcessError as error:
        raise DataError(f"{' '.join(command)}: {error.stderr.decode(errors='replace').strip()}") from error


def clean_month(month: str, cleaner: Cleaner, held_out: HeldOut, tally: Counter[str]) -> list[str]:
    """The paragraphs of a month to keep, in the order of the newspaper."""
    kept = []
    for body in bodies(month):
        for line in body.split("\n"):
            if line.strip():
                text, reason = cleaner.judge(line)
                if reason:
                    tally[reason] += 1
                else:
                    kept.append(text)
    refused = held_out.find(kept)
    tally["evaluation sentences"] += len(refused)
    tally["kept"] += len(kept) - len(refused)
    return [text for i, text in enumerate(kept) if i not in refused]


class Output:
    """The folder of texts, and the counts of each of them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._counts: dict[str, dict[str, int]] = {}
        folder.mkdir(parents=True, exist_ok=True)

    def write(self, name: str, paragraphs: Iterable[str], tally: Mapping[str, int]) -> int:
        """The characters written to NAME.txt.gz; the tally is kept in counts.json and printed."""
        characters = 0
        with (
            replacing(self.folder / f"{name}.txt.gz") as path,
            gzip.open(path, "wt", COMPRESSION, "utf-8") as out,
        ):
            for text in paragraphs:
                out.write(f"{text}\n")
                characters += len(text)
        self._counts[name] = {"characters": characters, **tally}
        with replacing(self.folder / "counts.json") as path:
            path.write_text(json.dumps(self._counts, ensure_ascii=False, indent=1) + "\n", "utf-8")
        print(f"{time.strftime('%H:%M:%S')} {name}: {characters:,} characters; {dict(tally)}", flush=True)
        return characters


def write_newspaper(clone: Path, output: Output, cleaner: Cleaner, held_out: HeldOut, newest: int, enough: int) -> None:
    """One file a year, from the newest back, until there are enough characters."""
    paths = {month: path for month, path in archives(clone).items() if month[0] <= newest}
    scratch = output.folder / "month.7z"
    total = 0
    for year in dict.fromkeys(year for year, _ in paths):
        tally: Counter[str] = Counter()
        months = (
            clean_month(read_month(clone, path, scratch), cleaner, held_out, tally)
            for (of_year, _), path in sorted(paths.items())
            if of_year == year
        )
        kept = [text for month in months for text in month]
        total += output.write(f"rmrb-{year}", kept, tally)
        if total >= enough:
            break
    scratch.unlink(missing_ok=True)


def write_other_prose(folder: Path, output: Output) -> None:
    """The prose files of `zh_small`, which has looked for evaluation sentences already."""
    for path in sorted(folder.glob("prose-*.txt.xz")):
        name = path.name.removesuffix(".txt.xz")
        if not name.endswith("-part") and name.removeprefix("prose-") not in TWICE:
            lines = [line.rstrip("\n") for line in read_lines(path)]
            output.write(name, lines, {"kept": len(lines)})


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clone", type=Path, help="bare clone of github.com/fangj/rmrb")
    parser.add_argument("--prose", type=Path, default=Path("runs/data/zh"), help="folder of benchmarks.models.zh_small")
    parser.add_argument("--out", type=Path, default=Path("runs/data/zh/text"), help="folder to write to")
    parser.add_argument("--newest", type=int, default=NEWEST, metavar="YEAR", help=f"to begin with ({NEWEST})")
    parser.add_argument("--characters", type=int, default=ENOUGH, help=f"of the newspaper ({ENOUGH:,})")
    args = parser.parse_args()
    data = shared_folder() / "data" / "zh"
    try:
        held_out = HeldOut.of(data)
        simple = to_simplified(data)
        traditional = {chr(code) for code in simple if not is_simplified(chr(code))}
        output = Output(args.out)
        write_other_prose(args.prose, output)
        write_newspaper(args.clone, output, Cleaner(traditional), held_out, args.newest, args.characters)
    except ErrataError as error:
        print(f"benchmarks.models.zh_text: {error}", file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
