"""Everyday Chinese prose and learners' corrections, from `python -m benchmarks.models.zh_everyday CLONES`.

CLONES has a clone of every repository named in SOURCES and CORPORA, in a folder OWNER+NAME. Written to runs/data/zh:

- prose-everyday.txt.xz: sentences of essays, novels, children's books, chats and textbooks to make errors in, shuffled;
- pairs-everyday.tsv.xz: corrections (corpus, source, target), which `zh_small --everyday` mixes with the others;
- text/extra-NAME.txt.gz: all sentences of the sources that the encoder reads, in the order of the files;
- everyday.json: for each source the commits, and how many sentences were kept or left out for which reason.

Everything is in Simplified characters and without evaluation sentences (`zh_held_out`). The same clones give the same
files. The bundled model was trained on files of an earlier version, with slightly other sentences; the README of the
recipes compares their numbers.
"""

from __future__ import annotations

import argparse
import csv
import html
import io
import json
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from benchmarks.models.histories.repositories import Repository, find_repositories, list_files, read_blobs
from benchmarks.models.zh_held_out import HeldOut
from benchmarks.models.zh_small import rows, write
from benchmarks.speed.history import shared_folder

from errata.errors import DataError, ErrataError
from errata.formats.files import read_lines

# Chooses the dialogues that are read and the sentences that are drawn, and shuffles the sentences.
SEED = 7
# Characters of a sentence. Shorter ones are answers and exclamations, longer ones often lack an end. Those that get
# errors have to fit into a tagger's window.
SHORTEST, LONGEST, LONGEST_DRAWN = 8, 180, 150
# Least share of Chinese characters. With less, figures, foreign words or marks are too large a part of a sentence.
LEAST_HAN = 0.7
# Characters of a line from which on a missing end means that its sentence goes on in the next line.
WRAPPED = 12
# Characters of a correction's source and target, and its share of Chinese: titles and English glosses are left out.
SHORTEST_SOURCE, SHORTEST_TARGET, LONGEST_SIDE, LEAST_HAN_SOURCE = 4, 3, 250, 0.5

_HAN = re.compile(r"[\u4e00-\u9fff]")
_SENTENCE = re.compile(r"[^。！？!?…]*[。！？!?…]+[”’」』）)\"]*|[^。！？!?…]+$")
_END = re.compile(r"[。！？…][”’」』）]*$")
_LINE_END = re.compile(r"[。！？!?…：:”’）)]$")
_BEGINNING = re.compile(r"[\u4e00-\u9fff“《（‘\d]")
_PAIRS = ("“”", "（）", "《》", "‘’")
# What web sites and printed books put around a text.
_APPARATUS = re.compile(
    r"http|www|\.com|\.cn|txt|QQ|微信|公众号|下载|手打|转载|版权|出版社|ISBN|本章|作者[:：]|未完待续|求推荐|更新|点击|图\d"
    r"|第[一二三四五六七八九十百零\d]+[章回节卷]"
)
# Marks of markup and of damaged text.
_ODD = re.compile(r"[#*_<>|{}\[\]=\\~`@$^【】■□\ufffd]|·{2}|—{5}|\?\?|。。|，，")
_NOT_LETTER = re.compile(r"\W")
_BLANK = re.compile(r"\s+")

# One form of each mark: chats, and texts that were typed in, have ASCII marks, and corner brackets come from Taiwan.
_FORMS = str.maketrans({
    "「": "“", "」": "”", "『": "‘", "』": "’", "\u3000": " ", "\xa0": " ", "\u200b": None, "\ufeff": None,
})  # fmt: skip
_CHINESE_MARKS = (
    (re.compile(r"(?<=[\u4e00-\u9fff”）》])\s*,\s*"), "，"),
    (re.compile(r"(?<=[\u4e00-\u9fff”）》])\s*\?"), "？"),
    (re.compile(r"(?<=[\u4e00-\u9fff”）》])\s*!"), "！"),
    (re.compile(r"(?<=[\u4e00-\u9fff])\s*;\s*"), "；"),
    (re.compile(r"(?<=[\u4e00-\u9fff])\s*:\s*(?=[\u4e00-\u9fff“])"), "："),
    (re.compile(r"(?<=[\u4e00-\u9fff])(?:\.{3,6}|…(?!…))"), "……"),
    (re.compile(r"(?<=[\u4e00-\u9fff])\.(?=\s|$)"), "。"),
    (re.compile(r"(?<=[^\x00-\x7f])\s+|\s+(?=[^\x00-\x7f])"), ""),
    (re.compile(r'"([^"]{1,200})"'), r"“\1”"),
)

