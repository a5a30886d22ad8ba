"""What every store must do, the reference and the default alike: the last messages of a session."""

from __future__ import annotations

from reverie.ports import Store
from tests.stores.making import ADA, GRACE, Writer, at


def texts(store: Store, limit: int | None = None, minute: float | None = None) -> list[str]:
    """The last messages of Ada's session, as words."""
    return [m.text for m in store.latest(ADA, "s", limit, None if minute is None else at(minute))]


def test_the_last_messages_come_in_the_order_of_their_places(store: Store, writer: Writer) -> None:
    """By place, whatever the time they were said at; no other session and no other scope comes along."""
    for text in ("tea", "rain", "bread"):
        writer.remember(ADA, text, session="s")
    writer.remember(ADA, "salt", session="t")
    writer.remember(GRACE, "snow", session="s")
    assert texts(store) == ["tea", "rain", "bread"]
    assert texts(store, 2) == ["rain", "bread"]
    assert texts(store, 9) == ["tea", "rain", "bread"]
    assert store.latest(ADA, "nobody", None, None) == []


def test_what_no_longer_holds_is_passed_over_where_asked(store: Store, writer: Writer) -> None:
    """From the moment it was forgotten on; without a moment everything is there."""
    writer.remember(ADA, "tea", session="s")
    name = writer.remember(ADA, "rain", session="s")
    writer.forget(ADA, name, at(5))
    assert texts(store, 1, 5) == ["tea"]
    assert texts(store, 1, 4) == ["rain"]
    assert texts(store, 1) == ["rain"]


def test_what_was_erased_is_not_among_them(store: Store, writer: Writer) -> None:
    """Its place stays empty."""
    writer.remember(ADA, "tea", session="s")
    name = writer.remember(ADA, "rain", session="s")
    writer.erase(ADA, name)
    assert texts(store) == ["tea"]
