"""Bytes of a page as text, whatever the server and the page say of their encoding."""

from __future__ import annotations

import codecs
import re

from errata.crawl.drops import Drop

_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
# Browsers look for the encoding in the first 1,024 bytes; many pages have it a little later.
_HEAD = 1 << 12
_META = re.compile(rb"<meta[^>]{0,512}?charset\s{0,8}=\s{0,8}[\"']?\s{0,8}([\w:.-]{1,40})", re.IGNORECASE)
# Encodings that contain what pages in them really use.
_WIDER = {"gb2312": "gb18030", "gbk": "gb18030", "iso-8859-1": "cp1252", "latin-1": "cp1252", "ascii": "cp1252"}
# Only the encodings of the web: Python has others (zip, base64, punycode) that must not be asked for by a page.
_KNOWN = frozenset(
    "utf-8 utf-16-le utf-16-be utf-16 gb18030 big5 big5hkscs euc_jp shift_jis cp932 iso2022_jp euc_kr cp949 koi8-r "
    "koi8-u cp866 cp874 tis-620 mac-roman cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256 cp1257 cp1258 iso8859-2 "
    "iso8859-3 iso8859-4 iso8859-5 iso8859-6 iso8859-7 iso8859-8 iso8859-9 iso8859-10 iso8859-13 iso8859-14 "
    "iso8859-15 iso8859-16".split()
)
# Text has fewer characters than this, in a hundred, that are controls or could not be read.
_MOST_BROKEN = 5
_BROKEN = re.compile("[\x00-\x08\x0e-\x1f\x7f\ufffd]")


def decode_page(content: bytes, charset: str | None = None) -> str:
    """The text of a page; what is no text in any encoding is a `Drop`.

    What is valid UTF-8 is UTF-8, whatever the page says: other encodings make such bytes by chance in no real page.
    """
    for bom, encoding in _BOMS:
        if content.startswith(bom):
            return _checked(content[len(bom) :].decode(encoding, "replace"))
    declared = [name for name in (_python_name(charset), _declared(content)) if name]
    if not any(name.startswith("utf-16") for name in declared) or b"\0" not in content[:_HEAD]:
        declared = ["utf-8", *(name for name in declared if not name.startswith("utf-16"))]
    for name in declared:
        try:
            return _checked(content.decode(name))
        except UnicodeError:
            continue
    # A few bad bytes in a page of the declared encoding, or a wrong declaration.
    return _checked(content.decode(_detect(content) or declared[-1], "replace"))


def _checked(text: str) -> str:
    n_broken = len(_BROKEN.findall(text))
    if 100 * n_broken > _MOST_BROKEN * len(text):
        raise Drop("not-text")
    return text.replace("\0", "\ufffd")


def _declared(content: bytes) -> str | None:
    found = _META.search(content[:_HEAD])
    return _python_name(found[1].decode("ascii", "replace")) if found else None


def _detect(content: bytes) -> str | None:
    from resiliparse.parse.encoding import detect_encoding

    return _python_name(detect_encoding(content))


def _python_name(name: str | None) -> str | None:
    """Python's name of an encoding of the web; None for any other."""
    if not name:
        return None
    name = _WIDER.get(name.lower(), name)
    try:
        known = codecs.lookup(name).name
    except (LookupError, ValueError):
        return None
    known = _WIDER.get(known, known)
    known = {"iso8859-1": "cp1252", "ascii": "cp1252"}.get(known, known)
    return known if known in _KNOWN else None