# Markdown: lines that are no prose, images and tags, the text of links, emphasis and notes.
_NO_PROSE = ("#", "!", ">", "|", "```", "- [", "<", "---", "* ")
_IMAGE_OR_TAG = re.compile(r"!\[[^\]]*\]\([^)]*\)|<[^>]+>")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_EMPHASIS_OR_NOTE = re.compile(r"\*\*|__|\[\^\d+\]")

# SMILE's dialogues were rewritten by a language model, which left names of the roles in some turns.
_SPEAKER = re.compile(r"^(?:支持者|求助者|来访者|(?:心理)?咨询师|用户|回答者|我|你)[:：]")
ROLES = re.compile(r"支持者|求助者|[:：]$")

# A teacher's choice between two corrections is no sentence.
_CHOICE = re.compile(r"/|或者说|（.*或")
_GEE_PROMPT = re.compile(r"Sentence pair:\n(.+)\n(.+)\nlist of edits")
_GEE_PAGE = re.compile(r"Source:</b> (.*?)<br><b>Target:</b> (.*?)<br>")
_WRONG_RIGHT = re.compile(r'wrong"?: *"([^"]+)",\s*"?right"?: *"([^"]+)"')

Pair = tuple[str, str]  # source, target
Item = TypeVar("Item")


# --- From files to sentences -----------------------------------------------------------------------------------------


def decode(content: bytes) -> str:
    """The text of a file in whichever encoding it has: novels are often in GB 18030."""
    for encoding in ("utf-8-sig", "gb18030", "utf-16"):
        try:
            return content.decode(encoding)
        except UnicodeError:
            continue
    return content.decode("gb18030", "ignore")


def tidy(text: str) -> str:
    """The text with Chinese punctuation and without blanks beside Chinese characters.

    >>> tidy("他 说:「你好,世界!」 &nbsp;我笑了...")
    '他说：“你好，世界！”我笑了……'
    """
    text = html.unescape(text).translate(_FORMS)
    for pattern, replacement in _CHINESE_MARKS:
        text = pattern.sub(replacement, text)
    return text.strip()


def split(text: str) -> list[str]:
    """The sentences of a text in one paragraph, each with its mark; a last one may have none."""
    return _SENTENCE.findall(tidy(text))


def plain(text: str) -> Iterator[str]:
    """The sentences of a plain text.

    Some books have hard line breaks. Where a line has no end and the next is not indented, the sentence across them is
    left out, since nothing tells a line break from a lost paragraph: of the second line, all but its beginning is read.
    """
    goes_on = False
    for line in text.splitlines():
        tidied = tidy(line)
        sentences = _SENTENCE.findall(tidied)
        is_indented = line[:1] in (" ", "\t", "\u3000")
        yield from sentences[1:] if goes_on and not is_indented else sentences
        goes_on = len(tidied) >= WRAPPED and not _LINE_END.search(tidied)


def markdown(text: str) -> Iterator[str]:
    """The sentences of paragraphs: no headings, lists of links, quotations, tables and code."""
    return plain("\n".join(map(without_markup, text.splitlines())))


