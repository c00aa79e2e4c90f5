"""GJG15: Grundkiewicz, Junczys-Dowmunt and Gillian (2015), twelve systems of CoNLL-2014 and their input, ranked."""

from __future__ import annotations

from pathlib import Path

from errata.meta_eval.appraise import expand_pairs, list_systems, read_rankings
from errata.meta_eval.base import ALL, JudgedSet, Track
from errata.meta_eval.files import CONLL14, count_empty, find_gold, find_path, read_outputs

SOURCE = "INPUT"


class Gjg15(JudgedSet):
    """`judgments.xml` and the official submissions; sentences are counted from 0."""

    name = "gjg15"

    def load(self, root: Path) -> list[Track]:
        path = find_path(root, ("judgments.xml", "data/judgments.xml"), "judgements")
        items = read_rankings(path)
        folders = ("original/official_submissions", "official_submissions", "data/official_submissions")
        systems = list_systems(items)
        found = read_outputs(find_path(root, folders, "outputs of systems"), dict.fromkeys([SOURCE, *systems]))
        outputs = {name: found[name] for name in systems}
        gold = find_gold(root, self.options.gold, CONLL14, found[SOURCE])
        places = {number: number for number in range(len(gold))}
        judgements = list(expand_pairs(items, places, outputs, str(path)))
        return [
            Track(
                self.name,
                gold,
                outputs,
                judgements,
                groups={ALL: systems},
                is_panel=True,
                warnings=count_empty(outputs),
            )
        ]
