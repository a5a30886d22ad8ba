"""Numbers of rows: parts go in, come out, and never run into each other."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.errors import StoreFull
from reverie.stores.sqlite import reads


@given(st.integers(1, reads.SCOPES_MAX), st.integers(1, 2**32 - 1), st.integers(1, reads.MODELS_MAX))
def test_keys_hold_their_parts(scope: int, place: int, model: int) -> None:
    """A memory's key names its scope, a vector's key its model and memory; both fit SQLite's integers."""
    key = reads.base(scope) + place
    assert reads.scope_of(key) == scope
    assert reads.base(scope) < key < reads.base(scope + 1)
    vector = reads.vector_base(model) + key
    assert vector & reads.MEMORY_MASK == key
    assert reads.vector_base(model) < vector < min(reads.vector_base(model + 1), 2**63)


def test_when_numbers_run_out_it_says_so() -> None:
    """The last number is used, the one after refused."""
    reads.require_room("scopes", reads.SCOPES_MAX, reads.SCOPES_MAX)
    with pytest.raises(StoreFull, match="16777215 scopes"):
        reads.require_room("scopes", reads.SCOPES_MAX + 1, reads.SCOPES_MAX)