def without_markup(line: str) -> str:
    """A line of Markdown as plain text; empty if it is no prose.

    >>> without_markup("**今天**看了[一本书](a.md)[^1]。"), without_markup("## 今天")
    ('今天看了一本书。', '')
    """
    if line.lstrip().startswith(_NO_PROSE):
        return ""
    return _EMPHASIS_OR_NOTE.sub("", _LINK.sub(r"\1", _IMAGE_OR_TAG.sub("", line)))


def fields(name: str) -> Callable[[str], Iterator[str]]:
    """A reader of JSON: the sentences of all fields with this name, however deep they are."""

    def read(text: str) -> Iterator[str]:
        for value in _values(json.loads(text), name):
            yield from split(_BLANK.sub(" ", value))

    return read


def smile(text: str) -> Iterator[str]:
    """The sentences of a dialogue after its first turn, which is somebody's unedited post, without names of roles."""
    for turn in json.loads(text)[1:]:
        for sentence in split(_BLANK.sub(" ", turn["content"])):
            yield _SPEAKER.sub("", sentence)


def second_column(text: str) -> Iterator[str]:
    """The sentences in the second cells of a CSV file; the first cells have them with blanks between words."""
    for cells in csv.reader(io.StringIO(text)):
        if len(cells) > 1:
            yield from split(cells[1])


def _values(node: Any, name: str) -> Iterator[str]:
    if isinstance(node, dict):
        for key, value in node.items():
            if key == name and isinstance(value, str):
                yield value
            else:
                yield from _values(value, name)
    elif isinstance(node, list):
        for value in node:
            yield from _values(value, name)


# --- From files to corrections ---------------------------------------------------------------------------------------


def gee_prompts(text: str) -> Iterator[Pair]:
    """The pairs in the prompts that a model was fine-tuned with."""
    for line in text.splitlines():
        for message in json.loads(line)["messages"]:
            if match := _GEE_PROMPT.search(message["content"]):
                yield match[1], match[2]


def gee_pages(text: str) -> Iterator[Pair]:
    """The pairs on the pages that annotators judged."""
    for page in json.loads(text):
        if match := _GEE_PAGE.search(page["text"]):
            yield match[1], match[2]


def common_mistakes(text: str) -> Iterator[Pair]:
    """The pairs in a JavaScript object, which has them once in Traditional and once in Simplified characters."""
    for match in _WRONG_RIGHT.finditer(text):
        yield match[1], match[2]


def flacgec(text: str) -> Iterator[Pair]:
    for entry in json.loads(text).values():
        yield entry["source"], entry["target"]


# --- What is read ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Files(Generic[Item]):
    """The files of a repository whose whole path matches a pattern, and how to read them."""

    repository: str
    paths: str
    read: Callable[[str], Iterable[Item]]


@dataclass(frozen=True, slots=True)
class Source:
    """Prose of one kind."""

    name: str
    files: tuple[Files[str], ...]
    part: tuple[int, int] | None = None  # of the files in random order
    most: int | None = None  # sentences to draw; all if None
    is_for_encoder: bool = False
    leave_out: re.Pattern[str] | None = None  # what a sentence of this source must not contain


@dataclass(frozen=True, slots=True)
class Corpus:
    """Corrections of one kind."""

    name: str
    files: tuple[Files[Pair], ...]


