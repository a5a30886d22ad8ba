"""What every embedder and every reranker promises, whatever text it is handed.

In: an adapter. Out: nothing, or a failed assertion.
"""

from __future__ import annotations

import numpy as np

from reverie.ports import Embedder, Reranker

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


def check_reranker(reranker: Reranker) -> None:
    """Any string gives one finite float32 number, the same each time; a blank text never beats one that is not."""
    scores = reranker.score("tea", ODD_TEXTS)
    assert scores.shape == (len(ODD_TEXTS),)
    assert scores.dtype == np.float32
    assert np.isfinite(scores).all()
    assert scores[:3].tolist() == [scores.min()] * 3
    assert np.array_equal(scores, reranker.score("tea", ODD_TEXTS))
    assert reranker.score("tea", []).shape == (0,)
    for cue in ODD_TEXTS:
        assert reranker.score(cue, ["a", "bb", ""]).shape == (3,)
    assert reranker.score(" \x00 ", ["a", "bb"]).tolist() == [0.0, 0.0]
    assert reranker.name
