"""Small models of our own, learnt from invented sentences."""

from __future__ import annotations

from pathlib import Path

import pytest

from errata.model import AnnotatedSentence, Annotation, Edit, Sentence
from errata.synth import NoiseModel
from errata.synth.learn import Learner

# source, correction; each is learnt several times, so that frequencies matter.
ENGLISH_PAIRS = (
    ("She go to school every days .", "She goes to the school every day .", 4),
    ("We was happy about the result .", "We were happy with the result .", 3),
    ("He is very interested on music .", "He is very interested in music .", 5),
    ("I like the nature and to walk in the forest .", "I like nature and walking in the forest .", 3),
    ("They have recieved your letter yesterday .", "They received your letter yesterday .", 2),
    ("I am agree with you .", "I agree with you .", 4),
    ("However he did not came .", "However , he did not come .", 4),
    ("The children play in the garden .", "The children play in the garden .", 6),
    ("always he eats breakfast at home .", "He always eats breakfast at home .", 2),
    ("My informations are old .", "My information is old .", 2),
    ("We leave for labour .", "We leave for work .", 1),
)
CHINESE_PAIRS = (
    ("我昨天去了学校学习了中文。", "我昨天去学校学习了中文。", 4),
    ("他跑的很快。", "他跑得很快。", 5),
    ("我们应该认真的工作。", "我们应该认真地工作。", 4),
    ("大约有三十个人左右参加了会议。", "大约有三十个人参加了会议。", 3),
    ("我以经吃过饭了。", "我已经吃过饭了。", 3),
    ("学生们在教室里看书。", "学生们在教室里看书。", 6),
    ("他每天早上跑步公园里。", "他每天早上在公园里跑步。", 3),
    ("我很喜欢喝茶茶。", "我很喜欢喝茶。", 2),
    ("我们谈天了这个问题。", "我们讨论了这个问题。", 1),
)
CHINESE_WORDS = {
    "学校": 90, "学习": 80, "中文": 20, "昨天": 50, "我们": 200, "应该": 60, "认真": 30, "工作": 90, "大约": 20,
    "参加": 30, "会议": 30, "已经": 80, "以经": 1, "学生": 60, "教室": 20, "看书": 20, "每天": 40, "早上": 30,
    "跑步": 10, "公园": 20, "喜欢": 60, "太": 30, "犬": 2, "入": 20, "再": 30, "未": 10, "末": 5, "讨论": 9, "谈天": 3,
}  # fmt: skip


@pytest.fixture(scope="session")
def lists(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with word lists in the formats people have."""
    folder = tmp_path_factory.mktemp("lists")
    (folder / "misspellings.txt").write_text("recieve->receive\nbreakfest->breakfast, \nfreind,friend\n", "utf-8")
    (folder / "confusables.txt").write_text("# pairs\nplay; pray; 10 # p=1\nold -> odd; 5\n", "utf-8")
    (folder / "glyphs.txt").write_text("大\t太犬\n人,入\n", "utf-8")
    (folder / "glyphs.json").write_text('{"末": ["未"], "己": {"xj": ["已"], "yj": ["几"]}}', "utf-8")
    (folder / "synonyms.txt").write_text("Hj19A01= 学习 工作 看书\nAa01A02# 学校 教室\n", "utf-8")
    return folder


@pytest.fixture(scope="session")
def english(lists: Path) -> NoiseModel:
    learner = Learner("en")
    for source, target, times in ENGLISH_PAIRS:
        for _ in range(times):
            learner.add_pair(source, target)
    learner.add_frequencies({"receive": 5, "friend": 9, "breakfast": 3, "pray": 2, "odd": 2, "eat": 3, "walk": 4})
    return learner.model(misspellings=[lists / "misspellings.txt"], confusables=[lists / "confusables.txt"])


@pytest.fixture(scope="session")
def chinese(lists: Path) -> NoiseModel:
    learner = Learner("zh")
    for source, target, times in CHINESE_PAIRS:
        for _ in range(times):
            learner.add_pair(source, target)
    learner.add_frequencies(CHINESE_WORDS)
    return learner.model(glyphs=[lists / "glyphs.txt", lists / "glyphs.json"], synonyms=[lists / "synonyms.txt"])


@pytest.fixture
def annotated() -> AnnotatedSentence:
    """`I am agree with with him .`, corrected by two annotators."""
    sentence = Sentence(("I", "am", "agree", "with", "with", "him", "."))
    first = Annotation("0", (Edit(1, 2, (), "U:VERB"), Edit(4, 5, (), "U:PREP")))
    second = Annotation("1", (Edit(1, 3, ("agree",), "R:VERB"),))
    return AnnotatedSentence(sentence, (first, second))