SMILE = (Files("qiuhuachuan/smile", r"data/.*", smile),)
GEE = "Yixiao-Song/GEE-with-LLMs"
SOURCES = (
    # Essays and stories of many authors, and the owner's own. Poems, study notes and archives are other folders.
    Source(
        "tinysnow-essays",
        (
            Files(
                "TinySnow/TinySnow.github.io",
                r"src/(?:阅读/(?:每日一文|其他|没事)|生活碎笔/(?:随笔|文章|小说)).*\.md",
                markdown,
            ),
        ),
        is_for_encoder=True,
    ),
    # Children's books and classics for schools.
    Source("aim9-books", (Files("aim9/books", r".*\.txt", plain),), most=200_000, is_for_encoder=True),
    # Counselling dialogues, written by a language model after real posts. The counsellor's phrases come again and
    # again, so half of the 55,165 dialogues are read, and a quarter of their sentences drawn. The encoder reads the
    # first part.
    Source("smilechat-dialogue", SMILE, part=(0, 12_000), most=100_000, is_for_encoder=True, leave_out=ROLES),
    Source("smilechat-dialogue2", SMILE, part=(12_000, 30_000), most=100_000, leave_out=ROLES),
    # Chat of crowd workers on films, music and travel.
    Source(
        "kdconv-dialogue",
        (Files("thu-coai/KdConv", r"data/\w+/(?:dev|test)\.json", fields("message")),),
        is_for_encoder=True,
    ),
    # Example sentences for learners.
    Source(
        "hsk-examples",
        (
            Files("krmanik/Chinese-Grammar", r"CSV Files.*\.csv", second_column),
            Files("sarachdatabear-polar/hsk_game", r"data/examples\.json", fields("s")),
            Files("s-mberli/hsknest", r"prisma/data/hsk/sentences\.json", fields("text")),
        ),
    ),
    # Modern novels. The repositories also have classical ones, whose language is different.
    Source(
        "hexhero-novels",
        (
            Files(
                "hexhero/book-txt",
                r"(?:遥远的救世主|天幕红尘|背叛|百年孤独|围城|鼠疫|荒原狼|局外人)\.txt",
                plain,
            ),
        ),
    ),
    # Left out: film scripts (对话), web novels, and fantasy full of invented names.
    Source(
        "modern-novels",
        (
            Files("01miaom/novel_corpus", r"data/(?!.*(?:对话|唐家三少|酒神|魔戒)).*\.txt", plain),
            Files("klaustjq/novel", r"(?:活着|人间失格)\.txt", plain),
            Files("deltacdevadmin/Book", r"(?:.*/)?(?:月亮和六便士.*|当我谈跑步时我谈些什么)\.txt", plain),
        ),
    ),
)
CORPORA = (
    # Learners' sentences of HSK essays with minimal corrections, from a study of explanations.
    Corpus(
        "gee-zh",
        (
            Files(GEE, r"data/fine-tune_data/Chinese_train_test_data/496_train_.*\.jsonl", gee_prompts),
            Files(GEE, r"data/human_annotation_data/zh_\d_anonymized\.json", gee_pages),
        ),
    ),
    # Typical mistakes of learners, written by a teacher.
    Corpus("common-mistakes", (Files("anthonypoon12/CommonMistakes", r"sentences\.js", common_mistakes),)),
    # Errors made by rule from grammar points. Who trains on them cannot test on FlaCGEC.
    Corpus("flacgec-devtest", (Files("hyDududu/FlaCGEC", r"data/(?:dev|test)\.json", flacgec),)),
)


# --- What is kept ----------------------------------------------------------------------------------------------------


def trim(sentence: str) -> str:
    """The sentence without what a neighbour left: closing marks at its beginning, one half of a pair of quotes.

    >>> trim("”他笑了。"), trim("“我们走吧。"), trim("我们走吧。”"), trim("“走吧。”他说。")
    ('他笑了。', '我们走吧。', '我们走吧。', '“走吧。”他说。')
    """
    text = sentence.strip().lstrip("”’），、；：。！？…—- ")
    if text.startswith("“") and text.count("“") == 1 and "”" not in text:
        text = text[1:]
    if text.endswith("”") and text.count("”") == 1 and "“" not in text:
        text = text[:-1]
    return text


def fault(text: str) -> str:
    """Why this is no clean sentence; empty if it is one."""
    if not SHORTEST <= len(text) <= LONGEST:
        return "short or long"
    if not _END.search(text):
        return "no end"
    if not _BEGINNING.match(text):
        return "odd beginning"
    if any(text.count(pair[0]) != text.count(pair[1]) for pair in _PAIRS):
        return "quotes or brackets without a partner"
    if len(_HAN.findall(text)) < LEAST_HAN * len(text):
        return "little Chinese"
    if _ODD.search(text):
        return "odd characters"
    if _APPARATUS.search(text):
        return "notice of a web site or a book"
    return ""


