"""What the user said: in, a message of Agent Zero's history; out, its words, without the JSON it is told in.

A message's content is a text, a mapping that holds one, or a list of these where messages were merged. Attachments and
system messages are not the user's words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

_SAID_IN = ("user_message", "message", "text", "tool_result", "content", "raw_content")
"""Where Agent Zero keeps a message's words, its own name for them first."""
_DEEPEST = 8
_HALF = 2_000
"""Characters of a longer message that are searched for, at its beginning and at its end: a pasted file is no question,
and no embedding model reads further."""


def said(message: object) -> str:
    """The words of a message of the history; empty where there is none."""
    return "\n".join(text for text in _texts(getattr(message, "content", None), _DEEPEST) if text.strip())


def cue(text: str) -> str:
    """What of a text is searched for."""
    return text if len(text) <= 2 * _HALF else f"{text[:_HALF]} {text[-_HALF:]}"


def _texts(content: object, deepest: int) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    elif isinstance(content, Mapping) and deepest:
        inner = next((content[key] for key in _SAID_IN if content.get(key)), None)
        yield from _texts(inner, deepest - 1)
    elif isinstance(content, Sequence) and deepest and not isinstance(content, bytes | bytearray):
        for part in content:
            yield from _texts(part, deepest - 1)
