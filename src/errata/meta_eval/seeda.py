"""SEEDA: Kobayashi, Mita and Komachi (2024), neural systems on CoNLL-2014, judged by edits and as whole sentences."""

from __future__ import annotations

from pathlib import Path

from errata.errors import AlignmentError
from errata.meta_eval.appraise import expand_pairs, list_systems, read_rankings
from errata.meta_eval.base import ALL, JudgedSet, Track
from errata.meta_eval.files import CONLL14, count_empty, find_gold, find_path, read_outputs
from errata.metrics.inputs import Gold

SOURCE = "INPUT"
# "Base" leaves out the source and the two fluent rewritings; "+ fluency" has the rewritings.
FLUENT = ("REF-F", "GPT-3.5")
WAYS = ("edit", "sent")


class Seeda(JudgedSet):
    """`judgments_edit.xml`, `judgments_sent.xml` and `outputs/all`; sentences are counted from 1.

    Systems are scored on the sentences that were judged (SEEDA's `outputs/subset`).
    """

    name = "seeda"

    def load(self, root: Path) -> list[Track]:
        paths = {way: find_path(root, _choices(way), f"judgements ({way})") for way in WAYS}
        items = {way: read_rankings(path) for way, path in paths.items()}
        systems = list_systems(item for rows in items.values() for item in rows)
        folder = find_path(root, ("outputs/all",), "outputs of systems")
        whole = read_outputs(folder, dict.fromkeys([SOURCE, *systems]), ".txt")
        gold = find_gold(root, self.options.gold, CONLL14, whole[SOURCE])
        numbers = sorted({item.number for rows in items.values() for item in rows if 0 < item.number <= len(gold)})
        judged = Gold(gold.name, tuple(gold.sentences[number - 1] for number in numbers))
        outputs = {name: [whole[name][number - 1] for number in numbers] for name in systems}
        places = {number: place for place, number in enumerate(numbers)}
        return [
            Track(
                way,
                judged,
                outputs,
                list(expand_pairs(items[way], places, outputs, str(paths[way]))),
                groups=_groups(systems),
                is_panel=True,
                warnings=count_empty(outputs) if way == WAYS[0] else (),
            )
            for way in WAYS
        ]


def _choices(way: str) -> tuple[str, ...]:
    return f"judgments_{way}.xml", f"data/judgments_{way}.xml"


def _groups(systems: list[str]) -> dict[str, list[str]]:
    groups = {
        "base": [name for name in systems if name not in (SOURCE, *FLUENT)],
        "fluency": [name for name in systems if name != SOURCE],
        ALL: systems,
    }
    if len(groups["base"]) < 2:
        raise AlignmentError(f"SEEDA compares systems beside {SOURCE}, {' and '.join(FLUENT)}: there are none here")
    return groups
