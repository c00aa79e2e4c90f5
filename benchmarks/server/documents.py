"""English documents with errors, made up: every seed the same ones, nearly no sentence twice."""

from __future__ import annotations

import random

PEOPLE = "my sister,our teacher,the manager,a old friend,he,she,the students,they,my parents,everyone".split(",")
ACTIONS = (
    "go to the office,has finished the report,are waiting for a answer,have went home,like to plays chess,"
    "was reading an interesting book,do not knows the way,is look for a new flat,forgot to bring there passport,"
    "discuss about the plan,spent many times on it,made a lot of mistake,is agree with the idea,told to me the news,"
    "want to improve their english,bought two ticket for the concert,stayed at home all day,recieved the letter"
).split(",")
TIMES = (
    "every day,yesterday,last week,in the Monday morning,since three years,on 2019,before the meeting,these days,"
    "at the moment,for the first time,after the lunch,soon"
).split(",")
REASONS = (
    "because the weather was bad,although it were late,so that nobody had to wait,which is very usefull,"
    "and it takes long time,but there is many problems,when the bus dont come,if we would have more money,"
    "as the instructions says,and nobody complained,"
).split(",")
ASIDES = ("For example", "However", "In my opinion", "To be honest", "As far as I know", "Last of all", "")


def make_sentence(rng: random.Random) -> str:
    """One sentence, with an error or two as a rule."""
    aside = rng.choice(ASIDES)
    middle = f"{rng.choice(PEOPLE)} {rng.choice(ACTIONS)} {rng.choice(TIMES)} {rng.choice(REASONS)}".strip()
    number = f" ({rng.randrange(10_000)})" if rng.random() < 0.3 else ""
    text = f"{aside}, {middle}" if aside else middle[0].upper() + middle[1:]
    return f"{text}{number}{rng.choice('...?!')}"


def make_document(rng: random.Random) -> str:
    """Mostly a few sentences, as editors send while somebody types; one in twenty is long."""
    n_sentences = rng.randint(30, 60) if rng.random() < 0.05 else rng.randint(1, 8)
    text = ""
    for number in range(n_sentences):
        text += ("" if not number else "\n\n" if rng.random() < 0.2 else " ") + make_sentence(rng)
    return text + rng.choice(["", "", "\n", " 😀"])


def make_documents(count: int, seed: int = 1) -> list[str]:
    rng = random.Random(seed)
    return [make_document(rng) for _ in range(count)]
