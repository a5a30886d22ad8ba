"""When the messages of a file were said: in, messages in their order; out, the same, with a time where one is known."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from reverie.types import Message


class Times:
    """The times of one file: a message without a time was said when the one before it in its session was."""

    def __init__(self) -> None:
        self._of_session: dict[str, datetime] = {}

    def given(self, message: Message) -> Message:
        """The message, with a time where one can be told."""
        at = message.at or self._of_session.get(message.session)
        if at is None:
            return message
        self._of_session[message.session] = at
        return message if message.at else replace(message, at=at)
