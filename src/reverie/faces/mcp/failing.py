"""What goes wrong, as a client is told: in, an error; out, a tool's failed answer or a protocol's error.

Which of them are the caller's fault, the one table of errors says.
"""

from __future__ import annotations

import logging

from mcp import types
from mcp.shared.exceptions import MCPError
from pydantic import ValidationError

from reverie.errors import ReverieError
from reverie.faces.mcp.fencing import shortened
from reverie.wire.errors import code

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
