"""Where the journal, scopes and sessions end, as this connection left them: known as long as nobody else writes.

Each message goes behind the last one; asking the file where that is would take longer than writing its row.
"""

from __future__ import annotations

from dataclasses import dataclass, field

_MOST = 10_000


@dataclass(slots=True)
class Ends:
    """The journal's last event and its hash; the last key of a scope; its models; the next place of a session."""

    head: tuple[int, str] | None = None
    tops: dict[int, int] = field(default_factory=dict)
    models: dict[int, frozenset[int]] = field(default_factory=dict)
    places: dict[tuple[int, str], int] = field(default_factory=dict)

    def forget(self) -> None:
        """Know nothing: somebody else wrote, or a transaction was taken back."""
        self.head = None
        self.tops.clear()
        self.models.clear()
        self.places.clear()

    def follow(self, scope: int, session: str, place: int) -> None:
        """A message was written at a place of a session."""
        following = self.places.get((scope, session))
        if following is not None:
            self.places[scope, session] = max(following, place + 1)

    def note(self, scope: int, session: str, following: int) -> None:
        """The next place of a session, as the file tells it."""
        if len(self.places) >= _MOST:
            self.places.clear()
        self.places[scope, session] = following
