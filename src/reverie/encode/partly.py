"""What of a memory is lost if it is closed whole: it says two things in one sentence, and one of them is taken back.

In: the words of a memory and what takes something of them back. Out: whether the rest holds. Most such sentences are
cut before they become memories (language/paired.py); this is for those that cannot be.
"""

from __future__ import annotations

import re

from reverie.encode.gapped import is_gapped
from reverie.encode.items import content, items
from reverie.language.category import category
from reverie.language.contradiction import Contradiction, contradicts
from reverie.language.detect import detect_language
from reverie.language.leaning import leans
from reverie.language.letters import plain
from reverie.language.sentences import STOP
from reverie.types import Kind

_JOINT = re.compile(r"[,;]?\s+(?:and|but|ve|ama|fakat)\s+|[,;]\s+", re.IGNORECASE)
_JOINTS_MAX = 4
_FACTS = frozenset({Kind.FACT, Kind.PREFERENCE, Kind.DECISION})
_NAME = r"(?:[A-ZÇĞİÖŞÜ]|\d)[^\s,]*"
_SWITCHED = "correction"
_NAMED = "name"


def holds_more(earlier: str, later: str, how: Contradiction) -> bool:
    """Whether something else that the earlier says holds on, though the later takes a part of it back."""
    if _is_one_of_two(earlier, how.was) if how.reason == _SWITCHED else _is_part(earlier, later, how):
        return True
    joints = [*_JOINT.finditer(earlier)][:_JOINTS_MAX]
    return any(_is_half(earlier[: joint.start()], earlier[joint.end() :], later, how) for joint in joints)


def _is_part(earlier: str, later: str, how: Contradiction) -> bool:
    """Whether the later speaks of one side of a joint alone: dogs, of cats and dogs."""
    said = content(later, detect_language(later))
    if how.reason == _NAMED:
        said |= content(how.was, detect_language(earlier))
    sides = ((first - second, second - first) for first, second in items(earlier))
    return any(first and second and said.isdisjoint(first) != said.isdisjoint(second) for first, second in sides)


def _is_one_of_two(earlier: str, was: str) -> bool:
    """Whether what is replaced by name stands beside another name: a Raspberry Pi and a BME280 sensor."""
    name = re.escape(was)
    before = re.search(rf"{_NAME},? (?:and|ve) (?:an? |the |bir )?{name}", earlier)
    return before is not None or re.search(rf"{name}\S* (?:and|ve) (?:an? |the |bir )?{_NAME}", earlier) is not None


def _is_half(left: str, right: str, later: str, how: Contradiction) -> bool:
    """Whether one side is a fact of its own that holds, and the other is what is taken back."""
    halves = (left + STOP.findall(right)[0], right)
    taken = [_is_taken(half, later, how) for half in halves]
    if sum(taken) != 1:
        return False
    held, language = halves[taken.index(False)], detect_language(left + right)
    if how.reason == _SWITCHED and leans(right, language):
        return False  # GitLab, and it runs on our server
    return category(held) in _FACTS or is_gapped(held, halves[taken.index(True)], language)


def _is_taken(half: str, later: str, how: Contradiction) -> bool:
    """Whether a half is what is taken back; what is replaced by name is where its name stands."""
    if how.reason == _SWITCHED:
        return re.search(rf"(?<!\w){re.escape(plain(how.was))}(?!\w)", plain(half)) is not None
    return contradicts(half, later) is not None
