"""The parameters of `/v2/check`, read as LanguageTool reads them: one `Refusal` for whatever makes no sense."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, Field

from errata.edits.explain import Rule
from errata.pipeline.views import PlainText
from errata.text.projection import Part, Projection
from errata.text.utf16 import replace_lone_surrogates
from errata.web.json_body import TooManyValues, parse_json
from errata.web.languagetool.languages import VARIANTS, is_auto
from errata.web.refusals import SHOWN, Refusal, too_long

MAX_DICTIONARIES = 100
MODES = ("all", "textLevelOnly", "allButTextLevelOnly")
# The JSON in `data` has at most as many values as a text has characters, and some more for short ones. A part has two
# or three values, and more than five characters as a rule; commas of the text count too.
MORE_VALUES = 1000


class CheckForm(BaseModel):
    """The parameters by name, as a form or a query carries them; lists are separated by commas."""

    language: str = Field(
        description="The language of the text, or `auto`.",
        json_schema_extra={"enum": [*(variant.long_code for variant in VARIANTS), "auto"]},
    )
    text: str | None = Field(None, description="The text to check; give it or `data`.", examples=["She go home."])
    data: str | None = Field(
        None,
        description="The text as JSON with markup: `annotation` is a list of `{text}` and `{markup, interpretAs}`.",
        examples=['{"annotation": [{"text": "A "}, {"markup": "<b>"}, {"text": "test"}, {"markup": "</b>"}]}'],
    )
    username: str | None = Field(None, description="Whose words are left alone.")
    apiKey: str | None = Field(None, description="The user's key, where the server asks for one.")
    dicts: str | None = Field(None, description="Dictionaries of the user to read, instead of the unnamed one.")
    motherTongue: str | None = Field(None, description="`zh`: explain English errors in Chinese.")
    preferredVariants: str | None = Field(None, description="With `auto`: the variant to report, such as `en-GB`.")
    enabledRules: str | None = Field(None, description="With `enabledOnly`: the rules to check.")
    disabledRules: str | None = Field(None, description="Rules to leave out.")
    enabledCategories: str | None = Field(None, description="With `enabledOnly`: the categories to check.")
    disabledCategories: str | None = Field(None, description="Categories to leave out.")
    enabledOnly: str | None = Field(
        None,
        description="`true`: only the enabled rules and categories.",
        json_schema_extra={"enum": ["true", "false"]},
    )
    mode: str | None = Field(
        None,
        description="`textLevelOnly`: only rules about the whole text; errata has none. `allButTextLevelOnly` is all.",
        json_schema_extra={"enum": list(MODES)},
    )
    level: str | None = Field(
        None, description="`picky` finds more, and errs more.", json_schema_extra={"enum": ["default", "picky"]}
    )


@dataclass(frozen=True, slots=True)
class RuleFilter:
    """Which rules a client wants to hear of."""

    enabled_rules: frozenset[str]
    disabled_rules: frozenset[str]
    enabled_categories: frozenset[str]
    disabled_categories: frozenset[str]
    enabled_only: bool

    def allows(self, rule: Rule) -> bool:
        if rule.id in self.enabled_rules:
            return True
        if self.enabled_only:
            return rule.category in self.enabled_categories
        return rule.id not in self.disabled_rules and rule.category not in self.disabled_categories


@dataclass(frozen=True, slots=True)
class Check:
    """A request that makes sense."""

    view: Projection
    language: str
    preferred: tuple[str, ...]
    messages: str
    rules: RuleFilter
    is_wanted: bool  # something may be found: errata has no rules about the whole text, where only those are asked for
    is_picky: bool
    username: str | None
    api_key: str | None
    dictionaries: tuple[str, ...]


def read_check(given: Mapping[str, str], max_length: int) -> Check:
    """The request that parameters make; its text has at most `max_length` characters."""
    language = given.get("language", "")
    if not language.strip():
        raise Refusal(400, "Missing 'language' parameter, e.g. 'language=en-US' or 'language=auto'")
    preferred = _list(given, "preferredVariants")
    if preferred and not is_auto(language):
        raise Refusal(400, "You specified 'preferredVariants' but you didn't specify 'language=auto'")
    level = given.get("level", "default").lower() or "default"
    if level not in ("default", "picky"):
        raise Refusal(400, f"'level' is 'default' or 'picky', not '{level[:SHOWN]}'")
    mode = given.get("mode", "all") or "all"
    if mode not in MODES:
        raise Refusal(400, f"'mode' must be one of {', '.join(MODES)}, not '{mode[:SHOWN]}'")
    view = _read_view(given, max_length)
    n_characters = max(len(view.original), len(view.text))  # `interpretAs` may be any length
    if n_characters > max_length:
        raise too_long(n_characters, max_length)
    return Check(
        view=view,
        language=language,
        preferred=preferred,
        messages="zh" if given.get("motherTongue", "").lower().startswith("zh") else "auto",
        rules=_read_rules(given),
        is_wanted=mode != "textLevelOnly",
        is_picky=level == "picky",
        username=given.get("username") or None,
        api_key=given.get("apiKey") or None,
        dictionaries=read_dictionaries(given),
    )


def read_dictionaries(given: Mapping[str, str]) -> tuple[str, ...]:
    """The user's dictionaries that are to be read."""
    found = _list(given, "dicts")
    if len(found) > MAX_DICTIONARIES:
        raise Refusal(400, f"give at most {MAX_DICTIONARIES} 'dicts'")
    return found


