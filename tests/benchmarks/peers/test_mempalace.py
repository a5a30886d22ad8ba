"""What MemPalace calls things."""

from __future__ import annotations

from benchmarks.peers.mempalace import room


def test_a_session_is_a_room_of_its_own_name() -> None:
    """What a room's name may not hold is spelled out, so that two sessions stay two rooms."""
    assert room("session_1") == "session_1"
    assert room("chat_3#2") == "chat_3-23-2"
    assert room("chat_3/2") != room("chat_3#2")
