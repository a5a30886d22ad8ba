"""Texts on their way to a model and back: fenced and shortened; and what goes wrong, as a client is told."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence

from mcp import types
from mcp.shared.exceptions import MCPError
from pydantic import ValidationError

from reverie.errors import InvalidInput, ReverieError
from reverie.screen.fences import fence, strip_fences
from reverie.screen.injection import addresses_model
from reverie.wire.errors import code

# Texts on their way to a model and back: in, words of the store or of the model; out, a fence, or words to keep.


_LONE = re.compile("[\ud800-\udfff]")
SHOWN_CHARS = 20_000
"""Of one text, a model is shown so much; an orders-of-magnitude guard, since a text may be a megabyte."""


class Fencing:
    """Fences texts with one nonce, which the composition root makes for each server."""

    def __init__(self, nonce: str) -> None:
        self._nonce = nonce

    def __call__(self, texts: Sequence[str], most: int = SHOWN_CHARS, labels: Sequence[str] = ()) -> str:
        """One block of these texts, each at most ``most`` characters, behind its label if any; empty for none."""
        shown = [shortened(text, most) for text in texts]
        return fence(shown, self._nonce, addressed=[addresses_model(text) for text in shown], labels=labels)


def shortened(text: str, most: int) -> str:
    """The beginning of a text as JSON can carry it: lone surrogates become U+FFFD."""
    cut = text if len(text) <= most else f"{text[:most]} … ({len(text)} characters in all)"
    return sendable(cut)


def sendable(text: str) -> str:
    """The text as JSON can carry it."""
    return _LONE.sub("\ufffd", text)


def to_keep(text: str) -> str:
    """What a model wants kept, without what it was given. Raises InvalidInput where nothing else is left."""
    kept = strip_fences(text)
    if kept != text and not kept.strip():
        raise InvalidInput("The text is only what was recalled.", "Store what is new, in words of your own.")
    return kept


# What goes wrong, as a client is told: in, an error; out, a tool's failed answer or a protocol's error.


log = logging.getLogger("reverie.mcp")
_MESSAGE_CHARS = 600
BROKEN = "Something broke inside Reverie; its log on the error stream says what. Try again, or run `reverie doctor`."


def failed(scope: str, message: str) -> types.CallToolResult:
    """A tool's answer that says what went wrong and what to do about it."""
    text = f"{shortened(message, _MESSAGE_CHARS)} (scope: {scope})"
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=True)


def wrong_arguments(error: ValidationError) -> str:
    """Which arguments are wrong, and how; not what they are: that is the caller's to know."""
    told = [f"{_place(one['loc'])}: {one['msg']}" for one in error.errors(include_input=False, include_url=False)[:5]]
    return f"The arguments do not fit: {'; '.join(told)}. The tool's schema says which there are."


def refused(error: ReverieError) -> MCPError:
    """The protocol's error for what is no tool's answer: a resource, a prompt."""
    number = types.INVALID_PARAMS if code(error).status < 500 else types.INTERNAL_ERROR
    return MCPError(number, shortened(str(error), _MESSAGE_CHARS))


def broke(what: str) -> str:
    """What is said of an error nobody foresaw, which is logged here with all its particulars."""
    log.exception("%s broke", what)
    return BROKEN


def _place(path: tuple[int | str, ...]) -> str:
    return shortened(".".join(str(part) for part in path), 60) or "arguments"
