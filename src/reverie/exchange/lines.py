"""One line of JSON lines: in, plain values; out, bytes that any tool can cut and show, and back.

Valid UTF-8 always: JSON cannot carry every Python string (two lone surrogates side by side come back as one character),
so what holds surrogates must be told as base64. Characters a terminal or a line reader would act on are escaped.
"""

from __future__ import annotations

import base64
import binascii
import json
import re

from reverie.exchange.fields import FieldError

_SURROGATE = re.compile("[\ud800-\udfff]")
_ACTED_ON = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""Controls beyond ASCII, line breaks beyond "\\n", and marks that change the direction of what follows."""


def dumped(value: object) -> str:
    """A value as JSON without spaces, characters as themselves."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def line(text: str) -> bytes:
    """The bytes of a line of JSON without surrogates."""
    return _ACTED_ON.sub(lambda found: f"\\u{ord(found[0]):04x}", text).encode("utf-8") + b"\n"


def is_odd(text: str) -> bool:
    """Whether a text holds surrogates, which only base64 carries."""
    return _SURROGATE.search(text) is not None


def to_base64(text: str) -> str:
    """The UTF-8 of a text, surrogates passed, as base64."""
    return base64.b64encode(text.encode("utf-8", "surrogatepass")).decode("ascii")


def from_base64(name: str, value: str) -> str:
    """The text of ``to_base64``. Raises FieldError, which names the field."""
    try:
        return base64.b64decode(value, validate=True).decode("utf-8", "surrogatepass")
    except (binascii.Error, ValueError):
        raise FieldError(f"{name} is no base64 of a text") from None
