"""Validate a message before it is written: any text is accepted, wrong types are errors.

Also the caller's hints about a message, which take precedence over what the write path finds out.
"""

from __future__ import annotations

from dataclasses import dataclass
from unicodedata import category

from reverie.errors import InvalidInput
from reverie.types import Kind, Message, Role, in_utc

SEQ_MAX = 2**53
NAME_MAX = 1000
ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "tool": Role.TOOL, "system": Role.SYSTEM}


def accept(message: Message) -> Message:
    """Validate a message and return it with its time in UTC and its role filled in; a missing ``at`` stays None.

    Raises:
        InvalidInput: a field has the wrong type, a name is blank, a time has no zone, or a place is negative.
    """
    if not isinstance(message, Message):
        raise InvalidInput(f"A message is {type(message).__name__}.", "Give text or a reverie.Message.")
    _require_text("text", message.text)
    _require_name("speaker", message.speaker)
    _require_name("session", message.session)
    if message.message_id is not None:
        _require_name("message_id", message.message_id)
    _require_seq(message.seq)
    role, at = _role(message), None if message.at is None else in_utc(message.at)
    if role is message.role and at is message.at and type(message) is Message:
        return message  # nothing to fill in
    return Message(
        text=message.text,
        speaker=message.speaker,
        role=role,
        session=message.session,
        at=at,
        message_id=message.message_id,
        seq=message.seq,
    )


def require_words(text: str) -> None:
    """Raise InvalidInput for text in which nothing can be seen: empty, blank, or of invisible signs.

    What a program hands over as a ``Message`` is taken as it is: an empty file is one.
    """
    if not any(not (sign.isspace() or category(sign) in ("Cc", "Cf")) for sign in text):
        raise InvalidInput("The message is empty.", "Give the words to keep.")


def require_share(name: str, value: object) -> float:
    """Return a number from 0 to 1 as a float; raise InvalidInput for any other value."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0.0 <= value <= 1.0:
        raise InvalidInput(f"The {name} is {value!r}.", "Use a number from 0 to 1.")
    return float(value)


def require_formed_kind(kind: object) -> None:
    """Raise InvalidInput unless ``kind`` is None or a kind of formed memory."""
    if kind is not None and not isinstance(kind, Kind):
        raise InvalidInput(f"{kind!r} is no kind.", "Use a reverie.types.Kind, or none.")
    if kind is Kind.EPISODE:
        raise InvalidInput("An episode is not formed.", "Name another kind, or none.")


def _require_text(name: str, value: object) -> None:
    if not isinstance(value, str):
        raise InvalidInput(f"The message's {name} is {type(value).__name__}, not text.", f"Give {name} as a string.")


def _require_name(name: str, value: object) -> None:
    _require_text(name, value)
    if not str(value).strip():
        raise InvalidInput(f"The message's {name} is empty.", f"Give one, or leave {name} out.")
    if len(str(value)) > NAME_MAX:
        raise InvalidInput(f"The message's {name} is longer than {NAME_MAX} characters.", f"Shorten {name}.")


def _require_seq(seq: object) -> None:
    if seq is None:
        return
    if isinstance(seq, bool) or not isinstance(seq, int) or not 0 <= seq < SEQ_MAX:
        raise InvalidInput(f"The message's place {seq!r} is not a whole number from 0.", "Leave seq out to append.")


def _role(message: Message) -> Role:
    if message.role is None:
        return ROLES.get(message.speaker.strip().lower(), Role.PERSON)
    try:
        return Role(message.role)
    except ValueError:
        known = ", ".join(Role)
        raise InvalidInput(f"The role {message.role!r} is not known.", f"Use one of {known}.") from None


@dataclass(frozen=True, slots=True)
class CallerHints:
    """What the caller knows about a message; it takes precedence over what the write path finds out.

    Attributes:
        kind: of the memories formed from it; None: the kind of their words.
        importance: of the memories formed from it, in [0, 1]; None: the recipe computes it.
        classed: form memories only from what a person said and what has a class, such as a preference or a decision,
            whatever else the recipe forms; so a host may pass on every message.

    Raises:
        InvalidInput: the importance is no number from 0 to 1, or the kind is episode, which is never formed.
    """

    kind: Kind | None = None
    importance: float | None = None
    classed: bool = False

    def __post_init__(self) -> None:
        if self.importance is not None:
            require_share("importance", self.importance)
        require_formed_kind(self.kind)


NOTHING_GIVEN = CallerHints()
