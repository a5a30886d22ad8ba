"""From an ask to the messages that are sent: our instructions apart from the data, and the data fenced.

In: instructions, fields. Out: messages. The data stands between marks that carry chance, so that no text can close its
own fence, and the signs by which chat templates tell turns apart are broken up in it. Nothing is ever formatted into
anything: texts are joined.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from reverie.models.llm_port import Field
from reverie.models.port_values import clean

_DATA = Path(__file__).with_name("prompts")
MAX_FIELD_CHARS = 12_000
"""How much of one field is sent, in characters: about 3,000 tokens."""
_CUT = "\n[the rest is cut]"

ChatMessage: TypeAlias = dict[str, str]
"""One message as the protocol has it: ``role`` and ``content``."""


@cache
def prompt_text(name: str) -> str:
    """The prompt of a name and version, such as ``merge.1``; lines that begin with ``# `` are its header."""
    return "\n".join(prompt_lines(name)).strip()


@cache
def _control_signs() -> tuple[str, ...]:
    return tuple(line for line in prompt_lines("control-signs") if line)


def prompt_lines(name: str) -> list[str]:
    """The lines of a file of this room, without its header."""
    text = (_DATA / f"{name}.txt").read_text("utf-8")
    return [line.rstrip() for line in text.splitlines() if not line.startswith("# ")]


def mark_for(fields: Sequence[Field], chance: Callable[[], float]) -> str:
    """Twelve hex digits that stand in none of the fields."""
    mark = f"{int(chance() * 16**12):012x}"
    while any(mark in field.text for field in fields):
        mark = hashlib.sha256(mark.encode()).hexdigest()[:12]
    return mark


def harmless(text: str) -> str:
    """The text with a blank inside every sign that a chat template could take for the end of a turn."""
    for sign in _control_signs():
        if sign in text:
            text = text.replace(sign, f"{sign[0]} {sign[1:]}")
    return text


def fenced(fields: Sequence[Field], mark: str) -> str:
    """Each field between its marks."""
    return "\n\n".join(f"<<{mark} {field.name}>>\n{_quoted(field.text)}\n<</{mark}>>" for field in fields)


def _quoted(text: str) -> str:
    head = clean(text, MAX_FIELD_CHARS)
    return harmless(head) + (_CUT if len(text) > MAX_FIELD_CHARS else "")


def messages(instructions: str, fields: Sequence[Field], mark: str, schema: dict[str, Any] | None) -> list[ChatMessage]:
    """The system's message with instructions and rules, and the user's with the data alone.

    ``schema`` is spelled out in the rules where the endpoint does not enforce it itself.
    """
    rules = [instructions, prompt_text("rules.1"), f"The mark of this request is {mark}."]
    if schema is not None:
        rules.append("The JSON schema of the answer:\n" + json.dumps(schema, ensure_ascii=False))
    return [
        {"role": "system", "content": "\n\n".join(rules)},
        {"role": "user", "content": fenced(fields, mark)},
    ]
