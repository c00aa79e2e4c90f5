"""Spellings that are right in one English and not in another: colour and color, organise and organize.

A network that has read more of one kind makes the other like it. Both are right, and which one a text is written in is
its author's affair.
"""

from __future__ import annotations

import re
from functools import lru_cache

_OUR = (
    "arb arm behavi cand clam col demean dol enam endeav fav ferv flav glam harb hon hum lab misdemean neighb od parl "
    "ranc rig rum sav splend succ tum val vap vig"
).split()
_RE = (
    "calib (?:epi|multi)?cent fib goit (?:centi|deci|hecto|kilo|micro|milli|nano)?(?:lit|met) louv lust maneuv meag "
    "mit och reconnoit sab saltpet scept sepulch somb spect (?:amphi)?theat"
).split()
_DOUBLED = (
    "apparel bevel bushel cancel carol channel chisel counsel cudgel dial dishevel duel enamel equal fuel funnel "
    "gambol gravel grovel hospital initial jewel kennel label level libel marshal marvel medal metal model panel "
    "parcel pedal pencil peril pummel quarrel ravel rival shovel shrivel signal snivel spiral stencil swivel symbol "
    "total towel trammel travel tunnel victual weasel yodel"
).split()
# What stands before -ise or -ize in words that have one spelling everywhere: advertise, capsize.
_ONE_SPELLING = (
    "adv advert appr appra ar bru caps chast circumc clockw compr comprom conc counterclockw cru dem desp dev "
    "disfranch disgu enfranch enterpr exc exerc expert franch gu improv inc likew mayonna merchand mort no otherw "
    "overs parad po pr pra prec prem prom ra res rev superv surm surpr telev torto treat turquo v w"
).split()
# British spellings and how they are written in America, as patterns over whole words in lower case.
_AMERICAN = [
    (rf"^(\w*(?:{'|'.join(_OUR)}))our(?=able|al|ed|er|ful|hood|ing|ism|ist|ite|less|ly|s|y|$)", r"\1or"),
    (
        rf"^(?!(?:un|re|pre|out)?(?:{'|'.join(_ONE_SPELLING)})is)(\w{{3,}})is(?=e$|ed$|er$|ers$|es$|ing$|ation|able$)",
        r"\1iz",
    ),
    (r"^(anal|paral|catal|dial|electrol|hydrol)ys(?=e|ing)", r"\1yz"),
    (r"^manoeuv", "maneuv"),
    (rf"^({'|'.join(_RE)})re(?=s?$)", r"\1er"),
    (rf"^({'|'.join(_RE)})r(?=ed$|ing$)", r"\1er"),
    (rf"^(\w*(?:{'|'.join(_DOUBLED)}))l(?=ed$|er$|ers$|ing$|ings$|or$|ors$|ist$|ists$)", r"\1"),
    (r"^(libel|marvel)l(?=ous)", r"\1"),
    (r"^cancell(?=ation)", "cancel"),
    (r"^jewellery$", "jewelry"),
    (r"(?<=olog)ue|(?<=alog)ue", ""),
    (r"^(def|off|pret|lic)ence", r"\1ense"),
    (r"^(an|l?euk|hypogly|isch|septic)aem", r"\1em"),
    (r"^(an)aesth", r"\1esth"),
    (r"^(\w*)paed", r"\1ped"),
    (r"^haem", "hem"),
    (r"^(arch|pal)ae", r"\1e"),
    (r"^aesthet", "esthet"),
    (r"^(gyn)aec", r"\1ec"),
    (r"^(o)(?=es(?:trogen|ophag))", ""),
    (r"^foet", "fet"),
    (r"^(diarrh)oe", r"\1e"),
    (r"^mediaeval", "medieval"),
    (r"^programme(?=s?$)", "program"),
    (r"^grey", "gray"),
    (r"^aluminium", "aluminum"),
    (r"^aeroplane", "airplane"),
    (r"^moustache", "mustache"),
    (r"^(m|sm)ould(?=s?$|ed$|er|ing$|y$)", r"\1old"),
    (r"^plough", "plow"),
    (r"^sceptic", "skeptic"),
    (r"^sulph", "sulf"),
    (r"^pyjamas", "pajamas"),
    (r"^cosy", "cozy"),
    (r"^ageing$", "aging"),
    (r"^(judg|acknowledg|abridg)ement", r"\1ment"),
    (r"^(fulfil|enrol|instil|distil)(?=s?$|ment)", r"\1l"),
    (r"^(instal)(?=ment)", r"\1l"),
    (r"^(skil|wil)ful", r"\1lful"),
    (r"^woollen", "woolen"),
    (r"^(learn|burn|dream|lean|leap|spoil)t$", r"\1ed"),
    (r"^(spel|smel|spil)t$", r"\1led"),
    (r"^(toward|afterward)s$", r"\1"),
    (r"^whilst$", "while"),
    (r"^amongst$", "among"),
]
_PATTERNS = [(re.compile(pattern), american) for pattern, american in _AMERICAN]


@lru_cache(maxsize=4096)
def american_spelling(word: str) -> str:
    """The word in lower case as it is written in America.

    >>> [american_spelling(word) for word in ("Organisation", "neighbours", "travelling", "advertise", "four")]
    ['organization', 'neighbors', 'traveling', 'advertise', 'four']
    """
    word = word.lower()
    for pattern, american in _PATTERNS:
        word = pattern.sub(american, word)
    return word


def is_variant(old: str, new: str) -> bool:
    """Whether two pieces of text have the same words, some of them in another English's spelling.

    >>> is_variant("the behaviour", "the behavior"), is_variant("behaviours", "behavior"), is_variant("a", "a")
    (True, False, False)
    """
    before, after = old.split(), new.split()
    if before == after or len(before) != len(after):
        return False
    return all(
        a == b
        or (
            a[0].isupper() == b[0].isupper() and a.lower() != b.lower() and american_spelling(a) == american_spelling(b)
        )
        for a, b in zip(before, after, strict=True)
    )
