"""Random documents that are hard to give back unharmed: every script, every line end, code, links, a megabyte a line.

Sentences with common mistakes are among them, so that there is something to correct. What a corrector must not change
is known: each document carries its protected stretches.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

# Every tuple is one choice per slot of a sentence; the mistakes are the ones learners make.
ENGLISH = (
    ("She", "He", "My friends", "The informations", "Everyone", "I", "A students in our class"),
    ("have", "has went", "go", "are agree", "likes very much", "dont want", "is depend on"),
    ("a apple", "the homeworks", "to school yesterday", "in the same opinion", "many advice", "there house"),
    ("because it was importent", "since three years", "for to learn english", "and he goed home", "but I not sure"),
)
CHINESE = (
    ("我昨天", "他们都", "这个问题", "老师门", "随着社会地发展"),
    ("去了学校的的", "觉的很高兴", "以经做完了作业", "在写信给妈妈", "非常受到欢迎的"),
    ("，因为天气很好所以", "，但是我不知到", "，他跑的很快", "，我们应该因该努力"),
)
OTHER_SCRIPTS = tuple(
    "Съешь ещё этих мягких булок|Ξεσκεπάζω την ψυχοφθόρα|كل عام وأنتم بخير|שלום עולם טוב|नमस्ते दुनिया|สวัสดีชาวโลก|"
    "こんにちは、世界。|안녕하세요 세계|ගෙදර යනවා|ქართული ენა|Tiếng Việt rất hay|𠜎𠜱𠝹𠱓 好|𝔘𝔫𝔦𝔠𝔬𝔡𝔢".split("|")
)
# Emoji with joiners and selectors, combining marks, controls, odd spaces, what is not even a character.
SIGNS = tuple(
    "\U0001f469\u200d\U0001f469\u200d\U0001f467|\U0001f3f3\ufe0f\u200d\U0001f308|👍🏽|🇨🇳🇬🇧|1\ufe0f\u20e3|e\u0301a\u0300|"
    "Z\u0351\u036b\u0343a\u0321\u0329l\u034eg\u0353o|\u202eabc\u202c|\u200bzero\u200dwidth\u2060|\u00a0\u3000\u2009|\t\t|"
    "   |\x0b\x0c|\u2028|\u2029|\x85|\x00|\x07\x1b|\ufffd\ufffe\uffff|\ue000|½ ² ™ ﬁ|“curly” ‘quotes’ — dash …|"
    "（全角）！？，。：|--|!!!???|1,000.50 €".split("|")
)
LITERALS = tuple(
    "https://exmaple.com/a_path?q=he+go&x=%20#frag|http://例子.中国/路径|www.he-go.org/they_has|a.have@mail.exmaple.org|"
    "/usr/share/he_go/they.has|~/informations/goed.txt|src/there_house.py|C:\\Users\\they\\has.docx|@he_go|#HeGoHome|"
    "#老师门#|`he go home`|they_has_went|--he-go|he_go()".split("|")
)
LINE_ENDS = ("\n", "\n", "\r\n", "\r", "\n\n", "\r\n\r\n")
MEGABYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class Document:
    """A text, the kind of markup in it, and what must come back as it is."""

    text: str
    markup: str
    protected: tuple[tuple[int, int], ...]


class _Sheet:
    """A text being written."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.length = 0
        self.protected: list[tuple[int, int]] = []

    def write(self, text: str, *, is_protected: bool = False) -> None:
        if is_protected:
            self.protected.append((self.length, self.length + len(text)))
        self.pieces.append(text)
        self.length += len(text)

    def finish(self, markup: str) -> Document:
        return Document("".join(self.pieces), markup, tuple(self.protected))


def make_document(seed: int, *, size: int = 0) -> Document:
    """The document of a seed, raw or Markdown by turns; `size` makes it one line of at least so many characters."""
    rng = random.Random(seed)
    markup = "markdown" if seed % 2 else "text"
    sheet = _Sheet()
    if rng.random() < 0.03:
        sheet.write("\ufeff")
    if size:
        _write_long_line(sheet, rng, size)
    elif markup == "markdown":
        _write_markdown(sheet, rng)
    else:
        _write_plain(sheet, rng)
    return sheet.finish(markup)


def _sentence(rng: random.Random, language: str) -> str:
    if language == "zh":
        return "".join(map(rng.choice, CHINESE)) + rng.choice(("。", "！", "……", ""))
    return " ".join(map(rng.choice, ENGLISH)) + rng.choice((".", "!", " .", "", "?"))


