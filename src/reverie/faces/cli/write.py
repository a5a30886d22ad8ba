"""The command ``remember``, which stores one message."""

from __future__ import annotations

import sys
from datetime import datetime
from typing import TYPE_CHECKING

import click

from reverie.errors import InvalidInput
from reverie.faces.cli.invocation import NO_MODEL, TIME, Command, Invocation, pass_invocation
from reverie.faces.cli.screen import Screen

if TYPE_CHECKING:
    from reverie.answers import Receipt
    from reverie.engine.core import Reverie


ROLES = ("user", "assistant", "tool", "system", "person")
"""The values of ``reverie.types.Role``, repeated so that help does not load numpy; a test holds them equal."""


@click.command("remember", cls=Command, short_help="Store one message, word for word.")
@click.argument("text", required=False)
@click.option("--speaker", metavar="NAME", default="user", show_default=True, help="Who said it.")
@click.option("--role", type=click.Choice(ROLES), help="The speaker's role; follows from the name if left out.")
@click.option("--session", metavar="NAME", default="default", show_default=True, help="The conversation it belongs to.")
@click.option("--at", type=TIME, metavar="TIME", help="When it was said (ISO 8601; without a zone, UTC); else now.")
@click.option("--id", "message_id", metavar="ID", help="An id of your own; the same message twice is then kept once.")
@pass_invocation
def remember_command(  # noqa: PLR0913 - one parameter an option
    invocation: Invocation,
    text: str | None,
    speaker: str,
    role: str | None,
    session: str,
    at: datetime | None,
    message_id: str | None,
) -> None:
    """Keep one message, word for word.

    Without TEXT, or with "-", the message is read from standard input, without its last line break.
    """
    from reverie.types import Message, Role

    scope = invocation.scope()
    words = typed(text)
    message = Message(words, speaker, Role(role) if role else None, session, at, message_id)
    with invocation.open() as memory:
        receipt = memory.remember(message, scope)
        if receipt.new and not receipt.embedded:
            tell_unembedded(invocation.screen, memory)
    screen = invocation.screen
    if screen.as_json:
        screen.json(receipt)
        return
    screen.line(f"{'remembered' if receipt.new else 'known already'}: {receipt.id}")
    screen.line(f"scope: {scope} · session {receipt.session}, place {receipt.seq}")
    tell_screened(screen, receipt)


def tell_screened(screen: Screen, receipt: Receipt) -> None:
    """Note what the screen masked in the message just kept, or that it quarantined it."""
    for found in receipt.decisions:
        if found.stage != "screen":
            continue
        if found.verdict == "quarantine":
            screen.note(
                f"kept in quarantine, so never recalled ({found.why}): `reverie memory quarantined` lists it, "
                f"`reverie memory release {receipt.id}` lets it out"
            )
        else:
            screen.note(f"masked, so not kept: {found.why}")


def tell_unembedded(screen: Screen, memory: Reverie) -> None:
    """Note that the message was kept without a vector, if a model should have made one."""
    if memory.admin.model != NO_MODEL:
        screen.note(
            "the embedding model does not answer: kept without a vector, found by text alone; see `reverie doctor`, "
            "and run `reverie store embed` once it answers"
        )


def piped(most: int = -1) -> bytes:
    """Read bytes from standard input. Raises InvalidInput if it cannot be read."""
    try:
        return sys.stdin.buffer.read(most)
    except OSError as error:
        what = f"The standard input cannot be read: {error.strerror or error}."
        raise InvalidInput(what, "Pipe the text in, or give it as an argument.") from None


def typed(text: str | None) -> str:
    """Return the message that was typed or piped in. Raises InvalidInput if it has no words."""
    from reverie.encode.validation import require_words

    words = piped_text() if text is None or text == "-" else text
    require_words(words)
    return words


def piped_text() -> str:
    """Read standard input as text; bytes that are not UTF-8 become lone surrogates, as in arguments."""
    text = piped().decode("utf-8", "surrogateescape")
    return text.removesuffix("\n").removesuffix("\r")
