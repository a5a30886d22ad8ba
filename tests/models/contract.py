"""What every embedder promises, whatever text it is handed. In: an embedder. Out: nothing, or a failed assertion."""

from __future__ import annotations

import numpy as np

from reverie.ports import Embedder

ODD_TEXTS = [
    "",
    "   \n\t ",
    "\x00",
    "a\x00b",
    "\ud800",
    "before \udfff after",
    "مرحبا بالعالم",
    "שלום עולם",
    "👩‍👩‍👧‍👦🏳️‍🌈",
    "日本語のテキスト",
    "İstanbul'da IŞIK söndü",
    "e\u0301 ﬁ ½ ｆｕｌｌ",
    "\u200b\u202e\ufeff",
    "....!!!???",
    "x" * 1_000_000,
    "word " * 200_000,
]


def check_embedder(embedder: Embedder) -> None:
    """Any string gives one float32 row, of unit length or zero, the same each time."""
    dims = embedder.info.dims
    rows = embedder.embed_passages(ODD_TEXTS)
    assert rows.shape == (len(ODD_TEXTS), dims)
    assert rows.dtype == np.float32
    lengths = np.linalg.norm(rows, axis=1)
    assert np.all(np.isclose(lengths, 1, atol=1e-5) | (lengths == 0))
    assert lengths[0] == lengths[1] == 0
    assert embedder.embed_passages([]).shape == (0, dims)
    for text in ODD_TEXTS[:8]:
        query = embedder.embed_query(text)
        assert query.shape == (dims,)
        assert query.dtype == np.float32
        assert np.array_equal(query, embedder.embed_query(text))