def pair_fault(source: str, target: str) -> str:
    """Why this is no correction of a sentence; empty if it is one."""
    if not (SHORTEST_SOURCE <= len(source) <= LONGEST_SIDE and SHORTEST_TARGET <= len(target) <= LONGEST_SIDE):
        return "short or long"
    if len(_HAN.findall(source)) < LEAST_HAN_SOURCE * len(source):
        return "little Chinese"
    if _CHOICE.search(target) and "/" not in source:
        return "a choice of corrections"
    if source == target:
        return "unchanged"
    return ""


def letters(text: str) -> str:
    """What tells sentences apart: copies differ in punctuation."""
    return _NOT_LETTER.sub("", text)


class Cleaner:
    """Judges sentences and corrections, puts them into Simplified characters, and gives each of them once."""

    def __init__(self, known_prose: Iterable[str] = (), known_sources: Iterable[str] = ()) -> None:
        import opencc

        self._convert: Callable[[str], str] = opencc.OpenCC("t2s").convert
        self._sentences = {hash(letters(text)) for text in known_prose}
        self._sources = {letters(text) for text in known_sources}
        self._pairs: set[Pair] = set()

    def judge(self, sentence: str) -> tuple[str, str]:
        """The clean sentence and the reason to leave it out, which is empty for a sentence to keep."""
        text = trim(sentence)
        if reason := fault(text):
            return text, reason
        text = self._convert(text)
        digest = hash(letters(text))
        if digest in self._sentences:
            return text, "seen before"
        self._sentences.add(digest)
        return text, ""

    def judge_pair(self, pair: Pair) -> tuple[Pair, str]:
        """The clean pair and the reason to leave it out, which is empty for a pair to keep."""
        source, target = (self._convert(_BLANK.sub("", side)) for side in pair)
        if reason := pair_fault(source, target):
            return (source, target), reason
        if (source, target) in self._pairs:
            return (source, target), "seen before"
        self._pairs.add((source, target))
        return (source, target), "in another corpus" if letters(source) in self._sources else ""


# --- The files -------------------------------------------------------------------------------------------------------


class Clones:
    """The clones of all repositories that are read."""

    def __init__(self, folder: Path, most_files: int | None = None) -> None:
        found = {repository.name: repository for repository in find_repositories(folder)}
        needed = sorted({files.repository for kind in (*SOURCES, *CORPORA) for files in kind.files})
        if missing := [name for name in needed if name not in found]:
            raise DataError(f"{folder} lacks {', '.join(missing)}; clone github.com/OWNER/NAME to {folder}/OWNER+NAME")
        self._repositories: Mapping[str, Repository] = {name: found[name] for name in needed}
        self._most_files = most_files

    def read(self, files: Files[Item], part: tuple[int, int] | None = None) -> Iterator[Item]:
        """What the files have, one after the other; of a part, in random order."""
        repository, pattern = self._repositories[files.repository], re.compile(files.paths)
        blobs = [(path, blob) for path, blob in sorted(list_files(repository).items()) if pattern.fullmatch(path)]
        if not blobs:
            raise DataError(f"{repository.folder} has no files {files.paths}")
        if part:
            random.Random(SEED).shuffle(blobs)
            blobs = blobs[slice(*part)]
        for path, content in read_blobs(repository, blobs[: self._most_files]):
            try:
                yield from files.read(decode(content))
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise DataError(f"{repository.folder}: {path} has another format than expected: {error!r}") from error

    def commits(self, files: Sequence[Files[Any]]) -> dict[str, str]:
        """The commit that is read of each repository."""
        return {one.repository: self._repositories[one.repository].head for one in files}


