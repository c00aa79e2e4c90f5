"""Small judged sets in the formats of the real ones, written by the tests."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

SOURCES = ["He go home .", "I like cat .", "It rains .", "She have a dogs ."]
RIGHT = ["He goes home .", "I like cats .", "It rains .", "She has a dog ."]
OUTPUTS = {
    "GOOD": RIGHT,
    "HALF": ["He goes home .", "I like cat .", "It rains .", "She has a dogs ."],
    "INPUT": SOURCES,
    "WORSE": ["He go homes .", "I like a cat .", "It rain .", "She have dogs ."],
}
M2 = """S He go home .
A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0
A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||1

S I like cat .
A 2 3|||R:NOUN:NUM|||cats|||REQUIRED|||-NONE-|||0
A 2 2|||M:DET|||my|||REQUIRED|||-NONE-|||1

S It rains .

S She have a dogs .
A 1 2|||R:VERB:SVA|||has|||REQUIRED|||-NONE-|||0
A 3 4|||R:NOUN:NUM|||dog|||REQUIRED|||-NONE-|||0
"""
# Sentence (from 0) → groups of systems that made the same correction, the best first.
RANKS: dict[int, Sequence[tuple[str, int]]] = {
    0: [("GOOD HALF", 1), ("INPUT", 2), ("WORSE", 3)],
    1: [("GOOD", 1), ("HALF INPUT", 2), ("WORSE", 2)],
    3: [("GOOD", 1), ("HALF", 2), ("INPUT", 4), ("WORSE", 4)],
}


def make_xml(ranks: Mapping[int, Iterable[tuple[str, int]]], first: int = 0) -> str:
    """Appraise's XML, with an item on every line; numbers begin at `first`."""
    rows = []
    for number, groups in ranks.items():
        choices = "".join(f'<translation system="{systems}" rank="{rank}"/>' for systems, rank in groups)
        rows.append(f'<ranking-item src-id="{number + first}" user="a">{choices}</ranking-item>')
    body = "\n".join(rows)
    return f"<results>\n<result>\n{body}\n</result>\n</results>\n"


def write_gjg15(root: Path, *, xml: str | None = None, with_gold: bool = True) -> Path:
    """A folder like GJG15's."""
    folder = root / "original" / "official_submissions"
    folder.mkdir(parents=True)
    for name, texts in OUTPUTS.items():
        (folder / name).write_text("".join(f"{text}  \n" for text in texts), "utf-8")
    (root / "judgments.xml").write_text(make_xml(RANKS) if xml is None else xml, "utf-8")
    if with_gold:
        (root / "official-2014.combined.m2").write_text(M2, "utf-8")
    return root


def write_seeda(root: Path) -> Path:
    """A folder like SEEDA's; its sentences are counted from 1, and it judges a rewriting."""
    folder = root / "outputs" / "all"
    folder.mkdir(parents=True)
    outputs = {**OUTPUTS, "REF-F": ["Home he goes .", "Cats are nice .", "Rain !", "She has dogs ."]}
    for name, texts in outputs.items():
        (folder / f"{name}.txt").write_text("\n".join(texts), "utf-8")
    ranks = {number: [("REF-F", 1), *((name, rank + 1) for name, rank in groups)] for number, groups in RANKS.items()}
    for way in ("edit", "sent"):
        (root / f"judgments_{way}.xml").write_text(make_xml(ranks, first=1), "utf-8")
    (root / "official-2014.combined.m2").write_text(M2, "utf-8")
    return root


def write_gmeg(root: Path) -> Path:
    """A folder like GMEG's test folder, with a domain whose text is not there."""
    folder = root / "test" / "fce"
    folder.mkdir(parents=True)
    for name, texts in {**OUTPUTS, "source": SOURCES, "ref0": RIGHT, "ref1": RIGHT}.items():
        (folder / name).write_text("\n".join(texts) + "\n", "utf-8")
    rows = ["GOOD,HALF,INPUT,WORSE,ref", "90,90,50,20,90", "95,60,60,,95", "99,99,99,10,99", "80,60,40,45,80"]
    (root / "test" / "fce-segment-scores.csv").write_text("\n".join(rows) + "\n", "utf-8")
    (root / "test" / "yahoo-segment-scores.csv").write_text("\n".join(rows) + "\n", "utf-8")
    return root


def write_cltc(root: Path, *, with_values: bool = True) -> Path:
    """A folder like CLTC-2022's track 5, and the references of track 3."""
    root.mkdir(exist_ok=True)
    candidates = {
        "他跑的很快。": [("他跑得很快。", 1.0), ("他跑的很快。", 0.0), ("他跑的很慢。", 0.0)],
        "我爱你门。": [("我爱你门。", 0.0), ("我爱他们。", 0.5), ("我爱你们。", 1.0)],
    }
    lines = []
    for number, (source, hyps) in enumerate(candidates.items()):
        told = [
            {"idx": place, "text": text} | ({"p": value, "r": value, "f05": value} if with_values else {})
            for place, (text, value) in enumerate(hyps)
        ]
        lines.append(json.dumps({"idx": number, "src": source, "hyps": told}, ensure_ascii=False))
    (root / "track5-qe.yaclc-minimal_dev.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    references = "0\t他跑的很快。\t他跑得很快。\n1\t我爱你门。\t我爱你们。\n"
    (root / "track3.yaclc-minimal_dev.para").write_text(references, "utf-8")
    return root
