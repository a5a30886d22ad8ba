"""The marks ChatGPT's answers carry for its own screen: in, an answer as exported; out, the words that were read.

A mark begins with U+E200 and ends with U+E201, its parts lie apart by U+E202: a kind, then what it points at. Most
kinds (``cite``, ``filecite``, ``navlist``, ``i`` …) stand for a source or a picture and show no words of the sentence.
Two wrap words that do belong to it: ``entity``, whose part is a JSON list with the name second, and ``url``, whose
first part is the link's words. A source may also stand alone behind U+E202. U+E203 and U+E204 enclose the words that a
source speaks for. Older answers have ``【12†source】``.
"""

from __future__ import annotations

import json
import re

_MARK = re.compile(
    "(?P<before>(?<![ \t])[ \t]*)(?:\ue200(?P<kind>[^\ue200-\ue202]*)(?P<parts>(?:\ue202[^\ue200-\ue202]*)*)\ue201"
    r"|\ue202turn\d+[a-z]+\d+|【\d+(?::\d+)?†[^【】\n]*】)"
)
_BOUNDS = re.compile("[\ue200-\ue206]")


def without_marks(text: str) -> str:
    """The text without what stands for a source; words that a mark wraps stay."""
    if "\u3010" not in text and _BOUNDS.search(text) is None:
        return text
    cleaned = _BOUNDS.sub("", _MARK.sub(_words, text))
    return text if cleaned == text else cleaned.lstrip("\r\n").rstrip()


def _words(found: re.Match[str]) -> str:
    """What a mark shows within the sentence, with the space before it; nothing for a source."""
    parts = (found["parts"] or "").split("\ue202")[1:]
    shown = ""
    if found["kind"] == "entity" and parts:
        shown = _name_in(parts[0])
    elif found["kind"] == "url" and len(parts) > 1:
        shown = parts[0]
    return found["before"] + shown if shown else ""


def _name_in(part: str) -> str:
    """The name of an entity, the second of its list; nothing where there is none."""
    try:
        fields = json.loads(part)
    except (ValueError, RecursionError):
        return ""
    named = isinstance(fields, list) and len(fields) > 1 and isinstance(fields[1], str)
    return fields[1] if named else ""
