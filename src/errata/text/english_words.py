"""Small closed lists of English that the generic noises draw from."""

from __future__ import annotations

DETERMINERS = ("the", "a", "an", "this", "that", "these", "those", "some", "any", "every", "each", "all")
ARTICLES = ("the", "a", "an")
PREPOSITIONS = (
    "in", "on", "at", "to", "for", "of", "with", "by", "from", "about", "into", "during", "since", "until", "over",
    "through", "between", "among", "under", "within",
)  # fmt: skip
# What learners put for one another; any other preposition may come too, seldom.
PREPOSITION_GROUPS = (
    ("in", "on", "at"), ("to", "for", "at"), ("of", "for", "from", "by"), ("in", "into", "to"),
    ("since", "for", "from"),
    ("by", "with", "from"), ("during", "in", "for"), ("until", "by", "to"), ("between", "among"), ("about", "of", "on"),
    ("over", "above", "on"), ("within", "in"), ("through", "by", "across"), ("under", "below"),
)  # fmt: skip
PRONOUN_GROUPS = (
    ("i", "me", "my", "mine"), ("he", "him", "his"), ("she", "her", "hers"), ("it", "its", "this"),
    ("we", "us", "our", "ours"), ("they", "them", "their", "theirs"), ("you", "your", "yours"),
    ("who", "which", "that", "whom"), ("who", "whose"), ("it", "they"), ("it", "he", "she"), ("them", "it"),
    ("himself", "hisself", "him"), ("themselves", "theirselves", "them"), ("myself", "me"), ("yourself", "you"),
)  # fmt: skip
AUXILIARIES = (
    "is", "are", "was", "were", "be", "been", "am", "has", "have", "had", "do", "does", "did", "will", "would", "shall",
    "should", "can", "could", "may", "might", "must",
)  # fmt: skip
# Words that sound or look alike and that spell checkers pass.
CONFUSABLES = (
    ("their", "there"), ("than", "then"), ("to", "too"), ("two", "too"), ("its", "it's"), ("your", "you're"),
    ("whose", "who's"), ("affect", "effect"), ("lose", "loose"), ("quite", "quiet"), ("advice", "advise"),
    ("practice", "practise"), ("accept", "except"), ("weather", "whether"), ("were", "where"), ("we're", "were"),
    ("of", "off"), ("passed", "past"), ("principal", "principle"), ("personal", "personnel"), ("price", "prize"),
    ("brake", "break"), ("breath", "breathe"), ("cloths", "clothes"), ("compliment", "complement"),
    ("desert", "dessert"),
    ("hear", "here"), ("hole", "whole"), ("knew", "new"), ("know", "now"), ("no", "know"), ("peace", "piece"),
    ("plain", "plane"), ("right", "write"), ("sea", "see"), ("son", "sun"), ("stationary", "stationery"),
    ("threw", "through"), ("though", "through"), ("thought", "though"), ("waist", "waste"), ("wear", "where"),
    ("week", "weak"), ("witch", "which"), ("would", "wood"), ("buy", "by"), ("bye", "by"), ("for", "four"),
    ("live", "leave"), ("lives", "leaves"), ("rise", "raise"), ("lay", "lie"), ("tell", "say"), ("say", "tell"),
    ("make", "do"), ("do", "make"), ("borrow", "lend"), ("bring", "take"), ("learn", "teach"), ("less", "fewer"),
    ("much", "many"), ("many", "much"), ("few", "little"), ("other", "another"), ("others", "other"), ("fun", "funny"),
    ("beside", "besides"), ("sometime", "sometimes"), ("maybe", "may be"), ("everyday", "every day"), ("a lot", "alot"),
    ("formerly", "formally"), ("lead", "led"), ("choose", "chose"), ("later", "latter"), ("moral", "morale"),
    ("human", "humane"), ("economic", "economical"), ("historic", "historical"), ("such", "so"), ("so", "such"),
    ("like", "as"), ("as", "like"), ("if", "when"), ("because", "because of"), ("although", "despite"),
    ("good", "well"),
    ("well", "good"), ("bad", "badly"), ("hard", "hardly"), ("late", "lately"), ("near", "nearly"), ("real", "really"),
    ("interesting", "interested"), ("interested", "interesting"), ("boring", "bored"), ("bored", "boring"),
    ("exciting", "excited"), ("excited", "exciting"), ("surprised", "surprising"), ("tired", "tiring"),
)  # fmt: skip
ADVERBS_THAT_MOVE = frozenset(
    "also always never often sometimes usually really already still just only even probably certainly definitely "
    "generally finally recently actually currently mainly mostly especially quickly slowly easily now then soon "
    "yesterday today tomorrow sometimes however therefore".split()
)
PUNCTUATION = frozenset(", . ; : ! ? - -- ' \" ( ) ...".split())
# What stands for a mark by mistake; an empty text leaves it out.
PUNCTUATION_SLIPS = {
    ",": ("", "", "", ";", "."),
    ".": ("", ",", "!", ".."),
    ";": (",", ",", ".", ":"),
    ":": ("", ",", ";"),
    "!": (".", "!!"),
    "?": (".", ".", "", "!"),
    "-": ("",),
    "--": (",", "-"),
    '"': ("", "'"),
    "'": ("", '"'),
}
# Clitics that lose their apostrophe; spelled as separate tokens in the tokenised corpora.
CLITIC_SLIPS = {"'s": ("s", "", "is"), "n't": ("nt", "not"), "'re": ("re", "are"), "'m": ("m", "am"),
                "'ve": ("ve", "have"), "'ll": ("ll", "will"), "'d": ("d", "would")}  # fmt: skip
# Words a comma is often missing or wrong before.
COMMA_BEFORE = frozenset("and but or so because that which who when if where while although as then for with".split())
