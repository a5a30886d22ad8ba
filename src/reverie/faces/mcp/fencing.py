"""Fence and shorten texts for a model, clean texts from a model, and phrase errors for MCP clients."""

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

_LONE = re.compile("[\ud800-\udfff]")
SHOWN_CHARS = 20_000
"""Most characters of one text that a model is shown; a rough limit, since a text may be a megabyte."""


class Fencing:
    """Fences texts with one nonce, which is made for each server."""

    def __init__(self, nonce: str) -> None:
        self._nonce = nonce

    def __call__(self, texts: Sequence[str], most: int = SHOWN_CHARS, labels: Sequence[str] = ()) -> str:
        """Fence these texts in one block, each cut to ``most`` characters and with its label if any; empty for no
        texts.
        """
        shown = [shortened(text, most) for text in texts]
        return fence(shown, self._nonce, addressed=[addresses_model(text) for text in shown], labels=labels)


def shortened(text: str, most: int) -> str:
    """Cut a text to ``most`` characters and make it fit for JSON: lone surrogates become U+FFFD."""
    cut = text if len(text) <= most else f"{text[:most]} … ({len(text)} characters in all)"
    return sendable(cut)


def sendable(text: str) -> str:
    """Replace lone surrogates, which JSON cannot carry, by U+FFFD."""
    return _LONE.sub("\ufffd", text)


def to_keep(text: str) -> str:
    """Remove recalled (fenced) passages from a text to be stored. Raises InvalidInput if nothing else is left."""
    kept = strip_fences(text)
    if kept != text and not kept.strip():
        raise InvalidInput("The text is only what was recalled.", "Store what is new, in words of your own.")
    return kept


log = logging.getLogger("reverie.mcp")
_MESSAGE_CHARS = 600
BROKEN = "Something broke inside Reverie; its log on the error stream says what. Try again, or run `reverie doctor`."


def failed(scope: str, message: str) -> types.CallToolResult:
    """Return a tool's failed answer: what went wrong and what to do about it."""
    text = f"{shortened(message, _MESSAGE_CHARS)} (scope: {scope})"
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=True)


def wrong_arguments(error: ValidationError) -> str:
    """Say which arguments are wrong and how, without repeating their values."""
    told = [f"{_place(one['loc'])}: {one['msg']}" for one in error.errors(include_input=False, include_url=False)[:5]]
    return f"The arguments do not fit: {'; '.join(told)}. The tool's schema says which there are."


def refused(error: ReverieError) -> MCPError:
    """Convert an error to a protocol error, for resources and prompts."""
    number = types.INVALID_PARAMS if code(error).status < 500 else types.INTERNAL_ERROR
    return MCPError(number, shortened(str(error), _MESSAGE_CHARS))


def broke(what: str) -> str:
    """Log an unexpected error in full, and return the general message for the client."""
    log.exception("%s broke", what)
    return BROKEN


def _place(path: tuple[int | str, ...]) -> str:
    return shortened(".".join(str(part) for part in path), 60) or "arguments"
