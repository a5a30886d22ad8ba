"""Numbers of rows: parts go in, come out, and never run into each other."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.errors import StoreFull
from reverie.stores.sqlite import keys


@given(st.integers(1, keys.SCOPES_MAX), st.integers(1, 2**32 - 1), st.integers(1, keys.MODELS_MAX))
def test_keys_hold_their_parts(scope: int, place: int, model: int) -> None:
    """A memory's key names its scope, a vector's key its model and memory; both fit SQLite's integers."""
    key = keys.base(scope) + place
    assert keys.scope_of(key) == scope
    assert keys.base(scope) < key < keys.base(scope + 1)
    vector = keys.vector_base(model) + key
    assert vector & keys.MEMORY_MASK == key
    assert keys.vector_base(model) < vector < min(keys.vector_base(model + 1), 2**63)


def test_when_numbers_run_out_it_says_so() -> None:
    """The last number is used, the one after refused."""
    keys.require_room("scopes", keys.SCOPES_MAX, keys.SCOPES_MAX)
    with pytest.raises(StoreFull, match="16777215 scopes"):
        keys.require_room("scopes", keys.SCOPES_MAX + 1, keys.SCOPES_MAX)