def read_source(source: Source, clones: Clones, cleaner: Cleaner, held_out: HeldOut, tally: Counter[str]) -> list[str]:
    """The clean sentences of a source, in the order of its files; the tally has what was left out and why."""
    kept = []
    for files in source.files:
        for sentence in clones.read(files, source.part):
            if source.leave_out and source.leave_out.search(sentence):
                tally["left out of this source"] += 1
                continue
            text, reason = cleaner.judge(sentence)
            if reason:
                tally[reason] += 1
            else:
                kept.append(text)
    refused = held_out.find(kept)
    tally["evaluation sentences"] += len(refused)
    tally["kept"] += len(kept) - len(refused)
    return [text for i, text in enumerate(kept) if i not in refused]


def read_corpus(corpus: Corpus, clones: Clones, cleaner: Cleaner, held_out: HeldOut, tally: Counter[str]) -> list[Pair]:
    """The clean corrections of a corpus; the tally has what was left out and why."""
    kept = []
    for files in corpus.files:
        for raw in clones.read(files):
            pair, reason = cleaner.judge_pair(raw)
            if not reason and not held_out.allows(corpus.name, *pair):
                reason = "evaluation sentences"
            tally[reason or "kept"] += 1
            if not reason:
                kept.append(pair)
    return kept


def draw(sentences: Sequence[str], most: int | None, rng: random.Random) -> list[str]:
    """At most as many of the sentences that are not too long for a tagger, in random order."""
    fitting = [text for text in sentences if len(text) <= LONGEST_DRAWN]
    return rng.sample(fitting, min(len(fitting), most or len(fitting)))


def write_files(clones: Clones, cleaner: Cleaner, held_out: HeldOut, out: Path) -> None:
    """Write all files to the folder, and print the counts as they come."""
    (out / "text").mkdir(parents=True, exist_ok=True)
    rng = random.Random(SEED)
    report: dict[str, dict[str, Any]] = {}

    def tell(kind: Source | Corpus, tally: Counter[str], **more: int) -> None:
        report[kind.name] = {"commits": clones.commits(kind.files), **more, **tally}
        print(f"{time.strftime('%H:%M:%S')} {kind.name}: {more or ''} {dict(tally)}", flush=True)

    pairs = []
    for corpus in CORPORA:
        tally = Counter[str]()
        pairs += ["\t".join((corpus.name, *pair)) for pair in read_corpus(corpus, clones, cleaner, held_out, tally)]
        tell(corpus, tally)
    write(pairs, out / "pairs-everyday.tsv.xz")
    prose = []
    for source in SOURCES:
        tally = Counter[str]()
        sentences = read_source(source, clones, cleaner, held_out, tally)
        if source.is_for_encoder:
            write(sentences, out / "text" / f"extra-{source.name}.txt.gz")
        drawn = draw(sentences, source.most, rng)
        prose += drawn
        tell(source, tally, drawn=len(drawn))
    rng.shuffle(prose)
    write(prose, out / "prose-everyday.txt.xz")
    write([json.dumps(report, ensure_ascii=False, indent=1)], out / "everyday.json")
    print(f"prose: {len(prose):,} sentences; pairs: {len(pairs):,}")


def known_prose(data: Path) -> Iterator[str]:
    """The sentences of the corpora that `zh_small` reads, without newspapers, which share none with everyday prose."""
    for path in sorted((data / "prose").glob("*.txt.xz")):
        if not path.name.startswith("rmrb"):
            yield from read_lines(path)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clones", type=Path, help="folder with the clones")
    parser.add_argument("--out", type=Path, default=Path("runs/data/zh"), help="folder to write to")
    parser.add_argument("--files", type=int, metavar="N", help="read at most N files of each kind, for a trial (all)")
    args = parser.parse_args()
    data = shared_folder() / "data" / "zh"
    try:
        clones = Clones(args.clones, args.files)
        sources = (source for _, source, _ in rows(data / "train-pairs" / "grammar_pairs.tsv.xz"))
        write_files(clones, Cleaner(known_prose(data), sources), HeldOut.of(data), args.out)
    except ErrataError as error:
        print(f"benchmarks.models.zh_everyday: {error}", file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