def _list(given: Mapping[str, str], name: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in given.get(name, "").split(",") if part.strip())


def _read_rules(given: Mapping[str, str]) -> RuleFilter:
    def listed(name: str) -> frozenset[str]:
        return frozenset(_list(given, name))

    found = RuleFilter(
        enabled_rules=listed("enabledRules"),
        disabled_rules=listed("disabledRules"),
        enabled_categories=listed("enabledCategories"),
        disabled_categories=listed("disabledCategories"),
        enabled_only=given.get("enabledOnly", "").lower() in ("true", "yes"),
    )
    if found.enabled_only and (found.disabled_rules or found.disabled_categories):
        raise Refusal(400, "You cannot specify disabled rules or categories using enabledOnly=true")
    if found.enabled_only and not (found.enabled_rules or found.enabled_categories):
        raise Refusal(400, "You must specify enabled rules or categories when using enabledOnly=true")
    return found


def _read_view(given: Mapping[str, str], max_length: int) -> Projection:
    if "text" in given and "data" in given:
        raise Refusal(400, "Set only 'text' or 'data' parameter, not both")
    if "text" in given:
        return PlainText().read(replace_lone_surrogates(given["text"]))
    if "data" not in given:
        raise Refusal(400, "Missing 'text' or 'data' parameter")
    try:
        data = parse_json(given["data"], max_length + MORE_VALUES)
    except TooManyValues as error:
        raise Refusal(413, f"'data' has more parts than a text of {max_length} characters") from error
    except (ValueError, RecursionError) as error:
        raise Refusal(400, "Could not parse JSON from 'data' parameter") from error
    return Projection.of(read_annotation(data))


def read_annotation(data: Any) -> list[Part]:
    """The parts of the JSON in `data`: `{"text": …}` or `{"annotation": [{"text": …}, {"markup": …}]}`."""
    if not isinstance(data, dict) or ("text" in data) == ("annotation" in data):
        raise Refusal(400, "'data' key in JSON requires either 'text' or 'annotation' key")
    if "text" in data:
        return [Part(_string(data, "text"))]
    if not isinstance(data["annotation"], list):
        raise Refusal(400, "'annotation' must be a list")
    return [_read_node(node) for node in data["annotation"]]


def _read_node(node: Any) -> Part:
    if not isinstance(node, dict) or ("text" in node) == ("markup" in node):
        raise Refusal(400, "Only either 'text' or 'markup' are supported in an object in 'annotation' list")
    if "text" in node:
        if "interpretAs" in node:
            raise Refusal(400, "'text' cannot be used with 'interpretAs' (only 'markup' can)")
        return Part(_string(node, "text"))
    reads = _string(node, "interpretAs") if "interpretAs" in node else ""
    return Part(_string(node, "markup"), is_markup=True, reads=reads)


def _string(node: Mapping[str, Any], name: str) -> str:
    if not isinstance(node[name], str):
        raise Refusal(400, f"'{name}' must be a string")
    return replace_lone_surrogates(node[name])
