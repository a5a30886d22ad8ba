"""The observer's seven filters: what is not looked at for something to form a memory of.

In: a message. Out: the name of the first filter that fires, or None. The episode is kept whatever they say. The
patterns are data/observer-*; the short list of injections is the observer's own, the screen has the real one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from reverie.language import lists
from reverie.language.letters import compose, plain

FILTERS = ("length", "system", "injection", "xml", "markdown", "code", "emoji")
"""In the order in which they are asked."""
_HEAD_MAX = 20_000
"""Characters in which patterns are looked for; a longer text is out by length unless the limits are changed."""
_BOUNDARY = r"\b"
"""Most patterns begin at a word: said once for all of them, places inside words cost nothing."""
_SYSTEM_SIGNS = ("<", "[", "heartbeat", "system", "tool", "no_reply")
"""A cheap look: without one of these no pattern of the list can fire."""
_BLOCK = re.compile(r"<([a-zA-Z][\w:.-]{0,60})(?:\s[^<>]{0,400})?>.*?</\1\s*>", re.DOTALL)
_LONELY_TAG = re.compile(r"<[?!]?[a-zA-Z][^<>]{0,400}>")
_MARKED_LINE = re.compile(
    r"^[ \t]*(?:[-*+•][ \t]+\S|\d{1,3}[.)][ \t]+\S|#{1,6}[ \t]+\S|.*\*\*[^*\n]+\*\*)", re.MULTILINE
)
_FENCED = re.compile(r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
_INLINE = re.compile(r"`[^`\n]+`")
_INDENTED = re.compile(r"^(?: {4}|\t).*\S.*$", re.MULTILINE)
_EMOJI = re.compile(
    r"[\U0001f1e6-\U0001f1ff]{2}"
    r"|[\U0001f300-\U0001faff\u2600-\u27bf\u2b50\u2b55\u231a\u231b\u23e9-\u23f3](?:[\ufe0f\u20e3\U0001f3fb-\U0001f3ff]"
    r"|\u200d[\U0001f300-\U0001faff\u2600-\u27bf])*"
)


@dataclass(frozen=True, slots=True)
class FilterLimits:
    """Where the filters fire: characters (both exclusive), lines, shares 0 … 1, and how many emoji still pass."""

    length_min: int = 10
    length_max: int = 5000
    markdown_lines: int = 5
    code_share: float = 0.5
    xml_share: float = 0.5
    emoji_max: int = 3


LIMITS = FilterLimits()


def filtered(text: str, limits: FilterLimits = LIMITS) -> str | None:
    """The first of FILTERS that fires, None if the message passes."""
    stripped = text.strip()
    if not limits.length_min < len(stripped) < limits.length_max:
        return "length"
    by_words = _by_words(stripped[:_HEAD_MAX])
    return by_words or _by_form(stripped[:_HEAD_MAX], limits)


def _by_words(text: str) -> str | None:
    words = plain(compose(text))
    if any(sign in words for sign in _SYSTEM_SIGNS) and _any("observer-system").search(words):
        return "system"
    is_order = any(_any(f"observer-injection.{language}").search(words) for language in ("en", "tr"))
    return "injection" if is_order else None


def _by_form(text: str, limits: FilterLimits) -> str | None:
    if "<" in text and _is_xml(text, limits.xml_share):
        return "xml"
    if "\n" in text and len(_MARKED_LINE.findall(text)) >= limits.markdown_lines:
        return "markdown"
    if _is_code(text, limits.code_share):
        return "code"
    return "emoji" if not text.isascii() and len(_EMOJI.findall(text)) > limits.emoji_max else None


def _is_xml(text: str, share: float) -> bool:
    """Whether more than a share of the text lies in elements, or it begins as a document of tags."""
    inside = sum(len(match.group()) for match in _BLOCK.finditer(text))
    return inside > share * len(text) or (text.startswith("<") and len(_LONELY_TAG.findall(text)) > 1)


def _is_code(text: str, share: float) -> bool:
    """Whether more than a share of the text is code: fenced, between backticks, or lines set in by four."""
    fenced = sum(len(match.group()) for match in _FENCED.finditer(text)) if "```" in text or "~~~" in text else 0
    rest = _FENCED.sub("", text) if fenced else text
    inline = sum(len(match.group()) for match in _INLINE.finditer(rest)) if "`" in rest else 0
    indented = sum(len(match.group()) for match in _INDENTED.finditer(rest)) if "\n" in rest else 0
    return fenced + max(inline, indented) > share * len(text)


@cache
def _any(name: str) -> re.Pattern[str]:
    patterns = lists.entries(name)
    words = "|".join(pattern.removeprefix(_BOUNDARY) for pattern in patterns if pattern.startswith(_BOUNDARY))
    others = [pattern for pattern in patterns if not pattern.startswith(_BOUNDARY)]
    return re.compile("|".join([rf"\b(?:{words})", *others]), re.MULTILINE)
