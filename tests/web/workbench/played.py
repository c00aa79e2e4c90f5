"""Projects that scripts work through: annotators who err now and then, a reviewer, self-study and complaints."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from bench import Bench

from errata.web.workbench import review

Rewrite = Callable[[str, Random], str]
ENGLISH = (
    "He go to school every days .",
    "She have two brother and a sisters .",
    "I am interesting in music .",
    "This is right .",
    "They was happy yesterday .",
    "We discussed about the plan .",
)
CHINESE = (
    "我爱你门。",
    "他很的高。",
    "今天天气很好。",
    "我的爸爸经常我。",
    "昨天我去看书了书店。",
    "她是一个好学生的。",
)


def swap_words(sentence: str, rng: Random) -> str:
    """A sentence with a word changed, dropped or doubled."""
    words = sentence.split()
    place = rng.randrange(len(words))
    words[place : place + 1] = rng.choice([["a"], ["the"], [words[place], "very"], [], [words[place] + "s"]])
    return " ".join(words) or sentence


def swap_characters(sentence: str, rng: Random) -> str:
    """The same for characters; now and then something is missing."""
    place = rng.randrange(len(sentence))
    return sentence[:place] + rng.choice(["很", "了", "的", "[MC]", ""]) + sentence[place + 1 :] or sentence


def annotate_all(bench: Bench, names: Sequence[str], rewrite: Rewrite, rng: Random) -> None:
    """Everybody annotates until there is nothing left."""
    waiting = list(names)
    while waiting:
        name = rng.choice(waiting)
        claim = bench.claim(name, "annotate")
        if claim.task_id is None:
            waiting.remove(name)
            continue
        task = bench.view(name, claim.task_id)
        source, chance = task["item"]["source"], rng.random()
        bench.now += rng.random() * 3000
        if chance < 0.1:
            bench.submit(name, task, status="error_free", seconds=rng.randint(1, 60))
        elif chance < 0.14:
            bench.submit(name, task, status="not_annotatable", seconds=3.5)
        else:
            n_answers = 2 if chance > 0.9 else 1
            answers = [rewrite(source, rng) for _ in range(n_answers)]
            bench.submit(name, task, status="corrected", answers=answers, seconds=20.0, is_suggested=chance < 0.2)


def review_all(bench: Bench, name: str, rewrite: Rewrite, rng: Random) -> None:
    """A reviewer accepts some answers, adds some references, and gives up on a few sentences."""
    while (claim := bench.claim(name, "review")).task_id is not None:
        task = bench.view(name, claim.task_id)
        bench.now += 60
        chance = rng.random()
        judged = [one for one in task["answers"] if one["status"] != "not_annotatable"]
        if chance < 0.05:
            verdicts = [review.Verdict(one["target"], False) for one in judged]
            bench.submit(name, task, status="not_annotatable", verdicts=verdicts)
            continue
        verdicts = [review.Verdict(one["target"], rng.random() < 0.6) for one in judged]
        is_bare = not any(verdict.is_accepted for verdict in verdicts)
        added = [rewrite(task["item"]["source"], rng)] if is_bare or chance > 0.8 else []
        bench.submit(name, task, status="corrected", verdicts=verdicts, added=added)


def study_all(bench: Bench, names: Sequence[str], rng: Random, share: float = 0.7) -> None:
    """People turn some of their rejected answers into golden ones, complain about others and leave the rest."""
    for name in names:
        while (claim := bench.claim(name, "study")).task_id is not None:
            task = bench.view(name, claim.task_id)
            wrong = [one["target"] for one in task["mine"] if not one["is_accepted"] and "complaint" not in one]
            chance = rng.random()
            if chance < 0.2 and wrong:
                bench.submit(name, task, complaint="it is right", target=wrong[0])
            elif chance < share:
                bench.submit(name, task, answers=[task["golden"][0]["target"]])
            else:
                break


def judge_all(bench: Bench, name: str, rng: Random) -> None:
    while (claim := bench.claim(name, "judge")).task_id is not None:
        task = bench.view(name, claim.task_id)
        bench.submit(name, task, is_upheld=rng.random() < 0.5, comment="so be it")


def play(bench: Bench, names: Sequence[str], rewrite: Rewrite, seed: int = 1) -> Bench:
    """Work a project through, once."""
    rng = Random(seed)
    annotate_all(bench, names, rewrite, rng)
    review_all(bench, "reviewer-1", rewrite, rng)
    study_all(bench, names, rng)
    judge_all(bench, "reviewer-2", rng)
    study_all(bench, names, rng, share=0.5)
    return bench
