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
# Groups of words that sound or look alike, of which people write one for the other in a hurry; phrases are tokens.
HOMOPHONES = (
    ("to", "too", "two"), ("your", "you 're"), ("its", "it 's"), ("their", "there", "they 're"), ("then", "than"),
    ("whose", "who 's"), ("were", "we 're", "where"), ("wear", "where"), ("lose", "loose"), ("affect", "effect"),
    ("affects", "effects"), ("affected", "effected"), ("weather", "whether"), ("passed", "past"), ("accept", "except"),
    ("advice", "advise"), ("quite", "quiet"), ("of", "off"), ("principal", "principle"), ("brake", "break"),
    ("breath", "breathe"), ("cloths", "clothes"), ("compliment", "complement"), ("desert", "dessert"), ("hear", "here"),
    ("hole", "whole"), ("knew", "new"), ("know", "no"), ("know", "now"), ("peace", "piece"), ("plain", "plane"),
    ("right", "write"), ("sea", "see"), ("son", "sun"), ("stationary", "stationery"), ("threw", "through"),
    ("thorough", "through"), ("waist", "waste"), ("week", "weak"), ("witch", "which"), ("would", "wood"),
    ("buy", "by", "bye"), ("for", "four"), ("lead", "led"), ("choose", "chose"), ("bare", "bear"), ("sell", "cell"),
    ("cite", "site", "sight"), ("council", "counsel"), ("fair", "fare"), ("flour", "flower"), ("grate", "great"),
    ("heal", "heel"), ("him", "hymn"), ("hour", "our"), ("made", "maid"), ("mail", "male"), ("meat", "meet"),
    ("one", "won"), ("pair", "pear"), ("poor", "pour"), ("rain", "reign"), ("road", "rode"), ("role", "roll"),
    ("sale", "sail"), ("seen", "scene"), ("sent", "cent", "scent"), ("some", "sum"), ("steal", "steel"),
    ("tail", "tale"), ("vary", "very"), ("wait", "weight"), ("warn", "worn"), ("way", "weigh"), ("ware", "wear"),
    ("allowed", "aloud"), ("assure", "ensure", "insure"), ("bored", "board"), ("coarse", "course"), ("die", "dye"),
    ("elicit", "illicit"), ("farther", "further"), ("guessed", "guest"), ("missed", "mist"), ("patience", "patients"),
    ("presence", "presents"), ("root", "route"), ("sole", "soul"), ("alter", "altar"), ("are", "our"), ("as", "has"),
    ("an", "and"), ("on", "one"), ("is", "his"), ("lets", "let 's"), ("thing", "think"), ("feel", "fill"),
    ("ate", "eight"), ("aisle", "isle"),
)  # fmt: skip
# Two words that are written as one by mistake.
RUN_TOGETHER = (
    "a lot", "in case", "at least", "as well", "each other", "no one", "in fact", "of course", "in front",
    "even though", "thank you", "up to", "as long", "any more", "in order", "at all", "so far", "in spite",
    "high school", "as soon", "for example", "at once", "a bit", "per cent", "every time", "any time", "all right",
    "instead of", "such as", "due to", "right away", "kind of", "to do", "have to",
)  # fmt: skip
# Two words or one, with different meanings.
ONE_OR_TWO = (
    ("every day", "everyday"), ("may be", "maybe"), ("some time", "sometime"), ("some times", "sometimes"),
    ("all ready", "already"), ("all together", "altogether"), ("any one", "anyone"), ("every one", "everyone"),
    ("some one", "someone"), ("in to", "into"), ("on to", "onto"), ("any way", "anyway"), ("a while", "awhile"),
    ("a part", "apart"), ("every thing", "everything"), ("any thing", "anything"), ("some thing", "something"),
    ("log in", "login"), ("set up", "setup"), ("back up", "backup"), ("work out", "workout"), ("sign up", "signup"),
    ("my self", "myself"), ("your self", "yourself"), ("him self", "himself"), ("it self", "itself"),
    ("them selves", "themselves"), ("out side", "outside"), ("in side", "inside"), ("how ever", "however"),
    ("can not", "cannot"), ("never the less", "nevertheless"), ("through out", "throughout"), ("with in", "within"),
    ("with out", "without"), ("week end", "weekend"), ("where as", "whereas"), ("under stand", "understand"),
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
# What a clitic is attached to when it shortens a verb: elsewhere `'s` is a possessive.
CLITIC_HOSTS = {
    "n't": "do does did is are was were have has had ca wo could would should must need might".split(),
    "'m": ["I"],
    "'re": "you we they there what who".split(),
    "'ve": "I you we they could would should might must who".split(),
    "'ll": "I you he she it we they that there who".split(),
    "'d": "I you he she it we they who there".split(),
    "'s": "he she it that what who where how there here let when why everyone someone everybody".split(),
}
MODALS = ("can", "could", "may", "might", "must", "should", "would", "will")
SUBJECTS = ("I", "you", "he", "she", "it", "we", "they", "who")
CONJUNCTIONS = ("and", "but", "or", "so", "because", "that", "which", "if", "when", "as", "than", "while")
FUNCTION_WORDS = frozenset(
    {*DETERMINERS, *PREPOSITIONS, *AUXILIARIES, *CONJUNCTIONS, *(w for group in PRONOUN_GROUPS for w in group), "not"}
)
# Words that begin a main clause: a comma alone does not join what follows to the clause before.
CLAUSE_OPENERS = "I he she it we they you the this that these those there my his her our their your its".split()
