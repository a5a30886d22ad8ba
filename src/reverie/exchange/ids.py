"""Message ids: those a file carries are watched, those it lacks are derived from the message's own content."""

from __future__ import annotations

import hashlib
from collections import Counter
from datetime import datetime

from reverie.types import Message


class Ids:
    """The ids of one import.

    A derived id is made of session, speaker, time, words, and which of equal messages it is. Nothing about the file
    goes in, nor a message's line: an export that has grown, or whose broken line was mended, gives every other message
    the id it had, so that importing it again adds only what is new.
    """

    def __init__(self) -> None:
        self._seen: Counter[bytes] = Counter()
        self._taken: dict[str, int] = {}

    def is_free(self, message: Message) -> bool:
        """Whether the message's own id is new, or came with the very same message before."""
        content = hash((message.text, message.speaker, message.session))
        return self._taken.setdefault(message.message_id or "", content) == content

    def of(self, session: str, speaker: str, at: datetime | None, text: str) -> str:
        """The id of the next message with this content."""
        digest = hashlib.sha256()
        for part in (session, speaker, at.isoformat() if at else "", text):
            raw = part.encode("utf-8", "surrogatepass")
            digest.update(len(raw).to_bytes(8, "big") + raw)
        key = digest.digest()[:16]
        self._seen[key] += 1
        return f"derived-{key.hex()}-{self._seen[key]}"
