"""The corpora of the shared data folder that have corrections, by name.

Left out: clean prose, word lists, outputs of systems, judgements, and tables whose columns are something else than a
source and its references (`doc-edits`, `train-pairs`, Lang-8 with votes, CoLA).
"""

from __future__ import annotations

from pathlib import Path


def _four(source: str, reference: str) -> str:
    """A source with its four references."""
    return ",".join([source, *(f"{reference}{number}" for number in range(4))])


ENGLISH = {
    "CWEB-G test": "cweb/m2/CWEB-G.test.m2",
    "CWEB-S test": "cweb/m2/CWEB-S.test.m2",
    "CWEB-G dev": "cweb/m2/CWEB-G.dev.m2",
    "CWEB-S dev": "cweb/m2/CWEB-S.dev.m2",
    "JFLEG test": _four("jfleg/test/test.src", "jfleg/test/test.ref"),
    "JFLEG dev": _four("jfleg/dev/dev.src", "jfleg/dev/dev.ref"),
    "FCE test": "fce/m2/fce.test.gold.bea19.m2",
    "FCE dev": "fce/m2/fce.dev.gold.bea19.m2",
    "FCE train": "fce/m2/fce.train.rebuilt.m2.xz",
    "CoNLL-14": "conll14/conll14.errant-auto.2ref.m2.xz",
    "CoNLL-14 official": "conll14/official-2014.combined.m2",
    "CoNLL-14 alternatives": "conll14/official-2014.combined-withalt.m2.xz",
    "CoNLL-13": "conll13/official-2013.all-types.m2.xz",
    "W&I-A dev": "wi/m2/A.dev.gold.bea19.m2",
    "W&I-B dev": "wi/m2/B.dev.gold.bea19.m2",
    "W&I-C dev": "wi/m2/C.dev.gold.bea19.m2",
    "W&I-A train": "wi/m2/A.train.gold.bea19.m2.xz",
    "W&I-B train": "wi/m2/B.train.gold.bea19.m2.xz",
    "W&I-C train": "wi/m2/C.train.gold.bea19.m2.xz",
    "GMEG wiki": _four("gmeg/dev/wiki/source", "gmeg/dev/wiki/ref"),
    "GMEG FCE dev": _four("gmeg/dev/fce/source", "gmeg/dev/fce/ref"),
    "GMEG FCE test": _four("gmeg/test/fce/source", "gmeg/test/fce/ref"),
    "ErAConD": "eracond/eracond.all.m2.xz",
    "Lang-8 filtered": "lang8/lang8.en.20k.filtered.tsv.xz",
    "Lang-8 raw": "lang8/lang8.en.20k.raw.tsv.xz",
    "C4_200M": "c4_200m-sample/c4_200m.10k.tsv.xz",
    "RobustGEC bea19": "robustgec/bea19/para.txt.xz",
    "RobustGEC conll14": "robustgec/conll14/para.txt.xz",
    "RobustGEC tem8": "robustgec/tem8/para.txt.xz",
}
CHINESE = {
    "MuCGEC dev": "mucgec/MuCGEC_dev.txt",
    "MuCGEC test": "mucgec/mucgec.test.para",
    "NLPCC-18": "nlpcc18/gold.01.m2",
    "NLPCC-18 characters": "nlpcc18/nlpcc2018_official.ref.m2.char",
    "FCGEC valid": "fcgec/FCGEC_valid.json",
    "FCGEC test": "fcgec/FCGEC_test.json",
    "NaCGEC dev": "nacgec/nacgec.dev.ref.para",
    "NaCGEC test": "nacgec/nacgec.test.ref.para",
    "NaSGEC exam dev": "nasgec-exam/nasgec.exam.dev.para",
    "NaSGEC exam train": "nasgec-exam/nasgec.exam.train.para.xz",
    "YACLC minimal dev": "cltc2022/track3.yaclc-minimal_dev.para",
    "YACLC fluency dev": "cltc2022/track3.yaclc-fluency_dev.m2.xz",
    "CGED 2020": "cged/cged2020.test.pairs.tsv",
    "CGED 2021": "cged/cged2021.test.pairs.tsv",
    "EXCGEC test": "excgec/excgec.test.pairs.tsv",
    "EXCGEC valid": "excgec/excgec.valid.pairs.tsv",
    "EXCGEC train": "excgec/excgec.train.pairs.tsv",
    **{f"LEMON {name}": f"csc-lemon/{name}.tsv.xz" for name in ("car", "cot", "enc", "mec", "new", "nov")},
    "LEMON gam": "csc-lemon/gam.tsv",
    "MCSC test": "csc-mcsc/mcsc.test.tsv.xz",
    "MCSC valid": "csc-mcsc/mcsc.valid.tsv.xz",
    **{
        f"SIGHAN {year}": f"csc-sighan/simplified.test{year}_error.txt,csc-sighan/simplified.test{year}_correct.txt"
        for year in (13, 14, 15)
    },
}


def list_arguments(data: Path, names: tuple[str, ...] = ()) -> list[str]:
    """Each corpus as `errata stats` takes it, `NAME=FILE` or `NAME=SOURCE,REFERENCE`; those named, or all."""
    found = {name: [data / "en" / part for part in files.split(",")] for name, files in ENGLISH.items()}
    found |= {name: [data / "zh" / part for part in files.split(",")] for name, files in CHINESE.items()}
    return [f"{name}={','.join(map(str, found[name]))}" for name in names or found]