def _write_words(sheet: _Sheet, rng: random.Random, language: str) -> None:
    """Something between a word and a sentence, of any kind."""
    kind = rng.random()
    if kind < 0.55:
        sheet.write(_sentence(rng, language))
    elif kind < 0.7:
        sheet.write(rng.choice(OTHER_SCRIPTS))
    elif kind < 0.85:
        sheet.write(rng.choice(SIGNS))
    else:
        sheet.write(" ")
        sheet.write(rng.choice(LITERALS), is_protected=True)
        sheet.write(" ")


def _write_plain(sheet: _Sheet, rng: random.Random) -> None:
    language = rng.choice(("en", "en", "zh"))
    for _ in range(rng.choice((0, 1, 1, 2, 3))):
        for _ in range(rng.randint(0, 2)):
            _write_words(sheet, rng, language)
            sheet.write(rng.choice((" ", " ", "  ", "")) if language == "en" else "")
        sheet.write(rng.choice(LINE_ENDS) if rng.random() < 0.9 else "")


def _write_long_line(sheet: _Sheet, rng: random.Random, size: int) -> None:
    """Words among runs of one thing, so that a megabyte does not take minutes to correct."""
    while sheet.length < size:
        _write_words(sheet, rng, rng.choice(("en", "zh")))
        sheet.write(" " + rng.choice(("好", "a.", "é ", "w\u0301", "1,")) * rng.randint(0, 9))
        sheet.write(" " + rng.choice(("a", "🙂", " ", "-", "\t", "ж")) * rng.randint(1, 9000) + " ")


def _write_markdown(sheet: _Sheet, rng: random.Random) -> None:
    end = rng.choice(("\n", "\r\n"))
    if rng.random() < 0.1:
        sheet.write(f"---{end}title: She have went{end}---{end}", is_protected=True)
    for _ in range(rng.randint(1, 2)):
        rng.choice(BLOCKS)(sheet, rng, end)
        sheet.write(end + end)


def _write_prose(sheet: _Sheet, rng: random.Random, end: str) -> None:
    """A line of prose with emphasis, links and code in it."""
    language = rng.choice(("en", "en", "zh"))
    for _ in range(rng.randint(1, 3)):
        sheet.write(_sentence(rng, language) + " ")
        kind = rng.random()
        if kind < 0.2:
            marker = rng.choice(("**", "*", "_", "~~"))
            sheet.write(marker + _sentence(rng, language).strip(" .!?") + marker + " ")
        elif kind < 0.4:
            sheet.write("[" + _sentence(rng, language).strip())
            sheet.write("](https://exmaple.com/they_has 'He go')", is_protected=True)
            sheet.write(" ")
        elif kind < 0.6:
            sheet.write(rng.choice(("`he go`", "<b class='they has'>", "![he go](they has.png)", "$he + go$", "&amp;")))
            sheet.write(rng.choice((" ", end)))
        elif kind < 0.8:
            sheet.write(rng.choice(LITERALS), is_protected=True)
            sheet.write(" ")
        else:
            sheet.write(rng.choice(OTHER_SCRIPTS) + " ")


def _write_paragraph(sheet: _Sheet, rng: random.Random, end: str) -> None:
    _write_prose(sheet, rng, end)


def _write_list(sheet: _Sheet, rng: random.Random, end: str) -> None:
    marker = rng.choice(("- ", "* ", "1. ", "> ", "- [ ] ", "## "))
    for _ in range(rng.randint(1, 3)):
        sheet.write(marker)
        sheet.write(_sentence(rng, "en") + end)


def _write_code(sheet: _Sheet, rng: random.Random, end: str) -> None:
    body = end.join(_sentence(rng, "en") for _ in range(rng.randint(1, 3)))
    opening, closing = rng.choice(
        (("```python", "```"), ("~~~", "~~~"), ("<pre>", "</pre>"), ("<!--", "-->"), ("$$", "$$"))
    )
    sheet.write(f"{opening}{end}{body}{end}{closing}", is_protected=True)


def _write_table(sheet: _Sheet, rng: random.Random, end: str) -> None:
    sheet.write(f"| {_sentence(rng, 'en')} | what |{end}")
    sheet.write("|:---|---:|", is_protected=True)
    for _ in range(rng.randint(1, 2)):
        sheet.write(f"{end}| {_sentence(rng, 'en')} | ")
        sheet.write("`he go`", is_protected=True)
        sheet.write(" |")


BLOCKS: tuple[Callable[[_Sheet, random.Random, str], None], ...] = (
    _write_paragraph,
    _write_paragraph,
    _write_list,
    _write_code,
    _write_table,
)
