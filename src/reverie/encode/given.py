"""Given: what whoever hands over a message knows of it already; it stands before what the write path would find."""

from __future__ import annotations

from dataclasses import dataclass

from reverie.encode.accept import require_formed_kind, require_share
from reverie.types import Kind


@dataclass(frozen=True, slots=True)
class Given:
    """What is known of a message.

    Attributes:
        kind: of what is formed of it; None: what its words are.
        importance: of what is formed of it, in [0, 1]; None: as the recipe weighs it.
        classed: form only of what a person said and what has a class, such as a preference or a decision, whatever the
            recipe forms else; so a host may hand over all that is said.

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


NOTHING_GIVEN = Given()
