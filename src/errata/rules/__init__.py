"""Rules for everyday slips, written as data with their examples.

English has patterns over words (`english.rules`), Chinese over characters (`chinese.rules`).
"""

from typing import TYPE_CHECKING

from errata.registry import lazy_members

if TYPE_CHECKING:
    from errata.rules.book import Rule, RuleBook, RuleEdit, load_rules

__all__ = ["Rule", "RuleBook", "RuleEdit", "load_rules"]

__getattr__ = lazy_members(__name__, dict.fromkeys(__all__, "errata.rules.book"))
