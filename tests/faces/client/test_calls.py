"""What the calls say of texts JSON cannot carry; all else test_shells compares with the engine."""

from __future__ import annotations

import base64

from reverie.faces.client import calls
from reverie.types import Scope


def test_a_text_json_would_change_is_sent_exactly(scope: Scope) -> None:
    """Two halves of a pair, which a reader of JSON would join, go in base64 beside."""
    body = calls.remember("a \ud83d\ude00", scope).body
    assert body is not None
    assert base64.b64decode(body["text_base64"]).decode("utf-8", "surrogatepass") == "a \ud83d\ude00"
    plain = calls.remember("ğ 😀", scope).body
    assert plain is not None
    assert "text_base64" not in plain


def test_what_may_take_minutes_has_no_time_limit(scope: Scope) -> None:
    """A dream is waited for, a recall is not."""
    assert calls.dream(scope).long
    assert not calls.recall("x", scope).long
