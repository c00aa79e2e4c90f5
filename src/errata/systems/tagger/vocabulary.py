"""What a tagger knows besides its weights: tags, subwords and words; in one folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from errata.networks.subwords import Subwords
from errata.systems.tagger.inventory import Inventory, Lexicon, get_inventory
from errata.systems.tagger.spelling import Speller
from errata.systems.tagger.tags import Op, TagVocabulary
from errata.text.morphology import Inflections

TAGS = "tags.json"
INFLECTIONS = "inflections.tsv.gz"
WORDS = "words.txt.gz"


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Tags with the inventory that understands them, and the encoder's subwords."""

    tags: TagVocabulary
    inventory: Inventory
    subwords: Subwords

    def save(self, folder: Path) -> None:
        self.tags.save(folder / TAGS)
        self.subwords.save(folder)
        lexicon = self.inventory.lexicon
        if lexicon.inflections:
            lexicon.inflections.save(folder / INFLECTIONS)
        if lexicon.speller:
            lexicon.speller.save(folder / WORDS)

    @classmethod
    def load(cls, folder: Path, inventory: str, max_positions: int) -> Vocabulary:
        """What `save` wrote; word lists are there when the tags need them."""
        tags = TagVocabulary.load(folder / TAGS)
        ops = {tag.op for tag in tags}
        needs_forms = Op.INFLECT in ops or (folder / INFLECTIONS).is_file()
        lexicon = Lexicon(
            Inflections.load(folder / INFLECTIONS) if needs_forms else None,
            Speller.load(folder / WORDS) if Op.SPELL in ops or (folder / WORDS).is_file() else None,
        )
        return cls(tags, get_inventory(inventory, lexicon), Subwords.load(folder, max_positions))
