"""Make any Python string fit for a tokeniser. In: a string as it came. Out: valid Unicode, of bounded length."""

from __future__ import annotations

MAX_CHARS = 4_096
"""How much of a text is embedded, in characters. What a long message is about stands at its beginning: on BEAM the
first sixty words alone rank as well as the whole (decision 0003), and text search still sees every word."""

_REPLACEMENT = "\ufffd"


def clean(text: str, max_chars: int = MAX_CHARS) -> str:
    """The beginning of ``text``, NULs as spaces, lone surrogates as U+FFFD, so that it can be encoded as UTF-8."""
    head = text[:max_chars].replace("\x00", " ")
    try:
        head.encode("utf-8")
    except UnicodeEncodeError:
        return "".join(_REPLACEMENT if "\ud800" <= char <= "\udfff" else char for char in head)
    return head
